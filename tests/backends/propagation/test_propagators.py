"""Each propagator against its definition, written plainly: what it removes and what it keeps.

One constraint at a time over drawn domains. Whatever was removed is put back and looked for among
all assignments: no solution may have it. And nothing that the propagator's kind of consistency
removes may be left: a table of allowed tuples, an automaton and an inequality keep exactly the
values that stand in a solution, an equation its bounds, ``!=`` and forbidden tuples wait for the
last open variable.
"""

import random
from itertools import product

import pytest

from backends.propagation.encoding import encode
from modelling.constraints import AllDifferent, Linear, NotEqual, Table
from modelling.problem import Problem, Structure
from modelling.vocabulary.automata.regular import Regular

CASES = 150


def settled(problem):
    """The sets of open values at the first fixed point; None for a contradiction."""
    encoding = encode(problem.structure)
    searching = encoding.state(problem)
    if not encoding.possible or not searching.start():
        return None
    return [
        {v for k, v in enumerate(encoding.values) if domain >> k & 1}
        for domain in searching.domains
    ]


def drawn(rng, size, widest=5):
    """Base domains with gaps, often unequal, and what is open of them, never nothing."""
    values = sorted(rng.sample(range(-6, 9), widest))
    domains, opened = [], []
    for _ in range(size):
        domain = tuple(v for v in values if rng.random() < 0.8) or (values[0],)
        keep = rng.choice([0.3, 0.7, 1.0])
        domains.append(domain)
        opened.append({v for v in domain if rng.random() < keep} or {rng.choice(domain)})
    return tuple(domains), opened


def problem_of(domains, opened, constraint):
    structure = Structure(tuple(f"x{k}" for k in range(len(domains))), domains, (constraint,))
    masks = tuple(
        sum(1 << k for k, v in enumerate(domain) if v in own)
        for domain, own in zip(domains, opened, strict=True)
    )
    return Problem(structure, masks)


def supported(opened, constraint):
    """The values that stand in some solution; None if there is none."""
    rows = [row for row in product(*opened) if constraint.holds([row[v] for v in constraint.scope])]
    return [set(column) for column in zip(*rows, strict=True)] if rows else None


def last_open(opened, constraint):
    """What is left when nothing happens before all but one variable of the constraint are fixed."""
    undecided = [v for v in constraint.scope if len(opened[v]) > 1]
    return opened if len(undecided) > 1 else supported(opened, constraint)


def bounds(opened, constraint):
    """The fixed point of an equation's bounds: what the least and most of all others leave."""
    opened = [set(own) for own in opened]
    terms = [t for t in zip(constraint.scope, constraint.coefficients, strict=True) if t[1]]
    changed = True
    while changed:
        changed = False
        for variable, factor in terms:
            others = [[c * v for v in opened[x]] for x, c in terms if x != variable]
            least, most = sum(map(min, others)), sum(map(max, others))
            kept = {
                v for v in opened[variable] if least <= constraint.constant - factor * v <= most
            }
            if not kept:
                return None
            changed = changed or kept != opened[variable]
            opened[variable] = kept
    return opened


def different(opened, constraint):
    """Fixed values leave the others; too few values fail; with none to spare each must stand."""
    opened = [set(own) for own in opened]
    while True:
        before = [set(own) for own in opened]
        for v in constraint.scope:
            for other in constraint.scope:
                if other != v and len(opened[v]) == 1:
                    opened[other] -= opened[v]
        every = set().union(*(opened[v] for v in constraint.scope))
        if not all(opened) or len(every) < len(constraint.scope):
            return None
        if len(every) == len(constraint.scope) > 2:
            for value in every:
                places = [v for v in constraint.scope if value in opened[v]]
                if len(places) == 1:
                    opened[places[0]] &= {value}
        if opened == before:
            return opened


def scope_of(rng, size, least=1):
    return tuple(rng.sample(range(size), rng.randint(least, size)))


def table(rng, domains, is_allowed):
    scope = scope_of(rng, len(domains))
    every = [*product(*([*domains[v], 99] for v in scope))]  # 99 is in no domain
    rows = tuple(row for row in every if rng.random() < rng.choice([0.1, 0.4, 0.8]))
    return Table(scope, rows, is_allowed)


def linear(rng, domains, relation):
    scope = scope_of(rng, len(domains))
    factors = tuple(rng.choice([-3, -2, -1, 0, 1, 2, 3]) for _ in scope)
    middle = sum(c * rng.choice(domains[v]) for v, c in zip(scope, factors, strict=True))
    return Linear(scope, factors, relation, middle + rng.choice([-2, -1, 0, 0, 1, 2]))


def automaton(rng, domains):
    """Of three states, with several arcs for a state and a value too."""
    values = sorted({value for domain in domains for value in domain})
    arcs = [(a, v, b) for a in range(3) for v in values for b in range(3) if rng.random() < 0.3]
    return Regular(scope_of(rng, len(domains)), arcs, 0, rng.sample(range(3), 1))


KINDS = {
    "automaton": (automaton, supported),
    "allowed": (lambda rng, d: table(rng, d, True), supported),
    "forbidden": (lambda rng, d: table(rng, d, False), last_open),
    "<=": (lambda rng, d: linear(rng, d, "<="), supported),
    "<": (lambda rng, d: linear(rng, d, "<"), supported),
    ">=": (lambda rng, d: linear(rng, d, ">="), supported),
    ">": (lambda rng, d: linear(rng, d, ">"), supported),
    "==": (lambda rng, d: linear(rng, d, "=="), bounds),
    "!=": (lambda rng, d: linear(rng, d, "!="), last_open),
    "different": (lambda rng, d: AllDifferent(scope_of(rng, len(d))), different),
    "not equal": (lambda rng, d: NotEqual(rng.sample(range(len(d)), 2)), different),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_left_is_what_the_definition_leaves(kind):
    make, expected = KINDS[kind]
    contradictions = removals = 0
    for case in range(CASES):
        rng = random.Random(f"{kind}/{case}")
        domains, opened = drawn(rng, rng.randint(2, 4), widest=rng.randint(2, 5))
        constraint = make(rng, domains)
        if kind == "!=":  # a variable without a factor is none of the constraint's
            both = zip(constraint.scope, constraint.coefficients, strict=True)
            live = [v for v, c in both if c]
            undecided = [v for v in live if len(opened[v]) > 1]
            wanted = opened if len(undecided) > 1 else supported(opened, constraint)
        elif kind == "==" and not any(constraint.coefficients):
            wanted = opened if constraint.constant == 0 else None
        else:
            wanted = expected(opened, constraint)
        found = settled(problem_of(domains, opened, constraint))
        assert found == wanted, f"case {case}: {constraint} over {opened}"
        contradictions += found is None
        removals += found is not None and found != opened
    assert removals > CASES // 20
    assert contradictions > CASES // 50


@pytest.mark.parametrize("kind", KINDS)
def test_no_removed_value_stands_in_a_solution(kind):
    """Of several constraints together: every value that was removed is put back alone."""
    make, _ = KINDS[kind]
    removed = 0
    for case in range(CASES // 2):
        rng = random.Random(f"put back/{kind}/{case}")
        domains, opened = drawn(rng, rng.randint(2, 4), widest=4)
        constraints = (make(rng, domains), make(rng, domains), AllDifferent(range(2)))
        problem = problem_of(domains, opened, constraints[0])
        structure = Structure(problem.structure.names, domains, constraints)
        found = settled(Problem(structure, problem.masks)) or [set()] * len(domains)
        for variable, own in enumerate(opened):
            for value in own - found[variable]:
                removed += 1
                rows = product(*(s if v != variable else {value} for v, s in enumerate(opened)))
                assert not any(
                    all(c.holds([row[v] for v in c.scope]) for c in constraints) for row in rows
                ), f"case {case}: x{variable} = {value} stands in a solution"
    assert removed > CASES // 5


def test_a_contradiction_leaves_nothing_behind():
    """After a failed settling and an undo, the state propagates as a new one does."""
    for case in range(CASES):
        rng = random.Random(f"again/{case}")
        domains, _ = drawn(rng, 4, widest=4)
        constraints = (
            linear(rng, domains, "=="),
            table(rng, domains, True),
            AllDifferent(range(4)),
        )
        structure = Structure(tuple("abcd"), domains, constraints)
        encoding = encode(structure)
        problem = Problem(structure, tuple((1 << len(d)) - 1 for d in domains))
        used = encoding.state(problem)
        if not used.start():
            continue
        mark, before = len(used.trail), list(used.domains)
        for variable in range(4):
            for position in range(len(encoding.values)):
                if before[variable] in (0, 1 << position) or not before[variable] >> position & 1:
                    continue
                fresh = encoding.state(problem)
                assert fresh.start()
                outcomes = []
                for one in (used, fresh):
                    outcomes.append(
                        one.narrow(variable, 1 << position) and one.propagate_to_fixpoint()
                    )
                assert outcomes[0] == outcomes[1]
                if outcomes[0]:
                    assert used.domains == fresh.domains
                used.undo(mark)
                assert used.domains == before
                assert not used.queue
                assert not used.fixed
                assert not any(used.queued)


@pytest.mark.parametrize("hidden", [0, 1, 2])
def test_a_hidden_value_is_taken_wherever_it_stands(hidden):
    """Three variables over three values; one value is open for the last variable alone."""
    rest = [value for value in range(3) if value != hidden]
    problem = problem_of(
        ((0, 1, 2),) * 3, [set(rest), set(rest), {0, 1, 2}], AllDifferent((0, 1, 2))
    )
    assert settled(problem) == [set(rest), set(rest), {hidden}]
