"""All constraints and functions under one roof, for those who write backends and families.

``concord.core`` is this module. An ``int`` among a constructor's terms is the position of a
variable here; people write models with ``concord.Model`` instead, where it is a number.

The definitions are in ``modelling.constraint`` (what a constraint is) and ``modelling.vocabulary``
(each of them, one file each, in rooms by kind). Names follow XCSP3 and MiniZinc. A scope may be
written with variable names instead of positions; ``problem.state`` resolves them. An empty scope is
legal and has the obvious meaning (``AllDifferent(())`` is true).

Every class of the vocabulary is under this roof, though only some are imported by name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from modelling.constraint import Constraint, Predicate
from modelling.terms import ANY, Affine, Function, Term, constant, constants
from modelling.vocabulary import VOCABULARY
from modelling.vocabulary.comparisons import RELATIONS
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And, Iff, Implies, Not, Or, Xor
from modelling.vocabulary.formulas.linear import Linear, Sum, equal, equals
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import IfThenElse, Truth
from modelling.vocabulary.functions.define import Define
from modelling.vocabulary.functions.element import Element

__all__ = [
    "ANY",
    "FALSE",
    "RELATIONS",
    "TRUE",
    "VOCABULARY",
    "Affine",
    "AllDifferent",
    "And",
    "Constraint",
    "Count",
    "Define",
    "Element",
    "Function",
    "IfThenElse",
    "Iff",
    "Implies",
    "Linear",
    "Not",
    "NotEqual",
    "Or",
    "Predicate",
    "Sum",
    "Table",
    "Term",
    "Truth",
    "Xor",
    "constant",
    "constants",
    "equal",
    "equals",
]

globals().update({kind.__name__: kind for kind in VOCABULARY})
__all__ += sorted({kind.__name__ for kind in VOCABULARY} - set(__all__))

if TYPE_CHECKING:  # what is not imported by name is there all the same

    def __getattr__(name: str) -> Any: ...
