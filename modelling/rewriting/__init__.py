"""Rewriting: a structure expressed in what a backend takes, with the same solutions.

``profile`` says what a backend takes. ``normalise`` folds degenerate cases. ``rules`` turn what is
not native into what is, each with its cost, in a ``builder``; the cheapest that leads to native
constraints wins. ``order`` narrows auxiliaries by what must ascend. ``rewritten`` is the result:
declared variables first, auxiliaries after them, and the way between the two. Read them in this
order.

``rewrite`` takes a ``Structure`` and a ``Profile``. It returns a ``Rewritten``, or a ``Declined``
that names the constraint. Bounds come from base domains, so one rewrite serves all givens.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from modelling.constraint import Constraint
from modelling.problem import Objective, Structure
from modelling.rewriting.builder import COUNTED, NoWay, RewriteBuilder, combinations_of
from modelling.rewriting.normalise import normalise, simplify, simplify_term
from modelling.rewriting.profile import Native, Profile
from modelling.rewriting.rewritten import Declined, Rewritten
from modelling.rewriting.rules import TUPLE_CAP, flat_term, post
from modelling.stopping import watched
from modelling.terms import Affine, Function, Term, constant, is_constant
from modelling.vocabulary.formulas.linear import Sum, equal

__all__ = [
    "TUPLE_CAP",
    "Declined",
    "Native",
    "Profile",
    "Rewritten",
    "keep_rewrites",
    "normalise",
    "rewrite",
    "simplify",
    "simplify_term",
]


def rewrite(structure: Structure, profile: Profile, counting: bool = True) -> Rewritten | Declined:
    """``structure`` in what ``profile`` takes, with the same solutions on its variables.

    When ``counting``, every auxiliary is determined; else a part of a disjunction need only be
    implied by its literal, which is shorter, and a solution may be found several times. A
    structure that is already native is returned unchanged. Rewrites are kept, the most recently
    used ones (``keep_rewrites``).
    """
    return _kept[0](structure, profile, counting)


def keep_rewrites(number: int) -> None:
    """Keep this many rewrites from now on."""
    _kept[:] = [lru_cache(number)(_rewrite)]


def _rewrite(structure: Structure, profile: Profile, counting: bool) -> Rewritten | Declined:
    if structure.output is not None and not profile.output:
        return Declined("it cannot tell solutions apart by an output, some of the variables")
    objective = structure.objective
    linear = objective is None or objective.is_linear
    constraints = structure.constraints
    if linear and all(profile.takes(c, "root", structure) for c in watched(constraints)):
        return Rewritten(structure, structure.size)
    builder = RewriteBuilder(structure, profile, counting)
    for constraint in watched(constraints, every=32):
        mark = builder.mark()
        try:
            post(builder, constraint)
        except NoWay as dead:
            builder.undo(mark)
            return Declined(_reason(structure, constraint, dead))
    try:
        return builder.build(objective if linear else _rewrite_objective(builder, objective))
    except NoWay as dead:
        return Declined(f"the objective cannot be rewritten: {dead}")


_kept: list[Callable[[Structure, Profile, bool], Rewritten | Declined]] = []
keep_rewrites(64)


def _rewrite_objective(builder: RewriteBuilder, objective: Objective | None) -> Objective:
    """An objective that is not a plain sum, over a variable or a sum of variables."""
    assert objective is not None
    term = simplify_term(objective.term)
    if type(term) is Sum:
        guards: list[Constraint] = []
        term = simplify_term(term.rebuilt(lambda inner: flat_term(builder, inner, guards)))
    if isinstance(term, Affine) and term.variable is not None:
        rest = (constant(term.offset),) if term.offset else ()
        term = Sum((term.variable, *rest), (term.factor, *(1 for _ in rest)))
    if type(term) is not Sum:
        term = _variable(builder, term)
        return Objective(objective.sense, (term,), (1,))
    if not term.is_plain:
        term = Sum(
            tuple([constant_as_variable(builder, part) for part in term.terms]), term.coefficients
        )
    if not term.is_plain:
        return Objective(objective.sense, (_variable(builder, term),), (1,))
    return Objective(objective.sense, term)


def constant_as_variable(builder: RewriteBuilder, term: Term) -> Term:
    """A variable of one value for the constant of a sum, which then is plain; else the term."""
    return builder.variable(Sum((term,))) if is_constant(term) else term


def _variable(builder: RewriteBuilder, term: Term) -> int:
    """A variable that is equal to a term, which has a value everywhere."""
    guards: list[Constraint] = []
    flat = flat_term(builder, term, guards)
    if not isinstance(flat, (tuple, Function)):
        return int(flat)
    total = Sum((flat,))
    variable = builder.variable(total)
    post(builder, equal(variable, flat))
    return variable


def _reason(structure: Structure, constraint: Constraint, dead: NoWay) -> str:
    """Why ``constraint`` cannot be expressed; ``dead`` names the part of it that is the cause."""
    kind, wanted = type(constraint).__name__, type(dead.constraint).__name__
    part = "" if wanted == kind else f" (for want of {wanted})"
    tuples = combinations_of(constraint, structure.domains)
    if tuples > TUPLE_CAP:
        many = f"{tuples:,}" if tuples < COUNTED else "far too many"
        return (
            f"{kind} is not native{part}, and a table of it would have to look at {many} "
            f"tuples, more than {TUPLE_CAP:,}"
        )
    if dead.in_circle:
        return f"{kind} is not native, and the rewrite of {wanted} leads back to itself"
    return f"{kind} is not native, and no rewrite expresses it{part}"
