"""What must be true of every constraint and function, whatever it means: laws, tried on draws.

Each law takes a constraint over drawn domains and gives the faults that it finds. Where there is
something to compare with, it is the definition (``holds``), by all assignments.

    for fault in faults_of(AllDifferent, seed=7): print(fault)
"""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import getattr_static
from itertools import islice, product

from modelling.brute_force import solutions
from modelling.constraint import Constraint, Predicate
from modelling.laws.drawing import CONTEXTS, Drawer, draw_constraint, draw_domains, structure_over
from modelling.problem import Assignment, Structure
from modelling.rewriting import Declined, Native, Profile, Rewritten, rewrite, simplify
from modelling.rewriting.profile import Mode
from modelling.terms import Affine, Function, Term, bounds, constant, is_true
from modelling.text import from_text, to_text
from modelling.vocabulary import VOCABULARY
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.connectives import Iff, Implies, Not
from modelling.vocabulary.formulas.linear import Linear, equal, equals
from modelling.vocabulary.formulas.table import Table

PLAIN = (AllDifferent, NotEqual, Linear, Table)
SOME_MODES: frozenset[Mode] = frozenset({"root", "half"})
ALL_MODES: frozenset[Mode] = frozenset({"root", "half", "full"})

PROFILES: Mapping[str, Profile] = {
    "plain": Profile.of_plain(PLAIN),
    "linear": Profile.of_plain((Linear,)),
    "table": Profile.of_plain((Table,)),
    "different": Profile.of_plain((AllDifferent, Linear)),
    "half": Profile(tuple(Native(k, SOME_MODES, "affine") for k in PLAIN[:3])),
    "full": Profile(tuple(Native(kind, ALL_MODES, "affine") for kind in VOCABULARY)),
}
"""Backends of several kinds, to which every drawn constraint is rewritten."""


@dataclass(frozen=True)
class Case:
    """A drawn constraint over drawn domains."""

    domains: tuple[tuple[int, ...], ...]
    constraint: Constraint
    rng: random.Random

    def assignments(self) -> Iterator[Assignment]:
        """All of them."""
        return product(*self.domains)

    def count(self, constraint: Constraint, domains: Sequence[Sequence[int]] | None = None) -> int:
        """How many assignments satisfy another constraint over these, or other, domains."""
        return len(self.all(constraint, domains))

    def all(
        self, constraint: Constraint, domains: Sequence[Sequence[int]] | None = None
    ) -> list[Assignment]:
        """The assignments that satisfy another constraint."""
        chosen = self.domains if domains is None else domains
        return list(solutions(structure_over(chosen, (constraint,)).problem()))

    def differences(
        self, other: Constraint, where: Callable[[Assignment], bool] = lambda values: True
    ) -> list[Assignment]:
        """The first of some assignments at which another constraint has another truth value."""
        found = (
            values
            for values in self.assignments()
            if where(values) and is_true(other, values) != is_true(self.constraint, values)
        )
        return list(islice(found, 1))


Law = Callable[[Case], Iterator[str]]


def draw_case(kind: type[Predicate] | type[Function], seed: int, most: int = 120) -> Case:
    """A case for one class; four in five that are constantly true or false are drawn again."""
    rng = random.Random(f"laws/{kind.__name__}/{seed}")
    while True:
        domains = draw_domains(rng, most)
        drawn = draw_constraint(rng, kind, Drawer(rng, domains))
        case = Case(domains, drawn, rng)
        truths = {is_true(drawn, values) for values in case.assignments()}
        if len(truths) > 1 or rng.random() < 0.2:
            return case


def faults_of(kind: type[Predicate] | type[Function], seed: int, most: int = 120) -> Iterator[str]:
    """What one draw finds, each fault with the name of the law and the case.

    What each law draws besides does not depend on the others.
    """
    case = draw_case(kind, seed, most)
    drawn = case.rng.getstate()
    for name, law in LAWS.items():
        case.rng.setstate(drawn)
        for fault in law(case):
            yield f"{name}: {fault}\n    {case.constraint!r}\n    over {case.domains!r}"


# --- laws of the definition ----------------------------------------------------------------------


def excluded_middle(case: Case) -> Iterator[str]:
    """#c + #not c = #(b <=> c) = all assignments; #(b => c) = #c + all."""
    c, every = case.constraint, sum(1 for _ in case.assignments())
    b, wider = len(case.domains), (*case.domains, (0, 1))
    number = case.count(c)
    counts = {
        "not": (case.count(Not(c)), every - number),
        "negated": (case.count(c.negated() or Not(c)), every - number),
        "iff": (case.count(Iff(equals(b, 1), c), wider), every),
        "implies": (case.count(Implies(equals(b, 1), c), wider), number + every),
    }
    for name, (found, expected) in counts.items():
        if found != expected:
            yield f"{name} has {found} solutions, not {expected}"


def is_its_table(case: Case) -> Iterator[str]:
    """c has the solutions of the table of its solutions, over its own variables."""
    c = case.constraint
    own = [case.domains[v] for v in c.scope]
    rows = tuple(row for row in product(*own) if c.holds(row))
    if case.all(c) != case.all(Table(c.scope, rows)):
        yield "its table has other solutions"


def substitution(case: Case) -> Iterator[str]:
    """c[x, x] is c[x, y] with x = y; c[x := k] is c where x has the domain {k}."""
    c, rng = case.constraint, case.rng
    if not c.scope:
        return
    x, y = rng.choice(c.scope), rng.choice(c.scope)
    joined = c.mapped(lambda v: x if v == y else v)
    for values in case.differences(joined, lambda values: values[x] == values[y]):
        yield f"with {x} for {y} it is another one at {values}"
    value = rng.choice(case.domains[x] or (0,))
    fixed = c.mapped(lambda v: constant(value) if v == x else v)
    for values in case.differences(fixed, lambda values: values[x] == value):
        yield f"with {value} for {x} it is another one at {values}"


def relabelling(case: Case) -> Iterator[str]:
    """A view of moved values in the place of each variable leaves the solutions where they were."""
    c, rng = case.constraint, case.rng
    moves = {v: (rng.choice((-1, 1)), rng.randint(-3, 3)) for v in c.scope}
    views = c.mapped(lambda v: Affine(v, *moves[v]))
    for values in case.assignments():
        moved = list(values)
        for v, (factor, offset) in moves.items():
            moved[v] = factor * (values[v] - offset)
        if is_true(views, moved) != is_true(c, values):
            yield f"over views it is another one at {values}"
            break


def travels(case: Case) -> Iterator[str]:
    """Text and pickle give back an equal structure, of an equal digest and hash."""
    structure = structure_over(case.domains, (case.constraint,))
    for name, again in (
        ("text", from_text(to_text(structure.problem())).structure),
        ("pickle", pickle.loads(pickle.dumps(structure))),
    ):
        if again != structure or again.digest != structure.digest or hash(again) != hash(structure):
            yield f"{name} gives back another structure"
    other = structure_over(case.domains, (Not(case.constraint),))
    if other.digest == structure.digest:
        yield "its negation has its digest"


# --- laws of rewriting ---------------------------------------------------------------------------


def same_when_simple(case: Case) -> Iterator[str]:
    """Simplified it has the same truth value everywhere."""
    simple = simplify(case.constraint)
    for values in case.differences(simple):
        yield f"simplified, {simple!r}, it is another one at {values}"


def same_when_expanded(case: Case) -> Iterator[str]:
    """``expand`` has the same truth value everywhere, its auxiliaries being what they must."""
    fresh = Auxiliaries(list(case.domains))
    expanded = case.constraint.expand(fresh)
    if expanded is None:
        yield "it has no expansion"
        return
    for values in case.assignments():
        whole = list(values)
        for function in fresh.functions:
            value = function.value_at(whole)
            if value is None:
                yield f"the auxiliary {function!r} is undefined at {values}"
                return
            whole.append(value)
        if is_true(expanded, whole) != is_true(case.constraint, values):
            yield f"expanded, {expanded!r}, it is another one at {values}"
            break


@dataclass
class Auxiliaries:
    """What ``expand`` may ask for (``modelling.terms.Fresh``): for each function a variable."""

    domains: list[Sequence[int]]
    functions: list[Function] = field(default_factory=list)

    def __call__(self, function: Function) -> int:
        low, high = self.bounds(function)
        self.domains.append(range(low, high + 1))
        self.functions.append(function)
        return len(self.domains) - 1

    def bounds(self, term: Term) -> tuple[int, int]:
        """The least and greatest value of a term, or a wider interval."""
        return bounds(term, self.domains)


def same_when_rewritten(case: Case) -> Iterator[str]:
    """For each profile and a context: solutions correspond one to one, by project and extend."""
    b, domains = len(case.domains), (*case.domains, (0, 1))
    other = draw_constraint(case.rng, Linear, Drawer(case.rng, domains, 0))
    context = case.rng.choice(tuple(CONTEXTS))
    structure = structure_over(domains, (CONTEXTS[context](case.constraint, b, other),))
    expected = list(solutions(structure.problem()))
    known: dict[Structure, list[Assignment]] = {}  # most profiles have the same rewrite

    def solutions_to(rewritten: Rewritten) -> list[Assignment]:
        found = known.get(rewritten.structure)
        if found is None:
            found = known[rewritten.structure] = list(solutions_of(rewritten))
        return found

    for name, profile in PROFILES.items():
        rewritten = rewrite(structure, profile)
        if isinstance(rewritten, Declined):
            yield f"{name}, {context}: declined, {rewritten.reason}"
            continue
        wrong = [
            c
            for c in rewritten.structure.constraints
            if not is_native(c, profile, rewritten.structure)
        ]
        if wrong:
            yield f"{name}, {context}: {wrong[0]!r} is not native"
        for fault in correspondence_faults(rewritten, structure, expected, solutions_to(rewritten)):
            yield f"{name}, {context}: {fault}"
        deciding = rewrite(structure, profile, counting=False)
        if isinstance(deciding, Declined):
            yield f"{name}, {context}: declined where repeats are allowed, {deciding.reason}"
        elif set(map(deciding.project, solutions_to(deciding))) != set(expected):
            yield f"{name}, {context}: other solutions where repeats are allowed"


def is_native(constraint: Constraint, profile: Profile, structure: Structure) -> bool:
    """Whether it is native at the root, or a native one that a literal implies or equals."""
    if type(constraint) is Implies and type(constraint.condition) is Linear:
        reified = profile.takes(constraint.consequence, "half", structure)
    elif type(constraint) is Iff and type(constraint.one) is Linear:
        reified = profile.takes(constraint.other, "full", structure)
    else:
        reified = False
    return reified or profile.takes(constraint, "root", structure)


def correspondence_faults(
    rewritten: Rewritten,
    structure: Structure,
    expected: Sequence[Assignment],
    found: Sequence[Assignment] | None = None,
) -> list[str]:
    """How the solutions of a rewrite differ from ``expected``, those of ``structure``.

    ``found`` are the solutions of the rewrite where they are known.
    """
    faults = []
    found = list(solutions_of(rewritten)) if found is None else found
    projected = Counter(map(rewritten.project, found))
    repeats = sum(times - 1 for times in projected.values())
    if repeats:
        faults.append(f"{repeats} repeats")
    if set(projected) != set(expected):
        lost, added = set(expected) - set(projected), set(projected) - set(expected)
        faults.append(f"{len(lost)} solutions lost and {len(added)} added, {(lost or added).pop()}")
    if not faults and {rewritten.extend(values) for values in expected} != set(found):
        faults.append("extend does not give the solutions of the rewrite")
    if rewritten.project(tuple(range(rewritten.structure.size))) != tuple(range(structure.size)):
        faults.append("the declared variables do not come first")
    return faults


def solutions_of(rewritten: Rewritten) -> Iterator[Assignment]:
    """All solutions of the rewritten structure, by the oracle.

    It is given the auxiliaries in an order in which constraints become due early; in their own
    order it would try nearly all assignments.
    """
    structure = rewritten.structure
    order = list(range(rewritten.declared))
    scopes = [set(c.scope) - set(order) for c in structure.constraints]
    while len(order) < structure.size:
        scopes = [scope for scope in scopes if scope]
        left = min(scopes, key=len, default=set(range(structure.size)) - set(order))
        order.append(min(left))
        for scope in scopes:
            scope.discard(order[-1])
    place = {variable: k for k, variable in enumerate(order)}
    turned = replace(
        structure,
        names=tuple(structure.names[v] for v in order),
        domains=tuple(structure.domains[v] for v in order),
        constraints=tuple(c.mapped(place.__getitem__) for c in structure.constraints),
        objective=None,
    )
    for values in solutions(turned.problem()):
        yield tuple(values[place[v]] for v in range(structure.size))


LAWS: Mapping[str, Law] = {
    "excluded middle": excluded_middle,
    "is its table": is_its_table,
    "substitution": substitution,
    "relabelling": relabelling,
    "travels": travels,
    "same when simple": same_when_simple,
    "same when expanded": same_when_expanded,
    "same when rewritten": same_when_rewritten,
}


# --- what a class must bring ---------------------------------------------------------------------


def missing_parts(kind: type[Predicate] | type[Function]) -> list[str]:
    """What a class of the vocabulary lacks, and does not say why in ``WITHOUT``.

    A definition, an expansion, draws, edges, a negation, names in XCSP3 and MiniZinc, a docstring.
    A reason in ``WITHOUT`` for a part that the class has is reported as well.
    """
    base: type = Predicate if issubclass(kind, Predicate) else Function
    methods = _PREDICATE_METHODS if base is Predicate else _FUNCTION_METHODS
    absent = [m for m in methods if getattr_static(kind, m) is getattr_static(base, m)]
    absent += [part for part in ("EDGES", "xcsp3", "minizinc") if not getattr(kind, part, "")]
    if not kind.__doc__ or kind.__doc__.startswith(f"{kind.__name__}("):
        absent.append("docstring")
    found = [part for part in absent if part not in _OPTIONAL or not kind.WITHOUT.get(part)]
    return found + [f"WITHOUT of {part}" for part in kind.WITHOUT if part not in absent]


_PREDICATE_METHODS = ("relates", "expand", "draw", "negated")
_FUNCTION_METHODS = ("value", "bounds", "expand", "draw")
_OPTIONAL = frozenset({"negated", "xcsp3", "minizinc"})


def edge_faults(kind: type[Predicate] | type[Function]) -> Iterator[str]:
    """The edges whose truth, or value, is not what the class says."""
    for arguments, expected in kind.EDGES:
        made = kind(*arguments)
        if isinstance(made, Function):
            found: bool | int | None = made.value_at({})
            compared: Constraint = equal(made, constant(expected or 0))
        else:
            found, compared = made.holds(()), made
        if found != expected or type(found) is not type(expected):
            yield f"{made!r} is {found!r}, not {expected!r}"
        if simplify(compared).holds(()) != compared.holds(()):
            yield f"{made!r} is another one when simplified"
