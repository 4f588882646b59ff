"""What python-constraint is asked instead of a definition says the same at every assignment."""

from __future__ import annotations

from itertools import islice, product

import pytest

from backends.conformance.drawn_problems import drawn_problems
from backends.python_constraint.arithmetic import DEEPEST, compile_arithmetic
from modelling.constraints import VOCABULARY, AllDifferent, Define, Linear, Table
from modelling.terms import Affine, Term, constant
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder

X, Y = 0, Affine(1, 2, -3)
ARITHMETIC = [
    Linear((Quotient(X, Y), Remainder(Y, X)), (1, -2), "!=", 1),
    Linear((Product((X, Y, X)), X), (-1, 3), "<=", 0),
    Linear((Product(()), Minimum((X,)), Maximum((X, Y, constant(0)))), (1, 1, 1), ">", 2),
    Linear((Distance(Quotient(X, Distance(Y, constant(0))), Y),), (1,), "==", 2),
    Linear((), (), "<", 0),
    Define(X, Quotient(Y, X)),
    Define(constant(1), Remainder(Y, X)),
]


@pytest.mark.parametrize("constraint", ARITHMETIC)
def test_it_says_the_same(constraint):
    compiled = compile_arithmetic(constraint)
    assert compiled is not None
    seen = set()
    for values in product(range(-7, 8), repeat=len(constraint.scope)):
        assert compiled(*values) is constraint.holds(values), values
        seen.add(constraint.holds(values))
    assert len(seen) == (2 if constraint.scope else 1)


def test_it_says_the_same_of_drawn_constraints():
    number = 0
    kinds = [AllDifferent, Linear, Table]
    for _, problem in islice(drawn_problems(7, kinds, VOCABULARY), 400):
        for constraint in problem.structure.constraints:
            compiled = compile_arithmetic(constraint)
            if compiled is not None:
                number += 1
                domains = (problem.structure.domains[v] for v in constraint.scope)
                for values in islice(product(*domains), 100):
                    assert compiled(*values) == constraint.holds(values), (constraint, values)
    assert number > 50


def test_what_is_no_arithmetic_or_too_large_is_left():
    class Doubtful(Product):
        """It may mean something else."""

    deep: Term = 0
    for _ in range(DEEPEST + 2):
        deep = Distance(deep, constant(1))
    many = tuple(Affine(k, 2, 1) for k in range(500))
    for constraint in (
        AllDifferent((0, 1)),
        Define(0, 1),
        Linear((Doubtful((0, 1)),), (1,), "==", 2),
        Linear((deep,), (1,), "==", 2),
        Linear(many, (3,) * 500, "==", 2),
    ):
        assert compile_arithmetic(constraint) is None
