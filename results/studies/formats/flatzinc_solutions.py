"""FlatZinc files that come with all of their solutions: each backend finds these, and no others.

    python -m results.studies.formats.flatzinc_solutions PATH [--seconds 60] [--backend B]...
                                                         [--out FOLDER]

``PATH`` is a folder with ``INDEX.toml``; its group ``flatzinc-constraint`` names beside each file
``answers``, solutions as MiniZinc prints them: ``x = 1;`` a line, ``----------`` after each.
``flatzinc_solutions.md`` and ``.json`` in ``--out`` are the table; exit status 1 if a backend finds
others.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from backends.interface import registry
from backends.interface.api import Limits, Refused, Solutions
from modelling.errors import ConcordError
from modelling.formats import find_format
from modelling.problem import Problem
from puzzles.files import read_bytes
from results.studies.formats.index import read_index
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, argument, option

BACKENDS = ("cpsat", "sat", "propagation", "python_constraint", "brute_force")
GROUP = "flatzinc-constraint"
REFERENCE = Path("results") / "reference" / "formats"

Found = frozenset[tuple[tuple[str, int], ...]]
"""Solutions, each as its variables by name with their values."""

_VALUE = re.compile(r"^\s*(\w+)\s*=\s*(true|false|-?\d+)\s*;", re.MULTILINE)


class Row(msgspec.Struct):
    """The answer of one backend about one file, which has so many solutions."""

    file: str
    solutions: int
    backend: str
    answer: str = "all"
    is_wrong: bool = False

    @property
    def cell(self) -> str:
        """The answer, in bold where it is wrong."""
        return f"**{self.answer}**" if self.is_wrong else self.answer


def read_solutions(text: str) -> tuple[Found, int]:
    """All solutions of a file, and how many are listed."""
    listed = []
    for part in text.split("----------")[:-1]:
        values = {name: int({"true": 1, "false": 0}.get(v, v)) for name, v in _VALUE.findall(part)}
        listed.append(tuple(sorted(values.items())))
    return frozenset(listed), len(listed)


def find_solutions(
    problem: Problem, backend: str, seconds: float, names: Sequence[str]
) -> Found | str:
    """All solutions by a backend over these variables, or why there are none to be had."""
    chosen = registry.get(backend)
    accepted = chosen.accepts(problem)
    if isinstance(accepted, Refused):
        return f"refused: {accepted.reason}"
    result = chosen.solve(problem, Solutions(None, None), Limits(seconds))
    if not result.exhausted:
        return f"stopped by {result.stopped_by}"
    places = [problem.structure.names.index(name) for name in names]
    return frozenset(
        tuple((name, values[at]) for name, at in zip(names, places, strict=True))
        for values in result.solutions
    )


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """Ask each backend about each file."""
    for one in read_index(chosen.path, [GROUP]):
        answers = read_bytes(str(chosen.path / one.facts["answers"]))
        expected, number = read_solutions(answers.decode())
        try:
            problem = find_format("flatzinc").read(read_bytes(str(one.path)), one.name)
        except ConcordError as error:
            problem, reason = None, f"not read: {error}"
        names = sorted(name for name, _ in next(iter(expected)))
        for backend in chosen.backend or BACKENDS:
            if (one.name, backend) in known:
                continue
            row = Row(one.name, number, backend)
            found = find_solutions(problem, backend, chosen.seconds, names) if problem else reason
            if isinstance(found, str):
                row.answer = found
            elif found != expected:
                row.answer, row.is_wrong = f"{len(found)} others", True
            yield row


def report(rows: Sequence[Row]) -> str:
    """The table: a row a file, a column a backend."""
    backends = list(dict.fromkeys(row.backend for row in rows))
    table = []
    for file, number in dict.fromkeys((row.file, row.solutions) for row in rows):
        said = {row.backend: row.cell for row in rows if row.file == file}
        cells = " | ".join(said.get(backend, "") for backend in backends)
        table.append(f"{file} | {number} | {cells}")
    return join_page(
        "# FlatZinc files with all their solutions",
        "Made by `python -m results.studies.formats.flatzinc_solutions PATH`.",
        list_table(" | ".join(["file | solutions:", *backends]), table),
    )


STUDY = Study(
    "formats.flatzinc_solutions",
    __doc__,
    Row,
    key=lambda row: (row.file, row.backend),
    measure=measure,
    report=lambda rows, chosen: report(rows),
    faults=lambda rows: [f"{r.backend} on {r.file}: {r.answer}" for r in rows if r.is_wrong],
    out=REFERENCE,
    place="formats",
    options=(
        argument("path", "the folder of INDEX.toml"),
        option("--seconds", 60.0, "limit of each question"),
        option("--backend", [], "these alone"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
