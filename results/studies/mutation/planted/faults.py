"""The faults that are planted: one-line mutants of what translates constraints for a solver.

Words
-----
field    a backend, and the files of ours whose mutants are hunted by asking it
judged   of a mutant that no hunt has found: whether any answer can show it, in ``judged.toml``
"""

from __future__ import annotations

import random
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from results.studies.mutation.mutator import Mutant, compiles, list_changes

ROOT = Path(__file__).resolve().parents[4]
JUDGED = Path(__file__).with_name("judged.toml")


@dataclass(frozen=True)
class Field:
    """``number`` mutants of the files that ``globs`` match below ``backends`` are hunted by asking
    ``backend``."""

    backend: str
    number: int
    globs: tuple[str, ...]

    def files(self) -> list[str]:
        """The files, as paths from the root of the repository."""
        found = {path for glob in self.globs for path in (ROOT / "backends").glob(glob)}
        return sorted(
            str(path.relative_to(ROOT)) for path in found if path.name not in ("__init__.py",)
        )


FIELDS = (
    Field("cpsat", 40, ("cpsat/handlers/*.py", "cpsat/formulations.py", "cpsat/views.py")),
    Field(
        "sat",
        45,
        ("sat/constraints/*.py", "sat/sums/*.py", "sat/integers/*.py", "sat/gates.py",
         "sat/at_most_one.py"),
    ),
    Field(
        "choco",
        25,
        ("choco/handlers.py", "choco/comparisons.py", "choco/counting.py", "choco/formulas.py",
         "choco/functions.py", "choco/graphs.py", "choco/guards.py", "choco/scheduling.py",
         "choco/tables.py"),
    ),
    Field("clingo", 15, ("clingo/handlers.py", "clingo/rules.py", "clingo/sums.py")),
    Field("z3", 15, ("z3/handlers.py", "z3/functions.py", "z3/sums.py", "z3/draft.py")),
    Field(
        "python_constraint",
        15,
        ("python_constraint/arithmetic.py", "python_constraint/early.py",
         "python_constraint/posing.py", "python_constraint/sums.py"),
    ),
    Field(
        "pumpkin",
        15,
        ("pumpkin/handlers.py", "pumpkin/comparisons.py", "pumpkin/formulas.py",
         "pumpkin/functions.py", "pumpkin/guards.py", "pumpkin/scheduling.py",
         "pumpkin/tables.py", "pumpkin/views.py"),
    ),
    Field("highs", 10, ("integer_programs/handlers.py", "integer_programs/draft.py")),
    Field("exact", 10, ("exact/handlers.py", "exact/formula.py")),
    Field(
        "toulbar2",
        10,
        ("toulbar2/handlers.py", "toulbar2/differences.py", "toulbar2/sums.py",
         "toulbar2/tables.py"),
    ),
)  # fmt: skip
"""What is hunted: 200 mutants in all."""


@dataclass(frozen=True)
class Planted:
    """A mutant, and the backend that is asked for it."""

    backend: str
    mutant: Mutant

    @property
    def module(self) -> str:
        """The name of the module that is changed."""
        return self.mutant.file.removesuffix(".py").replace("/", ".")


def draw_planted(seed: int) -> list[Planted]:
    """The mutants of a seed, those of all backends in turn."""
    drawn = [_draw(seed, field) for field in FIELDS]
    longest = max(map(len, drawn))
    return [some[place] for place in range(longest) for some in drawn if place < len(some)]


def _draw(seed: int, field: Field) -> list[Planted]:
    sources = {file: (ROOT / file).read_text(encoding="utf-8") for file in field.files()}
    every = [one for file, source in sources.items() for one in list_changes(file, source)]
    random.Random(f"planted/{seed}/{field.backend}").shuffle(every)
    named = {one.name: one for one in reversed(every)}  # lines that are equal have one change
    valid = (one for one in every if named[one.name] is one and compiles(one, sources[one.file]))
    return [Planted(field.backend, one) for one in islice(valid, field.number)]


@lru_cache(maxsize=1)
def read_judged() -> dict[tuple[str, str, str], str]:
    """Why no answer can show a mutant, by its file, line and change."""
    if not JUDGED.exists():
        return {}
    facts = tomllib.loads(JUDGED.read_text(encoding="utf-8"))["mutant"]
    return {(one["file"], one["text"], one["change"]): one["reason"] for one in facts}


def find_reason(mutant: Mutant) -> str:
    """Why no answer can show a mutant; empty where nobody has judged so."""
    return read_judged().get((mutant.file, mutant.text, mutant.change), "")
