"""Problems that tests of several solvers ask about."""

from __future__ import annotations

import random

from modelling.constraints import AllDifferent, Linear, NotEqual, Table
from modelling.problem import Objective, Problem, Structure, build_problem


def pigeons(number: int) -> Problem:
    """One more than there are holes, each two apart."""
    names = [f"p{i}" for i in range(number)]
    apart = [NotEqual((one, other)) for k, one in enumerate(names) for other in names[:k]]
    return build_problem({name: range(number - 1) for name in names}, apart)


def crowded(number: int) -> Problem:
    """The same said by one constraint: exponentially long for resolution in a direct encoding."""
    domains = {f"p{i}": range(number - 1) for i in range(number)}
    return build_problem(domains, [AllDifferent(range(number))])


def queens(number: int) -> Problem:
    """No two in one row or on one diagonal."""
    lines = [
        Linear((i, j), (1, -1), "!=", d)
        for i in range(number)
        for j in range(i)
        for d in (i - j, j - i)
    ]
    domains = {f"q{i}": range(number) for i in range(number)}
    return build_problem(domains, [AllDifferent(range(number)), *lines])


def send_more() -> Problem:
    """SEND + MORE = MONEY: 10**8 assignments, one of them right."""
    letters = "DEMNORSY"
    factors = (1, 91, -9000, -90, -900, 10, 1000, -1)
    nonzero = [Table((letter,), ((0,),), allowed=False) for letter in "SM"]
    return build_problem(
        {letter: range(10) for letter in letters},
        [AllDifferent(letters), Linear(letters, factors, "==", 0), *nonzero],
    )


def bag() -> Problem:
    """Eight things, each taken or not: the most worth having."""
    names, sizes = tuple("abcdefgh"), (5, 7, 4, 3, 8, 6, 9, 2)
    return build_problem(
        {name: range(2) for name in names},
        [Linear(names, sizes, "<=", 20)],
        objective=Objective("maximize", names, (10, 13, 7, 5, 16, 11, 19, 3)),
    )


def packing() -> Problem:
    """Eight kinds of things, up to three of each: the most worth having."""
    names = tuple("abcdefgh")
    weights, values = (7, 3, 9, 4, 8, 6, 5, 2), (13, 5, 17, 8, 15, 11, 9, 3)
    return build_problem(
        {name: range(4) for name in names},
        [Linear(names, weights, "<=", 41)],
        objective=Objective("maximize", names, values),
    )


def market_split() -> Problem:
    """Equations that a search by relaxations learns little of: very many nodes."""
    draw = random.Random(7)
    names = tuple(f"x{i}" for i in range(40))
    rows = [[draw.randrange(100) for _ in names] for _ in range(4)]
    sums = [Linear(names, tuple(row), "==", sum(row) // 2) for row in rows]
    return build_problem({name: range(2) for name in names}, sums)


def sudoku() -> Structure:
    """Each digit once in each line, column and box."""
    lines = [[9 * r + c for c in range(9)] for r in range(9)]
    columns = [[9 * r + c for r in range(9)] for c in range(9)]
    boxes = [
        [9 * (b + i) + s + j for i in range(3) for j in range(3)]
        for b in (0, 3, 6)
        for s in (0, 3, 6)
    ]
    groups = tuple(AllDifferent(group) for group in lines + columns + boxes)
    names = tuple(f"c{i}" for i in range(81))
    return Structure(names, (tuple(range(1, 10)),) * 81, groups)
