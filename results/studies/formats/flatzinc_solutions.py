"""FlatZinc files that come with all of their solutions: each backend finds these, and no others.

    python -m results.studies.formats.flatzinc_solutions PATH [--seconds 60] [--backend B]...
                                                         [--out FOLDER]

``PATH`` is a folder with ``INDEX.toml``; its group ``flatzinc-constraint`` names beside each file
``answers``, solutions as MiniZinc prints them: ``x = 1;`` a line, ``----------`` after each.
``flatzinc_solutions.md`` in ``--out`` is the table; exit status 1 if a backend finds others.
"""

from __future__ import annotations

import argparse
import gzip
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from backends.interface import registry
from backends.interface.api import Limits, Refused, Solutions
from modelling.errors import ConcordError
from modelling.formats import find_format
from modelling.problem import Problem
from puzzles.files import read_bytes
from results.studies.formats.index import read_index
from results.studies.runner import write_text

BACKENDS = ("cpsat", "sat", "propagation", "python_constraint", "brute_force")
GROUP = "flatzinc-constraint"
REFERENCE = Path("results") / "reference" / "formats"

Found = frozenset[tuple[tuple[str, int], ...]]
"""Solutions, each as its variables by name with their values."""

_VALUE = re.compile(r"^\s*(\w+)\s*=\s*(true|false|-?\d+)\s*;", re.MULTILINE)


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask each backend about each file, and write the table."""
    parser = argparse.ArgumentParser(description="find all solutions of FlatZinc files")
    parser.add_argument("path", type=Path, help="the folder of INDEX.toml")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--backend", action="append")
    parser.add_argument("--out", type=Path, default=REFERENCE)
    chosen = parser.parse_args(arguments)
    backends = chosen.backend or BACKENDS
    lines = [
        "# FlatZinc files with all their solutions",
        "",
        "Made by `python -m results.studies.formats.flatzinc_solutions PATH`.",
        "",
        f"| file | solutions | {' | '.join(backends)} |",
        f"|---|---:|{'---|' * len(backends)}",
    ]
    wrong = 0
    for one in read_index(chosen.path, [GROUP]):
        data = (chosen.path / one.told["answers"]).read_bytes()
        text = (gzip.decompress(data) if one.told["answers"].endswith(".gz") else data).decode()
        expected, number = read_solutions(text)
        cells = []
        try:
            problem = find_format("flatzinc").read(read_bytes(str(one.path)), one.name)
        except ConcordError as error:
            cells = [f"not read: {error}"] * len(backends)
        else:
            names = sorted(name for name, _ in next(iter(expected)))
            for backend in backends:
                found = find_solutions(problem, backend, chosen.seconds, names)
                is_wrong = not isinstance(found, str) and found != expected
                wrong += is_wrong
                said = found if isinstance(found, str) else "all"
                cells.append(f"**{len(found)} others**" if is_wrong else said)
        lines.append(f"| {one.name} | {number} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    write_text(chosen.out / "flatzinc_solutions.md", "\n".join(lines) + "\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
