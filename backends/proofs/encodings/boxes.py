"""No solution that counts lies within a box: by enumeration, or by what one constraint excludes.

A clause of pins excludes a box; so does each assignment of which a group says that it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

from backends.proofs.encodings.groups import Clause
from backends.proofs.encodings.inquiry import (
    FEW_STEPS,
    MOST_CONSTRAINTS,
    MOST_STEPS,
    Box,
    Doubt,
    Inquiry,
    fix,
    show,
)
from backends.proofs.encodings.meaning import Condition, TooMany
from backends.proofs.encodings.second import ASKED

MOST_FAILING = 2_000
"""Most assignments of one enumeration that are asked of the second engine."""


def check_clause(inquiry: Inquiry, clause: Clause) -> None:
    """A clause over Booleans of variables loses no solution."""
    box = inquiry.owners.excluded(clause)
    if all(box.values()):
        check_box(inquiry, box, f"the clause {' '.join(map(str, clause))}")


def check_together(
    inquiry: Inquiry,
    variables: Iterable[int],
    holds: Callable[[Mapping[int, Any]], bool],
    what: str,
) -> None:
    """Each assignment of some variables that counts, and keeps the constraints over them,
    ``holds``; of those that do not the second engine says that they are part of no solution."""
    failing = 0
    for found in inquiry.enumerate(variables):
        if holds(found) or inquiry.is_excluded(found):
            continue
        failing += 1
        if failing > MOST_FAILING:
            raise Doubt(f"{what} excludes {failing} assignments, {show(found)} and others")
        inquiry.settle_part(partial(check_box, inquiry, fix(found), what))


def check_box(inquiry: Inquiry, box: Box, what: str) -> None:
    """No solution that counts lies within the box; ``Doubt`` where that is not shown."""
    meaning = inquiry.meaning
    if any(_is_derived(inquiry, box, condition) for condition in meaning.derived_near(box)):
        return
    if inquiry.is_far_reaching(box) and inquiry.alone.excludes([], box):
        inquiry.asked += 1
        return
    known: Box = {}
    try:
        most = MOST_STEPS if inquiry.size(box, box) <= MOST_STEPS else FEW_STEPS
        witness = inquiry.find_witness(box, (), most)
        if witness is None:
            return
        known, shown = fix(witness), show(witness)
    except TooMany:
        shown = f"assignments of {len(box)} variables"
    near = meaning.conditions_near(meaning.close(box))[:MOST_CONSTRAINTS]
    if any(_is_refuted(inquiry, box, c) for c in near if not known.keys() >= {*c.scope}):
        return
    if inquiry.excluded and _is_excluded_throughout(inquiry, box):
        return
    added = any(v in meaning.functions for v in box)
    if added and inquiry.is_excluded_by_engine(near[:1], box):
        return
    declared = {v: set(values) for v, values in box.items() if v not in meaning.functions}
    raise Doubt(f"{what} excludes {shown}, which no constraint alone does", declared)


def _is_derived(inquiry: Inquiry, box: Box, condition: Condition) -> bool:
    """Whether a constraint over added variables excludes a box of them."""
    if condition.constraint is None or not box.keys() <= {*condition.scope}:
        return False
    return _refutes(inquiry, condition, box)


def _refutes(inquiry: Inquiry, condition: Condition, box: Box) -> bool:
    how = inquiry.alone.refutes(condition.constraint, box)
    inquiry.asked += how == ASKED
    return bool(how)


def _is_refuted(inquiry: Inquiry, box: Box, condition: Condition) -> bool:
    """Whether no solution of one constraint, and of those over its variables, is in the box."""
    within = condition.constraint is not None and box.keys() <= {*condition.scope}
    if within and _refutes(inquiry, condition, box):
        return True
    if inquiry.size({*box, *condition.scope}, box) > MOST_STEPS:
        return False
    with suppress(TooMany):
        return inquiry.find_witness(box, condition.scope, MOST_STEPS) is None
    return False


def _is_excluded_throughout(inquiry: Inquiry, box: Box) -> bool:
    """Whether a box has, on all variables, excluded solutions only."""
    try:
        return inquiry.find_witness(box, inquiry.output, MOST_STEPS) is None
    except TooMany:
        return False
