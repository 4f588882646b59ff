"""What z3 is given natively: comparisons of sums, tables, clauses, formulas and functions.

Each is a formula of z3. A formula may be at the root, under a condition or within another formula.
"""

from __future__ import annotations

from collections.abc import Sequence

from backends.interface.handlers import Handlers
from backends.interface.libraries.formulas import FORMULAS, Builders, handler
from backends.interface.libraries.literals import CLAUSES
from backends.z3.draft import Formula, Z3Draft
from backends.z3.functions import FUNCTIONS
from backends.z3.sums import linear
from modelling.constraints import AllDifferent, Linear


def all_different(draft: Z3Draft, constraint: AllDifferent) -> Formula:
    """Each value at most once, and once where there are as many values as terms."""
    having = draft.takers(constraint.terms, constraint.except_)
    if len(having) == len(constraint.terms) and not constraint.except_:
        return draft.all_of(_once(draft, literals, "==") for literals in having.values())
    several = (literals for literals in having.values() if len(literals) > 1)
    return draft.all_of(_once(draft, literals, "<=") for literals in several)


def _once(draft: Z3Draft, literals: Sequence[Formula], relation: str) -> Formula:
    return draft.compare([(literal, 1) for literal in literals], relation, 1)


_ATOMS: Builders = {AllDifferent: all_different, Linear: linear, **CLAUSES}
BUILDERS: Builders = {
    **_ATOMS,
    **FORMULAS,
    **{kind: builder for kind, (builder, _) in FUNCTIONS.items()},
}
"""What a formula may contain."""

HANDLERS: Handlers = {
    **{kind: handler(builder) for kind, builder in _ATOMS.items()},
    **{kind: handler(it, arguments="nested", repeats=True) for kind, it in FORMULAS.items()},
    **{kind: handler(*entry) for kind, entry in FUNCTIONS.items()},
}
