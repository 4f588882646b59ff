"""How a constraint becomes native ones: the rules, what they cost, and the choice of the cheapest.

A *rule* looks at a constraint and either declines or gives a cost, about how many numbers will be
written, and a function that does it. The rules of a constraint are tried from the cheapest on; one
that leads nowhere is taken back (``RewriteBuilder.undo``) and the next is tried.

Undefinedness is settled before anything is negated: a function that can be undefined is replaced by
its total copy, and its guards are added beside the constraint that contained it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import NamedTuple

from modelling.constraint import Constraint, Predicate
from modelling.definedness import always_holds
from modelling.rewriting.builder import Goal, NoWay, RewriteBuilder, combinations_of
from modelling.rewriting.normalise import simplify, simplify_term
from modelling.terms import Affine, Function, Term, affine, bounds, is_constant
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And, Iff, Implies, Not, Or, Xor
from modelling.vocabulary.formulas.linear import Linear, Sum, equal
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import Truth
from modelling.vocabulary.functions.define import Define

TUPLE_CAP = 100_000
"""The most tuples that a rule lists; a longer list would not be a useful encoding."""


class Way(NamedTuple):
    """One way to say a constraint: what it costs, and how it is done."""

    cost: int
    follow: Callable[[], None]


def post(builder: RewriteBuilder, constraint: Constraint) -> None:
    """Add ``constraint`` to the builder; raise NoWay if it cannot be expressed."""
    native = builder.takes(constraint)
    simple = constraint if native else simplify(constraint)
    if type(simple) is And:
        for part in simple.formulas:
            post(builder, part)
    elif native or builder.takes(simple):
        builder.posted[simple] = None
    elif simple not in builder.posted:
        follow_cheapest(builder, Goal(simple, False), root_ways(builder, simple))


def follow_cheapest(builder: RewriteBuilder, goal: Goal, ways: Iterator[Way]) -> None:
    """Try ``ways`` from the cheapest on until one leads to native constraints.

    One that leads back to a goal that is being followed leads nowhere.
    """
    if goal in builder.goals:
        raise NoWay(goal.constraint, in_circle=True)
    builder.goals[goal] = None
    dead = NoWay(goal.constraint)
    try:
        for way in sorted(ways, key=lambda way: way.cost):
            mark = builder.mark()
            try:
                way.follow()
                return
            except NoWay as found:
                dead = found
                builder.undo(mark)
        raise dead
    finally:
        del builder.goals[goal]


def root_ways(builder: RewriteBuilder, constraint: Constraint) -> Iterator[Way]:
    """The ways to let a simplified constraint hold that is not native."""
    size = constraint.size()
    if constraint == FALSE:
        yield Way(0, lambda: _post_native(builder, Linear((), (), "==", 1)))
        yield Way(1, lambda: _post_native(builder, Table((), ())))
        return
    combinations = _tuples_to_try(builder, constraint)
    tables = builder.profile.native(Table) is not None
    if tables and combinations <= TUPLE_CAP and not _is_listed(constraint):
        cost = combinations * len(constraint.scope)
        yield Way(cost, lambda: _post_native(builder, to_table(builder, constraint)))
    if not isinstance(constraint, Predicate):
        return
    if type(constraint) is Define:
        yield Way(20 + size, lambda: _define_flat(builder, constraint))
    elif constraint.parts() and any(isinstance(p, Function) for p in constraint.parts()):
        yield Way(20 + size, lambda: _post_flat(builder, constraint))
        return
    if type(constraint) in (Or, Not, Implies, Iff, Xor):
        yield Way(20 + 2 * size, lambda: assert_formula(builder, constraint))
        return
    copies = _copy_cost(builder, constraint)
    if copies:
        yield Way(size + copies, lambda: _post_over_copies(builder, constraint))
    if type(constraint) is not Linear:
        yield Way(2 * constraint.expanded_size(), lambda: _post_expanded(builder, constraint))


def _post_native(builder: RewriteBuilder, constraint: Constraint) -> None:
    if not builder.takes(constraint):
        raise NoWay(constraint)
    builder.posted[constraint] = None


def _is_listed(constraint: Constraint) -> bool:
    return type(constraint) is Table and constraint.allowed and constraint.is_plain


def _tuples_to_try(builder: RewriteBuilder, constraint: Constraint) -> int:
    """How many tuples are looked at to list those that ``constraint`` allows."""
    arguments = _arguments_of_result(constraint)
    return combinations_of(constraint if arguments is None else arguments, builder.domains)


def _arguments_of_result(constraint: Constraint) -> Function | None:
    """The function, if its result is a variable that is not one of its arguments."""
    if type(constraint) is not Define or not isinstance(constraint.function, Function):
        return None
    result, function = constraint.result, constraint.function
    return function if _is_variable(result) and result not in function.scope else None


def to_table(builder: RewriteBuilder, constraint: Constraint) -> Table:
    """The table of the tuples that ``constraint`` allows.

    A function has at most one value for given arguments, so its results need not be tried.
    """
    function = _arguments_of_result(constraint)
    if function is None:
        domains = [builder.domains[v] for v in constraint.scope]
        rows = tuple(row for row in product(*domains) if constraint.holds(row))
        return Table(constraint.scope, rows)
    assert type(constraint) is Define
    results = frozenset(builder.domains[constraint.result])
    domains = [builder.domains[v] for v in function.scope]
    valued = (
        (*row, function.value_at(dict(zip(function.scope, row, strict=True))))
        for row in product(*domains)
    )
    kept = tuple(row for row in valued if row[-1] in results)
    return Table((*function.scope, constraint.result), kept)


def _post_expanded(builder: RewriteBuilder, constraint: Predicate) -> None:
    expanded = constraint.expand(Auxiliaries(builder))
    if expanded is None or expanded == constraint:
        raise NoWay(constraint)
    post(builder, expanded)


# --- functions and views -------------------------------------------------------------------------


def flat_term(builder: RewriteBuilder, term: Term, guards: list[Constraint]) -> Term:
    """A variable, affine term or constant equal to ``term`` wherever that is defined.

    ``guards`` is given the constraints that say where.
    """
    if not isinstance(term, Function):
        return term
    flat = simplify_term(term.rebuilt(lambda t: flat_term(builder, t, guards)))
    if not isinstance(flat, Function):
        return flat
    missing = _missing_guards(builder, flat)
    if missing:
        guards.extend(missing)
        flat = _total_copy(builder, flat, guards)
    return result_of(builder, flat) if isinstance(flat, Function) else flat


def _missing_guards(builder: RewriteBuilder, function: Function) -> list[Constraint]:
    """The guards of a function of flat arguments that do not always hold."""
    if function in builder.total:
        return []
    return [guard for guard in function.guards() if not always_holds(guard, builder.domains)]


def _total_copy(builder: RewriteBuilder, function: Function, guards: list[Constraint]) -> Term:
    """``totalised``, over flat arguments; it is not asked for its guards again, for the domains of
    its arguments may be too large to show that they hold."""
    total = function.totalised().rebuilt(lambda term: flat_term(builder, term, guards))
    simple = simplify_term(total)
    if isinstance(simple, Function):
        builder.total[simple] = None
    return simple


def result_of(builder: RewriteBuilder, function: Function) -> Term:
    """The term that is equal to a total function of flat arguments; the same one each time."""
    known = builder.shared.get(function)
    if known is not None:
        return known
    if type(function) is Truth:
        return literal(builder, function.formula)
    variable = builder.variable(function)
    builder.share(function, variable)
    post(builder, Define(variable, function))
    return variable


@dataclass(frozen=True)
class Auxiliaries:
    """What ``expand`` may ask for (``modelling.terms.Fresh``)."""

    builder: RewriteBuilder

    def __call__(self, function: Function) -> Term:
        """The term that is equal to a total function."""
        guards: list[Constraint] = []
        found = flat_term(self.builder, simplify_term(function), guards)
        assert not guards, f"{function!r} is not total"
        return found

    def bounds(self, term: Term) -> tuple[int, int]:
        """The least and greatest value that ``term`` can have, or a wider interval."""
        return bounds(term, self.builder.domains)


def flatten_terms(builder: RewriteBuilder, constraint: Predicate) -> Constraint:
    """The same without functions among its terms: its guards, and itself over total copies."""
    guards: list[Constraint] = []
    flat = constraint.rebuilt(lambda term: flat_term(builder, term, guards))
    return simplify(And((*guards, flat)))


def _post_flat(builder: RewriteBuilder, constraint: Predicate) -> None:
    post(builder, flatten_terms(builder, constraint))


def _define_flat(builder: RewriteBuilder, constraint: Define) -> None:
    """A definition whose function has other functions within, or can be undefined."""
    guards: list[Constraint] = []
    function = constraint.function
    inner = function.rebuilt(lambda term: flat_term(builder, term, guards))
    missing = _missing_guards(builder, inner)
    total = _total_copy(builder, inner, guards) if missing else inner
    result = flat_term(builder, constraint.result, guards)
    found = simplify(Define(result, total))
    if found == constraint:
        raise NoWay(constraint)
    for part in (*guards, *missing, found):
        post(builder, part)


def _is_variable(term: Term) -> bool:
    return not isinstance(term, (Affine, Function))


def _copy_cost(builder: RewriteBuilder, constraint: Predicate) -> int:
    """The cost of a separate variable for each argument that is not a variable, or is a repetition.

    0 means that there is nothing to do or that it would not help, as for a constraint that is not
    native over variables either.
    """
    native = builder.profile.native(type(constraint))
    if constraint.is_plain or constraint.parts() or native is None:
        return 0
    if type(constraint) in (Linear, Table) or "root" not in native.modes:
        return 0  # they take views and repeats by themselves, once simplified
    cost, seen = 0, set()
    for term in constraint.terms_within():
        if not _is_variable(term) or term in seen:
            variable = affine(term).variable
            cost += 4 + (1 if variable is None else 2 * len(builder.domains[variable]))
        seen.add(term)
    return cost


def _post_over_copies(builder: RewriteBuilder, constraint: Predicate) -> None:
    seen: set[Term] = set()

    def copied(term: Term) -> Term:
        if _is_variable(term) and term not in seen:
            seen.add(term)
            return term
        return _copy(builder, term)

    over = constraint.rebuilt(copied)
    if over == constraint or not builder.takes(over):
        raise NoWay(constraint)
    builder.posted[over] = None


def _copy(builder: RewriteBuilder, term: Term) -> int:
    """A variable that is equal to a view."""
    variable = builder.variable(Sum((term,)))
    post(builder, equal(variable, term))
    return variable


# --- formulas ------------------------------------------------------------------------------------


def assert_formula(builder: RewriteBuilder, formula: Constraint) -> None:
    """Let a formula hold, by literals for its parts and sums of these."""
    if type(formula) is Iff:
        literal(builder, formula.other, into=literal(builder, formula.one))
    elif type(formula) is Implies:
        _assert_implication(builder, formula)
    elif type(formula) is Or:
        _assert_clause(builder, list(formula.formulas))
    elif type(formula) is Not:
        literal(builder, formula.formula, into=Affine(None, 0, 0))
    else:
        post(builder, formula.expand(Auxiliaries(builder)) or formula)


def _assert_implication(builder: RewriteBuilder, formula: Implies) -> None:
    """``b => c`` as it is where the backend takes that, else as a clause."""
    consequence = formula.consequence
    if builder.profile.takes(consequence, "half", builder):
        condition = literal(builder, formula.condition)
        if not is_constant(condition):
            builder.posted[Implies(is_one(condition), consequence)] = None
            return
    post(builder, formula.expand(Auxiliaries(builder)))


def _assert_clause(builder: RewriteBuilder, parts: list[Constraint]) -> None:
    """At least one part holds. One inequality or equation needs no literal: where all the other
    parts are false it is in force, else its bound is out of reach (big M)."""
    tail = None
    for part in sorted(parts, key=lambda part: -part.size()):
        if type(part) is Linear and part.relation != "!=" and _literal_of(builder, part) is None:
            flat = flatten_terms(builder, part)
            if type(flat) is Linear and flat.relation != "!=":
                tail = flat
                parts = [other for other in parts if other is not part]
                break
    literals = [_clause_literal(builder, part) for part in parts]
    if tail is None:
        post(builder, Linear(tuple(literals), (1,) * len(literals), ">=", 1))
    else:
        _post_unless(builder, tail, literals)


def _clause_literal(builder: RewriteBuilder, part: Constraint) -> Term:
    """A literal that stands for a part of a disjunction. Where nobody counts, it need only imply
    the part: half of the inequalities, and nothing determines it."""
    part = simplify(part)
    wanted = type(part) is Linear and part.relation != "!=" and not part.parts()
    if builder.counting or not wanted or _known(builder, part) is not None:
        return literal(builder, part)
    assert type(part) is Linear
    free = builder.free_variable()
    _post_unless(builder, part, [negation(free)])
    return free


def _post_unless(builder: RewriteBuilder, linear: Linear, literals: Sequence[Term]) -> None:
    """Let ``linear`` (not ``!=``) hold where none of the literals does."""
    for half in _halves(linear):
        low, high = _bounds(builder, half)
        slack = half.constant - (high if half.relation == "<=" else low)
        if slack and (half.relation == "<=") == (slack < 0):  # else it holds anyway
            terms = (*half.terms, *literals)
            factors = (*half.coefficients, *(slack for _ in literals))
            post(builder, Linear(terms, factors, half.relation, half.constant))


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


def _bounds(builder: RewriteBuilder, linear: Linear) -> tuple[int, int]:
    return Sum(linear.terms, linear.coefficients).bounds(builder.domains)


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


def literal(builder: RewriteBuilder, formula: Constraint, into: Term | None = None) -> Term:
    """A term that is 1 where ``formula`` holds and 0 where it does not; ``into``, if that is given.

    A variable, ``1 - variable``, or a constant. Equal formulas have the same literal, and opposite
    comparisons opposite ones.
    """
    formula = simplify(formula)
    if type(formula) is Not:
        turned = None if into is None else negation(into)
        return negation(literal(builder, formula.formula, turned))
    known = _known(builder, formula)
    if known is not None:
        if Goal(formula, True) in builder.goals:  # its literal is known, and not yet defined
            raise NoWay(formula, in_circle=True)
        if into is not None:
            post(builder, equal(known, into))
        return known
    if into is None:
        into = builder.variable(Truth(formula))
    builder.share(Truth(formula), into)
    reify(builder, formula, into)
    return into


def _known(builder: RewriteBuilder, formula: Constraint) -> Term | None:
    if formula in (TRUE, FALSE):
        return Affine(None, 0, int(formula == TRUE))
    found = _literal_of(builder, formula)
    if found is None:
        found = builder.shared.get(Truth(formula))
    if found is None and type(formula) in (Linear, Table):
        opposite = formula.negated()
        turned = None if opposite is None else builder.shared.get(Truth(opposite))
        found = None if turned is None else negation(turned)
    return found


def _literal_of(builder: RewriteBuilder, formula: Constraint) -> Term | None:
    """The literal of a condition on a single variable that is 0 or 1."""
    if type(formula) is not Linear or len(formula.terms) != 1 or not formula.is_plain:
        return None
    variable = formula.terms[0]
    domain = builder.domains[variable]
    if len(domain) > 2 or not set(domain) <= {0, 1}:
        return None
    zero, one = formula.holds((0,)), formula.holds((1,))
    if zero == one:
        return Affine(None, 0, int(one))
    return variable if one else Affine(variable, -1, 1)


def reify(builder: RewriteBuilder, formula: Constraint, term: Term) -> None:
    """Let ``term``, 0 or 1, be whether ``formula`` holds."""
    follow_cheapest(builder, Goal(formula, True), reified_ways(builder, formula, term))


def reified_ways(builder: RewriteBuilder, formula: Constraint, term: Term) -> Iterator[Way]:
    """The ways to let a literal be the truth of a simplified formula."""
    size, profile = formula.size(), builder.profile
    if not is_constant(term):
        if profile.takes(formula, "full", builder):
            yield Way(size, lambda: _keep(builder, Iff(is_one(term), formula)))
        opposite = formula.negated()
        if opposite is not None and profile.takes(formula, "half", builder):
            halves = partial(_keep_halves, builder, formula, opposite, term)
            if profile.takes(opposite, "half", builder):
                yield Way(2 * size, halves)
    combinations = 2 * combinations_of(formula, builder.domains)
    if profile.native(Table) is not None and combinations <= TUPLE_CAP:
        cost = combinations * (1 + len(formula.scope)) // 2
        yield Way(cost, lambda: _reify_listed(builder, formula, term))
    if not isinstance(formula, Predicate):
        return
    if any(isinstance(part, Function) for part in formula.parts()):
        yield Way(20 + size, lambda: reify_again(builder, flatten_terms(builder, formula), term))
    elif type(formula) is Linear:
        yield Way(4 + 4 * size, lambda: _reify_linear(builder, formula, term))
    elif type(formula) is And:
        yield Way(4 * size, lambda: _reify_all(builder, formula.formulas, term))
    elif type(formula) is Or:
        yield Way(4 * size, lambda: _reify_any(builder, formula.formulas, term))
    elif type(formula) is Iff:
        yield Way(4 * size, lambda: _reify_iff(builder, formula, term))
    else:
        cost = 4 * formula.expanded_size()
        yield Way(cost, lambda: _reify_expanded(builder, formula, term))


def reify_again(builder: RewriteBuilder, formula: Constraint, term: Term) -> None:
    """Let ``term`` be the truth of a formula to which another one was reduced."""
    literal(builder, formula, into=term)


def _keep(builder: RewriteBuilder, constraint: Constraint) -> None:
    builder.posted[constraint] = None


def _keep_halves(
    builder: RewriteBuilder, formula: Constraint, opposite: Constraint, term: Term
) -> None:
    _keep(builder, Implies(is_one(term), formula))
    _keep(builder, Implies(is_one(negation(term)), opposite))


def _reify_listed(builder: RewriteBuilder, formula: Constraint, term: Term) -> None:
    domains = [builder.domains[v] for v in formula.scope]
    rows = tuple((*row, int(formula.holds(row))) for row in product(*domains))
    table = simplify(Table((*formula.scope, term), rows))
    if table == FALSE:
        post(builder, table)
    elif table != TRUE:
        _post_native(builder, table)


def _reify_linear(builder: RewriteBuilder, linear: Linear, term: Term) -> None:
    """A comparison by two inequalities, each out of reach where the other is in force (big M)."""
    terms, factors, bound = linear.terms, linear.coefficients, linear.constant
    if linear.relation in ("==", "!="):
        result = term if linear.relation == "==" else negation(term)
        low = literal(builder, Linear(terms, factors, "<=", bound))
        high = literal(builder, Linear(terms, factors, ">=", bound))
        post(builder, Linear((low, high, result), (1, 1, -1), "==", 1))
        return
    if linear.relation in (">", ">="):
        most, below = bound - (linear.relation == ">="), negation(term)
    else:
        most, below = bound - (linear.relation == "<"), term
    low, high = _bounds(builder, linear)
    if high <= most or low > most:
        post(builder, Linear((below,), (1,), "==", int(high <= most)))
        return
    post(builder, Linear((*terms, below), (*factors, high - most), "<=", high))
    post(builder, Linear((*terms, below), (*factors, most + 1 - low), ">=", most + 1))


def _reify_all(builder: RewriteBuilder, formulas: tuple[Constraint, ...], term: Term) -> None:
    literals = [literal(builder, formula) for formula in formulas]
    ones, number = (1,) * len(literals), len(literals)
    post(builder, Linear((*literals, term), (*ones, -number), ">=", 0))
    post(builder, Linear((*literals, term), (*ones, -1), "<=", number - 1))


def _reify_any(builder: RewriteBuilder, formulas: tuple[Constraint, ...], term: Term) -> None:
    literals = [literal(builder, formula) for formula in formulas]
    ones = (1,) * len(literals)
    post(builder, Linear((*literals, term), (*ones, -1), ">=", 0))
    post(builder, Linear((*literals, term), (*ones, -len(literals)), "<=", 0))


def _reify_iff(builder: RewriteBuilder, formula: Iff, term: Term) -> None:
    terms = literal(builder, formula.one), literal(builder, formula.other), term
    for factors, relation, bound in (
        ((1, 1, 1), ">=", 1),
        ((1, 1, -1), "<=", 1),
        ((1, -1, 1), "<=", 1),
        ((-1, 1, 1), "<=", 1),
    ):
        post(builder, Linear(terms, factors, relation, bound))


def _reify_expanded(builder: RewriteBuilder, formula: Predicate, term: Term) -> None:
    expanded = formula.expand(Auxiliaries(builder))
    if expanded is None or expanded == formula:
        raise NoWay(formula)
    reify_again(builder, expanded, term)
