"""Comparisons of arithmetic as functions of Python's own: ``abs(x - y) * z <= 5`` is compiled once.

The definition of a nested constraint is worked out term by term, which takes ten times as long as
the same expression in Python; and the library asks it at every value that it tries. What is written
here says the same: what is undefined, a division by zero, makes the comparison false.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from modelling.constraint import Constraint
from modelling.constraints import Define, Linear
from modelling.terms import Function, Term, affine
from modelling.vocabulary.functions.distance import Distance
from modelling.vocabulary.functions.extremes import Maximum, Minimum
from modelling.vocabulary.functions.multiplication import Product, Quotient, Remainder

MOST = 200
"""Functions and terms of one expression: Python's compiler nests no deeper than it must."""

DEEPEST = 20
"""Most levels of functions within functions."""

Places = Mapping[int, int]
"""The place of each variable among the arguments."""


_KINDS = (Product, Minimum, Maximum, Distance, Quotient, Remainder)
"""These exactly: a subclass may mean something else."""


class _Foreign(Exception):
    """A term that is not written here."""


def compile_arithmetic(constraint: Constraint) -> Callable[..., bool] | None:
    """A function of the values of the scope that says the same; None if the constraint is not
    arithmetic, or is too long."""
    places = {variable: place for place, variable in enumerate(constraint.scope)}
    try:
        expression = _write_comparison(constraint, places)
    except _Foreign:
        return None
    if expression.count("(") > MOST:
        return None
    arguments = ", ".join(f"v{place}" for place in places.values())
    made: dict[str, Any] = {"_quotient": _quotient, "_remainder": _remainder}
    if "_quotient" in expression or "_remainder" in expression:
        body = f" try:\n  return {expression}\n except ZeroDivisionError:\n  return False\n"
    else:
        body = f" return {expression}\n"
    exec(f"def holds({arguments}):\n{body}", made)
    function: Callable[..., bool] = made["holds"]
    return function


def _write_comparison(constraint: Constraint, places: Places) -> str:
    if type(constraint) is Linear:
        terms = zip(constraint.coefficients, constraint.terms, strict=True)
        sums = [_write_times(factor, _write(term, places)) for factor, term in terms]
        return f"{' + '.join(sums) or '0'} {constraint.relation} {constraint.constant}"
    if type(constraint) is Define and isinstance(constraint.function, Function):
        return f"{_write(constraint.result, places)} == {_write(constraint.function, places)}"
    raise _Foreign


def _write(term: Term, places: Places, depth: int = 0) -> str:
    """A term in parentheses, or a name."""
    if not isinstance(term, Function):
        variable, factor, offset = affine(term)
        if variable is None:
            return f"({offset})"
        name = _write_times(factor, f"v{places[variable]}")
        return f"({name} + {offset})" if offset else name
    if depth == DEEPEST:
        raise _Foreign

    def write_all(terms: Iterable[Term]) -> list[str]:
        return [_write(one, places, depth + 1) for one in terms]

    match term:
        case _ if type(term) not in _KINDS:
            raise _Foreign
        case Product(terms=terms):
            return f"({' * '.join(write_all(terms)) or '1'})"
        case Minimum(terms=terms) | Maximum(terms=terms):
            name = "min" if isinstance(term, Minimum) else "max"
            return f"{name}(({', '.join(write_all(terms))},))"
        case Distance(x=x, y=y):
            return "abs({} - {})".format(*write_all((x, y)))
        case Quotient(x=x, y=y) | Remainder(x=x, y=y):
            name = "_quotient" if isinstance(term, Quotient) else "_remainder"
            return f"{name}({', '.join(write_all((x, y)))})"
    raise _Foreign


def _write_times(factor: int, written: str) -> str:
    return written if factor == 1 else f"({factor} * {written})"


def _quotient(x: int, y: int) -> int:
    """Toward zero, as in XCSP3 and MiniZinc."""
    quotient = abs(x) // abs(y)
    return quotient if (x < 0) == (y < 0) else -quotient


def _remainder(x: int, y: int) -> int:
    return x - y * _quotient(x, y)
