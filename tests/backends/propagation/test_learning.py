"""Conflict learning against the definitions of the constraints, in both forms."""

import random

import pytest

from backends.interface.api import Optimum, Solutions
from backends.interface.driver import Driver
from backends.propagation.forms import compiled_learning_form, pure_learning_form
from backends.propagation.kernel import facts as of
from backends.propagation.kernel import layout as at
from backends.propagation.learning.clauses import longer_list
from backends.propagation.learning.layout import (
    FIRST_CLAUSE,
    FIRST_LIST_ROOM,
    LIST_ENTRIES,
    LIST_ROOM,
    LIST_SIZE,
)
from backends.propagation.learning.search import KEPT_LBD, luby, median_lbd
from backends.propagation.learning.solver import Learning
from backends.propagation.solver import Configuration
from modelling.constraints import AllDifferent, Iff, Implies, Linear, NotEqual, Table
from modelling.problem import Objective, Problem, Structure
from modelling.terms import ANY
from tests.backends.propagation.learning_checks import check_learning, learned, searched, trace
from tests.backends.propagation.propagator_checks import (
    chosen,
    draw_domain,
    draw_problem,
    solutions_of,
)
from tests.backends.propagation.short_words import short_learning_form

pytestmark = pytest.mark.once  # numba compiles what it tests

RELATIONS = ("<=", "<", ">=", ">", "==", "!=")
FORMS = chosen(
    {
        "pure": pure_learning_form,
        "short": short_learning_form,
        "compiled": compiled_learning_form,
    }
)


def draw_sum(rng: random.Random, scope, domains, relations=RELATIONS):
    coefficients = [rng.choice((-3, -2, -1, 1, 1, 1, 2, 5)) for _ in scope]
    near = sum(c * rng.choice(domains[v]) for c, v in zip(coefficients, scope, strict=True))
    relation = rng.choice(relations)
    return Linear(tuple(scope), tuple(coefficients), relation, near + rng.randint(-2, 2))


def draw_constraint(rng: random.Random, domains, truths):
    """A constraint over some of the variables; ``truths`` are those that are 0 or 1."""
    variables = range(len(domains))
    scope = rng.sample(variables, rng.randint(1, min(4, len(domains))))
    kind = rng.choice(("sum", "reified", "clause", "rivals", "rivals"))
    if kind == "rivals" and len(scope) > 1:
        return NotEqual(tuple(scope[:2])) if len(scope) == 2 else AllDifferent(tuple(scope))
    if kind == "clause" and len(truths) > 1:
        scope = rng.sample(truths, min(len(truths), 3))
        signs = [rng.choice((-1, 1)) for _ in scope]
        return Linear(tuple(scope), tuple(signs), ">=", 1 - signs.count(-1))
    if kind == "reified" and truths:
        condition = rng.choice(truths)
        inner = [v for v in scope if v != condition] or [condition]
        literal = Linear((condition,), (1,), "==", rng.randint(0, 1))
        return rng.choice((Implies, Iff))(literal, draw_sum(rng, inner, domains))
    return draw_sum(rng, scope, domains)


def draw_structure(rng: random.Random, with_objective: bool = False):
    """A problem of a few constraints, of at most some thousand assignments."""
    truths = rng.randint(0, 3)
    domains = [draw_domain(rng, 4) for _ in range(rng.randint(2, 4))] + [(0, 1)] * truths
    numbers = list(range(len(domains) - truths, len(domains)))
    constraints = [draw_constraint(rng, domains, numbers) for _ in range(rng.randint(1, 5))]
    objective = None
    if with_objective:
        scope = rng.sample(range(len(domains)), rng.randint(1, len(domains)))
        factors = tuple(rng.choice((-2, -1, 1, 3)) for _ in scope)
        objective = Objective(rng.choice(("minimize", "maximize")), tuple(scope), factors)
    names = tuple(f"x{k}" for k in range(len(domains)))
    structure = Structure(names, tuple(domains), tuple(constraints), objective=objective)
    return Problem(structure, tuple((1 << len(domain)) - 1 for domain in domains))


def draw_table(rng: random.Random, domains, is_allowed: bool):
    columns = [rng.sample(domain, min(len(domain), 4)) for domain in domains]
    rows = [tuple(rng.choice(column) for column in columns) for _ in range(rng.randint(1, 30))]
    if is_allowed and rng.random() < 0.4:
        rows = [tuple(ANY if rng.random() < 0.2 else v for v in row) for row in rows]
    return Table(tuple(range(len(domains))), tuple(dict.fromkeys(rows)), is_allowed)


@pytest.mark.parametrize("is_allowed", [True, False])
@pytest.mark.parametrize("connective", [None, Implies, Iff])
def test_facts_follow_from_explanations_of_tables(is_allowed, connective):
    rng = random.Random(f"{is_allowed} {connective}")
    checked = 0
    for case in range(80):
        domains = [draw_domain(rng, 4) for _ in range(rng.randint(2, 4))]
        constraint = draw_table(rng, domains, is_allowed)
        if connective is not None:
            if constraint._short:
                continue
            literal = Linear((len(domains),), (1,), "==", rng.randint(0, 1))
            constraint, domains = connective(literal, constraint), [*domains, (0, 1)]
        problem = draw_problem(rng, constraint, domains)
        checked += check_learning(problem, pure_learning_form(), f"case {case}: {problem}")
    assert checked > 30


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("connective", [None, Implies, Iff])
def test_facts_follow_from_their_explanations(relation, connective):
    rng = random.Random(f"{relation} {connective}")
    checked = 0
    for case in range(60):
        domains = [draw_domain(rng, 5) for _ in range(rng.randint(1, 4))]
        constraint = draw_sum(rng, range(len(domains)), domains, (relation,))
        if connective is not None:
            literal = Linear((len(domains),), (1,), "==", rng.randint(0, 1))
            constraint, domains = connective(literal, constraint), [*domains, (0, 1)]
        problem = draw_problem(rng, constraint, domains)
        checked += check_learning(problem, pure_learning_form(), f"case {case}: {problem}")
    assert checked > 30


@pytest.mark.parametrize("connective", [Implies, Iff])
def test_conditions_on_one_variable_that_occurs_twice(connective):
    rng = random.Random(f"twice {connective}")
    checked = 0
    for case in range(60):
        domains = [draw_domain(rng, 5), (0, 1)]
        literal = Linear((1,), (1,), "==", rng.randint(0, 1))
        constraint = connective(literal, draw_sum(rng, (0, 0), domains))
        problem = draw_problem(rng, constraint, domains)
        checked += check_learning(problem, pure_learning_form(), f"case {case}: {problem}")
    assert checked > 10


def test_facts_and_clauses_of_several_constraints():
    rng = random.Random(2)
    checked = 0
    for case in range(60):
        problem = draw_structure(rng)
        checked += check_learning(problem, pure_learning_form(), f"case {case}: {problem}")
    assert checked > 400


def test_all_forms_learn_the_same():
    rng = random.Random(3)
    for case in range(100):
        problem = draw_structure(rng)
        first, *others = [trace(problem, form()) for form in FORMS.values()]
        assert all(other == first for other in others), f"case {case}: {problem}"


@pytest.mark.parametrize("form", [form for form in FORMS if form != "short"])
def test_best_solutions(form):
    rng = random.Random(4)
    driver = Driver("propagation:learning", Learning("propagation:learning", Configuration(form)))
    for case in range(100):
        problem = draw_structure(rng, with_objective=True)
        objective = problem.structure.objective
        values = [objective.value(row) for row in solutions_of(problem)]
        result = driver.solve(problem, Optimum())
        best = None
        if values:
            best = min(values) if objective.sense == "minimize" else max(values)
        assert result.objective == best, f"case {case}: {problem}"
        assert result.stopped_by == "exhausted"
        count = driver.solve(problem, Solutions(None, 0)).count
        assert count == len(values), f"case {case}: {problem}"


@pytest.mark.parametrize(("steps", "omitted"), [(65, 1), (66, 0)])
def test_how_long_a_chain_of_implications_minimising_follows(steps, omitted):
    """Each of the first variables is 0 where the one before is; the first, the last of them and
    what is decided next cannot all be 0."""
    first, last, next_, other = 0, steps, steps + 1, steps + 2
    chain = [Linear((k + 1, k), (1, -1), "<=", 0) for k in range(steps)]
    clash = [
        Linear((first, next_, other), (1, 1, 1), ">=", 1),
        Linear((last, next_, other), (1, 1, -1), ">=", 0),
    ]
    names = tuple(f"x{k}" for k in range(steps + 3))
    structure = Structure(names, ((0, 1),) * (steps + 3), (*chain, *clash))
    found = None
    for found, _, _ in searched(structure.problem(), pure_learning_form(), nodes=1):
        if found.search.M[at.M_FAILURES]:
            break
    assert found.search.M[of.M_MINIMISED] == omitted
    needed = [first, next_] if omitted else [first, last, next_]
    assert [sorted(clause) for clause in learned(found)] == [[(x, of.LEAST, 1) for x in needed]]


def test_the_sequence_of_restarts():
    assert [luby(i) for i in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


@pytest.mark.parametrize(
    ("levels", "median"),
    [([5], 5), ([3, 9], 3), ([4, 9, 4], 4), ([2, 2, 7], 2), ([6, 0, 0], 6), ([3, 3, 9, 9, 9], 9)],
)
def test_half_of_the_learned_clauses_come_from_few_levels(levels, median):
    """Clauses of the problem have no levels, and do not count; the least is above those always
    kept."""
    M = [0] * (of.LEARNING_HEAD + FIRST_CLAUSE)
    M[of.M_CLAUSES], M[of.M_LEARNED] = of.LEARNING_HEAD, len(levels) - levels.count(0)
    for size, level in enumerate(levels, 2):
        M += [size, level, *[1] * (2 * size)]
    M[of.M_CLAUSE_TOP] = len(M) - of.LEARNING_HEAD
    assert median_lbd(M) == max(median, KEPT_LBD + 1)


def test_a_full_list_of_watches_gets_twice_its_room():
    M = [0] * 200
    M[of.M_LIST_TOP], M[of.M_LIST_END] = 100, 200
    first = longer_list(M, 0)
    assert (first, M[first + LIST_ROOM], M[first + LIST_SIZE]) == (100, FIRST_LIST_ROOM, 0)
    M[first + LIST_SIZE] = FIRST_LIST_ROOM
    entries = list(range(1, 1 + FIRST_LIST_ROOM))
    M[first + LIST_ENTRIES : first + LIST_ENTRIES + FIRST_LIST_ROOM] = entries
    second = longer_list(M, first)
    assert second == M[of.M_LIST_TOP] - LIST_ENTRIES - 2 * FIRST_LIST_ROOM
    assert (M[second + LIST_ROOM], M[second + LIST_SIZE]) == (2 * FIRST_LIST_ROOM, FIRST_LIST_ROOM)
    assert M[second + LIST_ENTRIES : second + LIST_ENTRIES + FIRST_LIST_ROOM] == entries
