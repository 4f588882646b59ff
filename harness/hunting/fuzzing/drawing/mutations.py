"""Problems made of others: a constraint dropped, a number nudged, two variables merged.

A mutation takes a random stream, a problem, and a second one to take parts from. It returns another
problem, or None where it has nothing to change.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from modelling.constraint import Constraint
from modelling.constraints import VOCABULARY, Sum
from modelling.definedness import can_be_undefined
from modelling.errors import ModelError
from modelling.laws.drawing import CONTEXTS, Drawer, PlainDrawer, draw_constraint
from modelling.problem import Objective, Problem
from modelling.terms import Affine, Fielded, Kind, Term, fields_of

Mutation = Callable[[random.Random, Problem, Problem], Problem | None]

MOST_CONSTRAINTS = 12
MOST_VARIABLES = 12
"""A problem that has grown beyond these is not made larger."""


def mutate(
    rng: random.Random,
    problem: Problem,
    other: Problem,
    mutations: Sequence[Mutation] = (),
) -> Problem:
    """One to three mutations after each other; the problem itself if there is nothing to change."""
    for _ in range(rng.choice((1, 1, 2, 3))):
        try:
            made = rng.choice(mutations or MUTATIONS)(rng, problem, other)
        except (ModelError, ValueError, TypeError, IndexError):  # what a class does not allow
            continue
        problem = problem if made is None or not _is_defined(made) else made
    return problem


def _is_defined(problem: Problem) -> bool:
    """Whether the objective always has a value."""
    structure = problem.structure
    objective = structure.objective
    return objective is None or not can_be_undefined(objective.term, structure.domains)


def with_constraints(problem: Problem, constraints: Sequence[Constraint]) -> Problem:
    """The problem with other constraints."""
    structure = replace(problem.structure, constraints=tuple(constraints))
    return Problem(structure, problem.masks)


def with_terms(one: Constraint, of: Callable[[Term], Term]) -> Constraint:
    """The constraint over other terms. Raises ModelError for a class of a user's own, which may
    take different variables alone."""
    if any(type(part) not in VOCABULARY for part in _list_parts(one)):
        raise ModelError(f"{type(one).__name__} takes variables alone")
    return one.mapped(of)


def _list_parts(one: Any) -> Iterator[Any]:
    yield one
    for part in one.parts():
        yield from _list_parts(part)


def _drop(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    kept = list(problem.structure.constraints)
    if not kept:
        return None
    del kept[rng.randrange(len(kept))]
    return with_constraints(problem, kept)


def _double(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    there = problem.structure.constraints
    if not 0 < len(there) < MOST_CONSTRAINTS:
        return None
    return with_constraints(problem, [*there, rng.choice(there)])


def _drop_many(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    """A part of the constraints is left."""
    there, share = problem.structure.constraints, rng.choice((0.5, 0.8, 0.95))
    return with_constraints(problem, [one for one in there if rng.random() < share])


def _double_any(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    there = problem.structure.constraints
    return with_constraints(problem, [*there, rng.choice(there)]) if there else None


def _cut_many(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    """Values are closed, one after the other, up to a fifth as many as there are variables."""
    made = problem
    for _ in range(1 + rng.randrange(1 + problem.structure.size // 5)):
        made = _cut(rng, made, other) or made
    return made


def _add_drawn(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    structure = problem.structure
    if not structure.size or len(structure.constraints) >= MOST_CONSTRAINTS:
        return None
    kind = rng.choice((PlainDrawer, Drawer))
    drawn = draw_constraint(rng, rng.choice(VOCABULARY), kind(rng, structure.domains))
    return with_constraints(problem, [*structure.constraints, drawn])


def _graft(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    """A constraint of the other problem, over variables of this one."""
    there, size = other.structure.constraints, problem.structure.size
    if not there or not size or len(problem.structure.constraints) >= MOST_CONSTRAINTS:
        return None
    drawn, offset = rng.choice(there), rng.randrange(size)
    moved = with_terms(drawn, lambda variable: (variable + offset) % size)
    return with_constraints(problem, [*problem.structure.constraints, moved])


def _reposition(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    """A constraint negated, implied, one part of a disjunction, ..."""
    there = list(problem.structure.constraints)
    binary = [v for v, domain in enumerate(problem.structure.domains) if set(domain) == {0, 1}]
    if not there or not binary:
        return None
    place, context = rng.randrange(len(there)), CONTEXTS[rng.choice(tuple(CONTEXTS))]
    there[place] = context(there[place], rng.choice(binary), rng.choice(there))
    return with_constraints(problem, there)


def _nudge(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    """A number of a constraint is one more or one less."""
    there = list(problem.structure.constraints)
    if not there:
        return None
    place = rng.randrange(len(there))
    there[place] = _nudged(rng, there[place])
    return with_constraints(problem, there)


def _nudged(rng: random.Random, item: Any) -> Any:
    fields = [
        made
        for made in fields_of(type(item))
        if made.kind is not Kind.TEXT and getattr(item, made.name) is not None
    ]
    if not fields or type(item) not in VOCABULARY:  # a user's class may take variables alone
        return item
    made = rng.choice(fields)
    value = getattr(item, made.name)
    return replace(item, **{made.name: _NUDGED[made.kind](rng, value)})


def _nudge_term(rng: random.Random, term: Term) -> Term:
    if isinstance(term, Affine):
        return term._replace(offset=term.offset + rng.choice((-1, 1)))
    return _nudged(rng, term) if isinstance(term, Fielded) else Affine(term, 1, rng.choice((-1, 1)))


def _nudge_one(of: Callable[[random.Random, Any], Any]) -> Callable[[random.Random, Any], Any]:
    """The same for one item of a tuple, which may also be dropped."""

    def nudge(rng: random.Random, values: Any) -> Any:
        if not values:
            return values
        items, place = list(values), rng.randrange(len(values))
        if rng.random() < 0.2:
            del items[place]
        else:
            items[place] = of(rng, items[place])
        return tuple(items)

    return nudge


def _nudge_number(rng: random.Random, value: Any) -> Any:
    return value + rng.choice((-1, 1)) if isinstance(value, int) else value


_NUDGED: dict[Kind, Callable[[random.Random, Any], Any]] = {
    Kind.TERM: _nudge_term,
    Kind.TERMS: _nudge_one(_nudge_term),
    Kind.MATRIX: _nudge_one(_nudge_one(_nudge_term)),
    Kind.INT: _nudge_number,
    Kind.INTS: _nudge_one(_nudge_number),
    Kind.ROWS: _nudge_one(_nudge_one(_nudge_number)),
    Kind.FORMULA: _nudged,
    Kind.FORMULAS: _nudge_one(_nudged),
}


def _merge(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    """One variable takes the place of another one wherever that occurs."""
    structure = problem.structure
    if structure.size < 2:
        return None
    kept, gone = rng.sample(range(structure.size), 2)
    return with_constraints(
        problem,
        [with_terms(one, lambda v: kept if v == gone else v) for one in structure.constraints],
    )


def _cut(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    """A value of a variable is closed."""
    wide = [v for v, mask in enumerate(problem.masks) if mask and mask.bit_count() > 1]
    if not wide:
        return None
    variable, masks = rng.choice(wide), list(problem.masks)
    open_places = [k for k in range(masks[variable].bit_length()) if masks[variable] >> k & 1]
    masks[variable] &= ~(1 << rng.choice(open_places))
    return Problem(problem.structure, tuple(masks))


def give(rng: random.Random, problem: Problem) -> Problem:
    """One or two variables are given a value each; the problem itself where none has several."""
    wide = [v for v, mask in enumerate(problem.masks) if mask.bit_count() > 1]
    masks = list(problem.masks)
    for variable in rng.sample(wide, min(len(wide), rng.choice((1, 1, 2)))):
        places = [k for k in range(masks[variable].bit_length()) if masks[variable] >> k & 1]
        masks[variable] = 1 << rng.choice(places)
    return Problem(problem.structure, tuple(masks))


def _give(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    return give(rng, problem)


def _open(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    """All values are open."""
    return Problem(problem.structure, problem.structure.full_masks)


def _widen(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    """A domain has one more value, and all are open."""
    structure = problem.structure
    if not structure.size or structure.ranges:
        return None
    variable, domains = rng.randrange(structure.size), list(structure.domains)
    domain = domains[variable] or (0,)
    added = rng.choice((domain[0] - 1, domain[-1] + 1, domain[-1] + 2))
    domains[variable] = tuple(sorted({*domain, added}))
    return replace(structure, domains=tuple(domains)).problem()


def _add_variable(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    structure = problem.structure
    if structure.size >= MOST_VARIABLES:
        return None
    domain = rng.choice(((0, 1), (0, 1, 2), (1, 2, 3), (-1, 1)))
    name = f"x{structure.size}"
    if name in structure.index:
        return None
    made = replace(structure, names=(*structure.names, name), domains=(*structure.domains, domain))
    return Problem(made, (*problem.masks, (1 << len(domain)) - 1))


def _set_objective(rng: random.Random, problem: Problem, other: Problem) -> Problem | None:
    structure = problem.structure
    if not structure.size:
        return None
    scope = tuple(rng.sample(range(structure.size), rng.randint(1, structure.size)))
    factors = tuple(rng.randint(-3, 4) for _ in scope)
    objective = Objective(rng.choice(("minimize", "maximize")), Sum(scope, factors))
    return Problem(replace(structure, objective=objective), problem.masks)


MUTATIONS: tuple[Mutation, ...] = (
    _drop,
    _double,
    _add_drawn,
    _add_drawn,
    _graft,
    _graft,
    _reposition,
    _nudge,
    _nudge,
    _nudge,
    _merge,
    _cut,
    _give,
    _open,
    _widen,
    _add_variable,
    _set_objective,
)
"""The mutations; those that are listed twice are chosen twice as often."""

OF_INSTANCES: tuple[Mutation, ...] = (
    *(_drop, _drop_many, _double_any, _nudge, _nudge, _merge, _cut, _cut_many),
)
"""Those of real instances, which may be large, and stay of their kind."""
