"""Relations between problems whose answers follow from each other, whatever the answers are.

A relation makes of one problem one or two others. The solutions of the first are as many as those
of the others together, and ``lost`` more; the best value of the first is ``factor`` times that of
the others, plus ``shift``. So a solver can be found wrong without anyone who knows what is right
(metamorphic testing: Chen, Cheung and Yiu, HKUST-CS98-01, 1998; of constraint solvers: Akgün, Gent,
Jefferson, Miguel and Nightingale, CP 2018).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from math import prod

from harness.hunting.fuzzing.drawing.mutations import with_constraints, with_terms
from harness.hunting.judging.relations import Related
from modelling.constraint import Constraint
from modelling.constraints import MDD, Linear, Not, Or, Sum, Table
from modelling.errors import ModelError
from modelling.problem import Assignment, Objective, Problem
from modelling.terms import Affine, Term, constant, substitute

MOST_TUPLES = 300
"""Most assignments of a constraint that is written as a table."""


Relation = Callable[[random.Random, Problem], Related | None]


def relate(rng: random.Random, problem: Problem) -> Related | None:
    """A relation that holds of the problem; None where the one that was drawn is not for it."""
    try:
        return rng.choice(RELATIONS)(rng, problem)
    except ModelError:  # a class of a user's own does not take other terms
        return None


def exclude(problem: Problem, solution: Assignment) -> Related:
    """Without one of its solutions a problem has one solution less."""
    output = problem.structure.output
    scope = tuple(range(problem.structure.size)) if output is None else output
    row = tuple(solution[variable] for variable in scope)
    without = Table(scope, (row,), allowed=False)
    there = problem.structure.constraints
    return Related("one solution excluded", (with_constraints(problem, [*there, without]),), 1)


def _map(one: Constraint, of: Callable[[Term], Term]) -> Constraint:
    return one.mapped(of)


def _replaced(
    problem: Problem,
    of: Callable[[Term], Term],
    apply: Callable[[Constraint, Callable[[Term], Term]], Constraint] = _map,
) -> Problem:
    """The problem with another term in the place of each variable; domains stay."""
    structure = problem.structure
    objective = structure.objective
    if objective is not None:
        objective = Objective(objective.sense, substitute(objective.term, of))
    constraints = tuple(apply(one, of) for one in structure.constraints)
    made = replace(structure, constraints=constraints, objective=objective)
    return Problem(made, problem.masks)


def _rename_variables(rng: random.Random, problem: Problem) -> Related | None:
    """The variables in another order, by other names."""
    structure = problem.structure
    order = list(range(structure.size))
    rng.shuffle(order)  # position of the new variable -> that of the old one
    place = {old: new for new, old in enumerate(order)}
    moved = _replaced(problem, lambda variable: place[variable])
    output = structure.output
    made = replace(
        moved.structure,
        names=tuple(f"renamed{new}" for new in range(structure.size)),
        domains=tuple(structure.domains[old] for old in order),
        output=None if output is None else tuple(place[old] for old in output),
    )
    masks = tuple(problem.masks[old] for old in order)
    return Related("variables renamed", (Problem(made, masks),))


def _rename_values(rng: random.Random, problem: Problem) -> Related | None:
    """A variable is moved, or turned round."""
    structure = problem.structure
    if not structure.size or structure.ranges:
        return None
    variable = rng.randrange(structure.size)
    factor, offset = rng.choice(((1, 1), (1, -2), (1, 5), (-1, 0), (-1, 3)))
    # The old value is ``factor * new + offset``.
    moved = [factor * (value - offset) for value in structure.domains[variable]]
    mask, size = problem.masks[variable], len(moved)
    if factor < 0:
        moved.reverse()
        mask = sum(1 << size - 1 - k for k in range(size) if mask >> k & 1)
    view = Affine(variable, factor, offset)
    made = _replaced(problem, lambda v: view if v == variable else v, with_terms)
    domains, masks = list(structure.domains), list(problem.masks)
    domains[variable], masks[variable] = tuple(moved), mask
    structure = replace(made.structure, domains=tuple(domains))
    return Related("values renamed", (Problem(structure, tuple(masks)),))


def _permute(rng: random.Random, problem: Problem) -> Related | None:
    there = list(problem.structure.constraints)
    rng.shuffle(there)
    return Related("constraints permuted", (with_constraints(problem, there),))


def _double(rng: random.Random, problem: Problem) -> Related | None:
    there = problem.structure.constraints
    if not there:
        return None
    return Related(
        "a constraint doubled", (with_constraints(problem, [*there, rng.choice(there)]),)
    )


def _imply(rng: random.Random, problem: Problem) -> Related | None:
    """What follows from a constraint is added."""
    there = problem.structure.constraints
    if not there:
        return None
    one, other = rng.choice(there), rng.choice(there)
    implied = rng.choice((Or((one, Not(other))), Or((other, one)), Not(Not(one))))
    return Related("what is implied added", (with_constraints(problem, [*there, implied]),))


def _split(rng: random.Random, problem: Problem) -> Related | None:
    """A domain in two: each solution is in one of the halves."""
    output = problem.structure.output
    among = range(problem.structure.size) if output is None else output
    wide = [v for v in among if problem.masks[v] and problem.masks[v].bit_count() > 1]
    if not wide:
        return None
    variable = rng.choice(wide)
    mask = problem.masks[variable]
    places = [k for k in range(mask.bit_length()) if mask >> k & 1]
    low = sum(1 << k for k in places[: rng.randint(1, len(places) - 1)])
    halves = []
    for half in (low, mask & ~low):
        masks = list(problem.masks)
        masks[variable] = half
        halves.append(Problem(problem.structure, tuple(masks)))
    return Related("a domain split", tuple(halves))


MOST_GIVEN = 4
"""A variable of more values is not given each of them."""


def _give_each(rng: random.Random, problem: Problem) -> Related | None:
    """A variable is given each of its values in turn, so a solver assumes one after the other."""
    output = problem.structure.output
    among = range(problem.structure.size) if output is None else output
    few = [v for v in among if 1 < problem.masks[v].bit_count() <= MOST_GIVEN]
    if not few:
        return None
    variable = rng.choice(few)
    problems = []
    for bit in _list_bits(problem.masks[variable]):
        masks = list(problem.masks)
        masks[variable] = bit
        problems.append(Problem(problem.structure, tuple(masks)))
    return Related("each value given", tuple(problems))


def _list_bits(mask: int) -> list[int]:
    return [1 << place for place in range(mask.bit_length()) if mask >> place & 1]


def _state_givens(rng: random.Random, problem: Problem) -> Related | None:
    """Constraints in place of givens: a sum of one variable, or a table."""
    structure = problem.structure
    stated: list[Constraint] = []
    for variable, (mask, full) in enumerate(zip(problem.masks, structure.full_masks, strict=True)):
        if mask == full:
            continue
        values = problem.values(variable)
        if len(values) == 1:
            stated.append(Linear((variable,), (1,), "==", values[0]))
        else:
            stated.append(Table((variable,), tuple((value,) for value in values)))
    if not stated:
        return None
    made = replace(structure, constraints=(*structure.constraints, *stated))
    return Related("constraints in place of givens", (made.problem(),))


def _tabulate(rng: random.Random, problem: Problem) -> Related | None:
    """A table, or a decision diagram, in place of a constraint."""
    structure = problem.structure
    small = [
        place
        for place, one in enumerate(structure.constraints)
        if one.scope and prod(len(structure.domains[v]) for v in one.scope) <= MOST_TUPLES
    ]
    if not small:
        return None
    place, there = rng.choice(small), list(structure.constraints)
    one = there[place]
    every = product(*(structure.domains[v] for v in one.scope))
    holding = tuple(values for values in every if one.holds(values))
    as_diagram = rng.random() < 0.5 and bool(holding)
    there[place] = _make_diagram(one.scope, holding) if as_diagram else Table(one.scope, holding)
    name = "a diagram" if as_diagram else "a table"
    return Related(f"{name} in place of a constraint", (with_constraints(problem, there),))


def _make_diagram(scope: tuple[int, ...], rows: tuple[Assignment, ...]) -> Constraint:
    """A tree of the rows, whose leaves are one."""
    states: dict[Assignment, int] = {}
    arcs: dict[tuple[int, int, int], None] = {}
    last = -1
    for row in rows:
        for depth, value in enumerate(row):
            before = states.setdefault(row[:depth], len(states))
            is_end = depth + 1 == len(row)
            after = last if is_end else states.setdefault(row[: depth + 1], len(states))
            arcs[before, value, after] = None
    return MDD(scope, tuple(arcs))


def _move_objective(rng: random.Random, problem: Problem) -> Related | None:
    """The objective with something added to it, or negated."""
    structure = problem.structure
    objective = structure.objective
    if objective is None:
        return None
    shift, factor = rng.choice((-7, 1, 5)), rng.choice((1, -1))
    sense = objective.sense
    if factor < 0:
        sense = "minimize" if sense == "maximize" else "maximize"
    # The new value is ``factor * old + shift``, so the old one ``factor * new - factor * shift``.
    term = Sum((objective.term, constant(shift)), (factor, 1))
    made = replace(structure, objective=Objective(sense, term))
    name = "the objective negated and shifted" if factor < 0 else "the objective shifted"
    related = Problem(made, problem.masks)
    return Related(name, (related,), factor=factor, shift=-factor * shift)


RELATIONS: tuple[Relation, ...] = (
    _rename_variables,
    _rename_values,
    _permute,
    _double,
    _imply,
    _split,
    _give_each,
    _state_givens,
    _tabulate,
    _move_objective,
)
"""Those that need no solution of the problem; ``exclude`` needs one."""
