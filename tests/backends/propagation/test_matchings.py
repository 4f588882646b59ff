"""The parts of AllDifferent by matchings, each alone."""

import pytest

from backends.propagation.encode import counting
from backends.propagation.forms import pure_form
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.domains import remove
from backends.propagation.propagators.counting import different_domain as by
from modelling.constraints import AllDifferent
from modelling.problem import build_problem
from tests.backends.propagation.propagator_checks import begun, first_fixpoint
from tests.backends.propagation.short_words import SHORT, short_form


def problem_of(domains):
    names = [f"x{k}" for k in range(len(domains))]
    return build_problem(dict(zip(names, domains, strict=True)), [AllDifferent(tuple(names))])


@pytest.fixture
def matched(monkeypatch):
    """Begins a search over words of 32 bits: its arrays, and the propagator."""
    monkeypatch.setattr(counting, "pay", lambda draft, terms: ("domain",))

    def begin(domains):
        arena, (S, T, M) = begun(problem_of(domains), short_form())
        return S, T, M, T[S[arena.places[0] + at.WATCHERS] + 1]

    return begin


@pytest.mark.parametrize("form", [pure_form, short_form])
def test_what_others_need_is_removed_where_values_are_free(monkeypatch, form):
    monkeypatch.setattr(counting, "pay", lambda draft, terms: ("domain",))
    problem = problem_of([(1, 2), (1, 2), (1, 2, 3, 4)])
    assert first_fixpoint(problem, form()) == [{1, 2}, {1, 2}, {3, 4}]


@pytest.mark.parametrize("first", [(1, 2), (0, 100), (100, 101), (-100, 1)])
def test_a_component_has_changed_where_a_domain_has(matched, first):
    """Words are counted from those of the first variable, wherever these begin."""
    S, T, M, a = matched([first, (1, 2, 3), (1, 2, 3)])
    assert SHORT.bound(by.all_different_domain)(S, T, M, a)
    is_unchanged = SHORT.bound(by.is_unchanged)
    assert is_unchanged(S, T, M, a, 0, 3)
    assert SHORT.bound(remove)(S, T, M, T[a + at.SCOPE + 1], 2)
    assert not is_unchanged(S, T, M, a, 0, 3)


@pytest.mark.parametrize("begin", [0, 1, 2])
def test_the_variables_of_a_component_remain_its_variables(matched, begin):
    """Wherever it begins in their order, and several of them have free values."""
    S, T, M, a = matched([(0,), (3, 4), (3, 4), (1, 2, 5), (2, 6), (7, 8, 9)])
    assert SHORT.bound(by.all_different_domain)(S, T, M, a)
    order, following = (SHORT.bound(by.region)(T, a, k) for k in (by.ORDER, by.NEXT_ORDER))
    M[following : following + 6] = [-1] * 6
    before = M[order : order + 6]
    assert SHORT.bound(by.split_component)(S, T, M, a, begin, 6)
    assert M[order : order + begin] == before[:begin]
    assert sorted(M[order + begin : order + 6]) == sorted(before[begin:])
