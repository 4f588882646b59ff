"""Literals and what they mean: clauses about a variable hold for the values that they should."""

from __future__ import annotations

from itertools import product

import pytest

from backends.interface.programs.decoding import Decoded

DIRECT = Decoded("direct", -2, ((-2, 1), (0, 2), (5, -3)))
STEPS = Decoded("steps", -4, ((-1, 1), (3, 2), (7, 3)))
BINARY = Decoded("digits", -3, ((1, 1), (2, -2), (4, 3)))
NEGATIVE = Decoded("digits", 5, ((1, 1), (-8, 2), (2, 3), (4, 4)))
CONSTANT = Decoded("steps", 6, ())
TAKEN = Decoded("digits", 6, ())


def meanings(decoded: Decoded) -> dict[frozenset[int], int]:
    """The literals that are true, for each value."""
    found = {}
    top = len(decoded.literals)
    for signs in product((1, -1), repeat=top):
        true = {sign * x for x, sign in enumerate(signs, 1)}
        value = decoded.value(true)
        if value is not None:
            found[frozenset(true)] = value
    return found


@pytest.mark.parametrize("decoded", [DIRECT, STEPS, BINARY, NEGATIVE, CONSTANT, TAKEN])
def test_clauses_keep_the_values_beyond_a_bound(decoded: Decoded) -> None:
    values = meanings(decoded)
    assert len(set(values.values())) == len(values)
    for bound in range(-12, 20):
        for is_less in (True, False):
            clauses = decoded.beyond(bound, is_less)
            assert clauses is not None
            for true, value in values.items():
                holds = all(true.intersection(clause) for clause in clauses)
                assert holds is (value < bound if is_less else value > bound)


def test_digits_that_are_no_binary_number_have_no_such_clauses() -> None:
    assert Decoded("digits", 0, ((1, 1), (3, 2))).beyond(2, True) is None
    assert Decoded("digits", 0, ((1, 1), (1, 2))).beyond(2, False) is None


@pytest.mark.parametrize("decoded", [DIRECT, STEPS, BINARY, NEGATIVE])
def test_literals_are_all_true_of_one_value(decoded: Decoded) -> None:
    values = meanings(decoded)
    for wanted in values.values():
        literals = decoded.clause(wanted)
        for true, value in values.items():
            assert true.issuperset(literals) is (value == wanted)
