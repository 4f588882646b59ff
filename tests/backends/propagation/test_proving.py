"""Proofs of the search that learns: certified, exact about what is wrong, and of the problem."""

import random
from dataclasses import replace
from itertools import product
from math import prod

import pytest

import concord
from backends.interface.api import AllOptima, Optimum, Solutions
from backends.interface.evidence.model_text import write_domain
from backends.interface.registry import get
from backends.proofs.certify import certify
from backends.proofs.inferences.text import read_model
from backends.propagation.encode import arithmetic
from backends.propagation.kernel import domains
from backends.propagation.kernel.layout import SCOPE
from backends.propagation.propagators import linear
from backends.propagation.propagators.scheduling import orders
from backends.propagation.proving import notes
from backends.propagation.proving.form import NOTING
from modelling import brute_force
from modelling.check import violations
from modelling.constraints import (
    AllDifferent,
    Circuit,
    Clauses,
    Define,
    Element,
    Iff,
    Implies,
    Linear,
    NoOverlap,
    NotEqual,
    Table,
)
from modelling.errors import ContradictoryResult, UnknownBackend
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Affine, constants
from results.studies.correctness.inference_lines import invalid_line, mutated
from tests.backends.propagation.proof_checks import prove, stated, tightened
from tests.backends.propagation.propagator_checks import draw_domain, draw_problem
from tests.backends.propagation.test_explanations import CONSTRAINTS as GLOBAL

PROVING = "propagation:learning,proof=check"


def draw_table(rng):
    domains = [draw_domain(rng, 5) for _ in range(rng.randint(2, 4))]
    scope = rng.sample(range(len(domains)), rng.randint(2, len(domains)))
    rows = [
        tuple(rng.choice(list(domains[v])) if rng.random() < 0.9 else "*" for v in scope)
        for _ in range(rng.randint(2, 9))
    ]
    return Table(tuple(scope), tuple(rows), rng.random() < 0.7), domains


def draw_condition(rng):
    if rng.random() < 0.4:
        within, domains = draw_table(rng)
    else:
        domains = [draw_domain(rng, 5) for _ in range(rng.randint(2, 4))]
        scope = rng.sample(range(len(domains)), rng.randint(1, len(domains)))
        factors = [rng.choice((1, -1, 2, -3)) for _ in scope]
        pairs = zip(factors, scope, strict=True)
        middle = sum(f * rng.choice(list(domains[v])) for f, v in pairs)
        relation = rng.choice(("<=", ">=", "==", "!=", "<", ">"))
        within = Linear(tuple(scope), tuple(factors), relation, middle)
    literal = Linear((len(domains),), (1,), "==", rng.choice((0, 1)))
    return rng.choice((Implies, Iff))(literal, within), [*domains, (0, 1)]


def draw_pair(rng):
    domains = [draw_domain(rng, 3) for _ in range(rng.randint(3, 5))]
    return NotEqual((Affine(0, rng.choice((1, 2, -1)), rng.randint(-2, 2)), 1)), domains


def draw_clauses(rng):
    n = rng.randint(3, 6)
    rows = [
        tuple(rng.choice((1, -1)) * (v + 1) for v in rng.sample(range(n), rng.randint(1, 3)))
        for _ in range(rng.randint(5, 25))
    ]
    return Clauses(tuple(range(n)), tuple(rows)), [(0, 1)] * n


DRAWN = {
    **GLOBAL,
    "table": draw_table,
    "condition": draw_condition,
    "pair": draw_pair,
    "clauses": draw_clauses,
}


@pytest.fixture
def native(monkeypatch):
    """Functions of few values have propagators, too, in place of tables."""
    monkeypatch.setattr(arithmetic, "MOST_LISTED", 0)


def drawn(rng, kind):
    return tightened(rng, draw_problem(rng, *DRAWN[kind](rng)))


def draw_proofs(rng, number):
    """Proofs of some lines, of problems that are small enough for brute force."""
    while number:
        problem = drawn(rng, rng.choice(list(DRAWN)))
        proof = prove(problem) if prod(map(len, problem.structure.domains)) <= 1000 else None
        if proof is None or len(proof.lines) < 4:
            continue
        box = read_model(iter(proof.model)).box
        if prod(len(list(box.values(x))) for x in box.low) <= 1000:  # orders of tasks as well
            number -= 1
            yield proof


# --- problems that are certified ---


def pigeons(n):
    return stated([range(n - 1)] * n, [NotEqual((i, j)) for i in range(n) for j in range(i)])


def square(rng, n, given):
    """A quasigroup with holes whose given values conflict nowhere at first sight."""
    put = {}
    for i, j in rng.sample(list(product(range(n), repeat=2)), given):
        taken = {v for (k, m), v in put.items() if k == i or m == j}
        put[i, j] = rng.choice([v for v in range(n) if v not in taken] or [None])
    domains = [
        range(n) if put.get(cell) is None else (put[cell],) for cell in product(range(n), repeat=2)
    ]
    rows = [tuple(range(i * n, i * n + n)) for i in range(n)]
    columns = [tuple(range(i, n * n, n)) for i in range(n)]
    return stated(domains, map(AllDifferent, rows + columns))


def colouring(rng, n, colours, density):
    edges = [(i, j) for i in range(n) for j in range(i) if rng.random() < density]
    return stated([range(colours)] * n, map(NotEqual, edges))


def knapsack(rng, n):
    weights, values = ([rng.randint(3, 12) for _ in range(n)] for _ in "wv")
    limit = Linear(tuple(range(n)), tuple(weights), "<=", 5 * n)
    return stated([range(3)] * n, [limit], Objective("maximize", tuple(range(n)), tuple(values)))


def golomb(marks, longest):
    domains, constraints, gaps = [range(longest + 1)] * marks, [Linear((0,), (1,), "==", 0)], []
    for i in range(marks):
        for j in range(i):
            gaps.append(len(domains))
            constraints.append(Linear((gaps[-1], i, j), (1, -1, 1), "==", 0))
            domains = [*domains, range(1, longest + 1)]
    constraints += [Linear((i, i + 1), (1, -1), "<=", -1) for i in range(marks - 1)]
    constraints.append(AllDifferent(tuple(gaps)))
    return stated(domains, constraints, Objective("minimize", (marks - 1,), (1,)))


def shop(rng, jobs, machines):
    """A job shop: no two tasks of a machine at once, and the end is to be early."""
    domains, constraints, tasks = [], [], {m: [] for m in range(machines)}
    end = jobs * machines
    for _ in range(jobs):
        for place, machine in enumerate(rng.sample(range(machines), machines)):
            task, length = len(domains), rng.randint(1, 9)
            domains.append(range(80))
            after = task + 1 if place + 1 < machines else end
            constraints.append(Linear((task, after), (1, -1), "<=", -length))
            tasks[machine].append((task, length))
    for rows in tasks.values():
        starts, lengths = zip(*rows, strict=True)
        constraints.append(NoOverlap(starts, constants(*lengths)))
    return stated([*domains, range(80)], constraints, Objective("minimize", (end,), (1,)))


def tour(rng, n):
    domains = [tuple(j for j in range(n) if j != i) for i in range(n)]
    lengths = [constants(*[rng.randint(1, 30) for _ in range(n)]) for _ in range(n)]
    constraints = [Define(n + i, Element(lengths[i], i)) for i in range(n)]
    objective = Objective("minimize", tuple(range(n, 2 * n)), (1,) * n)
    return stated([*domains, *[range(31)] * n], [Circuit(tuple(range(n))), *constraints], objective)


PROBLEMS = {
    "pigeons": lambda rng: pigeons(6),
    "square": lambda rng: square(rng, 7, 20),
    "colouring": lambda rng: colouring(rng, 14, 3, 0.4),
    "knapsack": lambda rng: knapsack(rng, 7),
    "ruler": lambda rng: golomb(5, 13),
    "shop": lambda rng: shop(rng, 3, 3),
    "tour": lambda rng: tour(rng, 6),
}


@pytest.mark.parametrize("kind", PROBLEMS)
def test_refutations_and_optima_are_certified(kind):
    proof = prove(PROBLEMS[kind](random.Random(1)))
    assert proof.result.stopped_by == "exhausted"
    assert proof.verdict().state == "checked"


def test_a_sudoku_without_a_solution_is_certified():
    text = "516849732307605000809700065135060907472591006968370050253186074684207500791050608"
    found = concord.solve(text, backend=PROVING).certificate
    assert (found.state, found.said) == ("checked", "the checker of inferences")
    assert found.size > found.steps > 1


@pytest.mark.once
@pytest.mark.parametrize("seed", range(3))
def test_larger_problems_are_certified(seed):
    rng = random.Random(seed)
    larger = (
        pigeons(7),
        square(rng, 9, 40),
        colouring(rng, 22, 4, 0.42),
        knapsack(rng, 10),
        golomb(6, 20),
        shop(rng, 5, 5),
        tour(rng, 8),
    )
    for problem in larger:
        proof = prove(problem)
        if proof is not None:
            assert proof.verdict().state == "checked"


def test_counts_and_all_optima_are_certified():
    problem = stated([range(3)] * 2, [Linear((0, 1), (1, 1), ">=", 3)])
    found = concord.solve(problem, Solutions(None), backend=PROVING)
    assert (found.count, found.certificate.state) == (3, "checked"), found.certificate
    assert found.certificate.encoding == "enumerated"
    best = stated([range(3)] * 2, [], Objective("minimize", (0,), (1,)))
    found = concord.solve(best, AllOptima(), backend=PROVING)
    assert (found.count, found.certificate.state) == (3, "checked"), found.certificate
    some = concord.solve(problem, Solutions(2), backend=PROVING)
    assert (some.count, some.certificate.state) == (2, "")


def test_a_count_on_output_variables_is_certified():
    """Two values of the output, each with several values of the rest."""
    structure = Structure(
        ("x", "y"), (range(2), range(3)), (Linear((0, 1), (1, 1), "<=", 3),), output=(0,)
    )
    problem = Problem(structure, structure.full_masks)
    found = concord.solve(problem, Solutions(None), backend=PROVING)
    assert (found.count, found.certificate.state) == (2, "checked"), found.certificate


SEEDS = [seed if seed < 6 else pytest.param(seed, marks=pytest.mark.once) for seed in range(40)]


@pytest.mark.parametrize("seed", SEEDS)
def test_counts_of_drawn_problems_are_certified(seed):
    """All are right by trying; a solution less, or one that does not hold, is refused."""
    rng = random.Random(seed)
    problem = drawn(rng, rng.choice(sorted(DRAWN)))
    if prod(len(problem.domain(v)) for v in range(problem.structure.size)) > 3000:
        problem = stated([range(3)] * 3, [Linear((0, 1, 2), (1, 2, -1), ">=", 1)])
    backend = get(PROVING)
    result = backend.solve(problem, Solutions(None))
    assert result.count == sum(1 for _ in brute_force.solutions(problem))
    found = certify(result, Solutions(None), problem)
    assert found.state == "checked", found
    (one,) = result.refutations
    if not one.excluded:
        return
    fewer = replace(one, excluded=one.excluded[:-1])
    found = certify(replace(result, refutations=(fewer,)), Solutions(None), problem)
    assert found.state == "rejected", found
    lines = one.model().splitlines()
    kept = b"\n".join(lines[:-1])  # the last exclusion left out
    found = certify(
        replace(result, refutations=(replace(one, model=lambda: kept),)), Solutions(None), problem
    )
    assert found.state == "rejected", found


def test_a_count_whose_proof_has_no_time_is_not_certified(monkeypatch):
    problem = stated([range(3)] * 2, [Linear((0, 1), (1, 1), ">=", 3)])
    monkeypatch.setattr("backends.propagation.proving.solver.MOST_EXCLUDED", 2)
    found = concord.solve(problem, Solutions(None), backend=PROVING)
    assert (found.count, found.certificate.state) == (3, "unchecked")
    assert "more than 2 solutions" in found.certificate.said


@pytest.mark.once  # it takes seconds
def test_an_encoding_that_is_kept_has_no_exclusions():
    """Each call excludes its own solutions."""
    backend = concord.get_backend(PROVING)
    problem = stated([range(3)] * 2, [Linear((0, 1), (1, 1), ">=", 3)])
    for _ in range(3):
        found = concord.solve(problem, Solutions(None), backend=backend)
        assert (found.count, found.certificate.state) == (3, "checked"), found.certificate
    for ask, count in ((AllOptima(), 1), (Solutions(None), 6), (AllOptima(), 1)):
        best = stated(
            [range(3)] * 2,
            [Linear((0, 1), (1, 1), "<=", 2)],
            Objective("maximize", (0, 1), (2, 1)),
        )
        found = concord.solve(best, ask, backend=backend)
        assert (found.count, found.certificate.state) == (count, "checked"), found.certificate


def test_a_proof_that_is_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(notes, "MOST_NOTED", 2000)
    found = concord.solve(pigeons(6), backend=PROVING)
    assert (found.count, found.certificate.state) == (0, "unchecked")
    assert "longer than 2,000 characters" in found.certificate.said


def test_one_structure_has_proofs_of_many_instances():
    backend = concord.get_backend(PROVING)
    base = square(random.Random(1), 5, 0)
    for value in range(3):
        masks = list(base.masks)
        masks[0] = masks[1] = 1 << value
        found = concord.solve(Problem(base.structure, tuple(masks)), backend=backend)
        assert (found.count, found.certificate.state) == (0, "checked")


def test_a_value_that_the_domains_exclude_needs_no_lines():
    best = stated([range(2, 5)], [], Objective("minimize", (0,), (1,)))
    found = concord.solve(best, Optimum(), backend=PROVING)
    assert (found.objective, found.certificate.state) == (2, "checked")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("propagation:proof=check", "only learning writes proofs"),
        ("propagation:learning,compiled,proof=check", "the interpreted search"),
        ("propagation:learning,proof=keep", "unknown value of proof"),
        ("propagation:learning,proof=check,proof_seconds=0", "at least 1"),
    ],
)
def test_what_has_no_proof_is_refused(name, said):
    with pytest.raises(UnknownBackend, match=said):
        concord.solve(pigeons(3), backend=name)


# --- what the checker is given ---


def holds(model, row):
    """Whether an assignment of the problem's variables satisfies a model, for some orders."""
    values = dict(enumerate(row))
    more = sorted(model.box.low.keys() - values.keys())
    for rest in product(*[list(model.box.values(x)) for x in more]):
        values.update(zip(more, rest, strict=True))
        if all(constraint.holds(values) for constraint in model.constraints.values()):
            return True
    return False


def model_of(problem):
    """What the checker is given of a structure."""
    backend = concord.get_backend(f"{PROVING},reuse=none")
    draft = backend.preparation.prepare("", problem.structure).encoding.draft
    lines = [
        write_domain(v, domain) for v, domain in enumerate(draft.domains) if v not in draft.views
    ]
    lines += [f"{name} {text}" for name, text in draft.constraints.items()]
    return read_model(iter([*lines, *draft.new_variables()]))


@pytest.mark.parametrize("kind", DRAWN)
def test_the_model_says_what_the_problem_says(kind, native):
    rng = random.Random(kind)
    checked = 0
    while checked < 4:
        problem = drawn(rng, kind)
        structure = problem.structure
        if prod(map(len, structure.domains)) > 200 or any(
            not c.scope for c in structure.constraints
        ):
            continue
        checked += 1
        model = model_of(problem)
        whole = Problem(structure, structure.full_masks)
        for row in product(*structure.domains):
            assert holds(model, row) == (not violations(whole, row)), f"{problem}, {row}"


# --- what the checker rejects ---


def check_mutants(rng, proofs, mutants):
    """Check that no mutant is accepted that has an invalid line; how many were not accepted."""
    refused = 0
    for proof in draw_proofs(rng, proofs):
        assert proof.verdict().state == "checked"
        assert not invalid_line(proof), proof
        for _ in range(mutants):
            mutant = mutated(rng, proof)
            if mutant.verdict().state == "checked":
                assert not invalid_line(mutant), mutant
            else:
                refused += 1
    return refused


def test_mutants_are_rejected_unless_they_are_valid(native):
    assert check_mutants(random.Random(5), proofs=20, mutants=16) > 100


@pytest.mark.once
@pytest.mark.parametrize("seed", range(2))
def test_many_mutants_are_rejected_unless_they_are_valid(seed, native):
    assert check_mutants(random.Random(f"many {seed}"), proofs=60, mutants=25) > 700


def planted(monkeypatch, explain, wrong):
    """Let a propagator explain itself by another function."""
    monkeypatch.setitem(NOTING.known, explain, wrong)


def test_a_wrong_explanation_of_a_sum_is_caught(monkeypatch):
    real = NOTING.bound(linear.explain_at_most)

    def forgetful(S, T, M, a, slot, value, place, out):
        return max(0, real(S, T, M, a, slot, value, place, out) - 1)

    planted(monkeypatch, linear.explain_at_most, forgetful)
    found = prove(knapsack(random.Random(1), 7)).verdict()
    assert (found.state, "it does not follow from c" in found.said) == ("rejected", True)


def test_an_explanation_by_nothing_is_caught(monkeypatch):
    planted(monkeypatch, orders.explain_in_order, lambda *_: 0)
    assert prove(shop(random.Random(2), 3, 3)).verdict().state == "rejected"


def test_a_wrong_answer_is_caught(monkeypatch):
    """A propagator that removes too much, without a decision or below one."""

    def greedy(S, T, M, a):
        x = T[a + SCOPE]
        return NOTING.bound(domains.set_upper)(S, T, M, x, S[x]) and real(S, T, M, a)

    real = NOTING.bound(linear.at_most)
    monkeypatch.setitem(NOTING.known, linear.at_most, greedy)
    problem = stated([range(3)] * 2, [Linear((0, 1), (-1, -1), "<=", -3), NotEqual((0, 1))])
    found = prove(problem)
    assert found.verdict().state == "rejected"
    with pytest.raises(ContradictoryResult, match="its proof is rejected"):
        concord.solve(problem, backend=PROVING)


def test_a_table_explains_a_bound_by_what_its_variable_had_lost():
    """One value of the result belongs to two rows: a bound of the index moves past the first."""
    for seed in (1, 2):
        proof = prove(tour(random.Random(seed), 6))
        assert proof.verdict().state == "checked", f"seed {seed}"
