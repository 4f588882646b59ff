"""What a solver takes natively: a table ``{type: Handler}``, and how a structure is posed by it.

    HANDLERS = {
        AllDifferent: Handler(all_different),
        Linear: Handler(linear, modes={"root", "half", "full"}),
    }

``post(draft, constraint)`` adds a constraint to what the solver is making of a structure. A handler
that takes reified constraints is called ``post(draft, constraint, condition)`` for those. Types are
exact: a subclass may mean something else. The key ``Constraint`` stands for every type that has
no handler of its own; a solver with it poses any constraint by its definition, ``holds``.

Constraints over no variables are never posed: the driver has settled them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from modelling.constraint import Constraint
from modelling.constraints import Define, Iff, Implies, Linear
from modelling.errors import MissingHandler
from modelling.problem import Structure
from modelling.rewriting import Native, Profile
from modelling.rewriting.profile import Arguments, Guard, Mode
from modelling.stopping import watched
from modelling.terms import Function


class Condition(NamedTuple):
    """``variable == value``, of a variable that is 0 or 1; ``full`` says that it is equivalent to
    the constraint, else it only implies it."""

    variable: int
    value: int
    full: bool


@dataclass(frozen=True)
class Handler:
    """How a constraint of one type is posed, in which ``modes``, and over which ``arguments``.

    ``when(constraint, variables)`` makes it a matter of the instance; it must be a function of a
    module. Where it declines, a rewrite takes over. ``within`` is the same for what is a part of
    another constraint or reified; by default ``when``. ``repeats`` says that a variable may be
    repeated in the arguments.
    """

    post: Callable[..., None]
    modes: Iterable[Mode] = ("root",)
    when: Guard | None = None
    repeats: bool = True
    arguments: Arguments = "plain"
    within: Guard | None = None


Handlers = Mapping[type[Constraint] | type[Function], Handler]


def profile_of(handlers: Handlers) -> Profile:
    """The profile for rewriting of a solver with these handlers."""
    kinds = sorted(handlers, key=lambda kind: (kind.__name__, kind.__module__))
    natives = ((kind, handlers[kind]) for kind in kinds)
    return Profile(
        tuple(
            Native(k, frozenset(h.modes), h.arguments, h.repeats, h.when, h.within)
            for k, h in natives
        ),
        output=True,  # the driver projects
    )


def handlers_of(profile: Profile) -> Handlers:
    """Handlers of a solver that is given a text of the whole instance: they have nothing to do."""
    return {
        one.kind: Handler(_leave, one.modes, one.when, one.repeats, one.arguments, one.within)
        for one in profile.natives
    }


def _leave(draft: Any, constraint: Constraint, condition: Condition | None = None) -> None:
    """Nothing; the text says it."""


def post(handlers: Handlers, draft: Any, structure: Structure, name: str) -> None:
    """Pose every constraint of ``structure``; MissingHandler for one that nothing handles."""
    for constraint in watched(structure.constraints, every=64):
        if constraint.scope:
            _post(handlers, draft, constraint, name)


def _post(handlers: Handlers, draft: Any, constraint: Constraint, name: str) -> None:
    handler = handlers.get(type(constraint))
    if handler is None and type(constraint) is Define:
        handler = handlers.get(type(constraint.function))
    if handler is not None:
        handler.post(draft, constraint)
        return
    within, condition = _conditional(constraint)
    handler = handlers.get(type(within))
    if handler is not None and condition is not None:
        handler.post(draft, within, condition)
        return
    handler = handlers.get(Constraint)
    if handler is None:
        raise MissingHandler(
            f"{name} cannot pose {constraint!r}: it has no handler for {type(constraint).__name__}"
        )
    handler.post(draft, constraint)


def _conditional(constraint: Constraint) -> tuple[Constraint, Condition | None]:
    """``b => c`` and ``b <=> c`` as c and its condition."""
    match constraint:
        case Implies(condition=Linear() as literal, consequence=within):
            return within, _literal(literal, False)
        case Iff(one=Linear() as literal, other=within):
            return within, _literal(literal, True)
    return constraint, None


def _literal(literal: Linear, full: bool) -> Condition | None:
    """The condition that rewriting writes: ``x == 1`` or ``x == 0``."""
    if not literal.is_plain or literal.coefficients != (1,) or literal.relation != "==":
        return None
    return Condition(literal.terms[0], literal.constant, full)
