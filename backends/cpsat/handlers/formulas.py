"""Formulas: literals for their parts, and what holds under literals.

``hold`` poses a constraint under enforcement literals, ``truth`` gives the literal that is
equivalent to it. The largest comparison of a disjunction needs no literal: it is enforced where all
the other parts are false. Every Boolean made here is equivalent to something, so that solutions
can be counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from backends.cpsat.handlers.counting import COUNTING
from backends.cpsat.handlers.enforcing import enforces_parity
from backends.cpsat.handlers.functions import FUNCTIONS
from backends.cpsat.handlers.graphs import GRAPHS
from backends.cpsat.handlers.guards import excepts_nothing
from backends.cpsat.handlers.ordering import ORDERING
from backends.cpsat.handlers.scheduling import SCHEDULING
from backends.cpsat.views import Literal, Literals, negation
from backends.interface.handlers import Handler, Handlers
from modelling.constraints import (
    AllDifferent,
    And,
    Constraint,
    Iff,
    Implies,
    Linear,
    Not,
    NotEqual,
    Or,
    Table,
    Xor,
)
from modelling.rewriting.profile import Mode
from modelling.vocabulary.comparisons import OPPOSITES
from modelling.vocabulary.formulas.clauses import Clauses

ALL: tuple[Mode, ...] = ("root", "half", "full")


# --- atoms ---------------------------------------------------------------------------------------


def all_different(model: Any, constraint: AllDifferent, enforced: Literals = ()) -> None:
    """As the formulation has it."""
    model.all_different(constraint.terms, enforced)


def not_equal(model: Any, constraint: NotEqual, enforced: Literals = ()) -> None:
    """As a comparison, or as two that differ."""
    model.not_equal(constraint, enforced)


def linear(model: Any, constraint: Linear, enforced: Literals = ()) -> None:
    """A comparison of a sum."""
    model.linear(constraint, enforced)


def table(model: Any, constraint: Table, enforced: Literals = ()) -> None:
    """As the formulation has it."""
    model.table(constraint, enforced)


def clauses(model: Any, constraint: Clauses, enforced: Literals = ()) -> None:
    """Each as CP-SAT's own."""
    zero = [model.equals(term, 0) for term in constraint.terms]
    true = [negation(literal) for literal in zero]
    for clause in constraint.literals:
        model.clause([true[x - 1] if x > 0 else zero[-x - 1] for x in clause], enforced)


# --- what holds ----------------------------------------------------------------------------------


def hold(model: Any, constraint: Constraint, enforced: Literals = ()) -> None:
    """Let a constraint hold where all of ``enforced`` are true."""
    if any(literal is False for literal in enforced):
        return
    enforced = tuple([literal for literal in enforced if literal is not True])
    if not constraint.scope:
        if not constraint.holds(()):
            model.forbid(enforced)
        return
    match constraint:
        case And(formulas=parts):
            for part in parts:
                hold(model, part, enforced)
        case Or() | Not() | Implies():
            _hold_one(model, list(_alternatives(constraint, True)), enforced)
        case Iff(one=one, other=other):
            literal = truth(model, one)
            if enforced or isinstance(literal, bool):
                model.equate(literal, truth(model, other), enforced)
            else:
                truth(model, other, literal)
        case Xor(formulas=parts):
            _odd(model, [truth(model, part) for part in parts], enforced)
        case _:
            HANDLERS[type(constraint)].post(model, constraint, enforced)


def _alternatives(constraint: Constraint, wanted: bool) -> Iterator[tuple[Constraint, bool]]:
    """Formulas with truth values: ``constraint`` is as ``wanted`` if at least one of them is."""
    match constraint:
        case Not(formula=part):
            yield from _alternatives(part, not wanted)
        case Implies(condition=condition, consequence=consequence) if wanted:
            yield from _alternatives(condition, False)
            yield from _alternatives(consequence, True)
        case Or(formulas=parts) if wanted:
            for part in parts:
                yield from _alternatives(part, True)
        case And(formulas=parts) if not wanted:
            for part in parts:
                yield from _alternatives(part, False)
        case _:
            yield constraint, wanted


def _hold_one(
    model: Any, alternatives: Sequence[tuple[Constraint, bool]], enforced: Literals
) -> None:
    """One alternative holds; the largest that no Boolean says yet, where the others do not."""
    undefined = [one for one in alternatives if not _is_literal(model, one[0])]
    tail = max(undefined, key=lambda one: len(one[0].scope), default=None)
    others = [_truth_of(model, one) for one in alternatives if one is not tail]
    if tail is None:
        model.clause(others, enforced)
        return
    part, wanted = tail
    opposite = None if wanted else part.negated()
    if not wanted and opposite is None:
        model.clause((*others, negation(truth(model, part))), enforced)
    else:
        hold(model, opposite or part, (*enforced, *map(negation, others)))


def _truth_of(model: Any, alternative: tuple[Constraint, bool]) -> Literal:
    part, wanted = alternative
    return truth(model, part) if wanted else negation(truth(model, part))


def _is_literal(model: Any, part: Constraint) -> bool:
    """Whether its truth is a literal that is there, or that costs no more than a clause."""
    scope = part.scope
    if not scope or (type(part) is Linear and len(scope) == 1):
        return True
    return _key(part) in model.truths


def _odd(model: Any, literals: Sequence[Literal], enforced: Literals) -> None:
    """An odd number of them is true."""
    open_ = [literal for literal in literals if not isinstance(literal, bool)]
    known = sum(literal for literal in literals if isinstance(literal, bool)) % 2
    if not open_:
        if not known:
            model.forbid(enforced)
        return
    turned = [negation(open_[0]) if known else open_[0], *open_[1:]]
    if len(turned) <= 2:
        model.equate(turned[0], negation(turned[1]) if turned[1:] else True, enforced)
    elif enforced and not enforces_parity(model.cp):
        model.clause((_is_odd(model, turned, None),), enforced)
    else:
        model.post(model.model.add_bool_xor(turned), enforced)


# --- literals ------------------------------------------------------------------------------------


def truth(model: Any, constraint: Constraint, into: Literal = None) -> Literal:
    """The literal that is equivalent to a constraint; ``into``, if that is given."""
    if not constraint.scope:
        known: Literal = constraint.holds(())
    elif type(constraint) is Not:
        turned = None if into is None else negation(into)
        return negation(truth(model, constraint.formula, turned))
    else:
        key = _key(constraint)
        known = model.truths.get(key)
        if known is None:
            known = model.truths[key] = _define(model, constraint, into)
            if type(constraint) is Linear:
                model.truths[(*key[:3], OPPOSITES[key[3]], key[4])] = negation(known)
    if into is not None and known is not into:
        model.equate(known, into)
    return known


def _key(constraint: Constraint) -> Any:
    """What stands for a constraint among ``truths``; quicker to compare, of the many sums."""
    if type(constraint) is not Linear:
        return constraint
    parts = constraint.terms, constraint.coefficients, constraint.relation, constraint.constant
    return (Linear, *parts)


def _define(model: Any, constraint: Constraint, into: Literal) -> Literal:
    """A literal that is made equivalent to a constraint: ``into``, unless there is one already."""
    match constraint:
        case Linear():
            if len(constraint.scope) == 1 and constraint.relation in ("==", "!="):
                return _has_value(model, constraint)
            found = model.literal() if into is None else into
            model.linear(constraint, (found,))
            model.linear(constraint, (negation(found),), opposite=True)
            return found
        case And(formulas=parts):
            opposites = [negation(truth(model, part)) for part in parts]
            return negation(model.any_of(opposites, None if into is None else negation(into)))
        case Or(formulas=parts):
            return model.any_of([truth(model, part) for part in parts], into)
        case Implies(condition=condition, consequence=consequence):
            parts = negation(truth(model, condition)), truth(model, consequence)
            return model.any_of(parts, into)
        case Iff(one=one, other=other):
            return _is_odd(model, [truth(model, one), negation(truth(model, other))], into)
        case Xor(formulas=parts):
            return _is_odd(model, [truth(model, part) for part in parts], into)
        case NotEqual(terms=terms):
            return truth(model, Linear(terms, (1, -1), "!=", 0), into)
        case Table():
            found = model.literal() if into is None else into
            model.table(constraint, (found,))
            model.table(constraint, (negation(found),), opposite=True)
            return found
    raise AssertionError(f"{constraint!r} is no formula")


def _has_value(model: Any, constraint: Linear) -> Literal:
    """Whether a variable has a value; a known truth if the value is not in its domain."""
    (term,), (factor,) = constraint.terms, constraint.coefficients
    value, rest = divmod(constraint.constant, factor) if factor else (0, 1)
    equal = False if rest else model.equals(term, value)
    if not factor:
        equal = constraint.constant == 0
    return equal if constraint.relation == "==" else negation(equal)


def _is_odd(model: Any, literals: Sequence[Literal], into: Literal) -> Literal:
    """The literal that an odd number of them is true."""
    found = model.literal() if into is None else into
    _odd(model, [*literals, found, True], ())
    return found


HANDLERS: Handlers = {
    AllDifferent: Handler(
        all_different, ("root", "half"), excepts_nothing, repeats=False, arguments="affine"
    ),
    NotEqual: Handler(not_equal, ALL),
    Linear: Handler(linear, ALL),
    Table: Handler(table, ALL),
    Clauses: Handler(clauses, ("root", "half"), arguments="affine"),
    **{kind: Handler(hold, ALL, arguments="nested") for kind in (And, Or, Not, Implies, Iff, Xor)},
    **FUNCTIONS,
    **COUNTING,
    **ORDERING,
    **GRAPHS,
    **SCHEDULING,
}
