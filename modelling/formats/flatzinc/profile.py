"""What FlatZinc has itself: the classes of the vocabulary that are also constraints of FlatZinc.

Arguments are variables and constants there; a view of a variable (``2 * x + 1``) is given a
variable of its own in writing, so views are native too. Formulas are native as far as their parts
can be reified: comparisons, tables, and formulas of these.
"""

from __future__ import annotations

from collections.abc import Mapping

from modelling import constraints as core
from modelling.rewriting import Native, Profile
from modelling.rewriting.profile import Mode, Variables
from modelling.terms import ANY, Function, is_constant
from modelling.vocabulary.formulas.connectives import CONNECTIVES

MOST_CELLS = 1_000_000
"""An automaton whose matrix has more cells is written as flags instead."""


def is_list_of_rows(table: core.Table, variables: Variables) -> bool:
    """FlatZinc's tables list what is allowed, without gaps for any value."""
    whole = all(ANY not in row for row in table.tuples)
    return table.allowed and whole and bool(table.terms)


def is_over_booleans(clauses: core.Clauses, variables: Variables) -> bool:
    """Whether its terms are variables that are 0 or 1."""
    domains = variables.domains
    return clauses.is_plain and all(tuple(domains[term]) == (0, 1) for term in clauses.terms)


def has_two_factors(define: core.Define, variables: Variables) -> bool:
    return len(define.function.terms) == 2


def counts_one_or_numbers(define: core.Define, variables: Variables) -> bool:
    values = define.function.values
    return len(values) == 1 or all(map(is_constant, values))


def counts_every_value(define: core.Define, variables: Variables) -> bool:
    return not define.function.except_


def chooses_plain_terms(define: core.Define, variables: Variables) -> bool:
    chosen = define.function
    return not any(isinstance(term, Function) for term in (chosen.yes, chosen.no))


def has_nodes(made: core.SubCircuit, variables: Variables) -> bool:
    """MiniZinc's definition, which asks for the first node, is false without one."""
    return bool(made.next)


def has_distinct_values(
    made: core.GlobalCardinality | core.Precedence, variables: Variables
) -> bool:
    return len(set(made.values)) == len(made.values)


def has_constant_capacities(packing: core.BinPacking, variables: Variables) -> bool:
    fixed = packing.relation == "==" or all(map(is_constant, packing.limits))
    return fixed and bool(packing.items) and bool(packing.limits)


def has_a_small_matrix(regular: core.Regular, variables: Variables) -> bool:
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
        *(Native(kind, _WHOLE, "affine") for kind in (core.Linear, core.NotEqual)),
        Native(core.Table, _WHOLE, "affine", when=is_list_of_rows),
        Native(core.Clauses, _ROOT, "plain", when=is_over_booleans),
        *(Native(kind, _WHOLE, "nested") for kind in CONNECTIVES),
        *(
            Native(kind, _ROOT, "affine")
            for kind in (
                *(core.AllDifferent, core.AllEqual, core.Circuit, core.Inverse, core.Cumulative),
                *(core.NoOverlap, core.NoOverlap2D, core.Increasing, core.Lex, core.Minimum),
                *(core.Maximum, core.Distance, core.Quotient, core.Remainder, core.Element),
            )
        ),
        Native(core.SubCircuit, _ROOT, "affine", when=has_nodes),
        Native(core.GlobalCardinality, _ROOT, "affine", when=has_distinct_values),
        Native(core.Precedence, _ROOT, "affine", when=has_distinct_values),
        Native(core.BinPacking, _ROOT, "affine", when=has_constant_capacities),
        Native(core.Regular, _ROOT, "affine", when=has_a_small_matrix),
        Native(core.Product, _ROOT, "affine", when=has_two_factors),
        Native(core.Count, _ROOT, "affine", when=counts_one_or_numbers),
        Native(core.NValue, _ROOT, "affine", when=counts_every_value),
        Native(core.IfThenElse, _ROOT, "nested", when=chooses_plain_terms),
    ),
    output=True,
)

_TYPES = {
    "t": "var int",
    "T": "array [int] of var int",
    "b": "var bool",
    "B": "array [int] of var bool",
    "i": "int",
    "I": "array [int] of int",
    "s": "set of int",
    "S": "array [int] of set of int",
}
"""The letters of ``values``."""

_ARGUMENTS = {
    "fzn_all_different_int": "T xs",
    "fzn_alldifferent_except": "T xs, s except",
    "fzn_all_equal_int": "T xs",
    "fzn_among": "t n, T xs, s values",
    "fzn_bin_packing_capa": "I capacity, T bin, I weight",
    "fzn_bin_packing_load": "T load, T bin, I weight",
    "fzn_circuit": "T xs",
    "fzn_count_eq": "T xs, t value, t n",
    "fzn_cumulative": "T start, T duration, T resource, t capacity",
    "fzn_diffn": "T x, T y, T dx, T dy",
    "fzn_diffn_nonstrict": "T x, T y, T dx, T dy",
    "fzn_disjunctive": "T start, T duration",
    "fzn_disjunctive_strict": "T start, T duration",
    "fzn_global_cardinality": "T xs, I cover, T count",
    "fzn_global_cardinality_closed": "T xs, I cover, T count",
    "fzn_if_then_else_var_int": "B c, T x, t y",
    "fzn_increasing_int": "T xs",
    "fzn_strictly_increasing_int": "T xs",
    "fzn_inverse": "T f, T invf",
    "fzn_lex_less_int": "T xs, T ys",
    "fzn_lex_lesseq_int": "T xs, T ys",
    "fzn_nvalue": "t n, T xs",
    "fzn_regular": "T xs, i Q, i S, I d, i q0, s F",
    "fzn_regular_nfa": "T xs, i Q, i S, S d, i q0, s F",
    "fzn_subcircuit": "T xs",
    "fzn_table_int": "T xs, I tuples",
    "fzn_table_int_reif": "T xs, I tuples, b b",
    "fzn_value_precede_int": "i before, i after, T xs",
    "fzn_value_precede_chain_int": "I order, T xs",
}


def _declare(arguments: str) -> str:
    """``T xs, t n`` with the types in words."""
    named = (argument.split() for argument in arguments.split(", "))
    return ", ".join(f"{_TYPES[letter]}: {name}" for letter, name in named)


PREDICATES: Mapping[str, str] = {name: _declare(one) for name, one in _ARGUMENTS.items()}
"""The arguments of the constraints that are not built in and that a file must declare."""
