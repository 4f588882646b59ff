"""Clauses as sums, for programs that have no clauses of XCSP3.

``a or not b`` over 0/1 variables is ``a - b >= 0``: with as many negative literals as n, the
positive ones less the negative ones are at least 1 - n. Its bounds propagate as the clause does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from modelling.constraint import Constraint
from modelling.constraints import Linear, Or
from modelling.formats.xcsp3.writer.elements import is_clause
from modelling.problem import Structure
from modelling.vocabulary.formulas.clauses import Clauses

Literal = tuple[int, bool]
"""A 0/1 variable, and whether the literal is true where it is 1."""


def clauses_as_sums(structure: Structure) -> Iterator[Constraint]:
    """The constraints of ``structure``; those that would be written as clauses become sums."""
    for constraint in structure.constraints:
        if isinstance(constraint, Clauses):
            terms = constraint.terms
            for clause in constraint.literals:
                yield from _as_sum((terms[abs(n) - 1], n > 0) for n in clause)
        elif isinstance(constraint, Or) and is_clause(constraint, structure.domains):
            parts = constraint.formulas
            yield from _as_sum((part.terms[0], bool(part.constant)) for part in parts)
        else:
            yield constraint


def _as_sum(literals: Iterable[Literal]) -> Iterator[Linear]:
    """The sum; nothing for a clause that always holds."""
    distinct = dict.fromkeys(literals)
    if any((variable, not positive) in distinct for variable, positive in distinct):
        return
    signs = [1 if positive else -1 for _, positive in distinct]
    yield Linear(tuple(v for v, _ in distinct), tuple(signs), ">=", 1 - signs.count(-1))
