"""Explanations of global constraints against their definitions, in both forms."""

import random

import pytest

from backends.propagation.encode import arithmetic, counting
from backends.propagation.forms import LEARNING, compiled_learning_form, pure_learning_form
from backends.propagation.kernel import facts as of
from backends.propagation.learning.explanations import EXPLANATIONS, explanation_of
from backends.propagation.learning.search import begin
from backends.propagation.propagators.arithmetic.element import write_apart
from backends.propagation.propagators.counting.count import count_values
from backends.propagation.propagators.counting.different_tight import take_every_value
from backends.propagation.propagators.graphs.chains import explain_no_subtour
from modelling.constraints import (
    AllDifferent,
    Circuit,
    Cumulative,
    Define,
    Element,
    Linear,
    Maximum,
    Minimum,
    NoOverlap,
    Product,
)
from modelling.terms import Affine, constant, constants
from tests.backends.propagation.learning_checks import begun, check_learning, holds, trace
from tests.backends.propagation.proof_checks import stated
from tests.backends.propagation.propagator_checks import draw_domain, draw_problem

pytestmark = pytest.mark.once  # numba compiles what it tests


def draw_element(rng: random.Random):
    n = rng.randint(1, 4)
    domains = [draw_domain(rng, 4) for _ in range(n + 1)]
    index = tuple(sorted(rng.sample(range(-1, n + 2), rng.randint(1, n + 1))))
    return Define(n, Element(tuple(range(n)), n + 1)), [*domains, index]


def draw_extreme(rng: random.Random):
    n = rng.randint(1, 4)
    domains = [draw_domain(rng, 4) for _ in range(n + 1)]
    terms = [rng.randrange(n) for _ in range(n)] if rng.random() < 0.2 else range(n)
    return Define(n, rng.choice((Maximum, Minimum))(tuple(terms))), domains


def draw_product(rng: random.Random):
    domains = [draw_domain(rng, 5) for _ in range(3)]
    z, x, y = (2, 0, 1) if rng.random() < 0.8 else [rng.randrange(3) for _ in range(3)]
    if rng.random() < 0.7:
        domains[2] = tuple(sorted({a * b for a in domains[0] for b in domains[1]}))[:8]
    return Define(z, Product((x, y))), domains


def draw_different(rng: random.Random):
    """More values than variables, or just as many, without intervals."""
    n = rng.randint(2, 5)
    shift = rng.choice((0, 0, 60, -70))
    values = range(shift, shift + n + rng.randint(0, 2))
    domains = [
        tuple(sorted(rng.sample(values, min(len(values), rng.randint(1, 3))))) for _ in "abcde"
    ]
    return AllDifferent(tuple(range(n))), domains[:n]


def draw_shifted(rng: random.Random):
    """Terms, and domains of any kind."""
    n = rng.randint(2, 5)
    terms = tuple(Affine(k, 1, rng.randint(-1, 1)) for k in range(n))
    return AllDifferent(terms), [draw_domain(rng, 4) for _ in range(n)]


def draw_circuit(rng: random.Random):
    n = rng.randint(2, 6)
    most = 4 if n < 6 else 3
    domains = [set(rng.sample(range(n), rng.randint(1, min(n, most)))) for _ in range(n)]
    if rng.random() < 0.3:
        domains[0].add(rng.choice((-1, n, 100)))
    return Circuit(tuple(range(n))), [tuple(sorted(domain)) for domain in domains]


def draw_times(rng: random.Random, n: int):
    """Starts near each other, some of them with holes."""
    firsts = [rng.randint(-2, 5) + rng.choice((0, 0, 0, 62)) for _ in range(n)]
    windows = [range(first, first + rng.randint(1, 6)) for first in firsts]
    return [
        tuple(w if rng.random() < 0.8 else sorted(rng.sample(w, min(len(w), 3)))) for w in windows
    ]


def draw_tasks(rng: random.Random):
    n = rng.randint(3, 5)
    lengths = constants(*rng.choices((0, 1, 2, 3, 4), (1, 4, 4, 3, 1), k=n))
    return NoOverlap(tuple(range(n)), lengths), draw_times(rng, n)


def draw_crowded(rng: random.Random):
    """Long tasks that fill most of the time; few starts of each are open, so that all can be
    tried."""
    n = rng.randint(4, 5)
    lengths = rng.choices(range(2, 9), k=n)
    end = sum(lengths) + rng.randint(2, 9)
    domains = []
    for length in lengths:
        latest = end - length
        first = rng.randint(0, latest // rng.randint(1, 4))
        last = rng.randint(latest - (latest - first) // rng.randint(1, 4), latest)
        window = range(first, last + 1)
        domains.append(tuple(sorted({first, last, *rng.sample(window, min(len(window), 4))})))
    if rng.random() < 0.5:  # one that may be late
        lengths.append(2)
        domains.append((end - 4, end, end + 3))
    return NoOverlap(tuple(range(len(lengths))), constants(*lengths)), domains


def draw_shared(rng: random.Random):
    """Constant durations and demands."""
    n = rng.randint(1, 4)
    durations = constants(*rng.choices((0, 1, 2, 3, 4, 6), (1, 4, 4, 4, 4, 2), k=n))
    demands = constants(*rng.choices((0, 1, 2, 3), (1, 4, 4, 2), k=n))
    capacity = constant(rng.randint(1, 5))
    return Cumulative(tuple(range(n)), durations, demands, capacity), draw_times(rng, n)


def draw_variable(rng: random.Random):
    """Durations, demands and a capacity that may be variables."""
    n = rng.randint(1, 3)
    domains = draw_times(rng, n)

    def draw(choices):
        if rng.random() < 0.6:
            return constant(rng.choice(choices))
        domains.append(tuple(sorted(rng.sample(range(-1, 5), rng.randint(1, 3)))))
        return len(domains) - 1

    durations = tuple(draw((0, 1, 2, 3, 5)) for _ in range(n))
    demands = tuple(draw((0, 1, 1, 2, 3)) for _ in range(n))
    return Cumulative(tuple(range(n)), durations, demands, draw((0, 1, 2, 3, 4))), domains


CONSTRAINTS = {
    "element": draw_element,
    "extreme": draw_extreme,
    "product": draw_product,
    "bounds": draw_shifted,
    "domain": draw_different,
    "circuit": draw_circuit,
    "tasks": draw_tasks,
    "crowded": draw_crowded,
    "shared": draw_shared,
    "variable": draw_variable,
}


@pytest.fixture(params=CONSTRAINTS)
def kind(request, monkeypatch):
    """A constraint whose propagators run however few its variables are."""
    monkeypatch.setattr(arithmetic, "MOST_LISTED", 0)
    monkeypatch.setattr(counting, "pay", lambda draft, terms: (request.param,))
    return request.param


def test_facts_follow_from_explanations(kind):
    rng = random.Random(kind)
    checked = 0
    for case in range(150):
        problem = draw_problem(rng, *CONSTRAINTS[kind](rng))
        checked += check_learning(problem, pure_learning_form(), f"case {case}: {problem}")
    assert checked > 30


@pytest.fixture
def started():
    """Begins a search that learns: its arrays, and the places of its variables."""

    def begin_search(constraint, domains):
        problem = draw_problem(random.Random(), constraint, domains, givens=0)
        found = begun(problem, pure_learning_form(), solutions=1)
        S, T, M = found.search
        LEARNING.bound(begin)(S, T, M)
        return S, T, M, found.arena.places

    return begin_search


def literals(M, n):
    """What was written: slots, and values."""
    return [(M[k], M[k + 1]) for k in range(M[of.M_OUT], M[of.M_OUT] + 2 * n, 2)]


def test_that_two_domains_are_apart_follows_from_what_is_written(started):
    rng = random.Random(5)
    apart = 0
    for _ in range(60):
        domains = [tuple(sorted(rng.sample(range(8), rng.randint(1, 4)))) for _ in "xy"]
        S, _, M, places = started(Linear((0, 1), (1, 1), "<=", 99), domains)
        M[M[of.M_OUT] : M[of.M_OUT] + 40] = [-1] * 40
        n = LEARNING.bound(write_apart)(S, M, *places[:2], M[of.M_FACT_TOP], M[of.M_OUT])
        assert (n >= 0) == (not set(domains[0]) & set(domains[1])), domains
        if n >= 0:
            apart += 1
            said = [(places.index(s >> 2), s & of.EXACTLY, v) for s, v in literals(M, n)]
            left = [set(range(-1, 10)), set(range(-1, 10))]
            for x, kind, value in said:
                allowed = {v for v in range(-1, 10) if holds([v], (0, kind, value))}
                assert allowed.issuperset(domains[x]), (domains, said)
                left[x] &= allowed
            assert not left[0] & left[1], (domains, said)
    assert apart > 15


@pytest.mark.parametrize("nodes", range(4, 12))
def test_that_there_are_two_tours_follows_from_the_first(started, nodes):
    """Node 0 leads into a tour, and is not of it."""
    last = nodes // 3
    after = [1, *range(2, last + 1), 1, *range(last + 2, nodes), last + 1]
    S, T, M, places = started(Circuit(tuple(range(nodes))), [(0, 1, 2, nodes - 1)] * nodes)
    for x, node in zip(places, after, strict=False):  # without a decision
        S[x + of.ROOT], S[x + of.ROOT + of.MOST] = node, -node
    explain = LEARNING.bound(explain_no_subtour)
    a = T.index(explain) - of.EXPLAIN
    n = explain(S, T, M, a, 0, 0, M[of.M_FACT_TOP], M[of.M_OUT])
    assert n == 2 * last
    tour = {(4 * places[k], after[k]) for k in range(1, last + 1)}
    assert {pair for pair in literals(M, n) if not pair[0] & of.MOST} == tour


@pytest.mark.parametrize("nodes", [3, 4, 7])
def test_the_last_successor_follows_from_all_others(started, nodes):
    S, T, M, places = started(Circuit(tuple(range(nodes))), [range(nodes)] * nodes)
    for x, node in zip(places[1:], [*range(2, nodes), 0], strict=True):  # without a decision
        S[x + of.ROOT], S[x + of.ROOT + of.MOST] = node, -node
    explain = LEARNING.bound(explain_no_subtour)
    a = T.index(explain) - of.EXPLAIN
    n = explain(S, T, M, a, 4 * places[0], 1, M[of.M_FACT_TOP], M[of.M_OUT])
    others = {(4 * x, node) for x, node in zip(places[1:], [*range(2, nodes), 0], strict=True)}
    assert n == 2 * (nodes - 1)
    assert {pair for pair in literals(M, n) if not pair[0] & of.MOST} == others


def test_both_forms_explain_alike(kind):
    rng = random.Random(f"{kind} forms")
    for case in range(30):
        problem = draw_problem(rng, *CONSTRAINTS[kind](rng))
        pure, compiled = (
            trace(problem, pure_learning_form()),
            trace(problem, compiled_learning_form()),
        )
        assert pure == compiled, f"case {case}: {problem}"


def test_what_has_no_explanation_is_redundant_or_refused():
    assert explanation_of(take_every_value) is None
    assert count_values not in EXPLANATIONS
    with pytest.raises(KeyError):
        explanation_of(count_values)


def test_an_order_that_has_turned_since_is_looked_at_again():
    domains = [(1,), (64, 67, 68), (-1, 0), (66, 67), range(65, 70)]
    constraint = NoOverlap(tuple(range(5)), constants(1, 1, 0, 2, 1))
    problem = stated(domains, [constraint])
    assert check_learning(problem, pure_learning_form(), "turned") > 0
