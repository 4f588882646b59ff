"""What the handlers post, where a wrong choice would show late or never."""

import pytest

from backends.interface import registry
from backends.interface.api import Solutions
from backends.interface.handlers import post
from backends.propagation.encode.clauses import is_clause
from backends.propagation.encode.counting import WIDEST_VALUES, post_cardinality
from backends.propagation.encode.draft import begin
from backends.propagation.encode.scheduling import post_disjunctive
from backends.propagation.forms import pure_form
from backends.propagation.learning.handlers import HANDLERS
from modelling.constraints import (
    AllDifferent,
    GlobalCardinality,
    Iff,
    Linear,
    NoOverlap,
    Or,
    Precedence,
    Table,
)
from modelling.problem import Structure, build_problem
from modelling.terms import constants
from tests.backends.propagation.propagator_checks import first_fixpoint
from tests.backends.propagation.short_words import short_form

LEAST, MOST = Linear((0,), (1,), ">=", 3), Linear((1,), (1,), "<=", 3)


def structure(domains, *constraints):
    return Structure(tuple(f"x{k}" for k in range(len(domains))), tuple(domains), constraints)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((LEAST, MOST), True),
        ((LEAST, Linear((0, 1), (1, 1), "<=", 3)), False),
        ((Iff(LEAST, MOST), MOST), False),
    ],
)
def test_a_clause_compares_one_term_in_each_part(parts, expected):
    assert is_clause(Or(parts), None) == expected


@pytest.mark.parametrize("number", [2, 3, 5])
def test_tasks_have_seven_cells_each(number):
    draft = begin(structure([range(9)] * number))
    lengths = [draft.constant(2) for _ in range(number)]
    post_disjunctive(draft, list(range(number)), lengths)
    posted = next(p for p in draft.propagators if p.propagate.__name__ == "no_overlap")
    assert len(posted.scratch) == 7 * number


@pytest.mark.parametrize(
    ("lengths", "possible"), [((2, 3), True), ((2, -1), False), ((0, 0), True)]
)
def test_where_a_search_learns_no_task_has_a_negative_length(lengths, possible):
    made = structure([range(9)] * 2, NoOverlap((0, 1), constants(*lengths)))
    draft = begin(made, explains=True)
    post(HANDLERS, draft, made, "propagation")
    assert draft.possible == possible


@pytest.mark.parametrize(
    ("counts", "sums"), [(((2, 3), (0, 1)), 1), (((2, 3), (1,)), 1), (((2,), (1,)), 0)]
)
def test_values_are_summed_by_their_counts_where_one_of_these_is_open(counts, sums):
    draft = begin(structure([(1, 2)] * 3 + [*counts]))
    post_cardinality(draft, GlobalCardinality((0, 1, 2), (1, 2), (3, 4), closed=True))
    assert [posted.propagate.__name__ for posted in draft.propagators].count("equal") == sums


@pytest.mark.parametrize(
    ("values", "posted"),
    [
        ((1, 2), ["cardinality"]),
        ((1, WIDEST_VALUES + 1), ["count_values"] * 2),
        ((2,), ["count_values"]),
    ],
)
def test_values_that_are_wide_apart_are_counted_one_by_one(values, posted):
    draft = begin(structure([(1, 2)] * 3 + [(0, 3)] * len(values)))
    counts = tuple(range(3, 3 + len(values)))
    post_cardinality(draft, GlobalCardinality((0, 1, 2), values, counts))
    names = [one.propagate.__name__ for one in draft.propagators]
    assert [name for name in names if name in ("cardinality", "count_values")] == posted


@pytest.mark.parametrize("form", [pure_form, short_form])
@pytest.mark.parametrize("first", [0, 30, 31, 32, 62, 63])
def test_a_hidden_value_is_found_wherever_words_begin(form, first):
    """Variable 0 makes words begin at 0."""
    two, three = (first, first + 1), (first, first + 1, first + 2)
    made = structure([(0,), two, two, three], AllDifferent((1, 2, 3)))
    assert first_fixpoint(made.problem(), form())[3] == {first + 2}


def test_a_value_stays_where_it_may_be_repeated_only():
    """No other value is open for the second, and 2 cannot come before 1."""
    made = structure([(1, 3), (1, 2), (2,)], Precedence((0, 1, 2), (1, 2)))
    assert first_fixpoint(made.problem(), pure_form()) == [{1, 3}, {1, 2}, {2}]
    made = structure([(3,), (1, 2), (2,)], Precedence((0, 1, 2), (1, 2)))
    assert first_fixpoint(made.problem(), pure_form()) == [{3}, {1}, {2}]
    made = structure([(1,), (2,), (1, 2, 3), (3,)], Precedence((0, 1, 2, 3), (1, 2, 3)))
    assert first_fixpoint(made.problem(), pure_form()) == [{1}, {2}, {1, 2, 3}, {3}]
    made = structure([(2, 3), (1, 2, 3)], Precedence((0, 1), (1, 2, 3)))
    assert first_fixpoint(made.problem(), pure_form()) is None


@pytest.mark.parametrize("name", ["propagation:pure", "propagation:pure,search=learning"])
def test_tasks_without_length_that_begin_together_are_counted_once(name):
    lengths = constants(0, 0, 1)
    made = structure(
        [(1, 2, 3), (-1, 0, 1, 2, 3), (1, 3, 4, 5)], NoOverlap((2, 0, 1), lengths, strict=True)
    )
    ask = Solutions(None, None)
    found = registry.get(name).solve(made.problem(), ask)
    assert found.count == registry.get("brute_force").solve(made.problem(), ask).count == 60
    assert found.repeats == 0


@pytest.mark.parametrize("allowed", [False, True])
def test_a_table_without_rows(allowed):
    problem = build_problem({"x": range(3), "y": range(2)}, [Table(("x", "y"), (), allowed)])
    found = registry.get("propagation:form=pure").solve(problem, Solutions(None))
    assert found.count == (0 if allowed else 6)
