"""What MiniZinc has itself: nearly all of the vocabulary, with functions nested as they are.

Some predicates of its library cannot be negated or reified, or mean something else then. These are
native only where they must hold.
"""

from __future__ import annotations

from modelling import constraints as core
from modelling.formats.flatzinc.profile import (
    has_a_small_matrix,
    has_constant_capacities,
    has_distinct_values,
)
from modelling.rewriting import Native, Profile
from modelling.rewriting.profile import Mode, Variables
from modelling.terms import bounds
from modelling.vocabulary.formulas.connectives import CONNECTIVES


def takes_time(made: core.Cumulative, variables: Variables) -> bool:
    """Gecode 6.2 refuses demands beyond the capacity even of tasks that take no time."""
    least = [bounds(duration, variables.domains)[0] for duration in made.durations]
    demands = (bounds(demand, variables.domains)[0] for demand in made.demands)
    return min(least, default=0) > 0 and min(demands, default=0) >= 0


def has_no_negative_length(made: core.NoOverlap, variables: Variables) -> bool:
    lengths = made.lengths
    return bool(lengths) and all(bounds(one, variables.domains)[0] >= 0 for one in lengths)


def has_no_negative_side(made: core.NoOverlap2D, variables: Variables) -> bool:
    sides = (*made.widths, *made.heights)
    return bool(sides) and all(bounds(side, variables.domains)[0] >= 0 for side in sides)


def has_nodes(made: core.Circuit | core.SubCircuit, variables: Variables) -> bool:
    return len(made.next) > 1


_WHOLE: frozenset[Mode] = frozenset({"root", "full"})
_ROOT: frozenset[Mode] = frozenset({"root"})

PROFILE = Profile(
    (
        *(
            Native(kind, _WHOLE, "nested")
            for kind in (
                *(core.Linear, core.NotEqual, core.Table),
                *CONNECTIVES,
                *(core.AllDifferent, core.AllEqual, core.Increasing, core.Lex),
                *(core.Sum, core.Product, core.Quotient, core.Remainder, core.Distance),
                *(core.Minimum, core.Maximum, core.Element, core.Element2D),
                *(core.Count, core.NValue, core.Truth, core.IfThenElse),
            )
        ),
        Native(core.Clauses, _WHOLE, "affine"),
        Native(core.Inverse, _ROOT, "nested"),
        Native(core.GlobalCardinality, _ROOT, "nested", when=has_distinct_values),
        Native(core.Precedence, _ROOT, "nested", when=has_distinct_values),
        Native(core.BinPacking, _ROOT, "nested", when=has_constant_capacities),
        Native(core.Regular, _ROOT, "nested", when=has_a_small_matrix),
        Native(core.Cumulative, _ROOT, "nested", when=takes_time),
        Native(core.NoOverlap, _ROOT, "nested", when=has_no_negative_length),
        Native(core.NoOverlap2D, _ROOT, "nested", when=has_no_negative_side),
        Native(core.Circuit, _ROOT, "nested", when=has_nodes),
        Native(core.SubCircuit, _ROOT, "nested", when=has_nodes),
    ),
    objective="term",
    output=True,
)
