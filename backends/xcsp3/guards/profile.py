"""The profile of XCSP3-core, guarded."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

from modelling.constraint import Constraint
from modelling.formats.xcsp3.writer.profile import PROFILE, Tour
from modelling.rewriting.profile import Guard, Native, Profile, Variables
from modelling.terms import Function

Class = type[Constraint] | type[Function]


UNGUARDED = replace(PROFILE, natives=tuple(one for one in PROFILE.natives if one.kind is not Tour))
"""All that XCSP3-core says, whatever a release makes of it; a Tour is the writer's own."""


@cache
def guarded(check: Guard, check_within: Guard, never: frozenset[Class] = frozenset()) -> Profile:
    """What XCSP3-core says and ``check`` lets through, or ``check_within`` in formulas and where it
    is equivalent to a variable. Classes that it would ``never`` let through are left out, so that
    lists of native constraints are true."""
    natives = (one for one in UNGUARDED.natives if one.kind not in never)
    return replace(PROFILE, natives=tuple(_guarded(one, check, check_within) for one in natives))


def _guarded(native: Native, check: Guard, check_within: Guard) -> Native:
    within = native.within or native.when
    return replace(native, when=_both(native.when, check), within=_both(within, check_within))


def _both(one: Guard | None, other: Guard) -> Guard:
    """Both of two guards; named after them, for names stand for guards."""
    if one is None:
        return other

    def both(item: Any, variables: Variables) -> bool:
        return one(item, variables) and other(item, variables)

    both.__qualname__ = f"{one.__module__}.{one.__qualname__} and {other.__qualname__}"
    return both
