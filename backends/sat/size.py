"""How large a formula becomes, without writing it; and which are refused.

First by a bound that looks at the structure alone and says at once that most are small enough. Else
the formula is written to a ``Tally``, which takes time but no memory. Only one that is found to be
near the limit is written to know it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from math import prod
from typing import Any

from backends.interface.handlers import post
from backends.sat.at_most_one import most_clauses
from backends.sat.cnf import MOST_CLAUSES, Cnf, Tally, TooLarge
from backends.sat.constraints.handlers import HANDLERS
from backends.sat.draft import SatDraft
from backends.sat.integers.choice import MOST_DIRECT, items_within
from backends.sat.sums.diagram import Term, most_edges
from backends.sat.sums.writing import MOST_EDGES, MOST_MERGED
from modelling.constraint import Constraint
from modelling.constraints import AllDifferent, Define, Element, Function, Linear, NotEqual, Table
from modelling.problem import Structure
from modelling.terms import Fielded, bounds, variables_of
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.formulas.clauses import Clauses
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.scheduling.cumulative import Cumulative

REMEDY = "smaller domains, integers=log, or amo=product make it smaller"

MOST_REWRITTEN = 2_000_000
"""A constraint that is not native is rewritten to at most this many numbers, some 300 MB."""

BEYOND = MOST_CLAUSES * 5 // 4
"""Pairs excluded twice are written once, and counted twice: up to here it may still fit."""


def refusal(
    structure: Structure,
    begin: Callable[[Structure, Cnf | None], SatDraft],
    amo: str,
    encode: Callable[[], Any],
) -> str:
    """Why a structure is refused; empty: it is not. ``encode`` makes and keeps its encoding."""
    largest = max(map(len, structure.domains), default=0)
    if largest <= MOST_DIRECT and most_clauses_of(structure, amo) <= MOST_CLAUSES:
        return ""
    tally = Tally(BEYOND)
    try:
        post(HANDLERS, begin(structure, tally), structure, "sat")
        if tally.written > MOST_CLAUSES:
            encode()
    except TooLarge:
        return f"its SAT encoding has more than {MOST_CLAUSES:,} clauses; {REMEDY}"
    return ""


@lru_cache(64)
def rewritten_too_long(structure: Structure) -> str:
    """Why a structure is not even rewritten: what is not native would take too much room first."""
    for constraint in structure.constraints:
        kinds = (part for part in items_within(constraint) if type(part) not in (*HANDLERS, Define))
        for part in kinds:
            size = part.expanded_size() if isinstance(part, Fielded) else 0
            if size > MOST_REWRITTEN:
                return (
                    f"{type(part).__name__} would be rewritten to about {size:,} numbers, more "
                    f"than {MOST_REWRITTEN:,}; a smaller one, or a backend that takes it natively "
                    "(concord constraints), does without"
                )
    return ""


def most_clauses_of(structure: Structure, amo: str) -> int:
    """At least as many clauses as a structure of domains up to ``MOST_DIRECT`` values takes."""
    values = sum(1 + most_clauses(amo, len(domain)) for domain in structure.domains)
    return 1 + values + sum(_of(c, structure, amo) for c in structure.constraints)


def _of(constraint: Constraint, structure: Structure, amo: str) -> int:
    domains = [structure.domains[v] for v in constraint.scope]
    match constraint:
        case AllDifferent():
            takers = Counter(value for domain in domains for value in domain)
            return 1 + sum(1 + most_clauses(amo, n) for n in takers.values())
        case NotEqual():
            return min(map(len, domains))
        case Linear() if constraint.is_plain:
            pairs = zip(constraint.coefficients, domains, strict=True)
            terms = [Term(0, factor, domain) for factor, domain in pairs if factor and domain]
            edges = most_edges(terms)
            if edges <= MOST_EDGES:
                return 1 + 3 * edges
            return 3 * MOST_EDGES + _as_number(domains)
        case Table():
            row = 1 + len(domains) if constraint.allowed else 1
            return 1 + len(constraint.tuples) * row + sum(map(len, domains))
        case Clauses():
            return 0  # a block has a bound of its own
        case Circuit():
            number = len(constraint.next)
            places = number * number * (4 + 2 * number.bit_length())
            return 64 + places + number * most_clauses(amo, number) + 8 * sum(map(len, domains))
        case Inverse():
            return 8 + 8 * sum(map(len, domains)) + 8 * len(constraint.f) * (1 + len(constraint.g))
        case Cumulative():
            tasks, times = len(constraint.starts), sum(map(len, domains))
            return 2 + times * (3 * tasks + _as_number([(0, 1)] * tasks)) + 8 * times
        case Regular():
            arcs = len(constraint.terms) * (1 + 6 * len(constraint.transitions))
            return 1 + arcs + 8 * sum(map(len, domains))
        case Define(function=Function() as function):
            return _of_function(constraint, function, structure)
        case _:
            return _of_formula(constraint, structure)


def _as_number(domains: Sequence[Sequence[int]]) -> int:
    """A sum by its steps or by its digits, and whether it is so related to a constant."""
    values = sum(map(len, domains))
    return MOST_MERGED + 2 * values * 64 + 14 * 64 * (len(domains) + 2)


def _of_formula(item: Any, structure: Structure) -> int:
    """A gate for each part, and what comparisons take."""
    if isinstance(item, Linear):
        own = [_domain(term, structure) for term in item.terms]
        few = len(own) <= 2
        found = 8 * (2 + sum(map(len, own))) if few else _as_number(own)
    elif isinstance(item, NotEqual):
        found = 8 * (2 + sum(len(structure.domains[v]) for v in item.scope))
    elif isinstance(item, Table):
        found = 2 + len(item.tuples) * (2 + len(item.terms))
    else:
        found = 4
    parts = item.parts() if isinstance(item, Fielded) else ()
    return found + sum(4 + _of_formula(part, structure) for part in parts)


def _domain(term: Any, structure: Structure) -> Sequence[int]:
    if isinstance(term, Function):
        low, high = bounds(term, structure.domains)
        return range(low, high + 1)
    found = list(variables_of(term))
    return structure.domains[found[0]] if found else (0,)


def _of_function(constraint: Define, function: Function, structure: Structure) -> int:
    domains = [structure.domains[v] for v in constraint.scope]
    values = sum(map(len, domains))
    if isinstance(function, (Minimum, Maximum)):
        return 5 * values + (2 + len(function.terms)) * values
    if isinstance(function, Element):
        result = len(_domain(constraint.result, structure))
        every = (2 * (result + len(_domain(term, structure))) for term in function.terms)
        return 2 + 8 * values + sum(every)
    if function.parts():
        return _of_formula(function, structure) + _as_number(domains)
    return 1 + prod(len(structure.domains[v]) for v in function.scope)
