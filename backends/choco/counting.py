"""Counts, numbers of values, cardinalities and bins."""

from __future__ import annotations

from backends.choco.guards import fits, function_fits, within
from backends.choco.model import Made, Model
from backends.interface.libraries.formulas import Builder
from modelling.constraints import Count, Define
from modelling.rewriting.profile import Guard, Variables
from modelling.terms import is_constant
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue


def count(model: Model, define: Define) -> Made:
    """``result`` is the number of terms with one of the values."""
    function, result = define.function, model.term(define.result)
    values = list(dict.fromkeys(value.offset for value in function.values))
    return [model.model.among(result, model.terms(function.terms), values)]


def values_are_constants(define: Define, variables: Variables) -> bool:
    """Whether the counted values are constants, and there is at least one."""
    values = define.function.values
    return bool(values) and function_fits(define, variables) and all(map(is_constant, values))


def nvalue(model: Model, define: Define) -> Made:
    """``result`` is the number of values that some term has."""
    return [model.model.n_values(model.terms(define.function.terms), model.term(define.result))]


def excepts_nothing(define: Define, variables: Variables) -> bool:
    """Choco counts all values."""
    return not define.function.except_ and function_fits(define, variables)


def global_cardinality(model: Model, constraint: GlobalCardinality) -> Made:
    """Choco's own."""
    terms, counts = model.terms(constraint.terms), model.terms(constraint.counts)
    values = list(constraint.values)
    return [model.model.global_cardinality(terms, values, counts, constraint.closed)]


def something_is_counted(constraint: GlobalCardinality, variables: Variables) -> bool:
    """There are terms and values, and no value is repeated."""
    values = constraint.values
    there = bool(constraint.terms and values) and len(set(values)) == len(values)
    return there and fits(constraint, variables)


def bin_packing(model: Model, constraint: BinPacking) -> Made:
    """The loads are defined unconditionally; their comparison with the limits may be reified."""
    whole = sum(constraint.sizes)
    loads = [model.model.intvar(0, whole) for _ in constraint.limits]
    model.model.bin_packing(model.terms(constraint.items), list(constraint.sizes), loads).post()
    relation = "=" if constraint.relation == "==" else "<="
    return [
        model.model.arithm(load, relation, model.term(limit))
        for load, limit in zip(loads, constraint.limits, strict=True)
    ]


def items_are_in_bins(constraint: BinPacking, variables: Variables) -> bool:
    """Every item is in a bin, whether or not the constraint holds."""
    bins = len(constraint.limits)
    return (
        bool(constraint.items)
        and sum(constraint.sizes) <= 1 << 20
        and within(constraint.items, bins, variables)
        and fits(constraint, variables)
    )


COUNTED: dict[type, tuple[Builder, Guard]] = {
    Count: (count, values_are_constants),
    NValue: (nvalue, excepts_nothing),
}
COUNTING: dict[type, tuple[Builder, Guard]] = {
    GlobalCardinality: (global_cardinality, something_is_counted),
    BinPacking: (bin_packing, items_are_in_bins),
}
