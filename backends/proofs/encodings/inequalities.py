"""The check of pseudo-Boolean inequalities: no solution of the problem breaks one.

How each is checked
-------------------
Booleans of variables    a sum of what each variable's value weighs. Either its least value reaches
                         the degree; or it is a clause, or says that one literal at most is false,
                         and is checked as clauses are; or a comparison of the problem implies it:
                         the difference of the two sums is least where each variable by itself makes
                         it least; or the assignments of its variables are enumerated
other Booleans           inequalities that share some are enumerated together: each assignment of
                         their variables has to extend to them

A comparison within an implication is tried for each value of the variables besides.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from math import prod
from typing import Any

from backends.interface.proofs import Row
from backends.proofs.encodings.boxes import check_clause, check_together
from backends.proofs.encodings.comparisons import AtLeast, comparisons, parts_of
from backends.proofs.encodings.extending import extends
from backends.proofs.encodings.groups import connect
from backends.proofs.encodings.inquiry import Inquiry
from backends.proofs.encodings.meaning import Condition
from modelling.constraint import Constraint
from modelling.constraints import Iff, Implies, Linear

MOST_CASES = 200
"""Most assignments of variables beside a comparison."""

Weights = Mapping[int, Mapping[int, int]]
"""For each variable what each of its values adds to a sum."""


def check_inequalities(inquiry: Inquiry, rows: Iterable[Row]) -> None:
    """Check all of a formula."""
    known = inquiry.meaning.conditions
    alone, together = connect(rows, inquiry.owners)
    for row in alone:
        inquiry.settle(partial(_check_row, inquiry, row, known))
    for group in together:
        inquiry.settle(partial(_check_group, inquiry, group))


def _check_group(inquiry: Inquiry, group: Sequence[Row]) -> None:
    """Every assignment extends to the Booleans that belong to no variable."""
    owners = inquiry.owners
    variables = {v for pairs, _ in group for x, _ in pairs if x in owners for v in owners.of(x)}

    def holds(found: Mapping[int, Any]) -> bool:
        true = [x for v in variables for x in owners.pins[v].get(found[v], (0,))]
        return 0 not in true and extends(group, true)

    check_together(inquiry, variables, holds, f"{len(group)} inequalities")


def _check_row(inquiry: Inquiry, row: Row, known: Sequence[Condition]) -> None:
    pairs, degree = positive(row)
    weights = _weigh(inquiry, pairs)
    if sum(min(of.values()) for of in weights.values()) >= degree:
        return
    clauses = as_clauses(pairs, degree)
    if clauses is not None:
        for clause in clauses:
            check_clause(inquiry, clause)
        return
    if any(_implies(inquiry, condition, weights, degree) for condition in known):
        return

    def holds(found: Mapping[int, Any]) -> bool:
        total = sum(of.get(found[v], 0) for v, of in weights.items())
        return total >= degree and None not in found.values()

    check_together(inquiry, weights, holds, "an inequality")


def positive(row: Row) -> Row:
    """The same with positive weights."""
    pairs, degree = [], row[1]
    for literal, weight in row[0]:
        if weight < 0:
            degree -= weight
            literal, weight = -literal, -weight
        if weight:
            pairs.append((literal, weight))
    return pairs, degree


def _weigh(inquiry: Inquiry, pairs: Iterable[tuple[int, int]]) -> Weights:
    """What each value of each variable adds."""
    weights: dict[int, dict[int, int]] = {}
    for literal, weight in pairs:
        variable = min(inquiry.owners.of(literal))  # several that share it agree on it
        domain = inquiry.meaning.domain(variable)
        of = weights.setdefault(variable, dict.fromkeys(domain, 0))
        for value in inquiry.owners.values(variable, literal):
            if value in of:
                of[value] += weight
    return weights


def as_clauses(pairs: Sequence[tuple[int, int]], degree: int) -> list[tuple[int, ...]] | None:
    """Clauses that say the same: a clause itself, that one literal at most is false, or none."""
    sizes = sorted(weight for _, weight in pairs)
    total = sum(sizes)
    literals = [literal for literal, _ in pairs]
    if total < degree:
        return [()]
    if sizes[0] >= degree:
        return [tuple(literals)]
    if total - sizes[0] < degree:
        return [(literal,) for literal in literals]
    if len(sizes) > 1 and total - sizes[-1] >= degree > total - sizes[0] - sizes[1]:
        return list(combinations(literals, 2))
    return None


# --- comparisons ---------------------------------------------------------------------------------


def _implies(inquiry: Inquiry, condition: Condition, weights: Weights, degree: int) -> bool:
    """Whether a constraint of the problem is, or implies, a comparison that implies the sum."""
    constraint = condition.constraint
    if isinstance(constraint, Linear):
        return _is_implied(inquiry, [constraint], weights, degree)
    if not isinstance(constraint, Implies | Iff):
        return False
    parts = parts_of(constraint)
    if not any(isinstance(then, Linear) for _, _, then in parts):
        return False
    scope = {v for when, _, _ in parts for v in when.scope}
    beside = sorted(scope & weights.keys())
    if scope - weights.keys() or prod(len(weights[v]) for v in beside) > MOST_CASES:
        return False
    return all(
        _is_implied_where(inquiry, parts, dict(zip(beside, case, strict=True)), weights, degree)
        for case in product(*[weights[v] for v in beside])
    )


def _is_implied_where(
    inquiry: Inquiry,
    parts: Iterable[tuple[Constraint, bool, Constraint]],
    case: Mapping[int, int],
    weights: Weights,
    degree: int,
) -> bool:
    """The same where some variables have these values."""
    left = {v: of for v, of in weights.items() if v not in case}
    rest = degree - sum(weights[v][value] for v, value in case.items())
    if sum(min(of.values()) for of in left.values()) >= rest:
        return True
    holding: list[Linear] = []
    for when, truth, then in parts:
        if when.holds([case[v] for v in when.scope]) == truth and isinstance(then, Linear):
            holding.append(then)
    return _is_implied(inquiry, holding, left, rest, case)


def _is_implied(
    inquiry: Inquiry,
    known: Iterable[Linear],
    weights: Weights,
    degree: int,
    case: Mapping[int, int] = {},
) -> bool:
    """Whether one of some comparisons implies that a sum reaches a degree."""
    return any(
        _is_reached(inquiry, one, weights, degree, case)
        for linear in known
        for one in comparisons(linear)
    )


def _is_reached(
    inquiry: Inquiry, one: AtLeast, weights: Weights, degree: int, case: Mapping[int, int]
) -> bool:
    """The sum exceeds that of the comparison by enough, variable by variable."""
    least = one.bound
    for v in {*weights, *one.weights}:
        factor = one.weights.get(v, 0)
        values = [case[v]] if v in case else inquiry.meaning.domain(v)
        of = weights.get(v, {})
        if not values:
            return True
        least += min(of.get(value, 0) - factor * value for value in values)
    return least >= degree
