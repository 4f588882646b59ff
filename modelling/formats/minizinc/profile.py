"""What MiniZinc says by itself: nearly all of the vocabulary, functions nested as they are.

Some predicates of its library cannot be negated or reified there, or mean something else then;
these are native where they must hold only.
"""

from __future__ import annotations

from modelling.formats.flatzinc.profile import (
    has_a_small_matrix,
    has_constant_capacities,
    has_distinct_values,
)
from modelling.rewriting import Native, Profile
from modelling.rewriting.profile import Mode, Variables
from modelling.terms import bounds
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.equality.not_equal import NotEqual
from modelling.vocabulary.formulas.clauses import Clauses
from modelling.vocabulary.formulas.connectives import And, Iff, Implies, Not, Or, Xor
from modelling.vocabulary.formulas.linear import Linear, Sum
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import IfThenElse, Truth
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


def takes_time(made: Cumulative, variables: Variables) -> bool:
    """Gecode 6.2 refuses demands beyond the capacity even of tasks that take no time."""
    least = [bounds(duration, variables.domains)[0] for duration in made.durations]
    demands = (bounds(demand, variables.domains)[0] for demand in made.demands)
    return min(least, default=0) > 0 and min(demands, default=0) >= 0


def has_no_negative_length(made: NoOverlap, variables: Variables) -> bool:
    lengths = made.lengths
    return bool(lengths) and all(bounds(one, variables.domains)[0] >= 0 for one in lengths)


def has_no_negative_side(made: NoOverlap2D, variables: Variables) -> bool:
    sides = (*made.widths, *made.heights)
    return bool(sides) and all(bounds(side, variables.domains)[0] >= 0 for side in sides)


def has_nodes(made: Circuit | SubCircuit, variables: Variables) -> bool:
    return len(made.next) > 1


_WHOLE: frozenset[Mode] = frozenset({"root", "full"})
_ROOT: frozenset[Mode] = frozenset({"root"})

PROFILE = Profile(
    (
        *(
            Native(kind, _WHOLE, "nested")
            for kind in (
                Linear,
                NotEqual,
                Table,
                And,
                Or,
                Not,
                Implies,
                Iff,
                Xor,
                AllDifferent,
                AllEqual,
                Increasing,
                Lex,
                Sum,
                Product,
                Quotient,
                Remainder,
                Distance,
                Minimum,
                Maximum,
                Element,
                Element2D,
                Count,
                NValue,
                Truth,
                IfThenElse,
            )
        ),
        Native(Clauses, _WHOLE, "affine"),
        Native(Inverse, _ROOT, "nested"),
        Native(GlobalCardinality, _ROOT, "nested", when=has_distinct_values),
        Native(Precedence, _ROOT, "nested", when=has_distinct_values),
        Native(BinPacking, _ROOT, "nested", when=has_constant_capacities),
        Native(Regular, _ROOT, "nested", when=has_a_small_matrix),
        Native(Cumulative, _ROOT, "nested", when=takes_time),
        Native(NoOverlap, _ROOT, "nested", when=has_no_negative_length),
        Native(NoOverlap2D, _ROOT, "nested", when=has_no_negative_side),
        Native(Circuit, _ROOT, "nested", when=has_nodes),
        Native(SubCircuit, _ROOT, "nested", when=has_nodes),
    ),
    objective="term",
    output=True,
)
