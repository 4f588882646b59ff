"""Counts that mathematics knows, of instances too large for one table: what rewriting makes of the
classes of the vocabulary is counted right by every solver that takes it.

Enumerations by name: A000085 and the like are those of the On-Line Encyclopedia of Integer
Sequences, oeis.org.
"""

import pytest

from backends.interface import registry
from backends.interface.api import Solutions
from modelling import constraints as mc
from modelling.laws.drawing import structure_over

BACKENDS = ("propagation", "cpsat", "sat")


def same(number, domain):
    return (tuple(domain),) * number


def first(number):
    return tuple(range(number))


SQUARES = mc.Sum((mc.Product((0, 0)), mc.Product((1, 1)), mc.Product((2, 2))), (1, 1, -1))
NO_TWO_ONES = ((0, 0, 0), (0, 1, 1), (1, 0, 0))
DIAGONAL = tuple(mc.constants(*range(10 * row, 10 * row + 5)) for row in range(5))

COUNTS = {
    "circuits of 5 nodes, 4!": (mc.Circuit(first(5)), same(5, range(-1, 6)), 24),
    "subcircuits of 5 nodes": (mc.SubCircuit(first(5)), same(5, range(-1, 6)), 85),
    "permutations of 5": (mc.Inverse(first(5), tuple(range(5, 10))), same(10, range(5)), 120),
    "involutions of 7, A000085": (mc.Inverse(first(7), first(7)), same(7, range(7)), 232),
    "partitions of 6, A000110": (mc.Precedence(first(6), range(1, 7)), same(6, range(1, 7)), 203),
    "words without 11, A000045": (
        mc.Regular(first(10), NO_TWO_ONES, 0, (0, 1)),
        same(10, (0, 1)),
        144,
    ),
    "words without 11, in layers": (
        mc.MDD(
            first(10),
            [
                (2 * k + p, v, 2 * k + 2 + q)
                for k in range(10)
                for p, v, q in NO_TWO_ONES
                if k or not p
            ],
        ),
        same(10, (0, 1)),
        144,
    ),
    "pairs of words in order, (256 - 16) / 2": (
        mc.Lex((first(4), range(4, 8)), True),
        same(8, (0, 1)),
        120,
    ),
    "increasing words, 8 over 4": (mc.Increasing(first(4), True), same(4, range(8)), 70),
    "magic series of 5": (mc.GlobalCardinality(first(5), range(5), first(5)), same(5, range(5)), 1),
    "balls in boxes, 6! / 2!2!2!": (
        mc.BinPacking(first(6), (1,) * 6, "==", mc.constants(2, 2, 2)),
        same(6, range(-1, 4)),
        90,
    ),
    "words of two letters, 3 (2^5 - 2)": (
        mc.equal(mc.NValue(first(5)), mc.constant(2)),
        same(5, range(3)),
        90,
    ),
    "orders of 4 tasks that fill the time, 4!": (
        mc.NoOverlap(first(4), mc.constants(1, 2, 3, 4)),
        tuple(tuple(range(11 - length)) for length in (1, 2, 3, 4)),
        24,
    ),
    "the same on one machine": (
        mc.Cumulative(first(4), mc.constants(1, 2, 3, 4), mc.constants(2, 2, 2, 2), mc.constant(3)),
        tuple(tuple(range(11 - length)) for length in (1, 2, 3, 4)),
        24,
    ),
    "4 squares of 2 in one of 4, 4!": (
        mc.NoOverlap2D(first(4), range(4, 8), mc.constants(2, 2, 2, 2), mc.constants(2, 2, 2, 2)),
        same(8, range(3)),
        24,
    ),
    "right triangles up to 20, twice 6": (
        mc.equal(SQUARES, mc.constant(0)),
        same(3, range(1, 21)),
        12,
    ),
    "multiples of 7 of two signs": (
        mc.equal(mc.Remainder(0, mc.constant(7)), mc.constant(0)),
        same(1, range(-30, 31)),
        9,
    ),
    "quotients": (
        mc.equal(mc.Sum((mc.Product((1, mc.Quotient(0, 1))), mc.Remainder(0, 1))), 0),
        (tuple(range(-9, 10)), tuple(range(-3, 4))),
        19 * 6,
    ),
    "the distances of 30 and 30": (
        mc.equal(mc.Distance(0, 1), 2),
        (*same(2, range(30)), tuple(range(1, 40))),
        30 * 29,
    ),
    "least and greatest": (
        mc.equal(mc.Sum((mc.Maximum(first(3)), mc.Minimum(first(3))), (1, -1)), mc.constant(19)),
        same(3, range(20)),
        2 * 3 + 18 * 6,
    ),
    "a matrix on its diagonal": (
        mc.equal(mc.Element2D(DIAGONAL, 0, 1), mc.Affine(0, 11, 0)),
        same(2, range(-2, 9)),
        5,
    ),
}


@pytest.mark.parametrize("name", COUNTS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_counted_as_it_is_known(backend, name):
    constraint, domains, expected = COUNTS[name]
    problem = structure_over(domains, (constraint,)).problem()
    assert registry.get(backend).solve(problem, Solutions(None)).count == expected
