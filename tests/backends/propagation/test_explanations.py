"""Explanations of global constraints against their definitions, in both forms."""

import random

import pytest

from backends.propagation.encode import arithmetic, counting
from backends.propagation.forms import compiled_learning_form, pure_learning_form
from backends.propagation.learning.explanations import EXPLANATIONS, explanation_of
from backends.propagation.propagators.counting.count import count_values
from backends.propagation.propagators.counting.different_tight import take_every_value
from modelling.constraints import (
    AllDifferent,
    Circuit,
    Cumulative,
    Define,
    Element,
    Maximum,
    Minimum,
    NoOverlap,
    Product,
)
from modelling.terms import Affine, constant, constants
from tests.backends.propagation.learning_checks import check_learning, trace
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
    monkeypatch.setattr(counting, "stronger", lambda draft, terms: (request.param,))
    return request.param


def test_facts_follow_from_explanations(kind):
    rng = random.Random(kind)
    checked = 0
    for case in range(150):
        problem = draw_problem(rng, *CONSTRAINTS[kind](rng))
        checked += check_learning(problem, pure_learning_form(), f"case {case}: {problem}")
    assert checked > 30


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
