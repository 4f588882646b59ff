"""How a constraint becomes native ones: the rules, what they cost, and the choice of the cheapest.

A *rule* looks at a constraint and either declines or gives a cost, about how many numbers will be
written, and a function that does it. The rules of a constraint are tried from the cheapest on; one
that leads nowhere is taken back (``Draft.undo``) and the next is tried.

Undefinedness is settled before anything is negated: a function that can be undefined is replaced by
its total copy, and its guards stand beside the constraint in which the function stood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import NamedTuple

from modelling.constraint import Constraint, Predicate
from modelling.definedness import always_holds
from modelling.rewriting.draft import Draft, Goal, NoWay, combinations_of
from modelling.rewriting.normalise import simplify, simplify_term
from modelling.terms import Affine, Function, Term, affine, bounds, is_constant
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And, Iff, Implies, Not, Or, Xor
from modelling.vocabulary.formulas.linear import Linear, Sum, equal
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import Truth
from modelling.vocabulary.functions.define import Define

TUPLE_CAP = 100_000
"""The most tuples that a rule may look at; beyond it, listing them is no longer an encoding."""


class Way(NamedTuple):
    """One way to say a constraint: what it costs, and how it is done."""

    cost: int
    follow: Callable[[], None]


def post(draft: Draft, constraint: Constraint) -> None:
    """Let ``constraint`` hold in the draft; NoWay if it cannot be said."""
    native = draft.takes(constraint)
    simple = constraint if native else simplify(constraint)
    if type(simple) is And:
        for part in simple.formulas:
            post(draft, part)
    elif native or draft.takes(simple):
        draft.posted[simple] = None
    elif simple not in draft.posted:
        follow_cheapest(draft, Goal(simple, False), root_ways(draft, simple))


def follow_cheapest(draft: Draft, goal: Goal, ways: Iterator[Way]) -> None:
    """Try ``ways`` from the cheapest on until one leads to native constraints.

    One that leads back to a goal that is being followed leads nowhere.
    """
    if goal in draft.goals:
        raise NoWay(goal.constraint, in_circle=True)
    draft.goals[goal] = None
    dead = NoWay(goal.constraint)
    try:
        for way in sorted(ways, key=lambda way: way.cost):
            mark = draft.mark()
            try:
                way.follow()
                return
            except NoWay as found:
                dead = found
                draft.undo(mark)
        raise dead
    finally:
        del draft.goals[goal]


def root_ways(draft: Draft, constraint: Constraint) -> Iterator[Way]:
    """The ways to let a simplified constraint hold that is not native."""
    size = constraint.size()
    if constraint == FALSE:
        yield Way(0, lambda: _post_native(draft, Linear((), (), "==", 1)))
        yield Way(1, lambda: _post_native(draft, Table((), ())))
        return
    combinations = _looked_at(draft, constraint)
    tables = draft.profile.native(Table) is not None
    if tables and combinations <= TUPLE_CAP and not _is_listed(constraint):
        cost = combinations * len(constraint.scope)
        yield Way(cost, lambda: _post_native(draft, listed(draft, constraint)))
    if not isinstance(constraint, Predicate):
        return
    if type(constraint) is Define:
        yield Way(20 + size, lambda: _define_flat(draft, constraint))
    elif constraint.parts() and any(isinstance(p, Function) for p in constraint.parts()):
        yield Way(20 + size, lambda: _post_flat(draft, constraint))
        return
    if type(constraint) in (Or, Not, Implies, Iff, Xor):
        yield Way(20 + 2 * size, lambda: assert_formula(draft, constraint))
        return
    copies = _copied(draft, constraint)
    if copies:
        yield Way(size + copies, lambda: _post_over_copies(draft, constraint))
    if type(constraint) is not Linear:
        yield Way(2 * constraint.expanded_size(), lambda: _post_expanded(draft, constraint))


def _post_native(draft: Draft, constraint: Constraint) -> None:
    if not draft.takes(constraint):
        raise NoWay(constraint)
    draft.posted[constraint] = None


def _is_listed(constraint: Constraint) -> bool:
    return type(constraint) is Table and constraint.allowed and constraint.is_plain


def _looked_at(draft: Draft, constraint: Constraint) -> int:
    """How many tuples are looked at to list those that ``constraint`` allows."""
    arguments = _arguments_of_result(constraint)
    return combinations_of(constraint if arguments is None else arguments, draft.domains)


def _arguments_of_result(constraint: Constraint) -> Function | None:
    """The function of which a variable is the result that is none of its arguments."""
    if type(constraint) is not Define or not isinstance(constraint.function, Function):
        return None
    result, function = constraint.result, constraint.function
    return function if _is_variable(result) and result not in function.scope else None


def listed(draft: Draft, constraint: Constraint) -> Table:
    """The table of the tuples that ``constraint`` allows; for each arguments of a function there is
    one value at most, so that results need not be tried."""
    function = _arguments_of_result(constraint)
    if function is None:
        domains = [draft.domains[v] for v in constraint.scope]
        rows = tuple(row for row in product(*domains) if constraint.holds(row))
        return Table(constraint.scope, rows)
    assert type(constraint) is Define
    results = frozenset(draft.domains[constraint.result])
    domains = [draft.domains[v] for v in function.scope]
    valued = (
        (*row, function.value_at(dict(zip(function.scope, row, strict=True))))
        for row in product(*domains)
    )
    kept = tuple(row for row in valued if row[-1] in results)
    return Table((*function.scope, constraint.result), kept)


def _post_expanded(draft: Draft, constraint: Predicate) -> None:
    expanded = constraint.expand(Auxiliaries(draft))
    if expanded is None or expanded == constraint:
        raise NoWay(constraint)
    post(draft, expanded)


# --- functions and views -------------------------------------------------------------------------


def flat_term(draft: Draft, term: Term, guards: list[Constraint]) -> Term:
    """A variable, affine term or constant equal to ``term`` wherever that is defined.

    ``guards`` is given the constraints that say where.
    """
    if not isinstance(term, Function):
        return term
    flat = simplify_term(term.rebuilt(lambda t: flat_term(draft, t, guards)))
    if not isinstance(flat, Function):
        return flat
    missing = _missing_guards(draft, flat)
    if missing:
        guards.extend(missing)
        flat = _total_copy(draft, flat, guards)
    return result_of(draft, flat) if isinstance(flat, Function) else flat


def _missing_guards(draft: Draft, function: Function) -> list[Constraint]:
    """The guards of a function of flat arguments that do not always hold."""
    if function in draft.total:
        return []
    return [guard for guard in function.guards() if not always_holds(guard, draft.domains)]


def _total_copy(draft: Draft, function: Function, guards: list[Constraint]) -> Term:
    """``totalised``, over flat arguments; it is not asked for its guards again, for the domains of
    its arguments may be too large to show that they hold."""
    total = function.totalised().rebuilt(lambda term: flat_term(draft, term, guards))
    simple = simplify_term(total)
    if isinstance(simple, Function):
        draft.total[simple] = None
    return simple


def result_of(draft: Draft, function: Function) -> Term:
    """The term that is equal to a total function of flat arguments; the same one each time."""
    known = draft.shared.get(function)
    if known is not None:
        return known
    if type(function) is Truth:
        return literal(draft, function.formula)
    variable = draft.variable(function)
    draft.share(function, variable)
    post(draft, Define(variable, function))
    return variable


@dataclass(frozen=True)
class Auxiliaries:
    """What ``expand`` may ask for (``modelling.terms.Fresh``)."""

    draft: Draft

    def __call__(self, function: Function) -> Term:
        """The term that is equal to a total function."""
        guards: list[Constraint] = []
        found = flat_term(self.draft, simplify_term(function), guards)
        assert not guards, f"{function!r} is not total"
        return found

    def bounds(self, term: Term) -> tuple[int, int]:
        """The least and greatest value that ``term`` can have, or a wider interval."""
        return bounds(term, self.draft.domains)


def flattened(draft: Draft, constraint: Predicate) -> Constraint:
    """The same without functions among its terms: its guards, and itself over total copies."""
    guards: list[Constraint] = []
    flat = constraint.rebuilt(lambda term: flat_term(draft, term, guards))
    return simplify(And((*guards, flat)))


def _post_flat(draft: Draft, constraint: Predicate) -> None:
    post(draft, flattened(draft, constraint))


def _define_flat(draft: Draft, constraint: Define) -> None:
    """A definition whose function has other functions within, or can be undefined."""
    guards: list[Constraint] = []
    function = constraint.function
    inner = function.rebuilt(lambda term: flat_term(draft, term, guards))
    missing = _missing_guards(draft, inner)
    total = _total_copy(draft, inner, guards) if missing else inner
    result = flat_term(draft, constraint.result, guards)
    found = simplify(Define(result, total))
    if found == constraint:
        raise NoWay(constraint)
    for part in (*guards, *missing, found):
        post(draft, part)


def _is_variable(term: Term) -> bool:
    return not isinstance(term, (Affine, Function))


def _copied(draft: Draft, constraint: Predicate) -> int:
    """What it costs to give each argument that is no plain variable one of its own; 0: nothing to
    do, or no use, for the constraint is not native over variables either."""
    native = draft.profile.native(type(constraint))
    if constraint.is_plain or constraint.parts() or native is None:
        return 0
    if type(constraint) in (Linear, Table) or "root" not in native.modes:
        return 0  # they take views and repeats by themselves, once simplified
    cost, seen = 0, set()
    for term in constraint.terms_within():
        if not _is_variable(term) or term in seen:
            variable = affine(term).variable
            cost += 4 + (1 if variable is None else 2 * len(draft.domains[variable]))
        seen.add(term)
    return cost


def _post_over_copies(draft: Draft, constraint: Predicate) -> None:
    seen: set[Term] = set()

    def copied(term: Term) -> Term:
        if _is_variable(term) and term not in seen:
            seen.add(term)
            return term
        return _copy(draft, term)

    over = constraint.rebuilt(copied)
    if over == constraint or not draft.takes(over):
        raise NoWay(constraint)
    draft.posted[over] = None


def _copy(draft: Draft, term: Term) -> int:
    """A variable that is equal to a view."""
    variable = draft.variable(Sum((term,)))
    post(draft, equal(variable, term))
    return variable


# --- formulas ------------------------------------------------------------------------------------


def assert_formula(draft: Draft, formula: Constraint) -> None:
    """Let a formula hold, by literals for its parts and sums of these."""
    if type(formula) is Iff:
        literal(draft, formula.other, into=literal(draft, formula.one))
    elif type(formula) is Implies:
        _assert_implication(draft, formula)
    elif type(formula) is Or:
        _assert_clause(draft, list(formula.formulas))
    elif type(formula) is Not:
        literal(draft, formula.formula, into=Affine(None, 0, 0))
    else:
        post(draft, formula.expand(Auxiliaries(draft)) or formula)


def _assert_implication(draft: Draft, formula: Implies) -> None:
    """``b => c`` as it is where the backend takes that, else as a clause."""
    consequence = formula.consequence
    if draft.profile.takes(consequence, "half", draft):
        condition = literal(draft, formula.condition)
        if not is_constant(condition):
            draft.posted[Implies(is_one(condition), consequence)] = None
            return
    post(draft, formula.expand(Auxiliaries(draft)))


def _assert_clause(draft: Draft, parts: list[Constraint]) -> None:
    """At least one part holds. One inequality or equation needs no literal: where all the other
    parts are false it is in force, else its bound is out of reach (big M)."""
    tail = None
    for part in sorted(parts, key=lambda part: -part.size()):
        if type(part) is Linear and part.relation != "!=" and _literal_of(draft, part) is None:
            flat = flattened(draft, part)
            if type(flat) is Linear and flat.relation != "!=":
                tail = flat
                parts = [other for other in parts if other is not part]
                break
    literals = [_clause_literal(draft, part) for part in parts]
    if tail is None:
        post(draft, Linear(tuple(literals), (1,) * len(literals), ">=", 1))
    else:
        _post_unless(draft, tail, literals)


def _clause_literal(draft: Draft, part: Constraint) -> Term:
    """A literal that stands for a part of a disjunction. Where nobody counts, it need only imply
    the part: half of the inequalities, and nothing determines it."""
    part = simplify(part)
    wanted = type(part) is Linear and part.relation != "!=" and not part.parts()
    if draft.counting or not wanted or _known(draft, part) is not None:
        return literal(draft, part)
    assert type(part) is Linear
    free = draft.free_variable()
    _post_unless(draft, part, [negation(free)])
    return free


def _post_unless(draft: Draft, linear: Linear, literals: Sequence[Term]) -> None:
    """Let ``linear`` (not ``!=``) hold where none of the literals does."""
    for half in _halves(linear):
        low, high = _bounds(draft, half)
        slack = half.constant - (high if half.relation == "<=" else low)
        if slack and (half.relation == "<=") == (slack < 0):  # else it holds anyway
            terms = (*half.terms, *literals)
            factors = (*half.coefficients, *(slack for _ in literals))
            post(draft, Linear(terms, factors, half.relation, half.constant))


def _halves(linear: Linear) -> list[Linear]:
    """A sum's comparison (not ``!=``) as inequalities with ``<=`` and ``>=``."""
    terms, factors, bound = linear.terms, linear.coefficients, linear.constant
    if linear.relation == "==":
        return [Linear(terms, factors, "<=", bound), Linear(terms, factors, ">=", bound)]
    if linear.relation == "<":
        return [Linear(terms, factors, "<=", bound - 1)]
    if linear.relation == ">":
        return [Linear(terms, factors, ">=", bound + 1)]
    return [linear]


def _bounds(draft: Draft, linear: Linear) -> tuple[int, int]:
    return Sum(linear.terms, linear.coefficients).bounds(draft.domains)


def is_one(term: Term) -> Linear:
    """The constraint that a literal stands for."""
    if isinstance(term, Affine) and term.factor == -1:
        return Linear((term.variable,), (1,), "==", 0)
    return Linear((term,), (1,), "==", 1)


def negation(term: Term) -> Term:
    """``1 - term``."""
    return simplify_term(Affine(*_turned(affine(term))))


def _turned(term: Affine) -> tuple[int | None, int, int]:
    return term.variable, -term.factor, 1 - term.offset


def literal(draft: Draft, formula: Constraint, into: Term | None = None) -> Term:
    """A term that is 1 where ``formula`` holds and 0 where it does not; ``into``, if that is given.

    A variable, ``1 - variable``, or a constant. Equal formulas have the same literal, and opposite
    comparisons opposite ones.
    """
    formula = simplify(formula)
    if type(formula) is Not:
        turned = None if into is None else negation(into)
        return negation(literal(draft, formula.formula, turned))
    known = _known(draft, formula)
    if known is not None:
        if Goal(formula, True) in draft.goals:  # its literal is known, and not yet defined
            raise NoWay(formula, in_circle=True)
        if into is not None:
            post(draft, equal(known, into))
        return known
    if into is None:
        into = draft.variable(Truth(formula))
    draft.share(Truth(formula), into)
    reify(draft, formula, into)
    return into


def _known(draft: Draft, formula: Constraint) -> Term | None:
    if formula in (TRUE, FALSE):
        return Affine(None, 0, int(formula == TRUE))
    found = _literal_of(draft, formula)
    if found is None:
        found = draft.shared.get(Truth(formula))
    if found is None and type(formula) in (Linear, Table):
        opposite = formula.negated()
        turned = None if opposite is None else draft.shared.get(Truth(opposite))
        found = None if turned is None else negation(turned)
    return found


def _literal_of(draft: Draft, formula: Constraint) -> Term | None:
    """The literal of a condition on a single variable that is 0 or 1."""
    if type(formula) is not Linear or len(formula.terms) != 1 or not formula.is_plain:
        return None
    variable = formula.terms[0]
    domain = draft.domains[variable]
    if len(domain) > 2 or not set(domain) <= {0, 1}:
        return None
    zero, one = formula.holds((0,)), formula.holds((1,))
    if zero == one:
        return Affine(None, 0, int(one))
    return variable if one else Affine(variable, -1, 1)


def reify(draft: Draft, formula: Constraint, term: Term) -> None:
    """Let ``term``, 0 or 1, be whether ``formula`` holds."""
    follow_cheapest(draft, Goal(formula, True), reified_ways(draft, formula, term))


def reified_ways(draft: Draft, formula: Constraint, term: Term) -> Iterator[Way]:
    """The ways to let a literal be the truth of a simplified formula."""
    size, profile = formula.size(), draft.profile
    if not is_constant(term):
        if profile.takes(formula, "full", draft):
            yield Way(size, lambda: _keep(draft, Iff(is_one(term), formula)))
        opposite = formula.negated()
        if opposite is not None and profile.takes(formula, "half", draft):
            halves = partial(_keep_halves, draft, formula, opposite, term)
            if profile.takes(opposite, "half", draft):
                yield Way(2 * size, halves)
    combinations = 2 * combinations_of(formula, draft.domains)
    if profile.native(Table) is not None and combinations <= TUPLE_CAP:
        cost = combinations * (1 + len(formula.scope)) // 2
        yield Way(cost, lambda: _reify_listed(draft, formula, term))
    if not isinstance(formula, Predicate):
        return
    if any(isinstance(part, Function) for part in formula.parts()):
        yield Way(20 + size, lambda: reify_again(draft, flattened(draft, formula), term))
    elif type(formula) is Linear:
        yield Way(4 + 4 * size, lambda: _reify_linear(draft, formula, term))
    elif type(formula) is And:
        yield Way(4 * size, lambda: _reify_all(draft, formula.formulas, term))
    elif type(formula) is Or:
        yield Way(4 * size, lambda: _reify_any(draft, formula.formulas, term))
    elif type(formula) is Iff:
        yield Way(4 * size, lambda: _reify_iff(draft, formula, term))
    else:
        cost = 4 * formula.expanded_size()
        yield Way(cost, lambda: _reify_expanded(draft, formula, term))


def reify_again(draft: Draft, formula: Constraint, term: Term) -> None:
    """Let ``term`` be the truth of a formula to which another one was reduced."""
    literal(draft, formula, into=term)


def _keep(draft: Draft, constraint: Constraint) -> None:
    draft.posted[constraint] = None


def _keep_halves(draft: Draft, formula: Constraint, opposite: Constraint, term: Term) -> None:
    _keep(draft, Implies(is_one(term), formula))
    _keep(draft, Implies(is_one(negation(term)), opposite))


def _reify_listed(draft: Draft, formula: Constraint, term: Term) -> None:
    domains = [draft.domains[v] for v in formula.scope]
    rows = tuple((*row, int(formula.holds(row))) for row in product(*domains))
    table = simplify(Table((*formula.scope, term), rows))
    if table == FALSE:
        post(draft, table)
    elif table != TRUE:
        _post_native(draft, table)


def _reify_linear(draft: Draft, linear: Linear, term: Term) -> None:
    """A comparison by two inequalities, each out of reach where the other is in force (big M)."""
    terms, factors, bound = linear.terms, linear.coefficients, linear.constant
    if linear.relation in ("==", "!="):
        result = term if linear.relation == "==" else negation(term)
        low = literal(draft, Linear(terms, factors, "<=", bound))
        high = literal(draft, Linear(terms, factors, ">=", bound))
        post(draft, Linear((low, high, result), (1, 1, -1), "==", 1))
        return
    if linear.relation in (">", ">="):
        most, below = bound - (linear.relation == ">="), negation(term)
    else:
        most, below = bound - (linear.relation == "<"), term
    low, high = _bounds(draft, linear)
    if high <= most or low > most:
        post(draft, Linear((below,), (1,), "==", int(high <= most)))
        return
    post(draft, Linear((*terms, below), (*factors, high - most), "<=", high))
    post(draft, Linear((*terms, below), (*factors, most + 1 - low), ">=", most + 1))


def _reify_all(draft: Draft, formulas: tuple[Constraint, ...], term: Term) -> None:
    literals = [literal(draft, formula) for formula in formulas]
    ones, number = (1,) * len(literals), len(literals)
    post(draft, Linear((*literals, term), (*ones, -number), ">=", 0))
    post(draft, Linear((*literals, term), (*ones, -1), "<=", number - 1))


def _reify_any(draft: Draft, formulas: tuple[Constraint, ...], term: Term) -> None:
    literals = [literal(draft, formula) for formula in formulas]
    ones = (1,) * len(literals)
    post(draft, Linear((*literals, term), (*ones, -1), ">=", 0))
    post(draft, Linear((*literals, term), (*ones, -len(literals)), "<=", 0))


def _reify_iff(draft: Draft, formula: Iff, term: Term) -> None:
    terms = literal(draft, formula.one), literal(draft, formula.other), term
    for factors, relation, bound in (
        ((1, 1, 1), ">=", 1),
        ((1, 1, -1), "<=", 1),
        ((1, -1, 1), "<=", 1),
        ((-1, 1, 1), "<=", 1),
    ):
        post(draft, Linear(terms, factors, relation, bound))


def _reify_expanded(draft: Draft, formula: Predicate, term: Term) -> None:
    expanded = formula.expand(Auxiliaries(draft))
    if expanded is None or expanded == formula:
        raise NoWay(formula)
    reify_again(draft, expanded, term)
