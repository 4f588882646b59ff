"""Handlers of the constraints about how often values occur, and in which order."""

from __future__ import annotations

from collections.abc import Sequence

from backends.interface.handlers import Handler, Handlers
from backends.propagation.encode.arena import is_interval
from backends.propagation.encode.draft import Draft, Posted, Shifted
from backends.propagation.kernel.layout import BOUNDS, DOMAIN, FIXED
from backends.propagation.propagators.counting import (
    different_bounds,
    different_domain,
    different_tight,
    different_values,
)
from modelling.constraints import AllDifferent


def post_all_different(draft: Draft, constraint: AllDifferent) -> None:
    """A group of rivals, or pairs where a variable occurs twice, and what ``stronger`` chooses."""
    terms = [draft.shifted(term) for term in constraint.terms]
    if any(term.factor != 1 for term in terms):
        terms = [draft.shifted(draft.view(term)) for term in constraint.terms]
    if constraint.except_:
        draft.post(differ_by_values(terms, sorted(set(constraint.except_))))
        return
    if len({term.variable for term in terms}) == len(terms):
        draft.groups.append([(term.variable, term.constant) for term in terms])
    else:
        for i, (y, _, d) in enumerate(terms):
            for x, _, c in terms[:i]:
                draft.differ(x, y, c - d)  # y + d != x + c
    for level in stronger(draft, terms):
        draft.post(LEVELS[level](draft, terms))


def stronger(draft: Draft, terms: Sequence[Shifted]) -> Sequence[str]:
    """Which further propagators pay: names of LEVELS.

    Measured on queens, magic squares, Golomb rulers, Langford pairs, all-interval series, Costas
    arrays, quasigroups with holes and killer Sudoku. Shifted terms (diagonals) are best left to
    their groups. Where the values are few, what is hidden pays, and with many variables matchings
    do too once every value must be taken. Where they are many, Hall intervals pay from some
    variables on (Golomb rulers), and do not with fewer (Costas arrays).
    """
    n = len(terms)
    if n < 3 or any(term.constant for term in terms):
        return ()
    if any(is_interval(draft.domains[term.variable]) for term in terms):
        return ("bounds",) if n >= FEWEST_FOR_BOUNDS else ()
    values = values_of(draft, terms, most=FEW_VALUES * n)
    if values == n and FEWEST_FOR_DOMAIN <= n <= MOST_FOR_DOMAIN:
        return "tight", "domain"
    if n < values and n >= FEWEST_FOR_BOUNDS:
        return ("bounds",)
    return ("tight",) if values <= FEW_VALUES * n else ()


FEW_VALUES = 3
FEWEST_FOR_BOUNDS = 16
FEWEST_FOR_DOMAIN, MOST_FOR_DOMAIN = 25, 500


def values_of(draft: Draft, terms: Sequence[Shifted], most: int) -> int:
    """How many values some variables have in all; if more than ``most``, any such number."""
    domains = [draft.domains[term.variable] for term in terms]
    distinct = {domain if isinstance(domain, range) else id(domain): domain for domain in domains}
    found: set[int] = set()
    for domain in distinct.values():
        if len(found) > most:
            break
        found.update(domain)
    return len(found)


def ends_of(draft: Draft, terms: Sequence[Shifted]) -> tuple[int, int]:
    """The least and the greatest value of some variables."""
    domains = [draft.domains[term.variable] for term in terms]
    return min(domain[0] for domain in domains), max(domain[-1] for domain in domains)


def scope_of(terms: Sequence[Shifted]) -> tuple[int, ...]:
    """The variables of some terms, each as often as it occurs."""
    return tuple(term.variable for term in terms)


def differ_by_values(terms: Sequence[Shifted], excepted: Sequence[int]) -> Posted:
    """The propagator that removes fixed values."""
    n = len(terms)
    return Posted(
        different_values.remove_fixed,
        scope_of(terms),
        (FIXED,) * n,
        [*[term.constant for term in terms], len(excepted), *excepted],
        states=[[0]],
        scratch=range(n),
        priority=0,
        idempotent=True,
    )


def differ_tightly(draft: Draft, terms: Sequence[Shifted]) -> Posted:
    """The propagator of hidden values; the terms are variables."""
    ends = ends_of(draft, terms)
    return Posted(
        different_tight.take_every_value,
        scope_of(terms),
        (DOMAIN,) * len(terms),
        ends,
        scratch=different_tight.scratch_of(*ends),
    )


def differ_by_bounds(draft: Draft, terms: Sequence[Shifted]) -> Posted:
    """The propagator of Hall intervals."""
    scope = scope_of(terms)
    return Posted(
        different_bounds.all_different_bounds,
        scope,
        (BOUNDS,) * len(terms),
        [term.constant for term in terms],
        scratch=different_bounds.scratch_of(len(terms)),
        priority=2,
        idempotent=len(set(scope)) == len(scope),
    )


def differ_by_domains(draft: Draft, terms: Sequence[Shifted]) -> Posted:
    """The propagator of matchings; the terms are variables, none of which occurs twice."""
    least, greatest = ends_of(draft, terms)
    return Posted(
        different_domain.all_different_domain,
        scope_of(terms),
        (DOMAIN,) * len(terms),
        [least, greatest],
        states=[different_domain.state_of(len(terms))],
        scratch=different_domain.scratch_of(len(terms), least, greatest),
        priority=2,
        idempotent=True,
    )


LEVELS = {"tight": differ_tightly, "bounds": differ_by_bounds, "domain": differ_by_domains}

HANDLERS: Handlers = {
    AllDifferent: Handler(post_all_different, arguments="affine"),
}
