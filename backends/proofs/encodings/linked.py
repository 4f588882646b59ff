"""Clauses that share literals without owner: each assignment of their variables extends to them.

By enumeration; where that is too much, variable by variable beside the constraints' sums; else
without the literals that no variable owns, which are resolved away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import product
from math import prod
from typing import Any, NamedTuple

from backends.proofs.encodings.boxes import check_clause, check_together
from backends.proofs.encodings.comparisons import Sum, parts_of, sum_of
from backends.proofs.encodings.extending import has_model, resolve_away
from backends.proofs.encodings.groups import Clause
from backends.proofs.encodings.inquiry import MOST_STEPS, Inquiry, fix
from backends.proofs.encodings.layers import Clauses, find_lost
from backends.proofs.encodings.meaning import Condition, TooMany
from backends.proofs.encodings.partial_sums import PartialSums
from modelling.constraints import Iff, Implies, Linear

MOST_TRIED = 3
"""Most constraints whose sums are tried for one group."""

MOST_CASES = 20
"""Most assignments of variables beside a comparison."""


class Case(NamedTuple):
    """Values of some variables, and the sums that hold with them."""

    values: Mapping[int, int]
    sums: Sequence[Sum]


def check_linked(inquiry: Inquiry, group: list[Clause]) -> None:
    """See the head of this file."""
    owners = inquiry.owners
    booleans = {abs(literal) for clause in group for literal in clause}
    variables = {v for b in booleans if b in owners for v in owners.of(b)}
    if inquiry.size(inquiry.meaning.close(variables), {}) > MOST_STEPS:
        free = [b for b in booleans if b not in owners]
        if _extend_stepwise(inquiry, group, free):
            return
        clauses = resolve_away(group, free)
        if clauses is not None:
            for clause in clauses:
                inquiry.settle_part(partial(check_clause, inquiry, clause))
            return

    def extends(found: Mapping[int, Any]) -> bool:
        pins = [x for v in variables for x in owners.pins[v].get(found[v], (0,))]
        true = [literal for literal in pins if abs(literal) in booleans]
        return 0 not in pins and has_model(group, true)

    check_together(inquiry, variables, extends, f"a group of {len(group)} clauses")


# --- variable by variable ------------------------------------------------------------------------


def _extend_stepwise(inquiry: Inquiry, group: list[Clause], free: list[int]) -> bool:
    """Whether all assignments extend that keep the sums of some constraint. Those that do not are
    looked for in the whole problem: if one is part of a solution, the clauses are wrong."""
    order = list(dict.fromkeys(v for c in group for x in c for v in inquiry.owners.of(x)))
    if not all(map(inquiry.meaning.domain, order)):
        return False
    clauses, lost = Clauses(group, free), None
    for cases in _case_lists(inquiry, order):
        with suppress(TooMany):
            found = (_find_lost(inquiry, clauses, case, order) for case in cases)
            lost = next((values for values in found if values is not None), None)
            if lost is None:
                return True
    if lost is not None:
        inquiry.ask_whole(fix(lost), f"a group of {len(group)} clauses excludes {len(lost)} values")
    return False


def _find_lost(
    inquiry: Inquiry, clauses: Clauses, case: Case, order: Sequence[int]
) -> dict[int, int] | None:
    """In the order in which the clauses come, or in the reverse."""
    first = [v for v in order if v in case.values]
    rest = [v for v in order if v not in case.values]
    pins = inquiry.owners.pins

    def domain(variable: int) -> Sequence[int]:
        fixed = case.values.get(variable)
        return inquiry.meaning.domain(variable) if fixed is None else (fixed,)

    values = {v: {value: pins[v].get(value) for value in domain(v)} for v in order}
    for one in (rest, rest[::-1]):
        with suppress(TooMany):
            placed = [*first, *one]
            sums = PartialSums(case.sums, placed, domain)
            return find_lost(clauses, placed, values, sums, inquiry.mind_the_time)
    raise TooMany


def _case_lists(inquiry: Inquiry, variables: Sequence[int]) -> Iterator[list[Case]]:
    """What constraints near some variables say of sums, one after another; all comparisons
    together; and nothing at all."""
    near = inquiry.meaning.conditions_near(variables)
    stated = [cases for c in near if (cases := _cases(inquiry, c))][:MOST_TRIED]
    yield from stated
    plain = [s for cases in stated if not cases[0].values for s in cases[0].sums]
    if len(plain) > 1:
        yield [Case({}, plain)]
    yield [Case({}, ())]


def _cases(inquiry: Inquiry, condition: Condition) -> list[Case]:
    """What one constraint says of sums, by cases of the variables beside; none for other kinds."""
    constraint = condition.constraint
    if isinstance(constraint, Linear):
        return [Case({}, (sum_of(constraint),))]
    if not isinstance(constraint, Implies | Iff):
        return []
    parts = parts_of(constraint)
    if not any(isinstance(then, Linear) for _, _, then in parts):
        return []
    beside = sorted({v for when, _, _ in parts for v in when.scope})
    domains = [inquiry.meaning.domain(v) for v in beside]
    if prod(map(len, domains)) > MOST_CASES:
        return []
    return [_case(parts, dict(zip(beside, values, strict=True))) for values in product(*domains)]


def _case(parts: Iterable[tuple[Any, bool, Any]], values: dict[int, int]) -> Case:
    holding = [
        sum_of(then)
        for when, truth, then in parts
        if isinstance(then, Linear) and when.holds([values[v] for v in when.scope]) == truth
    ]
    return Case(values, holding)
