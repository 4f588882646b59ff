"""AllDifferent: each value at most once; where there are as many values as variables, once.

If a domain has no value literals, and together they have more than ``MOST_VALUES`` values, clauses
make each pair differ.
"""

from __future__ import annotations

from backends.sat.draft import SatDraft
from backends.sat.integers.direct import Direct
from backends.sat.sums.comparison import compare
from modelling.constraints import AllDifferent, NotEqual

MOST_VALUES = 20_000
"""Most value literals, all variables together, that are made for the sake of a constraint."""


def all_different(draft: SatDraft, constraint: AllDifferent) -> None:
    """Let all differ."""
    integers = [draft.integer(variable) for variable in constraint.scope]
    direct = all(isinstance(integer, Direct) for integer in integers)
    if not direct and sum(len(integer.domain) for integer in integers) > MOST_VALUES:
        draft.cnf.expect(len(integers) * (len(integers) - 1) // 2)
        for k, one in enumerate(integers):
            for other in integers[:k]:
                draft.writer.post(compare(((1, one), (-1, other)), "!=", 0))
        return
    cnf = draft.cnf
    takers: dict[int, list[int]] = {}
    for integer in integers:
        for value, literal in integer.value_literals().items():
            takers.setdefault(value, []).append(literal)
    for literals_of_value in takers.values():
        draft.at_most_one(cnf, literals_of_value)
        if draft.extended and len(takers) == len(integers):
            cnf.add(literals_of_value)
    if draft.extended and len(takers) < len(integers):
        cnf.add([])


def not_equal(draft: SatDraft, constraint: NotEqual) -> None:
    """Let two differ."""
    one, other = (draft.integer(variable) for variable in constraint.scope)
    if isinstance(one, Direct) and isinstance(other, Direct):
        for value in one.literals.keys() & other.literals.keys():
            draft.cnf.exclude(one.literals[value], other.literals[value])
    else:
        draft.writer.post(compare(((1, one), (-1, other)), "!=", 0))
