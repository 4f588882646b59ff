"""Nogoods from restarts: what is kept of a branch, how it is watched; that answers stay right."""

import random

import pytest

from backends.interface import registry
from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from backends.propagation import solver
from backends.propagation.encode import arena
from backends.propagation.encode.arena import Search, Settings, build, grow
from backends.propagation.encode.draft import begin
from backends.propagation.forms import INTERPRETED, pure_form
from backends.propagation.kernel import domains, nogoods, queue, trail
from backends.propagation.kernel import layout as at
from backends.propagation.kernel.nogoods import lacks_nogoods, note_refuted
from modelling.constraints import Linear
from modelling.problem import Objective, build_problem
from puzzles.family import family
from results.studies.speed.engine import models

assign = INTERPRETED.bound(domains.assign)
contains = INTERPRETED.bound(domains.contains)
remove = INTERPRETED.bound(domains.remove)
keep_nogoods = INTERPRETED.bound(nogoods.keep_nogoods)
propagate_with_nogoods = INTERPRETED.bound(nogoods.propagate_with_nogoods)
empty_queues = INTERPRETED.bound(queue.empty_queues)
undo = INTERPRETED.bound(trail.undo)


def begun(*domains):
    """The arrays of variables without constraints, at the root; and where the variables lie."""
    problem = build_problem({f"x{k}": domain for k, domain in enumerate(domains)})
    form = pure_form()
    made = build(begin(problem.structure), form, None, len(domains))
    S, T, M = Search(made.S.copy(), made.T, made.memory(Settings(nogoods=True)))
    M[at.M_FAILURES_LEFT] = 0
    assert lacks_nogoods(M)
    return grow(Search(S, T, M), form), list(made.places)


def refute(search, decided, refuted):
    """Restart a search whose branch has ``decided`` and below that ``refuted``, pairs of a place
    and a value; whether anything is left."""
    S, T, M = search
    for k, (x, value) in enumerate(decided):
        decision = M[at.M_DECISIONS] + at.DECISION * k
        M[decision + 1], M[decision + 2] = x, value
    for depth, x, value in refuted:
        note_refuted(M, depth, x, value)
    return keep_nogoods(S, T, M)


def literals_of(M):
    """The literals of all nogoods that are kept."""
    found, c = [], M[at.M_NOGOODS]
    while c < M[at.M_NOGOOD_TOP]:
        begin, n = c + nogoods.LITERALS, M[c]
        found.append({(M[k], M[k + 1]) for k in range(begin, begin + 2 * n, 2)})
        c = begin + 2 * n
    return found


def test_a_nogood_has_the_decisions_above_what_is_refuted():
    search, (x, y, z) = begun(range(3), range(3), range(3))
    assert refute(search, [(x, 1), (y, 2)], [(1, z, 0), (2, z, 1)])
    assert literals_of(search[2]) == [{(x, 1), (z, 0)}, {(x, 1), (y, 2), (z, 1)}]


def test_what_lies_below_a_decision_that_is_refuted_is_dropped():
    search, (x, y, z) = begun(range(3), range(3), range(3))
    M = search[2]
    for depth, v, value in ((2, z, 0), (2, z, 1), (1, y, 2), (1, y, 0)):
        note_refuted(M, depth, v, value)
    noted = range(M[at.M_REFUTED], M[at.M_REFUTED_TOP], nogoods.REFUTED)
    assert [(M[k], M[k + 1], M[k + 2]) for k in noted] == [(1, y, 2), (1, y, 0)]
    note_refuted(M, 0, x, 1)
    assert M[at.M_REFUTED_TOP] == M[at.M_REFUTED]


def test_no_more_is_noted_than_there_is_room_for(monkeypatch):
    monkeypatch.setattr(nogoods, "MOST_REFUTED", 4)
    search, (x, z) = begun(range(9), range(9))
    assert refute(search, [(x, 1)], [(1, z, value) for value in range(6)])
    assert literals_of(search[2]) == [{(x, 1), (z, value)} for value in range(4)]


def test_what_holds_at_the_root_is_left_out():
    search, (x, y, z) = begun((1,), range(3), range(3))
    assert refute(search, [(x, 1), (y, 2)], [(2, z, 0)])
    assert literals_of(search[2]) == [{(y, 2), (z, 0)}]


def test_what_cannot_hold_is_not_kept():
    search, (x, y, z) = begun((0, 2), range(3), range(3))
    assert refute(search, [(x, 1), (y, 2)], [(2, z, 0)])
    assert literals_of(search[2]) == []


def test_one_literal_is_excluded_at_once_and_none_ends_the_search():
    search, (x, z) = begun((1,), range(3))
    assert refute(search, [(x, 1)], [(1, z, 2)])
    assert [contains(search[0], z, value) for value in range(3)] == [True, True, False]
    search, (x, z) = begun((1,), (0,))
    assert not refute(search, [(x, 1)], [(1, z, 0)])


def decide(search, x, value):
    """A level deeper, where ``x`` has ``value``; whether that is consistent."""
    S, T, M = search
    mark = M[at.M_TRAIL_TOP]
    M[at.M_STAMP] += 1
    return assign(S, T, M, x, value) and propagate_with_nogoods(S, T, M, mark)


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1)])
def test_the_last_literal_is_excluded_whatever_order_the_others_come_in(order):
    search, places = begun(range(3), range(3), range(3))
    S, _T, M = search
    values = 1, 2, 0
    assert refute(search, [*zip(places[:2], values, strict=False)], [(2, places[2], 0)])
    for _ in range(2):  # watches are not restored, and need not be
        first, second, last = order
        mark = M[at.M_TRAIL_TOP]
        assert decide(search, places[first], values[first])
        assert S[places[last] + at.SIZE] == 3
        assert decide(search, places[second], values[second])
        assert not contains(S, places[last], values[last])
        assert M[at.M_EXCLUDED] > 0
        undo(S, M, mark)
        assert decide(search, places[last], values[last])
        assert decide(search, places[first], values[first])
        assert not contains(S, places[second], values[second])
        undo(S, M, mark)


def closure(domains, nogoods_kept):
    """The values that unit propagation leaves; None for a contradiction."""
    domains = {x: set(values) for x, values in domains.items()}
    before = None
    while before != domains:
        before = {x: set(values) for x, values in domains.items()}
        for literals in nogoods_kept:
            waiting = [(x, v) for x, v in literals if domains[x] != {v}]
            if any(v not in domains[x] for x, v in waiting):
                continue
            if not waiting:
                return None
            if len(waiting) == 1:
                ((x, v),) = waiting
                domains[x].discard(v)
    return domains


@pytest.mark.parametrize("seed", range(12))
def test_what_is_excluded_is_what_unit_propagation_excludes(seed):
    rng = random.Random(seed)
    search, places = begun(*[range(3)] * 6)
    S, _, M = search
    root, kept = {x: set(range(3)) for x in places}, []
    for _ in range(14):
        scope = rng.sample(places, rng.randint(2, 4))
        literals = [(x, rng.randrange(3)) for x in scope]
        kept.append(set(literals))
        *decided, (x, value) = literals
        assert refute(search, decided, [(len(decided), x, value)])
    assert literals_of(M) == kept
    excluded = 0
    for _ in range(40):
        mark, domains = M[at.M_TRAIL_TOP], root
        for _ in range(6):
            opened = [x for x in places if len(domains[x]) > 1]
            if not opened:
                break
            x = rng.choice(opened)
            value = rng.choice(sorted(domains[x]))
            expected = closure({**domains, x: {value}}, kept)
            assert decide(search, x, value) == (expected is not None)
            if expected is None:
                break
            found = {y: {v for v in range(3) if contains(S, y, v)} for y in places}
            assert found == expected
            excluded += sum(map(len, domains.values())) - sum(map(len, expected.values()))
            domains = expected
        empty_queues(search[1], M)
        undo(S, M, mark)
    assert excluded > 100


def test_nogoods_that_fit_exactly_are_kept(monkeypatch):
    monkeypatch.setattr(arena, "NOGOOD_CELLS", 3 * 7)
    search, (x, y) = begun(range(9), range(9))
    for value in range(5):
        assert refute(search, [(x, 1)], [(1, y, value)])
    assert literals_of(search[2]) == [{(x, 1), (y, value)} for value in range(3)]


def test_a_nogood_with_a_literal_that_cannot_hold_excludes_nothing():
    search, (x, y, z) = begun(range(3), range(3), range(3))
    S, T, M = search
    assert refute(search, [(x, 1), (y, 2)], [(2, z, 0)])
    M[at.M_STAMP] += 1
    assert remove(S, T, M, y, 2)
    assert decide(search, x, 1)
    assert decide(search, z, 0)
    assert M[at.M_EXCLUDED] == 0


def test_two_literals_that_come_to_hold_at_once_are_a_failure():
    search, (x, z) = begun(range(3), range(3))
    S, T, M = search
    assert refute(search, [(x, 1)], [(1, z, 0)])
    mark = M[at.M_TRAIL_TOP]
    M[at.M_STAMP] += 1
    assert assign(S, T, M, x, 1)
    assert assign(S, T, M, z, 0)
    assert not propagate_with_nogoods(S, T, M, mark)
    assert {M[at.M_CONFLICT_X], M[at.M_CONFLICT_Y]} == {x, z}


def test_the_longer_ones_are_forgotten_where_room_is_lacking(monkeypatch):
    monkeypatch.setattr(arena, "NOGOOD_CELLS", 30)
    search, places = begun(*[range(9)] * 6)
    M = search[2]
    decided = [(x, 0) for x in places[:5]]
    for value in range(1, 9):
        refuted = [(1, places[5], value)] if value != 4 else [(5, places[5], value)]
        assert refute(search, decided, refuted)
    kept = literals_of(M)
    assert len(kept) == 4
    assert {len(literals) for literals in kept} == {2}
    assert M[at.M_NOGOOD_TOP] <= M[at.M_NOGOOD_END]


# --- whole searches ----------------------------------------------------------------------------

NOGOODS = "restarts=luby,nogoods=restarts"


def solve(options, problem, ask):
    return registry.get(f"propagation:{options}").solve(problem, ask, Limits(nodes=20_000))


PROBLEMS = {
    "golomb 6": lambda: family("golomb").problem("6"),
    "van der waerden 3 4: 18": lambda: family("van_der_waerden").problem("3 4: 18"),
    "assignment 5": lambda: models.assignment(5, 1),
    "colouring": lambda: models.colouring(24, 0.4, 4, 1),
    "steel mill": lambda: models.steel_mill(8, 4, 1),
}


@pytest.mark.parametrize("name", PROBLEMS)
@pytest.mark.parametrize("cells", [200, nogoods.NOGOOD_CELLS])
def test_answers_are_those_of_a_search_without(name, cells, monkeypatch):
    monkeypatch.setattr(arena, "NOGOOD_CELLS", cells)
    monkeypatch.setattr(solver, "FEWEST_FAILURES", {"none": 0, "luby": 3})
    problem = PROBLEMS[name]()
    ask = Optimum() if problem.structure.objective else Solutions(1)
    plain = solve("pure,restarts=none", problem, ask)
    found = solve(f"pure,{NOGOODS}", problem, ask)
    assert (found.status, found.objective) == (plain.status, plain.objective)
    assert found.statistics["restarts"] > 0


@pytest.mark.once
@pytest.mark.parametrize("cells", [200, nogoods.NOGOOD_CELLS])
def test_both_forms_visit_the_same_nodes(cells, monkeypatch):
    monkeypatch.setattr(arena, "NOGOOD_CELLS", cells)
    monkeypatch.setattr(solver, "FEWEST_FAILURES", {"luby": 3})
    for name, make in PROBLEMS.items():
        problem = make()
        ask = Optimum() if problem.structure.objective else Solutions(1)
        pure, compiled = (solve(f"{form},{NOGOODS}", problem, ask) for form in ("pure", "compiled"))
        assert pure.statistics == compiled.statistics, name
        assert pure.solutions == compiled.solutions, name


def test_a_search_with_nogoods_visits_fewer_nodes(monkeypatch):
    monkeypatch.setattr(solver, "FEWEST_FAILURES", {"luby": 3})
    problem = PROBLEMS["van der waerden 3 4: 18"]()
    plain, found = (
        solve(f"pure,{way}", problem, Solutions(1))
        for way in ("restarts=luby,nogoods=none", NOGOODS)
    )
    assert found.statistics["nodes"] < plain.statistics["nodes"]


@pytest.mark.parametrize("restarts", ["luby", "geometric"])
def test_all_optima_are_given_once_whatever_restarts_are_asked_for(restarts, monkeypatch):
    monkeypatch.setattr(solver, "FEWEST_FAILURES", {restarts: 2, "none": 0})
    columns = {f"x{k}": range(7) for k in range(7)}
    differ = [
        Linear((f"x{i}", f"x{j}"), (1, -1), "!=", d)
        for i in range(7)
        for j in range(i)
        for d in {0, i - j, j - i}
    ]
    cost = Objective("minimize", (7,), (1,))
    problem = build_problem(columns | {"cost": range(2)}, differ, objective=cost)
    plain = solve("pure,restarts=none", problem, AllOptima(None))
    found = solve(f"pure,restarts={restarts}", problem, AllOptima(None))
    assert (found.count, found.digest) == (plain.count, plain.digest)
