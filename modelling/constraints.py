"""All constraints and functions under one roof, for those who write backends and families.

``concord.core`` is this module. An ``int`` among a constructor's terms is the position of a
variable here; people write models with ``concord.Model`` instead, where it is a number.

The definitions are in ``modelling.constraint`` (what a constraint is) and ``modelling.vocabulary``
(each of them, one file each, in rooms by kind). Names follow XCSP3 and MiniZinc. A scope may be
written with variable names instead of positions; ``build_problem`` resolves them. An empty scope is
legal and has the obvious meaning (``AllDifferent(())`` is true).

A test asks that every class of the vocabulary is here.
"""

from __future__ import annotations

from modelling.constraint import Constraint, Predicate
from modelling.terms import ANY, Affine, Function, Term, constant, constants
from modelling.vocabulary import VOCABULARY
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.comparisons import RELATIONS
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.clauses import Clauses
from modelling.vocabulary.formulas.connectives import FALSE, TRUE, And, Iff, Implies, Not, Or, Xor
from modelling.vocabulary.formulas.linear import Linear, Sum, equal, equals
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import IfThenElse, Truth
from modelling.vocabulary.functions.define import Define
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.graphs.subcircuit import SubCircuit
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.ordering.precedence import Precedence
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D

__all__ = [
    "ANY",
    "FALSE",
    "MDD",
    "RELATIONS",
    "TRUE",
    "VOCABULARY",
    "Affine",
    "AllDifferent",
    "AllEqual",
    "And",
    "BinPacking",
    "Circuit",
    "Clauses",
    "Constraint",
    "Count",
    "Cumulative",
    "Define",
    "Distance",
    "Element",
    "Element2D",
    "Function",
    "GlobalCardinality",
    "IfThenElse",
    "Iff",
    "Implies",
    "Increasing",
    "Inverse",
    "Lex",
    "Linear",
    "Maximum",
    "Minimum",
    "NValue",
    "NoOverlap",
    "NoOverlap2D",
    "Not",
    "NotEqual",
    "Or",
    "Precedence",
    "Predicate",
    "Product",
    "Quotient",
    "Regular",
    "Remainder",
    "SubCircuit",
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
