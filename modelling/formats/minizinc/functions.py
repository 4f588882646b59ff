"""Functions as MiniZinc's expressions.

MiniZinc means by undefined what Concord means: the nearest condition around is false. Only its
``if then else`` does not look at what is not chosen, so that where this can be undefined it is
written as the element of an array.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from modelling import constraints as core
from modelling.formats.minizinc.printer import MiniZincPrinter, enclosed
from modelling.terms import affine, bounds, is_constant
from modelling.vocabulary.comparisons import are_total


def _sum(printer: MiniZincPrinter, made: core.Sum) -> str:
    return enclosed(printer.sum(made.terms, made.coefficients))


def _product(printer: MiniZincPrinter, made: core.Product) -> str:
    if any(is_constant(term) and not affine(term).offset for term in made.terms):
        return printer.strictly("0", made.terms)
    return "(" + "*".join(map(printer.factor, made.terms)) + ")" if made.terms else "1"


def _division(word: str) -> Callable[[MiniZincPrinter, Any], str]:
    return lambda printer, made: f"({printer.factor(made.x)} {word} {printer.factor(made.y)})"


def _distance(printer: MiniZincPrinter, made: core.Distance) -> str:
    if is_constant(made.y):
        return f"abs({printer.term(made.x, -affine(made.y).offset)})"
    return f"abs({printer.sum((made.x, made.y), (1, -1))})"


def _extreme(word: str) -> Callable[[MiniZincPrinter, Any], str]:
    return lambda printer, made: f"{word}({printer.terms(made.terms, True)})"


def _element(printer: MiniZincPrinter, made: core.Element) -> str:
    said = f"{printer.from_zero(made.terms)}[{printer.term(made.index)}]"
    return printer.strictly(said, made.terms) if is_constant(made.index) else said


def _element_2d(printer: MiniZincPrinter, made: core.Element2D) -> str:
    rows, columns = len(made.matrix), len(made.matrix[0])
    every = [term for row in made.matrix for term in row]
    matrix = f"array2d(0..{rows - 1}, 0..{columns - 1}, {printer.plain(every)})"
    said = f"{matrix}[{printer.term(made.row)}, {printer.term(made.column)}]"
    fixed = is_constant(made.row) and is_constant(made.column)
    return printer.strictly(said, every) if fixed else said


def _count(printer: MiniZincPrinter, made: core.Count) -> str:
    if len(made.values) == 1:
        return (
            f"{printer.use('count')}({printer.terms(made.terms)}, {printer.term(made.values[0])})"
        )
    if made.values and all(map(is_constant, made.values)):
        allowed = printer.set(affine(value).offset for value in made.values)
        return f"sum(t_ in {printer.terms(made.terms, True)})(bool2int(t_ in {allowed}))"
    first, last = len(made.terms), len(made.terms) + len(made.values)
    return (
        f"let {{ array[int] of var int: t_ = {printer.plain((*made.terms, *made.values))} }} in "
        f"sum(i_ in 1..{first})(bool2int(exists(j_ in {first + 1}..{last})(t_[i_] = t_[j_])))"
    )


def _nvalue(printer: MiniZincPrinter, made: core.NValue) -> str:
    if not (made.except_ or printer.depth > 1) and made.terms:
        printer.use("nvalue_fn")
        return f"nvalue({printer.terms(made.terms)})"
    excepted = f" diff {printer.set(made.except_)}" if made.except_ else ""
    ends = [bounds(term, printer.domains) for term in made.terms]
    low, high = min((e[0] for e in ends), default=0), max((e[1] for e in ends), default=-1)
    return (
        f"let {{ array[int] of var int: t_ = {printer.plain(made.terms)} }} in "
        f"sum(v_ in {low}..{high}{excepted})"
        f"(bool2int(exists(i_ in 1..{len(made.terms)})(t_[i_] = v_)))"
    )


def _truth(printer: MiniZincPrinter, made: core.Truth) -> str:
    return f"bool2int({printer.formula(made.formula, nested=False)})"


def _if_then_else(printer: MiniZincPrinter, made: core.IfThenElse) -> str:
    condition = printer.formula(made.condition, nested=False)
    yes, no = printer.term(made.yes), printer.term(made.no)
    if are_total((made.yes, made.no)):
        return f"if {condition} then {yes} else {no} endif"
    return f"array1d(0..1, [{no}, {yes}])[bool2int({condition})]"


TERMS: Mapping[type, Callable[[MiniZincPrinter, Any], str]] = {
    core.Sum: _sum,
    core.Product: _product,
    core.Quotient: _division("div"),
    core.Remainder: _division("mod"),
    core.Distance: _distance,
    core.Minimum: _extreme("min"),
    core.Maximum: _extreme("max"),
    core.Element: _element,
    core.Element2D: _element_2d,
    core.Count: _count,
    core.NValue: _nvalue,
    core.Truth: _truth,
    core.IfThenElse: _if_then_else,
}
