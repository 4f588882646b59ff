"""The global constraints that MiniZinc's solvers take by name: ``fzn_all_different_int`` and so on.

Names, arguments and meanings are those of MiniZinc's library ``std`` (its files ``fzn_*.mzn``).
What a library of a solver calls otherwise, but means the same, is taken where ``libraries`` has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modelling import constraints as core
from modelling.constraint import Constraint
from modelling.formats.flatzinc import meanings
from modelling.formats.flatzinc.builtins import (
    BUILTINS,
    RELATIONS,
    Builtin,
    compare,
    define,
    explicit_values,
)
from modelling.terms import Term, constants

Terms = Sequence[Term]


def _increasing(strict: bool, decreasing: bool) -> Any:
    return lambda terms: core.Increasing(tuple(terms), strict, decreasing)


def _lex(strict: bool) -> Any:
    return lambda one, other: core.Lex((tuple(one), tuple(other)), strict)


def _member(terms: Terms, value: Term) -> Constraint:
    return core.Or(tuple(compare(term, value, "==") for term in terms)).simplified()


def of_both(name: str, signatures: str, make: Any) -> dict[str, Builtin]:
    """A constraint of integers and the same of Booleans, with the signature of each."""
    of_integers, of_booleans = signatures.split()
    return {f"{name}_int": Builtin(of_integers, make), f"{name}_bool": Builtin(of_booleans, make)}


def _counts() -> dict[str, Builtin]:
    words = {"eq": "eq", "neq": "ne", "leq": "le", "lt": "lt", "geq": "ge", "gt": "gt"}
    found = {}
    for word, relation in words.items():
        for ending in ("", "_par"):
            made = meanings.count(RELATIONS[relation])
            found[f"fzn_count_{word}{ending}"] = Builtin("Ttt", made)
            found[f"fzn_count_{word}_bool{ending}"] = Builtin("Bbt", made)
    return found


GLOBALS: Mapping[str, Builtin] = {
    **_counts(),
    "fzn_all_different_int": Builtin("T", lambda xs: core.AllDifferent(xs)),
    "fzn_all_equal_int": Builtin("T", lambda xs: core.AllEqual(xs)),
    "fzn_alldifferent_except": Builtin(
        "Ts", lambda xs, s: core.AllDifferent(xs, explicit_values(s))
    ),
    "fzn_alldifferent_except_0": Builtin("T", lambda xs: core.AllDifferent(xs, (0,))),
    "fzn_symmetric_all_different": Builtin(
        "T", lambda xs: core.Inverse(meanings.places(xs), meanings.places(xs))
    ),
    "fzn_among": Builtin("tTs", meanings.among),
    "fzn_at_least_int": Builtin("iTi", meanings.count_value(">=")),
    "fzn_at_most_int": Builtin("iTi", meanings.count_value("<=")),
    "fzn_exactly_int": Builtin("iTi", meanings.count_value("==")),
    "fzn_nvalue": Builtin("tT", lambda n, xs: define(n, core.NValue(xs))),
    "fzn_distribute": Builtin("TTT", meanings.distribute),
    "fzn_global_cardinality": Builtin("TIT", meanings.cardinality(False)),
    "fzn_global_cardinality_closed": Builtin("TIT", meanings.cardinality(True)),
    "fzn_global_cardinality_low_up": Builtin("TIII", meanings.cardinalities),
    "fzn_global_cardinality_low_up_closed": Builtin("TIII", meanings.closed_cardinalities),
    "fzn_bin_packing": Builtin("iTI", meanings.one_capacity, measures=True),
    "fzn_bin_packing_capa": Builtin(
        "ITI", lambda most, xs, w: core.BinPacking(meanings.places(xs), w, "<=", constants(*most))
    ),
    "fzn_bin_packing_load": Builtin(
        "TTI", lambda loads, xs, w: core.BinPacking(meanings.places(xs), w, "==", loads)
    ),
    "fzn_circuit": Builtin("T", lambda xs: core.Circuit(meanings.places(xs))),
    "fzn_subcircuit": Builtin("T", lambda xs: core.SubCircuit(meanings.places(xs))),
    "fzn_inverse": Builtin("TT", lambda f, g: core.Inverse(meanings.places(f), meanings.places(g))),
    "fzn_cumulative": Builtin("TTTt", meanings.cumulative),
    "fzn_disjunctive": Builtin("TT", lambda s, d: core.NoOverlap(s, d)),
    "fzn_disjunctive_strict": Builtin("TT", lambda s, d: core.NoOverlap(s, d, True)),
    "fzn_diffn": Builtin("TTTT", meanings.boxes(True), measures=True),
    "fzn_diffn_nonstrict": Builtin("TTTT", meanings.boxes(False), measures=True),
    **of_both("fzn_increasing", "T B", _increasing(False, False)),
    **of_both("fzn_strictly_increasing", "T B", _increasing(True, False)),
    **of_both("fzn_decreasing", "T B", _increasing(False, True)),
    **of_both("fzn_strictly_decreasing", "T B", _increasing(True, True)),
    **of_both("fzn_lex_less", "TT BB", _lex(True)),
    **of_both("fzn_lex_lesseq", "TT BB", _lex(False)),
    **of_both("fzn_member", "Tt Bb", _member),
    "fzn_regular": Builtin("TiiIis", meanings.regular),
    "fzn_regular_nfa": Builtin("TiiSis", meanings.regular_nfa),
    "fzn_mdd": Builtin("TiIiISI", meanings.diagram),
    "fzn_mdd_nondet": Builtin("TiIiISI", meanings.diagram),
    **of_both("fzn_table", "TI BI", meanings.table),
    "fzn_value_precede_int": Builtin("iiT", lambda s, t, xs: core.Precedence(xs, (s, t))),
    "fzn_value_precede_chain_int": Builtin("IT", lambda values, xs: core.Precedence(xs, values)),
    "fzn_seq_precede_chain_int": Builtin("T", meanings.precede_all, measures=True),
    "fzn_maximum_int": BUILTINS["array_int_maximum"],
    "fzn_minimum_int": BUILTINS["array_int_minimum"],
    **of_both("fzn_maximum_arg", "Tt Bt", meanings.first_extreme(core.Maximum)),
    **of_both("fzn_minimum_arg", "Tt Bt", meanings.first_extreme(core.Minimum)),
    "fzn_arg_sort_int": Builtin("TT", meanings.sorting_places),
    "fzn_sort": Builtin("TT", meanings.sort),
    "fzn_sliding_sum": Builtin("iiiT", meanings.windows),
    "fzn_knapsack": Builtin("IITtt", meanings.knapsack),
    "fzn_network_flow": Builtin("IIT", meanings.flow),
    "fzn_network_flow_cost": Builtin("IIITt", meanings.flow_at_cost),
    **of_both("fzn_if_then_else", "BIt BIb", meanings.first_number),
    **of_both("fzn_if_then_else_var", "BTt BBb", meanings.first_that_holds),
}
