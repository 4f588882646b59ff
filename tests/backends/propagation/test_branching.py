"""Which variable each rule branches on; masks have a bit for each open value."""

from types import SimpleNamespace

import pytest

from backends.propagation.branching import domwdeg, first, smallest

CLOSED = [0b1, 0b100, 0b10]


def choose(rule, domains, weights=None):
    return rule(SimpleNamespace(domains=domains), weights or [1] * len(domains))


@pytest.mark.parametrize("rule", [smallest, domwdeg, first])
def test_no_variable_is_left_where_all_have_one_value(rule):
    assert choose(rule, CLOSED) is None
    assert choose(rule, []) is None


@pytest.mark.parametrize(
    ("domains", "expected"),
    [
        ([0b100, 0b1110, 0b11, 0b110], 2),
        ([0b1, 0b11110, 0b111, 0b1110], 2),
        ([0b1, 0b11110, 0b101000], 2),
    ],
)
def test_the_smallest_domain_with_two_values_or_more(domains, expected):
    assert choose(smallest, domains) == expected


def test_weights_divide_the_number_of_values():
    domains = [0b1, 0b11, 0b111, 0b1111]
    assert choose(domwdeg, domains) == 1
    assert choose(domwdeg, domains, [9, 1, 2, 2]) == 2
    assert choose(domwdeg, domains, [9, 1, 1, 4]) == 3
    assert choose(domwdeg, [0b11, 0b11]) == 0


def test_the_first_variable_with_two_values_or_more():
    assert choose(first, [0b1000, 0b1, 0b10100, 0b11]) == 2
    assert choose(first, [0b11, 0b1]) == 0
