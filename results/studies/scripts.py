"""The scripts that solvers' documentation would have their users write for 9x9 Sudoku.

Text in, solution text out, nothing of Concord. Each prepares beforehand what does not depend on the
puzzle where the library's own examples do: clauses are listed once, a CP-SAT model and a
python-constraint problem are built for each puzzle. *Fresh* scripts make a solver for each puzzle,
*incremental* ones make one and give each puzzle as assumptions. What they share with the backends
beside them is the solver, its number of workers, and the formulation: 27 all-different constraints,
or the extended one-hot encoding with pairwise at-most-ones (Lynce and Ouaknine, 2006).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

Solve = Callable[[str], str]

ROWS = [[9 * r + c for c in range(9)] for r in range(9)]
COLUMNS = [[9 * r + c for r in range(9)] for c in range(9)]
BOXES = [
    [9 * (3 * a + r) + 3 * b + c for r in range(3) for c in range(3)]
    for a in range(3)
    for b in range(3)
]
UNITS = ROWS + COLUMNS + BOXES


def cpsat() -> Solve:
    """OR-Tools: ``CpModel``, ``add_all_different``, ``CpSolver``, with one worker."""
    from ortools.sat.python import cp_model

    def solve(text: str) -> str:
        model = cp_model.CpModel()
        cells = [
            model.new_int_var(1, 9, "")
            if sign == "."
            else model.new_int_var(int(sign), int(sign), "")
            for sign in text
        ]
        for unit in UNITS:
            model.add_all_different([cells[i] for i in unit])
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.solve(model)
        return "".join([str(solver.value(cell)) for cell in cells])

    return solve


def python_constraint() -> Solve:
    """python-constraint: ``addVariable``, ``AllDifferentConstraint``, ``getSolution``."""
    import constraint

    def solve(text: str) -> str:
        problem = constraint.Problem(constraint.BacktrackingSolver())
        for i, sign in enumerate(text):
            problem.addVariable(i, range(1, 10) if sign == "." else [int(sign)])
        for unit in UNITS:
            problem.addConstraint(constraint.AllDifferentConstraint(), unit)
        found = problem.getSolution()
        return "".join(str(found[i]) for i in range(81))

    return solve


def clauses() -> Iterator[list[int]]:
    """The extended one-hot encoding: Boolean ``9 * cell + digit``, digits 1 to 9."""
    cells = [[9 * i + d for d in range(1, 10)] for i in range(81)]
    places = [[9 * i + d for i in unit] for unit in UNITS for d in range(1, 10)]
    for group in cells + places:
        yield group
        yield from ([-a, -b] for a, b in combinations(group, 2))


def givens(text: str) -> list[int]:
    """The literals that a puzzle sets."""
    return [9 * i + int(sign) for i, sign in enumerate(text) if sign != "."]


def digits(model: Sequence[int]) -> str:
    """A model as a grid."""
    return "".join([str((b - 1) % 9 + 1) for b in model if b > 0])


def pycosat() -> Solve:
    """pycosat: ``solve`` with the clauses and the givens as unit clauses."""
    import pycosat

    prepared = list(clauses())

    def solve(text: str) -> str:
        return digits(pycosat.solve(prepared + [[b] for b in givens(text)]))

    return solve


def pysat_fresh(engine: str) -> Solve:
    """PySAT: ``with Solver(name, bootstrap_with=clauses)`` for each puzzle, givens as unit clauses.

    The units stand first, which is the faster order.
    """
    from pysat.solvers import Solver

    prepared = list(clauses())

    def solve(text: str) -> str:
        units = [[b] for b in givens(text)]
        with Solver(name=engine, bootstrap_with=units + prepared) as solver:
            solver.solve()
            return digits(solver.get_model())

    return solve


def pysat_incremental(engine: str) -> Solve:
    """PySAT: one ``Solver`` for all puzzles, ``solve(assumptions=givens)`` for each."""
    from pysat.solvers import Solver

    solver = Solver(name=engine, bootstrap_with=clauses())

    def solve(text: str) -> str:
        solver.solve(assumptions=givens(text))
        return digits(solver.get_model())

    return solve
