"""Formulas: literals for their parts, and what holds under literals.

``hold`` poses a constraint under enforcement literals, ``truth`` gives the literal that is
equivalent to it. Of a disjunction the largest comparison needs no literal: it is enforced where all
the other parts are false. Every Boolean made here is equivalent to something, so that solutions
can be counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from backends.cpsat.handlers.counting import COUNTING
from backends.cpsat.handlers.functions import FUNCTIONS
from backends.cpsat.handlers.graphs import GRAPHS
from backends.cpsat.handlers.guards import excepts_nothing, function_fits
from backends.cpsat.handlers.ordering import ORDERING
from backends.cpsat.handlers.scheduling import SCHEDULING
from backends.cpsat.views import Literal, Literals, negation
from backends.interface.handlers import Handler, Handlers
from modelling.constraints import (
    AllDifferent,
    And,
    Constraint,
    Define,
    Iff,
    IfThenElse,
    Implies,
    Linear,
    Not,
    NotEqual,
    Or,
    Table,
    Xor,
)
from modelling.rewriting.profile import Mode

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
        case Or(formulas=parts):
            _hold_one(model, parts, enforced)
        case Not(formula=part):
            opposite = part.negated()
            if opposite is None:
                model.clause((negation(truth(model, part)),), enforced)
            else:
                hold(model, opposite, enforced)
        case Implies(condition=condition, consequence=consequence):
            hold(model, consequence, (*enforced, truth(model, condition)))
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


def _hold_one(model: Any, parts: Sequence[Constraint], enforced: Literals) -> None:
    """One part holds; the largest that no Boolean says yet, where the others do not."""
    tail = max(parts, key=lambda part: (not _is_literal(model, part), part.size()))
    if _is_literal(model, tail):
        model.clause([truth(model, part) for part in parts], enforced)
        return
    others = [truth(model, part) for part in parts if part is not tail]
    hold(model, tail, (*enforced, *map(negation, others)))


def _is_literal(model: Any, part: Constraint) -> bool:
    """Whether its truth is a literal that is there, or that costs no more than a clause."""
    if part in model.truths or not part.scope:
        return True
    return type(part) is Linear and len(part.scope) == 1


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
        known = model.truths.get(constraint)
    if known is None and type(constraint) in (Linear, NotEqual, Table):
        opposite = constraint.negated()
        known = None if opposite is None else model.truths.get(opposite)
        known = None if known is None else negation(known)
    if known is None:
        known = model.truths[constraint] = _define(model, constraint, into)
    if into is not None and known is not into:
        model.equate(known, into)
    return known


def _define(model: Any, constraint: Constraint, into: Literal) -> Literal:
    """A literal that is made equivalent to a constraint: ``into``, unless there is one already."""
    match constraint:
        case Linear() if len(constraint.scope) == 1 and constraint.relation in ("==", "!="):
            return _has_value(model, constraint)
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
    found = model.literal() if into is None else into
    opposite = constraint.negated()
    assert opposite is not None, f"{constraint!r} has no opposite"
    hold(model, constraint, [found])
    hold(model, opposite, [negation(found)])
    return found


def _has_value(model: Any, constraint: Linear) -> Literal:
    """Whether a variable has a value; a known truth where that is none of its values."""
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


# --- a function of a formula ---------------------------------------------------------------------


def if_then_else(model: Any, define: Define) -> None:
    """``result`` is one term where the condition holds, and the other where it does not."""
    function = define.function
    condition = truth(model, function.condition)
    for literal, chosen in ((condition, function.yes), (negation(condition), function.no)):
        if literal is not False:
            difference = model.total((define.result, chosen), (1, -1))
            model.compare(difference, "==", 0, () if literal is True else (literal,))


HANDLERS: Handlers = {
    AllDifferent: Handler(
        all_different, ("root", "half"), excepts_nothing, repeats=False, arguments="affine"
    ),
    NotEqual: Handler(not_equal, ALL),
    Linear: Handler(linear, ALL),
    Table: Handler(table, ALL),
    **{kind: Handler(hold, ALL, arguments="nested") for kind in (And, Or, Not, Implies, Iff, Xor)},
    IfThenElse: Handler(if_then_else, when=function_fits, arguments="nested"),
    **FUNCTIONS,
    **COUNTING,
    **ORDERING,
    **GRAPHS,
    **SCHEDULING,
}
