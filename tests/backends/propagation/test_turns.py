"""Rules of branching that take turns: whose turn it is, their weights, that answers stay right."""

from dataclasses import replace

import pytest

from backends.interface import registry
from backends.interface.api import Optimum, Solutions
from backends.propagation import solver
from backends.propagation.encode.arena import Settings, build
from backends.propagation.encode.draft import begin
from backends.propagation.forms import INTERPRETED, pure_form
from backends.propagation.kernel import layout as at
from backends.propagation.kernel import restarts, turns
from backends.propagation.kernel.branching import CHS, DOM_WDEG, FIRST, LEAST_VALUE, SAVED_VALUE
from modelling.problem import Phase, build_problem
from puzzles.family import family

return_to_root = INTERPRETED.bound(restarts.return_to_root)


def begun(rule):
    """The arrays of two variables, of which rules take turns, and the places of these."""
    problem = build_problem({"x": range(3), "y": range(3)})
    made = build(begin(problem.structure), pure_form(), None, 2)
    settings = Settings(
        restarts=rule, restart_base=100, first_failures=1000, turns=3, values=SAVED_VALUE
    )
    M = made.memory(settings)
    M[M[at.M_DECISIONS]] = M[at.M_TRAIL_TOP]
    return made.S.copy(), made.T, M, made.places


def runs_of(S, T, M, number):
    """The rules, and the failures, of the next runs."""
    found = []
    for _ in range(number):
        return_to_root(S, T, M)
        found.append((M[at.M_BRANCHING], M[at.M_VALUES], M[at.M_FAILURES_LEFT]))
    return found


def test_each_rule_has_one_run_of_each_length():
    S, T, M, _ = begun(at.GEOMETRIC)
    assert M[at.M_FAILURES_LEFT] == 1000
    assert runs_of(S, T, M, 6) == [
        (CHS, SAVED_VALUE, 100),
        (FIRST, LEAST_VALUE, 100),
        (DOM_WDEG, SAVED_VALUE, 151),
        (CHS, SAVED_VALUE, 151),
        (FIRST, LEAST_VALUE, 151),
        (DOM_WDEG, SAVED_VALUE, 227),
    ]


def test_so_it_has_in_the_sequence_of_luby():
    S, T, M, _ = begun(at.LUBY)
    lengths = [length for _, _, length in runs_of(S, T, M, 11)]
    assert lengths == [100, 100, 100, 100, 100, 200, 200, 200, 100, 100, 100]


def test_chs_has_weights_of_its_own():
    S, T, M, (x, y) = begun(at.GEOMETRIC)
    S[x + at.WEIGHT], S[y + at.WEIGHT] = 5, 7
    return_to_root(S, T, M)
    assert [S[x + at.WEIGHT], S[y + at.WEIGHT]] == [1, 1]
    S[y + at.WEIGHT] = 900
    return_to_root(S, T, M)
    assert [S[x + at.WEIGHT], S[y + at.WEIGHT]] == [5, 7]
    return_to_root(S, T, M)
    assert [S[x + at.WEIGHT], S[y + at.WEIGHT]] == [5, 7]
    return_to_root(S, T, M)
    assert [S[x + at.WEIGHT], S[y + at.WEIGHT]] == [1, 900]
    assert turns.RULES == 3


@pytest.mark.parametrize("way", ["", "restarts=luby", "restarts=geometric,values=least"])
def test_answers_stay_right(way, monkeypatch):
    """Restarts come soon, so that all rules have several turns."""
    monkeypatch.setattr(solver, "FEWEST_FAILURES", {"auto": 6, "luby": 6, "geometric": 6})
    monkeypatch.setattr(solver, "FEWEST_OF_TURN", 3)
    backend = registry.get(f"propagation:form=pure{',' * bool(way)}{way}")
    ruler = backend.solve(family("golomb").problem("6"), Optimum())
    assert (ruler.status, ruler.objective) == ("OPTIMUM", 17)
    assert ruler.statistics["restarts"] > 2 * turns.RULES
    none = backend.solve(family("ramsey").problem("3 3: 6"), Solutions(1))
    assert none.status == "UNSATISFIABLE"


def test_all_solutions_are_searched_by_one_rule(monkeypatch):
    monkeypatch.setattr(solver, "FEWEST_FAILURES", {"auto": 2})
    queens = family("queens").problem("6")
    one, other = (
        registry.get(f"propagation:form=pure,branching={way}").solve(queens, Solutions(None))
        for way in ("turns", "domwdeg")
    )
    assert (one.solutions, one.statistics) == (other.solutions, other.statistics)


def test_a_stated_search_that_restarts_keeps_its_phases():
    """Nogoods once grew into the cells of the phases."""
    problem = family("golomb").problem("7")
    every = tuple(range(problem.structure.size))
    phases = (Phase(every, "first_fail", "indomain_min"),)
    stated = replace(problem, structure=replace(problem.structure, search=phases))
    backend = registry.get("propagation:form=pure,branching=stated,restarts=geometric")
    found = backend.solve(stated, Optimum())
    assert (found.status, found.objective) == ("OPTIMUM", 25)
    assert found.statistics["restarts"] > 0
