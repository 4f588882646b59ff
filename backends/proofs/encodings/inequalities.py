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

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, product
from math import prod
from typing import Any, NamedTuple, Protocol

from backends.interface.proofs import Row
from backends.proofs.encodings.extending import extends
from backends.proofs.encodings.groups import Owners, connect
from backends.proofs.encodings.meaning import Condition, Meaning
from modelling.constraint import Constraint
from modelling.constraints import Iff, Implies, Linear
from modelling.problem import Objective
from modelling.terms import affine

MOST_CASES = 200
"""Most assignments of variables beside a comparison."""

Weights = Mapping[int, Mapping[int, int]]
"""For each variable what each of its values adds to a sum."""


class Checks(Protocol):
    """What the check of an encoding offers."""

    meaning: Meaning
    owners: Owners

    def settle(self, check: Any) -> None:
        """Check one group."""

    def check_clause(self, clause: Sequence[int]) -> None:
        """A clause over Booleans of variables."""

    def check_together(self, variables: Iterable[int], holds: Any, what: str) -> None:
        """Each assignment of some variables that keeps the constraints ``holds``."""


class AtLeast(NamedTuple):
    """A comparison in a common form: the sum of ``weights`` is at least ``bound``."""

    weights: Mapping[int, int]
    bound: int


def check_inequalities(
    checks: Checks, rows: Iterable[Row], fixed: tuple[Objective, int] | None
) -> None:
    """Check all of a formula; ``fixed`` is an objective that has a value besides."""
    known = [*checks.meaning.conditions]
    if fixed is not None:
        objective, value = fixed
        total = Linear(objective.scope, objective.coefficients, "==", value)
        known.append(Condition(tuple(objective.scope), total.holds, total))
    alone, together = connect(rows, checks.owners)
    for row in alone:
        checks.settle(lambda row=row: _check_row(checks, row, known))
    for group in together:
        checks.settle(lambda group=group: _check_group(checks, group))


def _check_group(checks: Checks, group: Sequence[Row]) -> None:
    """Every assignment extends to the Booleans that belong to no variable."""
    owners = checks.owners
    variables = {v for pairs, _ in group for x, _ in pairs if x in owners for v in owners.of(x)}

    def holds(found: Mapping[int, Any]) -> bool:
        true = [x for v in variables for x in owners.pins[v].get(found[v], (0,))]
        return 0 not in true and extends(group, true)

    checks.check_together(variables, holds, f"{len(group)} inequalities")


def _check_row(checks: Checks, row: Row, known: Sequence[Condition]) -> None:
    pairs, degree = positive(row)
    weights = _weigh(checks, pairs)
    if sum(min(of.values()) for of in weights.values()) >= degree:
        return
    clauses = as_clauses(pairs, degree)
    if clauses is not None:
        for clause in clauses:
            checks.check_clause(clause)
        return
    if any(_implies(checks, condition, weights, degree) for condition in known):
        return

    def holds(found: Mapping[int, Any]) -> bool:
        total = sum(of.get(found[v], 0) for v, of in weights.items())
        return total >= degree and None not in found.values()

    checks.check_together(weights, holds, "an inequality")


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


def _weigh(checks: Checks, pairs: Iterable[tuple[int, int]]) -> Weights:
    """What each value of each variable adds."""
    weights: dict[int, dict[int, int]] = {}
    for literal, weight in pairs:
        variable = min(checks.owners.of(literal))  # several that share it agree on it
        domain = checks.meaning.domain(variable)
        of = weights.setdefault(variable, dict.fromkeys(domain, 0))
        for value in checks.owners.values(variable, literal):
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


def _implies(checks: Checks, condition: Condition, weights: Weights, degree: int) -> bool:
    """Whether a constraint of the problem is, or implies, a comparison that implies the sum."""
    constraint = condition.constraint
    if isinstance(constraint, Linear):
        return _is_implied(checks, [constraint], weights, degree)
    if not isinstance(constraint, Implies | Iff):
        return False
    parts = _parts(constraint)
    if not any(isinstance(then, Linear) for _, _, then in parts):
        return False
    scope = {v for when, _, _ in parts for v in when.scope}
    beside = sorted(scope & weights.keys())
    if scope - weights.keys() or prod(len(weights[v]) for v in beside) > MOST_CASES:
        return False
    return all(
        _is_implied_where(checks, parts, dict(zip(beside, case, strict=True)), weights, degree)
        for case in product(*[weights[v] for v in beside])
    )


def _parts(constraint: Implies | Iff) -> list[tuple[Constraint, bool, Constraint]]:
    """Conditions, the truth values with which they imply something, and what they imply."""
    if isinstance(constraint, Implies):
        return [(constraint.condition, True, constraint.consequence)]
    one, other = constraint.one, constraint.other
    if not isinstance(other, Linear) or len(one.scope) > len(other.scope):
        one, other = other, one
    found: list[tuple[Constraint, bool, Constraint]] = [(one, True, other)]
    if isinstance(other, Linear):
        found.append((one, False, _opposite(other)))
    return found


def _opposite(linear: Linear) -> Linear:
    opposites = {"<=": ">", ">=": "<", "<": ">=", ">": "<=", "==": "!=", "!=": "=="}
    return Linear(linear.terms, linear.coefficients, opposites[linear.relation], linear.constant)


def _is_implied_where(
    checks: Checks,
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
    return _is_implied(checks, holding, left, rest, case)


def _is_implied(
    checks: Checks,
    known: Iterable[Linear],
    weights: Weights,
    degree: int,
    case: Mapping[int, int] = {},
) -> bool:
    """Whether one of some comparisons implies that a sum reaches a degree."""
    return any(
        _is_reached(checks, one, weights, degree, case)
        for linear in known
        for one in comparisons(linear)
    )


def _is_reached(
    checks: Checks, one: AtLeast, weights: Weights, degree: int, case: Mapping[int, int]
) -> bool:
    """The sum exceeds that of the comparison by enough, variable by variable."""
    least = one.bound
    for v in {*weights, *one.weights}:
        factor = one.weights.get(v, 0)
        values = [case[v]] if v in case else checks.meaning.domain(v)
        of = weights.get(v, {})
        if not values:
            return True
        least += min(of.get(value, 0) - factor * value for value in values)
    return least >= degree


def comparisons(linear: Linear) -> Iterator[AtLeast]:
    """A comparison of a sum as one or two in the common form; none for ``!=``."""
    weights: dict[int, int] = {}
    bound = linear.constant
    for term, factor in zip(linear.terms, linear.coefficients, strict=True):
        variable, of_variable, offset = affine(term)
        bound -= factor * offset
        if variable is not None:
            weights[variable] = weights.get(variable, 0) + factor * of_variable
    if linear.relation in (">=", ">", "=="):
        yield AtLeast(weights, bound + (linear.relation == ">"))
    if linear.relation in ("<=", "<", "=="):
        opposite = {v: -weight for v, weight in weights.items()}
        yield AtLeast(opposite, -bound + (linear.relation == "<"))
