"""Which variables are branched on first among equals, and which after all others."""

import pytest

from backends.interface import registry
from backends.interface.api import Solutions
from backends.propagation.encode.draft import begin, post_linear
from backends.propagation.encode.order import functions_of_sums, order_by_influence
from modelling.problem import build_problem
from puzzles.family import family


def draft_of(domains, *sums):
    """A draft with these domains and sums: relation, factors by variables, constant."""
    draft = begin(build_problem({f"x{k}": d for k, d in enumerate(domains)}, ()).structure)
    for relation, factors, constant in sums:
        post_linear(draft, relation, list(factors.items()), constant)
    return draft


BIT = (0, 1)


def test_the_largest_terms_come_first():
    draft = draft_of([BIT] * 4, ("==", {0: 1, 1: 5, 2: -10, 3: 2}, 3))
    assert order_by_influence(draft) == [2, 1, 3, 0]


def test_a_wide_domain_makes_a_term_large():
    draft = draft_of([range(12), BIT, BIT], ("<=", {0: 1, 1: 10, 2: 1}, 7))
    assert order_by_influence(draft) == [0, 1, 2]


def test_the_influences_of_several_sums_are_their_mean():
    sums = ("<=", {0: 1, 1: 10}, 3), ("<=", {1: 1, 2: 20}, 7)
    assert order_by_influence(draft_of([BIT] * 3, *sums)) == [2, 1, 0]


@pytest.mark.parametrize("factors", [{0: 1, 1: 1}, {0: 9, 1: -1}])
def test_factors_that_are_alike_say_nothing(factors):
    assert order_by_influence(draft_of([BIT] * 2, ("<=", factors, 1))) == ()


def test_sums_under_a_condition_and_inequations_say_nothing():
    draft = draft_of([BIT] * 3, ("!=", {0: 1, 1: 20}, 3))
    post_linear(draft, "<=", [(0, 1), (1, 20)], 3, (2, 1))
    assert order_by_influence(draft) == ()


def test_a_sum_whose_domain_holds_all_is_a_function():
    draft = draft_of([BIT, BIT, range(3)], ("==", {2: 1, 0: -1, 1: -1}, 0))
    assert functions_of_sums(draft, 3) == {2}
    assert functions_of_sums(draft, 2) == set()


@pytest.mark.parametrize(
    ("domain", "factor", "relation"), [(BIT, 1, "=="), (range(3), 2, "=="), (range(3), 1, "<=")]
)
def test_what_excludes_sums_is_not_a_function(domain, factor, relation):
    draft = draft_of([BIT, BIT, domain], (relation, {2: factor, 0: -1, 1: -1}, 0))
    assert functions_of_sums(draft, 3) == set()


def nodes_of(name, text):
    found = registry.get(name).solve(family("number_partition").problem(text), Solutions(None, 0))
    return found.count, found.statistics["nodes"]


def test_number_partition_takes_few_nodes_where_the_largest_come_first():
    assert nodes_of("propagation:form=pure", "12") == (1, 39)
    in_order, nodes = nodes_of("propagation:form=pure,branching=first", "12")
    assert in_order == 1
    assert nodes > 4 * 39
