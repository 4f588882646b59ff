"""Handlers of the constraints about how often values occur, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from backends.interface.handlers import Handler, Handlers
from backends.propagation.encode.arena import is_interval
from backends.propagation.encode.draft import Draft, Posted, Shifted, post_linear
from backends.propagation.kernel.layout import BOUNDS, DOMAIN, FIXED, LOWER_BOUND, UPPER_BOUND
from backends.propagation.propagators.counting import (
    cardinality,
    count,
    different_bounds,
    different_domain,
    different_tight,
    different_values,
    distinct,
    inverse,
    lex,
    precedence,
)
from modelling.constraints import (
    AllDifferent,
    Count,
    Define,
    GlobalCardinality,
    Inverse,
    Lex,
    NValue,
    Precedence,
)
from modelling.rewriting.profile import Variables
from modelling.terms import affine, bounds, is_constant

CONSISTENCIES = ("values", "bounds", "domain")
"""Of AllDifferent: the values of fixed variables are removed, bounds have a solution (Hall
intervals), every value has one (matchings)."""


def post_all_different(draft: Draft, constraint: AllDifferent) -> None:
    """A group of rivals, or pairs where a variable occurs twice, and what ``stronger`` chooses."""
    terms = [draft.shifted(term) for term in constraint.terms]
    if {term.factor for term in terms} != {1}:
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
    choose = pay if draft.all_different == "auto" else reach
    for level in choose(draft, terms):
        draft.post(LEVELS[level](draft, terms))


def reach(draft: Draft, terms: Sequence[Shifted]) -> Sequence[str]:
    """Which further propagators reach the consistency that was asked for: names of LEVELS.

    Matchings are of values that both terms and variables have, so there bounds are the most for
    shifted terms and intervals.
    """
    if draft.all_different == "values":
        return ()
    is_plain = all(
        not term.constant and not is_interval(draft.domains[term.variable]) for term in terms
    )
    return ("domain",) if draft.all_different == "domain" and is_plain else ("bounds",)


def pay(draft: Draft, terms: Sequence[Shifted]) -> Sequence[str]:
    """Which further propagators pay: names of LEVELS.

    Measured on queens, magic squares, Golomb rulers, Langford pairs, all-interval series, Costas
    arrays, quasigroups with holes and killer Sudoku. Shifted terms (diagonals) are best left to
    their groups. Where the values are few, what is hidden pays, and with many variables matchings
    do too once every value must be taken (up to order 33, quasigroups are faster without). Where
    they are many, Hall intervals pay from some variables on (Golomb rulers), and do not with fewer
    (Costas arrays).
    """
    n = len(terms)
    if n < 3 or {term.constant for term in terms} != {0}:
        return ()
    if any(map(is_interval, distinct_domains(draft, terms))):
        return ("bounds",) if n >= FEWEST_FOR_BOUNDS else ()
    values = values_of(draft, terms, most=FEW_VALUES * n)
    if values == n and FEWEST_FOR_DOMAIN <= n <= MOST_FOR_DOMAIN:
        return "tight", "domain"
    if n < values and n >= FEWEST_FOR_BOUNDS:
        return ("bounds",)
    return ("tight",) if values <= FEW_VALUES * n else ()


FEW_VALUES = 3
FEWEST_FOR_BOUNDS = 16
FEWEST_FOR_DOMAIN, MOST_FOR_DOMAIN = 40, 500


def values_of(draft: Draft, terms: Sequence[Shifted], most: int) -> int:
    """How many values some variables have in all; if more than ``most``, any such number."""
    found: set[int] = set()
    for domain in distinct_domains(draft, terms):
        if len(found) > most:
            break
        found.update(domain)
    return len(found)


def distinct_domains(draft: Draft, terms: Sequence[Shifted]) -> Sequence[Sequence[int]]:
    """The domains of some variables, most of them once."""
    domains = [draft.domains[term.variable] for term in terms]
    return list({id(domain): domain for domain in domains}.values())


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


def post_count(draft: Draft, constraint: Define) -> None:
    """One propagator over the terms and the result."""
    function = constraint.function
    terms = [draft.view(term) for term in function.terms]
    values = sorted({affine(value).offset for value in function.values})
    draft.post(count_of(terms, values, draft.view(constraint.result)))


def counts_constants(constraint: Define, variables: object) -> bool:
    """Whether the values to be counted are constants, as mostly."""
    return all(is_constant(value) for value in constraint.function.values)


def count_of(terms: Sequence[int], values: Sequence[int], result: int) -> Posted:
    """The propagator that counts ``values``, which ascend."""
    n = len(terms)
    return Posted(
        count.count_values,
        (*terms, result),
        (*[DOMAIN] * n, BOUNDS),
        [len(values), *values],
        states=[[0, 0]],
        scratch=range(n),
        idempotent=len({*terms, result}) == n + 1,
    )


def post_distinct(draft: Draft, constraint: Define) -> None:
    """One propagator over the terms and the result."""
    scope = tuple(map(draft.view, (*constraint.function.terms, constraint.result)))
    ends = ends_of(draft, [Shifted(variable, 1, 0) for variable in scope[:-1]])
    draft.post(
        Posted(
            distinct.count_distinct,
            scope,
            (*[DOMAIN] * (len(scope) - 1), BOUNDS),
            ends,
            scratch=[0] * (3 * len(different_tight.scratch_of(*ends))),
            priority=2,
        )
    )


def has_near_values(constraint: Define, variables: Variables) -> bool:
    """Whether no term is an interval, and no value is excepted."""
    ends = [bounds(term, variables.domains) for term in constraint.function.terms]
    near = ends and max(high for _, high in ends) - min(low for low, _ in ends) < MOST_APART
    return bool(near) and not constraint.function.except_


MOST_APART = 1000


def post_cardinality(draft: Draft, constraint: GlobalCardinality) -> None:
    """One propagator for all values, or one for each where they are wide apart; the sum of the
    counts, and that of the variables, which is theirs with each value as factor."""
    terms = [draft.view(term) for term in constraint.terms]
    counts = [draft.view(term) for term in constraint.counts]
    pairs = sorted(zip(constraint.values, counts, strict=True))
    if len(pairs) > 1 and pairs[-1][0] - pairs[0][0] < WIDEST_VALUES:
        draft.post(cardinality_of(terms, pairs))
    else:
        for value, result in pairs:
            draft.post(count_of(terms, [value], result))
    if constraint.closed and terms:
        draft.post(count_of(terms, sorted(constraint.values), draft.constant(len(terms))))
    relation = "==" if constraint.closed else "<="
    post_linear(draft, relation, [(result, 1) for result in counts], len(terms))
    is_open = any(len(draft.domains[result]) > 1 for result in counts)
    if is_open and (constraint.closed or is_covered(draft, terms, constraint.values)):
        weighted = [(result, -value) for value, result in pairs]
        post_linear(draft, "==", [*[(term, 1) for term in terms], *weighted], 0)


def is_covered(draft: Draft, terms: Sequence[int], values: Sequence[int]) -> bool:
    """Whether some variables have no other values."""
    among = frozenset(values)
    return all(
        len(domain) <= len(among) and among.issuperset(domain)
        for domain in {id(d): d for d in (draft.domains[term] for term in terms)}.values()
    )


WIDEST_VALUES = 10_000


def cardinality_of(terms: Sequence[int], pairs: Sequence[tuple[int, int]]) -> Posted:
    """The propagator of values, which ascend, and their counts."""
    values, counts = zip(*pairs, strict=True)
    numbers = {value: k for k, value in enumerate(values)}
    span = range(values[0], values[-1] + 1)
    scope = (*terms, *counts)
    return Posted(
        cardinality.cardinality,
        scope,
        (*[DOMAIN] * len(terms), *[BOUNDS] * len(counts)),
        [len(values), *values, span[0], len(span), *[numbers.get(value, -1) for value in span]],
        scratch=[0] * (2 * len(values)),
        priority=1,
        idempotent=len(set(scope)) == len(scope),
    )


def has_distinct_values(constraint: GlobalCardinality | Precedence, variables: object) -> bool:
    """Whether no value is listed twice."""
    return len(set(constraint.values)) == len(constraint.values)


def post_inverse(draft: Draft, constraint: Inverse) -> None:
    """A propagator for each variable of either list."""
    lists = [[draft.view(term) for term in terms] for terms in (constraint.f, constraint.g)]
    n = len(lists[0])
    for own, others in (lists, lists[::-1]) if lists[0] != lists[1] else (lists,):
        for i, variable in enumerate(own):
            keep_between(draft, variable, 0, n - 1)
            draft.post(
                Posted(
                    inverse.channel,
                    (variable, *others),
                    (DOMAIN, *[0] * n),
                    [i],
                    idempotent=variable not in others,
                )
            )


def keep_between(draft: Draft, variable: int, least: int, greatest: int) -> None:
    """Bound a variable, unless its domain does."""
    domain = draft.domains[variable]
    if domain[0] < least:
        post_linear(draft, ">=", [(variable, 1)], least)
    if domain[-1] > greatest:
        post_linear(draft, "<=", [(variable, 1)], greatest)


def is_not_long(constraint: Inverse, variables: object) -> bool:
    """Whether the lists are of one length for which the square is not too much."""
    return len(constraint.f) == len(constraint.g) <= MOST_INVERSE


MOST_INVERSE = 1000


def post_lex(draft: Draft, constraint: Lex) -> None:
    """A propagator for each two rows."""
    for one, other in pairwise(constraint.rows):
        common = min(len(one), len(other))
        equal_allowed = len(one) < len(other) or (len(one) == len(other) and not constraint.strict)
        left = [draft.view(term) for term in one[:common]]
        right = [draft.view(term) for term in other[:common]]
        if not common:
            draft.possible = draft.possible and equal_allowed
            continue
        draft.post(
            Posted(
                lex.ordered,
                (*left, *right),
                (*[LOWER_BOUND] * common, *[UPPER_BOUND] * common),
                [int(equal_allowed)],
                states=[[0]],
                idempotent=len({*left, *right}) == 2 * common,
            )
        )


def post_precedence(draft: Draft, constraint: Precedence) -> None:
    """One propagator."""
    terms = [draft.view(term) for term in constraint.terms]
    n, m = len(terms), len(constraint.values)
    draft.post(
        Posted(
            precedence.first_in_order,
            tuple(terms),
            (DOMAIN,) * n,
            [m, *constraint.values],
            scratch=[0] * ((n + 1) * (m + 1)),
            priority=2,
            idempotent=len(set(terms)) == n,
        )
    )


HANDLERS: Handlers = {
    AllDifferent: Handler(post_all_different, arguments="affine"),
    Count: Handler(post_count, arguments="affine", when=counts_constants),
    GlobalCardinality: Handler(post_cardinality, arguments="affine", when=has_distinct_values),
    NValue: Handler(post_distinct, arguments="affine", when=has_near_values),
    Inverse: Handler(post_inverse, arguments="affine", when=is_not_long),
    Lex: Handler(post_lex, arguments="affine"),
    Precedence: Handler(post_precedence, arguments="affine", when=has_distinct_values),
}
