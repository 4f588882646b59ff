"""Counts, numbers of values and bins, as sums of the literals that variables have anyway."""

from __future__ import annotations

from backends.cpsat.handlers.guards import fits, function_fits
from backends.cpsat.views import Literals, Views
from backends.interface.handlers import Handler, Handlers
from backends.interface.magnitudes import values_of
from modelling.constraints import Count, Define
from modelling.rewriting.profile import Variables
from modelling.terms import is_constant
from modelling.vocabulary.counting.bin_packing import BinPacking
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.counting.nvalue import NValue


def count(model: Views, define: Define) -> None:
    """``result`` is the number of terms with one of the values, each term counted once."""
    function = define.function
    values = dict.fromkeys(value.offset for value in function.values)
    counted = model.weight(model.equals(t, v) for t in function.terms for v in values)
    model.compare(model.total((define.result,)), "==", counted)


def values_are_constants(define: Define, variables: Variables) -> bool:
    """Whether the counted values are constants."""
    return function_fits(define, variables) and all(map(is_constant, define.function.values))


def nvalue(model: Views, define: Define) -> None:
    """``result`` is the number of values that some term has."""
    function = define.function
    having: dict[int, list[object]] = {}
    for term in function.terms:
        for value in model.values(term):
            if value not in function.except_:
                having.setdefault(value, []).append(model.equals(term, value))
    taken = model.weight(map(model.any_of, having.values()))
    model.compare(model.total((define.result,)), "==", taken)


def values_are_few(define: Define, variables: Variables) -> bool:
    """Where they are many more than the terms, the rewrite compares the terms instead."""
    terms = define.function.terms
    taken = {value for term in terms for value in values_of(term, variables)}
    return function_fits(define, variables) and len(taken) <= 4 * len(terms)


def global_cardinality(
    model: Views, constraint: GlobalCardinality, enforced: Literals = ()
) -> None:
    """A sum of literals for each value."""
    for value, times in zip(constraint.values, constraint.counts, strict=True):
        counted = model.weight(model.equals(term, value) for term in constraint.terms)
        model.compare(model.total((times,)), "==", counted, enforced)
    if constraint.closed:
        for term in constraint.terms:
            model.within(term, constraint.values, enforced)


def bin_packing(model: Views, constraint: BinPacking, enforced: Literals = ()) -> None:
    """A sum of literals for each bin."""
    bins = range(len(constraint.limits))
    for item in constraint.items:
        model.within(item, bins, enforced)
    for place, limit in zip(bins, constraint.limits, strict=True):
        inside = [model.equals(item, place) for item in constraint.items]
        held = model.weight(inside, constraint.sizes)
        relation = "==" if constraint.relation == "==" else ">="
        model.compare(model.total((limit,)), relation, held, enforced)


COUNTING: Handlers = {
    Count: Handler(count, when=values_are_constants, arguments="affine"),
    NValue: Handler(nvalue, when=values_are_few, arguments="affine"),
    GlobalCardinality: Handler(global_cardinality, ("root", "half"), fits, arguments="affine"),
    BinPacking: Handler(bin_packing, ("root", "half"), fits, arguments="affine"),
}
