"""Functions as MiniZinc's expressions.

MiniZinc means by undefined what Concord means: the nearest condition around is false. Only its
``if then else`` does not look at what is not chosen, so that where this can be undefined it is
written as the element of an array.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from modelling.formats.minizinc.speaker import Speaker, enclosed
from modelling.terms import affine, bounds, is_constant
from modelling.vocabulary.comparisons import are_total
from modelling.vocabulary.counting.count import Count
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.formulas.linear import Sum
from modelling.vocabulary.formulas.truth import IfThenElse, Truth
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.element import Element
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder


def _sum(say: Speaker, made: Sum) -> str:
    return enclosed(say.sum(made.terms, made.coefficients))


def _product(say: Speaker, made: Product) -> str:
    if any(is_constant(term) and not affine(term).offset for term in made.terms):
        return say.strictly("0", made.terms)
    return "(" + "*".join(map(say.factor, made.terms)) + ")" if made.terms else "1"


def _division(word: str) -> Callable[[Speaker, Any], str]:
    return lambda say, made: f"({say.factor(made.x)} {word} {say.factor(made.y)})"


def _distance(say: Speaker, made: Distance) -> str:
    if is_constant(made.y):
        return f"abs({say.term(made.x, -affine(made.y).offset)})"
    return f"abs({say.sum((made.x, made.y), (1, -1))})"


def _extreme(word: str) -> Callable[[Speaker, Any], str]:
    return lambda say, made: f"{word}({say.terms(made.terms, True)})"


def _element(say: Speaker, made: Element) -> str:
    said = f"{say.from_zero(made.terms)}[{say.term(made.index)}]"
    return say.strictly(said, made.terms) if is_constant(made.index) else said


def _element_2d(say: Speaker, made: Element2D) -> str:
    rows, columns = len(made.matrix), len(made.matrix[0])
    every = [term for row in made.matrix for term in row]
    matrix = f"array2d(0..{rows - 1}, 0..{columns - 1}, {say.plain(every)})"
    said = f"{matrix}[{say.term(made.row)}, {say.term(made.column)}]"
    fixed = is_constant(made.row) and is_constant(made.column)
    return say.strictly(said, every) if fixed else said


def _count(say: Speaker, made: Count) -> str:
    if len(made.values) == 1:
        return f"{say.use('count')}({say.terms(made.terms)}, {say.term(made.values[0])})"
    if made.values and all(map(is_constant, made.values)):
        allowed = say.set(affine(value).offset for value in made.values)
        return f"sum(t_ in {say.terms(made.terms, True)})(bool2int(t_ in {allowed}))"
    first, last = len(made.terms), len(made.terms) + len(made.values)
    return (
        f"let {{ array[int] of var int: t_ = {say.plain((*made.terms, *made.values))} }} in "
        f"sum(i_ in 1..{first})(bool2int(exists(j_ in {first + 1}..{last})(t_[i_] = t_[j_])))"
    )


def _nvalue(say: Speaker, made: NValue) -> str:
    if not (made.except_ or say.depth > 1) and made.terms:
        say.use("nvalue_fn")
        return f"nvalue({say.terms(made.terms)})"
    excepted = f" diff {say.set(made.except_)}" if made.except_ else ""
    ends = [bounds(term, say.domains) for term in made.terms]
    low, high = min((e[0] for e in ends), default=0), max((e[1] for e in ends), default=-1)
    return (
        f"let {{ array[int] of var int: t_ = {say.plain(made.terms)} }} in "
        f"sum(v_ in {low}..{high}{excepted})"
        f"(bool2int(exists(i_ in 1..{len(made.terms)})(t_[i_] = v_)))"
    )


def _truth(say: Speaker, made: Truth) -> str:
    return f"bool2int({say.formula(made.formula, nested=False)})"


def _if_then_else(say: Speaker, made: IfThenElse) -> str:
    condition = say.formula(made.condition, nested=False)
    yes, no = say.term(made.yes), say.term(made.no)
    if are_total((made.yes, made.no)):
        return f"if {condition} then {yes} else {no} endif"
    return f"array1d(0..1, [{no}, {yes}])[bool2int({condition})]"


TERMS: Mapping[type, Callable[[Speaker, Any], str]] = {
    Sum: _sum,
    Product: _product,
    Quotient: _division("div"),
    Remainder: _division("mod"),
    Distance: _distance,
    Minimum: _extreme("min"),
    Maximum: _extreme("max"),
    Element: _element,
    Element2D: _element_2d,
    Count: _count,
    NValue: _nvalue,
    Truth: _truth,
    IfThenElse: _if_then_else,
}
