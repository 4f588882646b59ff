"""CaDiCaL as a program: the clauses of ``sat`` in a file in DIMACS, and what the program prints.

The file is written and the program is run for each answer, and again with one clause more for the
next one; CPU time is that of both processes.
"""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from results.studies.speed.scripts import sat

PROGRAM = "cadical"
SATISFIABLE, UNSATISFIABLE = 10, 20
"""Exit statuses, as in competitions of SAT solvers."""


class Solver:
    """The methods of PySAT's ``Solver`` that the models call, by a program."""

    def __init__(self, clauses: sat.Clauses) -> None:
        self.lines = [_line(clause) for clause in clauses]
        self.top = max(abs(literal) for clause in clauses for literal in clause)
        self.model: list[int] = []

    def __enter__(self) -> Self:
        self.folder = TemporaryDirectory()
        self.path = Path(self.folder.name) / "problem.cnf"
        return self

    def __exit__(self, *raised: object) -> None:
        self.folder.cleanup()

    def add_clause(self, clause: list[int]) -> None:
        """For the calls that follow."""
        self.lines.append(_line(clause))

    def get_model(self) -> list[int]:
        """The model of the last call."""
        return self.model

    def solve(self) -> bool:
        """Run the program."""
        head = f"p cnf {self.top} {len(self.lines)}\n"
        self.path.write_text(head + "".join(self.lines), encoding="ascii")
        ran = subprocess.run([PROGRAM, "-q", str(self.path)], capture_output=True, text=True)
        if ran.returncode not in (SATISFIABLE, UNSATISFIABLE):
            raise RuntimeError(ran.stderr)
        words = [line[1:].split() for line in ran.stdout.splitlines() if line.startswith("v")]
        self.model = [int(word) for line in words for word in line][:-1]
        return ran.returncode == SATISFIABLE


def _line(clause: list[int]) -> str:
    return f"{' '.join(map(str, clause))} 0\n"


queens = partial(sat.queens, Solver)
sudoku = partial(sat.sudoku, Solver)
send_more = partial(sat.send_more, Solver)
golomb = partial(sat.golomb, Solver)
pigeons = partial(sat.pigeons, Solver)
