"""Short sums of variables that differ: *cages* of killer Sudoku and runs of kakuro.

A sum alone only bounds its terms, and AllDifferent has no sum. Together they leave few values: two
cells that add up to 4 are 1 and 3. So where few sets of values have the sum, they are listed. Where
such sums cover most variables that take as many values as they are, matchings pay sooner than
elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import comb

from backends.propagation.encode.counting import (
    FEWEST_FOR_DOMAIN,
    differ_by_domains,
    scope_of,
    values_of,
)
from backends.propagation.encode.draft import Draft, Posted, Shifted
from backends.propagation.kernel.layout import DOMAIN
from backends.propagation.propagators.counting.aligned import KEPT_WORDS, MOST_BITS
from backends.propagation.propagators.counting.different_sum import one_of_sets
from backends.propagation.propagators.linear import equal

MOST_SETS = 40
MOST_TRIED = 300
FEWEST_AMONG_SUMS = 6


def list_sums(draft: Draft) -> None:
    """Replace the equations over variables of one group that few sets of values fulfil."""
    groups: list[set[tuple[int, int]]] = []
    covered: set[int] = set()
    for number, one in enumerate(draft.propagators):
        if not isinstance(one, Posted) or one.propagate is not equal:
            continue
        groups = groups or groups_of(draft)
        if not set.intersection(*[groups[variable] for variable in one.scope]):
            continue
        sets = sets_of(draft, one)
        if sets is not None:
            draft.propagators[number] = sum_by_sets(draft, one.scope, sets)
            covered.update(one.scope)
    for group in draft.groups if covered else ():
        terms = [Shifted(variable, 1, shift) for variable, shift in group]
        most = 2 * len(covered.intersection(scope_of(terms))) >= len(terms)
        if most and is_square(draft, terms):
            draft.post(differ_by_domains(draft, terms))


def is_square(draft: Draft, terms: Sequence[Shifted]) -> bool:
    """Whether variables have as many values as they are, and no matchings because they are few."""
    n = len(terms)
    is_few = FEWEST_AMONG_SUMS <= n < FEWEST_FOR_DOMAIN and not any(t.constant for t in terms)
    return is_few and values_of(draft, terms, most=n) == n


def groups_of(draft: Draft) -> list[set[tuple[int, int]]]:
    """For each variable the groups in which it is, and what is added to it there."""
    found: list[set[tuple[int, int]]] = [set() for _ in draft.domains]
    for number, group in enumerate(draft.groups):
        for variable, shift in group:
            found[variable].add((number, shift))
    return found


def sets_of(draft: Draft, equation: Posted) -> Sequence[Sequence[int]] | None:
    """The sets of values that fulfil an equation of equal factors; None if they are many."""
    _, *factors, constant = equation.constants
    n, factor = len(factors), factors[0]
    if n < 2 or len(set(factors)) > 1:
        return None
    domains = {draft.domains[variable] for variable in equation.scope}
    if sum(map(len, domains)) > MOST_BITS:
        return None
    values = tuple(sorted(set().union(*domains)))
    if values[-1] - values[0] >= MOST_BITS or comb(len(values), n) > MOST_TRIED:
        return None
    sets: Sequence[Sequence[int]] = draft.once(
        ("sets", values, n, constant, factor),
        lambda: [c for c in combinations(values, n) if factor * sum(c) == constant],
    )
    return sets if len(sets) <= MOST_SETS else None


def sum_by_sets(draft: Draft, scope: tuple[int, ...], sets: Sequence[Sequence[int]]) -> Posted:
    """The propagator of the sets."""
    least = min(draft.domains[variable][0] for variable in scope)
    bits = [sum(1 << (value - least) for value in one) for one in sets]
    return Posted(
        one_of_sets,
        scope,
        (DOMAIN,) * len(scope),
        [least, len(bits), *bits],
        scratch=[0] * (2 * len(scope) + KEPT_WORDS),
        priority=1,
        idempotent=True,
    )
