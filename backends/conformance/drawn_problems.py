"""Random small problems for the conformance suite, each about something that goes wrong in solvers.

Words
-----
kind        what a drawn problem is about: free variables, empty domains, spare values, ...
vocabulary  the constraint types that may occur, apart from the foreign ones
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count, product

from backends.conformance.foreign_constraints import draw_foreign
from modelling.constraints import (
    RELATIONS,
    VOCABULARY,
    AllDifferent,
    Constraint,
    Function,
    Linear,
    NotEqual,
    Predicate,
    Table,
)
from modelling.definedness import can_be_undefined
from modelling.errors import ModelError
from modelling.laws.drawing import CONTEXTS, Drawer, PlainDrawer, draw_constraint, structure_over
from modelling.problem import Objective, Problem, Structure

MOST_ASSIGNMENTS = 1500
"""Drawn problems stay this small, so that the oracle takes a millisecond or two."""


Class = type[Predicate] | type[Function]


def drawn_problems(
    seed: object, kinds: Sequence[type[Constraint]], also: Sequence[Class] = (), begin: int = 0
) -> Iterator[tuple[str, Problem]]:
    """Random small problems without end, each with the name of what it is about.

    Every second one is about the classes of ``also``, if there are any. ``begin`` is the number of
    the first draw: what it is about depends on that, and not on the seed.
    """
    shapes: tuple[tuple[str, Callable[[random.Random, Sequence[type[Constraint]]], Problem]], ...]
    shapes = (
        ("mixed", _mixed),
        ("free variables", _free),
        ("permutation", _permutation),
        ("gapped and negative", _gapped),
        ("spare values", _spare),
        ("unsatisfiable", _unsatisfiable),
        ("latin", _latin),
        ("empty domain", _empty_domain),
        ("dense", _dense),
        ("no variables", _tiny),
        ("foreign constraints", _foreign),
        ("terms and formulas", _terms),
        ("output", _output),
    )
    if also:
        own = "users' classes", partial(_terms, classes=also)
        shapes = tuple(one for shape in shapes for one in (own, shape))
    for number in count(begin):
        rng = random.Random(f"conformance/{seed}/{number}")
        kind, draw = shapes[number % len(shapes)]
        problem = draw(rng, kinds)
        yield kind, problem
        yield f"{kind}, other givens", _other_givens(rng, problem)


Placed = tuple[Class, str, Problem]
"""A class, the position of its constraint in the problem, and the problem."""


def plain_problems(seed: object, classes: Sequence[Class], begin: int = 0) -> Iterator[Placed]:
    """Random problems without end of one constraint, or function compared with a number or a
    variable, as ``PlainDrawer`` draws them; of five one is negated and one reified."""
    for number in count(begin):
        rng = random.Random(f"conformance/plain/{seed}/{number}")
        drawn = classes[number % len(classes)]
        domains = _plain_domains(rng)
        constraint = _plain_constraint(rng, drawn, domains)
        context = rng.choice(("root", "root", "root", "not", "equivalent"))
        posed = CONTEXTS[context](constraint, len(domains), constraint)
        own = domains if context != "equivalent" else (*domains, (0, 1))
        yield drawn, context, structure_over(own, (posed,)).problem()


def root_problems(seed: object, classes: Sequence[Class], begin: int = 0) -> Iterator[Placed]:
    """Random problems without end of one plain constraint at the root, and of a second one in every
    other problem. The first excludes something and allows something: it has parts, where a class
    may have none."""
    for number in count(begin):
        rng = random.Random(f"conformance/root/{seed}/{number}")
        drawn = classes[number % len(classes)]
        domains, constraint = _draw_excluding(rng, drawn)
        also = [_plain_constraint(rng, rng.choice(classes), domains)] if number % 2 else []
        yield drawn, "root", structure_over(domains, (constraint, *also)).problem()


MOST_DRAWS = 200
"""Draws of a constraint until it is given up that it excludes something and allows something."""


def _draw_excluding(
    rng: random.Random, drawn: Class
) -> tuple[tuple[tuple[int, ...], ...], Constraint]:
    """Domains, and a constraint over them that some assignments fulfil and others do not."""
    for _ in range(MOST_DRAWS):
        domains = _plain_domains(rng)
        constraint = _plain_constraint(rng, drawn, domains)
        over = [domains[variable] for variable in constraint.scope]
        holds = {constraint.holds(values) for values in product(*over)}
        if holds == {True, False}:
            return domains, constraint
    raise ModelError(
        f"{drawn.__name__}.draw gave no constraint in {MOST_DRAWS} draws that some assignments "
        "fulfil and others do not; let it draw one"
    )


def _plain_constraint(
    rng: random.Random, drawn: Class, domains: Sequence[tuple[int, ...]]
) -> Constraint:
    """A constraint of a class over variables; a function is compared with a number or variable."""
    constraint = draw_constraint(rng, drawn, PlainDrawer(rng, domains))
    if issubclass(drawn, Function) and rng.random() < 0.3:
        assert isinstance(constraint, Linear)
        compared = (*constraint.terms, rng.randrange(len(domains)))
        constraint = Linear(compared, (1, -1), constraint.relation, 0)
    return constraint


def _plain_domains(rng: random.Random) -> tuple[tuple[int, ...], ...]:
    """Two to five domains, most of them 0 or 1 up to some value, at most 500 assignments; of three
    problems one has the same domain for all."""
    domains: list[tuple[int, ...]] = []
    room = 500
    if rng.random() < 0.33:
        number, start = rng.randint(2, 5), rng.choice((0, 0, 1, -1))
        size = rng.randint(2, 5 if number < 4 else 4 if number == 4 else 3)
        return (tuple(range(start, start + size)),) * number
    for _ in range(rng.randint(2, 5)):
        size = min(room, rng.choice((1, 2, 3, 3, 4, 5)))
        start = rng.choice((0, 0, 0, 1, 1, -1))
        within = range(start, start + size + (rng.random() < 0.2))
        domains.append(tuple(sorted(rng.sample(within, size))))
        room //= size
    return tuple(domains)


def _domain(rng: random.Random, size: int, gapped: bool) -> tuple[int, ...]:
    if gapped:
        return tuple(sorted(rng.sample(range(-9, 12), size)))
    start = rng.choice((0, 1, 1, -2))
    return tuple(range(start, start + size))


def _domains(rng: random.Random, count: int, gapped: bool) -> tuple[tuple[int, ...], ...]:
    domains, room = [], MOST_ASSIGNMENTS
    for left in range(count, 0, -1):
        largest = max(1, min(5, int(room ** (1 / left)) + 1))
        domains.append(_domain(rng, rng.randint(1, largest), gapped))
        room //= len(domains[-1])
    return tuple(domains)


def _constraint(
    rng: random.Random, kind: type[Constraint], domains: Sequence[Sequence[int]]
) -> Constraint:
    """A constraint of ``kind`` over randomly chosen variables."""
    variables = range(len(domains))

    def some(least: int, most: int) -> tuple[int, ...]:
        most = min(most, len(domains))
        return tuple(rng.sample(variables, rng.randint(min(least, most), most)))

    if kind is NotEqual and len(domains) >= 2:
        return NotEqual(tuple(rng.sample(variables, 2)))
    if kind is Linear:
        scope = some(1, 5) if rng.random() < 0.95 else ()
        coefficients = tuple(rng.choice((1, 1, 1, -1, 2, -3, 7, 0)) for _ in scope)
        target = sum(
            c * rng.choice(domains[v] or (0,)) for c, v in zip(coefficients, scope, strict=True)
        )
        return Linear(scope, coefficients, rng.choice(tuple(RELATIONS)), target)
    if kind is Table:
        scope = some(1, 3) if rng.random() < 0.95 else ()
        every = list(product(*(domains[v] for v in scope)))
        rows = rng.sample(every, rng.randint(0, len(every)))
        if rng.random() < 0.3 and scope:  # a tuple outside the domains must not matter
            rows.append(tuple(99 for _ in scope))
        return Table(scope, tuple(rows), allowed=rng.random() < 0.6)
    return AllDifferent(some(0, 4))


def _structure(
    rng: random.Random,
    kinds: Sequence[type[Constraint]],
    domains: tuple[tuple[int, ...], ...],
    count: int,
) -> Structure:
    constraints = [_constraint(rng, rng.choice(kinds), domains) for _ in range(count)]
    objective = None
    if domains and rng.random() < 0.5:
        scope = tuple(rng.sample(range(len(domains)), rng.randint(1, len(domains))))
        weights = tuple(rng.randint(-4, 4) for _ in scope)
        objective = Objective(rng.choice(("minimize", "maximize")), scope, weights)
    names = tuple(f"x{i}" for i in range(len(domains)))
    return Structure(names, domains, tuple(constraints), objective)


def _mixed(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    domains = _domains(rng, rng.randint(2, 6), gapped=False)
    return _structure(rng, kinds, domains, rng.randint(1, 4)).problem()


def _dense(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    domains = _domains(rng, rng.randint(3, 6), gapped=rng.random() < 0.5)
    return _structure(rng, kinds, domains, rng.randint(5, 9)).problem()


def _gapped(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    domains = _domains(rng, rng.randint(2, 5), gapped=True)
    return _structure(rng, kinds, domains, rng.randint(1, 4)).problem()


def _free(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """Some variables occur in no constraint: each multiplies the count by its domain."""
    domains = _domains(rng, rng.randint(3, 5), gapped=rng.random() < 0.3)
    bound = domains[: rng.randint(0, len(domains) - 1)]
    inner = _structure(rng, kinds, bound, rng.randint(1, 2)) if bound else None
    names = tuple(f"x{i}" for i in range(len(domains)))
    return Structure(names, domains, inner.constraints if inner else ()).problem()


def _permutation(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """AllDifferent with exactly as many values as variables, where hidden values are sound."""
    size = rng.randint(2, 5)
    domain = _domain(rng, size, gapped=rng.random() < 0.3)
    names = tuple(f"x{i}" for i in range(size))
    extra = tuple(
        _constraint(rng, rng.choice(kinds), [domain] * size) for _ in range(rng.randint(0, 2))
    )
    whole = (AllDifferent(tuple(range(size))),) if AllDifferent in kinds else ()
    return _thinned(rng, Structure(names, (domain,) * size, whole + extra))


def _spare(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """AllDifferent with more values than variables, where hidden values are not sound."""
    size = rng.randint(2, 4)
    domain = _domain(rng, size + rng.randint(1, 2), gapped=rng.random() < 0.3)
    names = tuple(f"x{i}" for i in range(size))
    groups = [tuple(rng.sample(range(size), rng.randint(2, size))) for _ in range(2)]
    whole = tuple(AllDifferent(g) for g in groups) if AllDifferent in kinds else ()
    return _thinned(rng, Structure(names, (domain,) * size, whole))


def _latin(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """Overlapping AllDifferent groups: a Latin square of order 2 or 3, partly filled."""
    n = rng.choice((2, 3, 3, 3))
    names = tuple(f"x{i}" for i in range(n * n))
    rows = [AllDifferent(tuple(range(r * n, r * n + n))) for r in range(n)]
    columns = [AllDifferent(tuple(range(c, n * n, n))) for c in range(n)]
    groups = tuple(rows + columns) if AllDifferent in kinds else ()
    structure = Structure(names, (tuple(range(1, n + 1)),) * (n * n), groups)
    givens = {rng.randrange(n * n): rng.randint(1, n) for _ in range(rng.randint(2, 4) * (n - 1))}
    return _shrunk(rng, structure.problem(givens))


def _unsatisfiable(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """More variables than values, or constraints that exclude each other."""
    size = rng.randint(2, 5)
    domain = _domain(rng, size - 1, gapped=rng.random() < 0.3)
    names = tuple(f"x{i}" for i in range(size))
    constraints: list[Constraint] = []
    if AllDifferent in kinds:
        constraints.append(AllDifferent(tuple(range(size))))
    elif Linear in kinds:
        constraints.append(Linear((0, 1), (1, 1), ">", 2 * max(domain)))
    constraints.extend(_constraint(rng, rng.choice(kinds), [domain] * size) for _ in range(1))
    return Structure(names, (domain,) * size, tuple(constraints)).problem()


def _empty_domain(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """A variable without any value, by its base domain or by its mask."""
    problem = _mixed(rng, kinds)
    victim = rng.randrange(problem.structure.size)
    if rng.random() < 0.5:
        masks = list(problem.masks)
        masks[victim] = 0
        return Problem(problem.structure, tuple(masks))
    domains = list(problem.structure.domains)
    domains[victim] = ()
    return replace(problem.structure, domains=tuple(domains)).problem()


def _tiny(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """No variables at all, or one; constraints over no variables included."""
    size = rng.randint(0, 1)
    domains = tuple(_domain(rng, rng.randint(1, 4), gapped=True) for _ in range(size))
    constraints: list[Constraint] = []
    if rng.random() < 0.5 and AllDifferent in kinds:
        constraints.append(AllDifferent(()))
    if rng.random() < 0.3 and Linear in kinds:
        constraints.append(Linear((), (), rng.choice(tuple(RELATIONS)), rng.randint(-1, 1)))
    if rng.random() < 0.3 and Table in kinds:
        constraints.append(Table((), ((),) * rng.randint(0, 1), allowed=rng.random() < 0.5))
    return Structure(("x0",)[:size], domains, tuple(constraints)).problem()


def _foreign(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """Constraints of classes that no backend knows, by themselves and among known ones."""
    domains = _domains(rng, rng.randint(1, 5), gapped=rng.random() < 0.3)
    known = _structure(rng, kinds, domains, rng.randint(0, 2))
    foreign = [draw_foreign(rng, len(domains)) for _ in range(rng.randint(1, 3))]
    constraints = [*known.constraints, *foreign]
    rng.shuffle(constraints)
    return replace(known, constraints=tuple(constraints)).problem()


def _terms(
    rng: random.Random, kinds: Sequence[type[Constraint]], classes: Sequence[Class] = VOCABULARY
) -> Problem:
    """Any class of the vocabulary over any terms, alone or within formulas; half have an objective,
    which may be a term too."""
    domains = _domains(rng, rng.randint(1, 4), gapped=rng.random() < 0.3)
    b, drawer = len(domains), Drawer(rng, domains)
    drawn = []
    for _ in range(rng.randint(1, 2)):
        constraint = draw_constraint(rng, rng.choice(classes), drawer)
        other = draw_constraint(rng, Linear, drawer)
        drawn.append(CONTEXTS[rng.choice(tuple(CONTEXTS))](constraint, b, other))
    structure = structure_over((*domains, (0, 1)), drawn)
    term = drawer.term()
    if rng.random() < 0.5 and not can_be_undefined(term, structure.domains):
        objective = Objective(rng.choice(("minimize", "maximize")), term)
        structure = replace(structure, objective=objective)
    return structure.problem()


def _output(rng: random.Random, kinds: Sequence[type[Constraint]]) -> Problem:
    """Some variables tell solutions apart, perhaps none, and not in order."""
    problem = _mixed(rng, kinds)
    size = problem.structure.size
    output = tuple(rng.sample(range(size), rng.randint(0, size)))
    return Problem(replace(problem.structure, output=output), problem.masks)


def _thinned(rng: random.Random, structure: Structure) -> Problem:
    masks = [full & ~(rng.getrandbits(6) & rng.getrandbits(6)) for full in structure.full_masks]
    return Problem(structure, tuple(masks))


def _shrunk(rng: random.Random, problem: Problem) -> Problem:
    """The problem with further values closed until the oracle can enumerate it quickly."""
    masks = list(problem.masks)
    while True:
        size = 1
        for mask in masks:
            size *= max(1, mask.bit_count())
        if size <= MOST_ASSIGNMENTS:
            return Problem(problem.structure, tuple(masks))
        wide = rng.choice([i for i, mask in enumerate(masks) if mask.bit_count() > 1])
        masks[wide] = rng.choice(
            [1 << k for k in range(masks[wide].bit_length()) if masks[wide] >> k & 1]
        )


def _other_givens(rng: random.Random, problem: Problem) -> Problem:
    """The same structure with other values open: what a reused encoding must not mix up."""
    masks = []
    for full in problem.structure.full_masks:
        mask = full & ~(rng.getrandbits(8) & rng.getrandbits(8))
        masks.append(mask or full)
    return _shrunk(rng, Problem(problem.structure, tuple(masks)))
