"""The global constraints that MiniZinc's solvers take by name: ``fzn_all_different_int`` and so on.

Names, arguments and meanings are those of MiniZinc's library ``std`` (its files ``fzn_*.mzn``).
What a library of a solver calls otherwise, but means the same, is taken where ``libraries`` has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from modelling.constraint import Constraint
from modelling.formats.flatzinc.builtins import (
    BUILTINS,
    RELATIONS,
    Builtin,
    compare,
    define,
    listed,
)
from modelling.formats.flatzinc.meanings import (
    among,
    boxes,
    cardinalities,
    cardinality,
    closed_cardinalities,
    count,
    count_value,
    cumulative,
    diagram,
    distribute,
    first_extreme,
    first_number,
    first_that_holds,
    flow,
    flow_at_cost,
    knapsack,
    one_capacity,
    places,
    precede_all,
    regular,
    regular_nfa,
    sort,
    sorting_places,
    table,
    windows,
)
from modelling.terms import Term, constants
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_different import AllDifferent
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.formulas.connectives import Or
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.inverse import Inverse
from modelling.vocabulary.graphs.subcircuit import SubCircuit
from modelling.vocabulary.ordering.increasing import Increasing
from modelling.vocabulary.ordering.lex import Lex
from modelling.vocabulary.ordering.precedence import Precedence
from modelling.vocabulary.scheduling.no_overlap import NoOverlap

Terms = Sequence[Term]


def _increasing(strict: bool, decreasing: bool) -> Any:
    return lambda terms: Increasing(tuple(terms), strict, decreasing)


def _lex(strict: bool) -> Any:
    return lambda one, other: Lex((tuple(one), tuple(other)), strict)


def _member(terms: Terms, value: Term) -> Constraint:
    return Or(tuple(compare(term, value, "==") for term in terms)).simplified()


def _counts() -> dict[str, Builtin]:
    words = {"eq": "eq", "neq": "ne", "leq": "le", "lt": "lt", "geq": "ge", "gt": "gt"}
    found = {}
    for word, relation in words.items():
        for ending in ("", "_par"):
            made = count(RELATIONS[relation])
            found[f"fzn_count_{word}{ending}"] = Builtin("Ttt", made)
            found[f"fzn_count_{word}_bool{ending}"] = Builtin("Bbt", made)
    return found


GLOBALS: Mapping[str, Builtin] = {
    **_counts(),
    "fzn_all_different_int": Builtin("T", lambda xs: AllDifferent(xs)),
    "fzn_all_equal_int": Builtin("T", lambda xs: AllEqual(xs)),
    "fzn_alldifferent_except": Builtin("Ts", lambda xs, s: AllDifferent(xs, listed(s))),
    "fzn_alldifferent_except_0": Builtin("T", lambda xs: AllDifferent(xs, (0,))),
    "fzn_symmetric_all_different": Builtin("T", lambda xs: Inverse(places(xs), places(xs))),
    "fzn_among": Builtin("tTs", among),
    "fzn_at_least_int": Builtin("iTi", count_value(">=")),
    "fzn_at_most_int": Builtin("iTi", count_value("<=")),
    "fzn_exactly_int": Builtin("iTi", count_value("==")),
    "fzn_nvalue": Builtin("tT", lambda n, xs: define(n, NValue(xs))),
    "fzn_distribute": Builtin("TTT", distribute),
    "fzn_global_cardinality": Builtin("TIT", cardinality(False)),
    "fzn_global_cardinality_closed": Builtin("TIT", cardinality(True)),
    "fzn_global_cardinality_low_up": Builtin("TIII", cardinalities),
    "fzn_global_cardinality_low_up_closed": Builtin("TIII", closed_cardinalities),
    "fzn_bin_packing": Builtin("iTI", one_capacity, measures=True),
    "fzn_bin_packing_capa": Builtin(
        "ITI", lambda most, xs, w: BinPacking(places(xs), w, "<=", constants(*most))
    ),
    "fzn_bin_packing_load": Builtin(
        "TTI", lambda loads, xs, w: BinPacking(places(xs), w, "==", loads)
    ),
    "fzn_circuit": Builtin("T", lambda xs: Circuit(places(xs))),
    "fzn_subcircuit": Builtin("T", lambda xs: SubCircuit(places(xs))),
    "fzn_inverse": Builtin("TT", lambda f, g: Inverse(places(f), places(g))),
    "fzn_cumulative": Builtin("TTTt", cumulative),
    "fzn_disjunctive": Builtin("TT", lambda s, d: NoOverlap(s, d)),
    "fzn_disjunctive_strict": Builtin("TT", lambda s, d: NoOverlap(s, d, True)),
    "fzn_diffn": Builtin("TTTT", boxes(True), measures=True),
    "fzn_diffn_nonstrict": Builtin("TTTT", boxes(False), measures=True),
    "fzn_increasing_int": Builtin("T", _increasing(False, False)),
    "fzn_increasing_bool": Builtin("B", _increasing(False, False)),
    "fzn_strictly_increasing_int": Builtin("T", _increasing(True, False)),
    "fzn_strictly_increasing_bool": Builtin("B", _increasing(True, False)),
    "fzn_decreasing_int": Builtin("T", _increasing(False, True)),
    "fzn_decreasing_bool": Builtin("B", _increasing(False, True)),
    "fzn_strictly_decreasing_int": Builtin("T", _increasing(True, True)),
    "fzn_strictly_decreasing_bool": Builtin("B", _increasing(True, True)),
    "fzn_lex_less_int": Builtin("TT", _lex(True)),
    "fzn_lex_less_bool": Builtin("BB", _lex(True)),
    "fzn_lex_lesseq_int": Builtin("TT", _lex(False)),
    "fzn_lex_lesseq_bool": Builtin("BB", _lex(False)),
    "fzn_member_int": Builtin("Tt", _member),
    "fzn_member_bool": Builtin("Bb", _member),
    "fzn_regular": Builtin("TiiIis", regular),
    "fzn_regular_nfa": Builtin("TiiSis", regular_nfa),
    "fzn_mdd": Builtin("TiIiISI", diagram),
    "fzn_mdd_nondet": Builtin("TiIiISI", diagram),
    "fzn_table_int": Builtin("TI", table),
    "fzn_table_bool": Builtin("BI", table),
    "fzn_value_precede_int": Builtin("iiT", lambda s, t, xs: Precedence(xs, (s, t))),
    "fzn_value_precede_chain_int": Builtin("IT", lambda values, xs: Precedence(xs, values)),
    "fzn_seq_precede_chain_int": Builtin("T", precede_all, measures=True),
    "fzn_maximum_int": BUILTINS["array_int_maximum"],
    "fzn_minimum_int": BUILTINS["array_int_minimum"],
    "fzn_maximum_arg_int": Builtin("Tt", first_extreme(Maximum)),
    "fzn_minimum_arg_int": Builtin("Tt", first_extreme(Minimum)),
    "fzn_maximum_arg_bool": Builtin("Bt", first_extreme(Maximum)),
    "fzn_minimum_arg_bool": Builtin("Bt", first_extreme(Minimum)),
    "fzn_arg_sort_int": Builtin("TT", sorting_places),
    "fzn_sort": Builtin("TT", sort),
    "fzn_sliding_sum": Builtin("iiiT", windows),
    "fzn_knapsack": Builtin("IITtt", knapsack),
    "fzn_network_flow": Builtin("IIT", flow),
    "fzn_network_flow_cost": Builtin("IIITt", flow_at_cost),
    "fzn_if_then_else_int": Builtin("BIt", first_number),
    "fzn_if_then_else_bool": Builtin("BIb", first_number),
    "fzn_if_then_else_var_int": Builtin("BTt", first_that_holds),
    "fzn_if_then_else_var_bool": Builtin("BBb", first_that_holds),
}
