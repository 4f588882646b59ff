"""What Concord's library and those of Pumpkin, Choco and Gecode call otherwise than MiniZinc's.

FlatZinc has neither index sets nor shapes: the library with which Concord flattens models
(``minizinc/library``) adds the first place, or the number of columns, to the arguments of what
depends on them. A model that was flattened for another solver names that solver's constraints.
Where they mean what one of ``globals`` or ``builtins`` means, they are taken; where not, the model
is to be flattened anew.

``find`` knows all names. A class of the vocabulary without a reader of its own is read as
``fzn_NAME``, NAME being its name in MiniZinc, with its fields as arguments.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from modelling import constraints as core
from modelling.constraint import Constraint, Predicate
from modelling.errors import ModelError
from modelling.formats.flatzinc import meanings
from modelling.formats.flatzinc.builtins import BUILTINS, Builtin, define, element, reified, shifted
from modelling.formats.flatzinc.globals import GLOBALS, of_both
from modelling.terms import Kind, Term, constants, fields_of
from modelling.vocabulary import VOCABULARY

Terms = Sequence[Term]

ALIASES: Mapping[str, str] = {
    "fzn_arg_max_int": "fzn_maximum_arg_int",
    "fzn_arg_min_int": "fzn_minimum_arg_int",
    "fzn_arg_max_bool": "fzn_maximum_arg_bool",
    "fzn_arg_min_bool": "fzn_minimum_arg_bool",
    "fzn_all_different": "fzn_all_different_int",
    "concord_table_int": "fzn_table_int",
    "concord_table_bool": "fzn_table_bool",
    "pumpkin_all_different": "fzn_all_different_int",
    "pumpkin_circuit": "fzn_circuit",
    "pumpkin_cumulative": "fzn_cumulative",
    "pumpkin_disjunctive_strict": "fzn_disjunctive_strict",
    "pumpkin_table_int": "fzn_table_int",
    "pumpkin_bool_xor": "bool_xor",
    "pumpkin_bool_xor_reif": "bool_xor_reif",
    "alldifferentChoco": "fzn_all_different_int",
    "alldifferentBut0Choco": "fzn_alldifferent_except_0",
    "amongChoco": "fzn_among",
    "atleastChoco": "fzn_at_least_int",
    "atmostChoco": "fzn_at_most_int",
    "exactlyChoco": "fzn_exactly_int",
    "count_eqchoco": "fzn_count_eq",
    "count_eq_reif_choco": "fzn_count_eq_reif",
    "circuitChoco": "fzn_circuit",
    "subcircuitChoco": "fzn_subcircuit",
    "cumulativeChoco": "fzn_cumulative",
    "diffnChoco": "fzn_diffn",
    "distributeChoco": "fzn_distribute",
    "inverseChoco": "fzn_inverse",
    "knapsackChoco": "fzn_knapsack",
    "maximumChoco": "array_int_maximum",
    "minimumChoco": "array_int_minimum",
    "memberVarChoco": "fzn_member_int",
    "memberChoco": "fzn_member_int",
    "memberVarReifChoco": "fzn_member_int_reif",
    "memberReifChoco": "fzn_member_int_reif",
    "nvalueChoco": "fzn_nvalue",
    "regularChoco": "fzn_regular",
    "sortChoco": "fzn_sort",
    "bin_packingChoco": "fzn_bin_packing",
    "bin_packing_loadChoco": "fzn_bin_packing_load",
    "bin_packing_capaChoco": "fzn_bin_packing_capa",
    "value_precede_chain_intChoco": "fzn_value_precede_chain_int",
    "choco_array_int_element_nonshifted": "concord_element_int",
    "choco_array_bool_element_nonshifted": "concord_element_bool",
    "choco_array_var_int_element_nonshifted": "concord_element_int",
    "choco_array_var_bool_element_nonshifted": "concord_element_bool",
    "choco_array_int_element2d_nonshifted": "concord_element2d_int",
    "choco_array_bool_element2d_nonshifted": "concord_element2d_bool",
    "choco_array_var_int_element2d_nonshifted": "concord_element2d_int",
    "choco_array_var_bool_element2d_nonshifted": "concord_element2d_bool",
    "choco_fzn_network_flow": "fzn_network_flow",
    "choco_fzn_network_flow_cost": "fzn_network_flow_cost",
    "gecode_all_different_int": "fzn_all_different_int",
    "gecode_maximum_arg_int": "fzn_maximum_arg_int",
    "gecode_minimum_arg_int": "fzn_minimum_arg_int",
    "gecode_circuit": "concord_circuit",
    "gecode_count": "fzn_count_eq",
    "gecode_member_int": "fzn_member_int",
    "gecode_member_bool": "fzn_member_bool",
    "gecode_array_int_lt": "fzn_lex_less_int",
    "gecode_array_bool_lt": "fzn_lex_less_bool",
    "gecode_array_int_lq": "fzn_lex_lesseq_int",
    "gecode_array_bool_lq": "fzn_lex_lesseq_bool",
    "gecode_regular": "fzn_regular",
    "gecode_table_int": "fzn_table_int",
    "gecode_table_bool": "fzn_table_bool",
}
"""Name -> a name of the standard, or of Concord's library, with the same arguments."""


def _element_from(index: Term, first: int, terms: Terms, result: Term) -> Constraint:
    return element(shifted(index, 1 - first), terms, result)


def _element_2d(
    row: Term, top: int, column: Term, left: int, terms: Terms, rows: int, width: int, result: Term
) -> Constraint:
    if rows < 1 or width < 1 or len(terms) != rows * width:
        raise ModelError(f"{len(terms)} terms are no {rows} rows of {width}")
    matrix = tuple(tuple(terms[k : k + width]) for k in range(0, len(terms), width))
    return define(result, core.Element2D(matrix, shifted(row, -top), shifted(column, -left)))


def _first_extreme_from(kind: type[core.Maximum | core.Minimum]) -> Any:
    found = meanings.first_extreme(kind)
    return lambda first, terms, place: found(terms, shifted(place, 1 - first))


OWN_ARGUMENTS: Mapping[str, Builtin] = {
    "concord_circuit": Builtin("iT", lambda first, xs: core.Circuit(meanings.places(xs, first))),
    "concord_subcircuit": Builtin(
        "iT", lambda first, xs: core.SubCircuit(meanings.places(xs, first))
    ),
    "concord_inverse": Builtin(
        "iTiT",
        lambda of_f, f, of_g, g: core.Inverse(meanings.places(f, of_g), meanings.places(g, of_f)),
    ),
    "concord_symmetric_all_different": Builtin(
        "iT", lambda first, xs: core.Inverse(meanings.places(xs, first), meanings.places(xs, first))
    ),
    "concord_bin_packing_capa": Builtin(
        "iITI",
        lambda first, most, xs, w: core.BinPacking(
            meanings.places(xs, first), w, "<=", constants(*most)
        ),
    ),
    "concord_bin_packing_load": Builtin(
        "iTTI",
        lambda first, loads, xs, w: core.BinPacking(meanings.places(xs, first), w, "==", loads),
    ),
    **of_both("concord_maximum_arg", "iTt iBt", _first_extreme_from(core.Maximum)),
    **of_both("concord_minimum_arg", "iTt iBt", _first_extreme_from(core.Minimum)),
    "concord_regular": Builtin(
        "iTiiIis",
        lambda first, xs, q, s, d, start, ends: meanings.regular(xs, q, s, d, start, ends, first),
    ),
    "concord_regular_nfa": Builtin(
        "iTiiSis",
        lambda first, xs, q, s, d, start, ends: meanings.regular_nfa(
            xs, q, s, d, start, ends, first
        ),
    ),
    **of_both("concord_lex_chain_less", "iT iB", meanings.lex_chain(True)),
    **of_both("concord_lex_chain_lesseq", "iT iB", meanings.lex_chain(False)),
    **of_both("concord_element", "tiTt tiBb", _element_from),
    **of_both("concord_element2d", "titiTiit titiBiib", _element_2d),
    "gecode_inverse_offsets": Builtin(
        "TiTi",
        lambda f, first, g, other: core.Inverse(
            meanings.places(f, first), meanings.places(g, other)
        ),
    ),
    "gecode_schedule_unary": Builtin("TI", lambda s, d: core.NoOverlap(s, constants(*d))),
}

_KNOWN = {**BUILTINS, **GLOBALS, **OWN_ARGUMENTS}

_LETTERS = {Kind.TERM: "t", Kind.TERMS: "T", Kind.INT: "i", Kind.INTS: "I"}


def named_after(kind: type) -> Builtin | None:
    """The constraint that has the fields of a class as its arguments; None for other fields."""
    letters = [_LETTERS.get(made.kind) for made in fields_of(kind)]
    if not issubclass(kind, Predicate) or None in letters:
        return None
    return Builtin("".join(filter(None, letters)), kind)


@cache
def _standard() -> Mapping[str, Builtin]:
    """The names of which ``_reif`` and ``_imp`` are known too."""
    derived = {f"fzn_{kind.minizinc}": named_after(kind) for kind in VOCABULARY}
    return {name: made for name, made in derived.items() if made is not None} | _KNOWN


def find(name: str) -> Builtin | None:
    """What a constraint of this name means; None if it is not known."""
    for ending in ("", "_reif", "_imp"):
        standard = ALIASES.get(name.removesuffix(ending)) if name.endswith(ending) else None
        if standard is not None:
            return reified(_standard(), standard + ending)
    return reified(_standard(), name)
