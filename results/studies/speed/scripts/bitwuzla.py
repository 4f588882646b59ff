"""Bitwuzla: ``TermManager``, ``mk_const`` of bit-vector sorts, ``mk_term``, ``check_sat``.

As in the examples of its documentation, formulas are asserted one by one, and terms have bits
enough for what is computed with them.
"""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import bitwuzla

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Solutions, built_each_call


class Session:
    """A solver, and bit-vectors of one width in it."""

    def __init__(self, width: int) -> None:
        self.library = bitwuzla
        self.manager = bitwuzla.TermManager()
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        self.solver = bitwuzla.Bitwuzla(self.manager, options)
        self.kind = bitwuzla.Kind
        self.sort = self.manager.mk_bv_sort(width)

    def value(self, value: int) -> Any:
        return self.manager.mk_bv_value(self.sort, value)

    def term(self, kind: Any, *terms: Any) -> Any:
        return self.manager.mk_term(kind, list(terms))

    def say(self, kind: Any, *terms: Any) -> None:
        self.solver.assert_formula(self.manager.mk_term(kind, list(terms)))

    def variable(self, name: str, low: int, high: int) -> Any:
        made = self.manager.mk_const(self.sort, name)
        self.say(self.kind.BV_UGE, made, self.value(low))
        self.say(self.kind.BV_ULE, made, self.value(high))
        return made

    def solutions(self, variables: list[Any], limit: int | None = None) -> Solutions:
        """Models until there is none, each of them excluded."""
        found: Solutions = []
        while len(found) != limit and self.solver.check_sat() == self.library.Result.SAT:
            values = [self.solver.get_value(variable) for variable in variables]
            found.append(tuple([int(value.value(10)) for value in values]))
            other = [
                self.term(self.kind.DISTINCT, x, v) for x, v in zip(variables, values, strict=True)
            ]
            self.say(self.kind.OR, *other)
        return found


@built_each_call
def queens() -> Solutions:
    """Three times ``DISTINCT``."""
    of = Session((2 * five.QUEENS).bit_length())
    rows = [of.variable(f"q{i}", 0, five.QUEENS - 1) for i in range(five.QUEENS)]
    of.say(of.kind.DISTINCT, *rows)
    for kind in (of.kind.BV_ADD, of.kind.BV_SUB):
        lines = [of.term(kind, row, of.value(i)) for i, row in enumerate(rows)]
        of.say(of.kind.DISTINCT, *lines)
    return of.solutions(rows)


@built_each_call
def sudoku() -> Solutions:
    """``DISTINCT`` for each unit."""
    of = Session(4)
    cells = [of.variable(f"c{i}", 1, 9) for i in range(81)]
    for unit in five.UNITS:
        of.say(of.kind.DISTINCT, *[cells[i] for i in unit])
    for i, given in five.GIVENS.items():
        of.say(of.kind.EQUAL, cells[i], of.value(given))
    return of.solutions(cells, five.MOST_GRIDS)


@built_each_call
def send_more() -> Solutions:
    """What is added and what is subtracted are equal, in 18 bits."""
    of = Session(18)
    letters = [of.variable(x, int(x in five.LEADING), 9) for x in five.LETTERS]
    of.say(of.kind.DISTINCT, *letters)
    sides = []
    for sign in (1, -1):
        terms = [
            of.term(of.kind.BV_MUL, x, of.value(sign * five.WEIGHTS[letter]))
            for letter, x in zip(five.LETTERS, letters, strict=True)
            if sign * five.WEIGHTS[letter] > 0
        ]
        sides.append(of.term(of.kind.BV_ADD, *terms))
    of.say(of.kind.EQUAL, *sides)
    return of.solutions(letters, 1)


@built_each_call
def golomb() -> Solutions:
    """Distances are differences; each ruler is shorter than the one before."""
    of = Session(five.LONGEST.bit_length())
    marks = [of.variable("m0", 0, 0)]
    marks += [of.variable(f"m{i}", 0, five.LONGEST) for i in range(1, five.MARKS)]
    for one, other in pairwise(marks):
        of.say(of.kind.BV_ULT, one, other)
    pairs = combinations(marks, 2)
    distances = [of.term(of.kind.BV_SUB, other, one) for one, other in pairs]
    of.say(of.kind.DISTINCT, *distances)
    found: Solutions = []
    while ruler := of.solutions(marks, 1):
        found = ruler
        of.say(of.kind.BV_ULT, marks[-1], of.value(ruler[0][-1]))
    return found


@built_each_call
def pigeons() -> Solutions:
    """``DISTINCT`` for each pair."""
    of = Session(five.HOLES.bit_length())
    holes = [of.variable(f"p{i}", 1, five.HOLES) for i in range(five.PIGEONS)]
    for one, other in combinations(holes, 2):
        of.say(of.kind.DISTINCT, one, other)
    return of.solutions(holes, 1)
