"""z3: a ``Bool`` for each value, ``PbEq``, ``AtMost`` and ``Or`` in ``SolverFor("QF_FD")``.

That is z3's own solver for finite domains; with ``Int`` and ``Distinct`` all but SEND + MORE take
several times as long.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import z3

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Solutions, built_each_call

Choices = list[dict[int, Any]]
"""For each variable a Boolean for each value."""


def _choices(solver: Any, domains: list[range]) -> Choices:
    """Variables with a value each."""
    made = [{v: z3.Bool(f"x{i}_{v}") for v in domain} for i, domain in enumerate(domains)]
    for variable in made:
        solver.add(z3.PbEq([(literal, 1) for literal in variable.values()], 1))
    return made


def _different(solver: Any, variables: Choices) -> None:
    """Each value at most once."""
    for value in dict.fromkeys(value for variable in variables for value in variable):
        solver.add(z3.AtMost(*[x[value] for x in variables if value in x], 1))


def _solutions(solver: Any, variables: Choices, limit: int | None = None) -> Solutions:
    """Models until there is none, each of them excluded."""
    found: Solutions = []
    while len(found) != limit and solver.check() == z3.sat:
        model = solver.model()
        true = [next(v for v, x in of.items() if z3.is_true(model[x])) for of in variables]
        found.append(tuple(true))
        solver.add(z3.Or([z3.Not(of[v]) for of, v in zip(variables, true, strict=True)]))
    return found


@built_each_call
def queens() -> Solutions:
    """Rows and diagonals at most once."""
    solver = z3.SolverFor("QF_FD")
    columns = _choices(solver, [range(five.QUEENS)] * five.QUEENS)
    _different(solver, columns)
    for sign in (1, -1):
        _different(
            solver,
            [{row + sign * i: x for row, x in of.items()} for i, of in enumerate(columns)],
        )
    return _solutions(solver, columns)


@built_each_call
def sudoku() -> Solutions:
    """Each digit at most once in a unit; given cells are added."""
    solver = z3.SolverFor("QF_FD")
    cells = _choices(solver, [range(1, 10)] * 81)
    for unit in five.UNITS:
        _different(solver, [cells[i] for i in unit])
    for i, given in five.GIVENS.items():
        solver.add(cells[i][given])
    return _solutions(solver, cells, five.MOST_GRIDS)


@built_each_call
def send_more() -> Solutions:
    """``PbEq``."""
    solver = z3.SolverFor("QF_FD")
    letters = _choices(solver, [range(int(x in five.LEADING), 10) for x in five.LETTERS])
    _different(solver, letters)
    terms = zip(five.LETTERS, letters, strict=True)
    weighed = [(x, five.WEIGHTS[letter] * v) for letter, of in terms for v, x in of.items()]
    solver.add(z3.PbEq(weighed, 0))
    return _solutions(solver, letters, 1)


@built_each_call
def golomb() -> Solutions:
    """A distance is implied by two marks; each ruler is shorter than the one before."""
    solver = z3.SolverFor("QF_FD")
    domains = [range(1)] + [range(five.LONGEST + 1)] * (five.MARKS - 1)
    pairs = list(combinations(range(five.MARKS), 2))
    variables = _choices(solver, domains + [range(1, five.LONGEST + 1)] * len(pairs))
    marks, distances = variables[: five.MARKS], variables[five.MARKS :]
    for one, other in pairwise(marks):
        for a, x in one.items():
            solver.add(z3.Implies(x, z3.Or([y for b, y in other.items() if a < b])))
    for (i, j), distance in zip(pairs, distances, strict=True):
        for a, x in marks[i].items():
            for b, y in marks[j].items():
                if a < b:
                    solver.add(z3.Implies(z3.And(x, y), distance[b - a]))
    _different(solver, distances)
    found: Solutions = []
    while ruler := _solutions(solver, marks, 1):
        found = ruler
        solver.add(z3.Or([x for b, x in marks[-1].items() if b < ruler[0][-1]]))
    return found


@built_each_call
def pigeons() -> Solutions:
    """No two in one hole."""
    solver = z3.SolverFor("QF_FD")
    holes = _choices(solver, [range(1, five.HOLES + 1)] * five.PIGEONS)
    for one, other in combinations(holes, 2):
        for hole in one:
            solver.add(z3.Or(z3.Not(one[hole]), z3.Not(other[hole])))
    return _solutions(solver, holes, 1)
