"""What FlatZinc says by itself: the classes of the vocabulary that have a constraint of its own.

Arguments are variables and constants there; a view of a variable (``2 * x + 1``) is given a
variable of its own in writing, so views are native too. Formulas are native as far as their parts
can be reified: comparisons, tables, and formulas of such.
"""

from __future__ import annotations

from collections.abc import Mapping

from modelling.rewriting import Native, Profile
from modelling.rewriting.profile import Mode, Variables
from modelling.terms import ANY, Function, is_constant
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
from modelling.vocabulary.formulas.linear import Linear
from modelling.vocabulary.formulas.table import Table
from modelling.vocabulary.formulas.truth import IfThenElse
from modelling.vocabulary.functions.define import Define
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.element import Element
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

MOST_CELLS = 1_000_000
"""An automaton whose matrix has more cells is written as flags instead."""


def is_list_of_rows(table: Table, variables: Variables) -> bool:
    """FlatZinc's tables list what is allowed, without gaps for any value."""
    whole = all(ANY not in row for row in table.tuples)
    return table.allowed and whole and bool(table.terms)


def is_over_booleans(clauses: Clauses, variables: Variables) -> bool:
    """Whether its terms are variables that are 0 or 1."""
    domains = variables.domains
    return clauses.is_plain and all(tuple(domains[term]) == (0, 1) for term in clauses.terms)


def has_two_factors(define: Define, variables: Variables) -> bool:
    return len(define.function.terms) == 2


def counts_one_or_numbers(define: Define, variables: Variables) -> bool:
    values = define.function.values
    return len(values) == 1 or all(map(is_constant, values))


def counts_every_value(define: Define, variables: Variables) -> bool:
    return not define.function.except_


def chooses_plain_terms(define: Define, variables: Variables) -> bool:
    chosen = define.function
    return not any(isinstance(term, Function) for term in (chosen.yes, chosen.no))


def has_nodes(made: SubCircuit, variables: Variables) -> bool:
    """MiniZinc's definition, which asks for the first node, is false without one."""
    return bool(made.next)


def has_distinct_values(made: GlobalCardinality | Precedence, variables: Variables) -> bool:
    return len(set(made.values)) == len(made.values)


def has_constant_capacities(packing: BinPacking, variables: Variables) -> bool:
    fixed = packing.relation == "==" or all(map(is_constant, packing.limits))
    return fixed and bool(packing.items) and bool(packing.limits)


def has_a_small_matrix(regular: Regular, variables: Variables) -> bool:
    if not regular.terms or not regular.transitions:
        return False
    values = [value for _, value, _ in regular.transitions]
    states = {state for arc in regular.transitions for state in (arc[0], arc[2])}
    width: int = max(values) - min(values) + 1
    return len(states) * width <= MOST_CELLS // 2


_WHOLE: frozenset[Mode] = frozenset({"root", "full"})
_ROOT: frozenset[Mode] = frozenset({"root"})

PROFILE = Profile(
    (
        *(Native(kind, _WHOLE, "affine") for kind in (Linear, NotEqual)),
        Native(Table, _WHOLE, "affine", when=is_list_of_rows),
        Native(Clauses, _ROOT, "plain", when=is_over_booleans),
        *(Native(kind, _WHOLE, "nested") for kind in (And, Or, Not, Implies, Iff, Xor)),
        *(
            Native(kind, _ROOT, "affine")
            for kind in (
                AllDifferent,
                AllEqual,
                Circuit,
                Inverse,
                Cumulative,
                NoOverlap,
                NoOverlap2D,
                Increasing,
                Lex,
                Minimum,
                Maximum,
                Distance,
                Quotient,
                Remainder,
                Element,
            )
        ),
        Native(SubCircuit, _ROOT, "affine", when=has_nodes),
        Native(GlobalCardinality, _ROOT, "affine", when=has_distinct_values),
        Native(Precedence, _ROOT, "affine", when=has_distinct_values),
        Native(BinPacking, _ROOT, "affine", when=has_constant_capacities),
        Native(Regular, _ROOT, "affine", when=has_a_small_matrix),
        Native(Product, _ROOT, "affine", when=has_two_factors),
        Native(Count, _ROOT, "affine", when=counts_one_or_numbers),
        Native(NValue, _ROOT, "affine", when=counts_every_value),
        Native(IfThenElse, _ROOT, "nested", when=chooses_plain_terms),
    ),
    output=True,
)

PREDICATES: Mapping[str, str] = {
    "fzn_all_different_int": "array [int] of var int: xs",
    "fzn_alldifferent_except": "array [int] of var int: xs, set of int: except",
    "fzn_all_equal_int": "array [int] of var int: xs",
    "fzn_among": "var int: n, array [int] of var int: xs, set of int: values",
    "fzn_bin_packing_capa": (
        "array [int] of int: capacity, array [int] of var int: bin, array [int] of int: weight"
    ),
    "fzn_bin_packing_load": (
        "array [int] of var int: load, array [int] of var int: bin, array [int] of int: weight"
    ),
    "fzn_circuit": "array [int] of var int: xs",
    "fzn_count_eq": "array [int] of var int: xs, var int: value, var int: n",
    "fzn_cumulative": (
        "array [int] of var int: start, array [int] of var int: duration, "
        "array [int] of var int: resource, var int: capacity"
    ),
    **dict.fromkeys(
        ("fzn_diffn", "fzn_diffn_nonstrict"),
        "array [int] of var int: x, array [int] of var int: y, array [int] of var int: dx, "
        "array [int] of var int: dy",
    ),
    **dict.fromkeys(
        ("fzn_disjunctive", "fzn_disjunctive_strict"),
        "array [int] of var int: start, array [int] of var int: duration",
    ),
    **dict.fromkeys(
        ("fzn_global_cardinality", "fzn_global_cardinality_closed"),
        "array [int] of var int: xs, array [int] of int: cover, array [int] of var int: count",
    ),
    "fzn_if_then_else_var_int": (
        "array [int] of var bool: c, array [int] of var int: x, var int: y"
    ),
    "fzn_increasing_int": "array [int] of var int: xs",
    "fzn_strictly_increasing_int": "array [int] of var int: xs",
    "fzn_inverse": "array [int] of var int: f, array [int] of var int: invf",
    **dict.fromkeys(
        ("fzn_lex_less_int", "fzn_lex_lesseq_int"),
        "array [int] of var int: xs, array [int] of var int: ys",
    ),
    "fzn_nvalue": "var int: n, array [int] of var int: xs",
    "fzn_regular": (
        "array [int] of var int: xs, int: Q, int: S, array [int] of int: d, int: q0, set of int: F"
    ),
    "fzn_regular_nfa": (
        "array [int] of var int: xs, int: Q, int: S, array [int] of set of int: d, int: q0, "
        "set of int: F"
    ),
    "fzn_subcircuit": "array [int] of var int: xs",
    "fzn_table_int": "array [int] of var int: xs, array [int] of int: tuples",
    "fzn_table_int_reif": "array [int] of var int: xs, array [int] of int: tuples, var bool: b",
    "fzn_value_precede_int": "int: before, int: after, array [int] of var int: xs",
    "fzn_value_precede_chain_int": "array [int] of int: order, array [int] of var int: xs",
}
"""The arguments of the constraints that are no built-ins, which a file declares."""
