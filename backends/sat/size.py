"""How large an encoding would become, without writing it: an upper bound of its clauses."""

from __future__ import annotations

from collections import Counter

from backends.sat.at_most_one import most_clauses
from backends.sat.diagram import Term, most_edges
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.problem import Structure


def most_clauses_of(structure: Structure, amo: str) -> int:
    """At least as many clauses as ``encode`` writes with the at-most-one encoding ``amo``."""
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
        case Linear():
            pairs = zip(constraint.coefficients, domains, strict=True)
            terms = [Term(0, factor, domain) for factor, domain in pairs if factor and domain]
            return 1 + 3 * most_edges(terms)
        case Table():
            row = 1 + len(domains) if constraint.allowed else 1
            return 1 + len(constraint.tuples) * row + sum(map(len, domains))
        case _:
            raise AssertionError(f"{type(constraint).__name__} was not rewritten")
