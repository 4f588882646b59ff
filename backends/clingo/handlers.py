"""What clingo is given natively: comparisons of sums, tables, clauses and formulas.

Each is made of literals that are defined by rules, whether or not it holds. So any of them may be
reified, and each solution has one stable model.
"""

from __future__ import annotations

from backends.clingo.program import Program
from backends.clingo.sums import linear
from backends.interface.handlers import Handlers
from backends.interface.libraries.formulas import FORMULAS, Builders, handler
from backends.interface.libraries.literals import CLAUSES
from modelling.constraints import AllDifferent, Linear


def all_different(program: Program, constraint: AllDifferent) -> list[int]:
    """Each value at most once, and at least once where there are as many values as terms."""
    having = program.takers(constraint.terms, constraint.except_)
    several = (literals for literals in having.values() if len(literals) > 1)
    made = [x for literals in several for x in program.below([(y, 1) for y in literals], 2)]
    if len(having) == len(constraint.terms) and not constraint.except_:
        made += program.clauses(having.values())
    return made


_ATOMS: Builders = {AllDifferent: all_different, Linear: linear, **CLAUSES}
BUILDERS: Builders = {**_ATOMS, **FORMULAS}
"""What a formula may contain."""

HANDLERS: Handlers = {
    **{kind: handler(builder) for kind, builder in _ATOMS.items()},
    **{kind: handler(it, arguments="nested", repeats=True) for kind, it in FORMULAS.items()},
}
