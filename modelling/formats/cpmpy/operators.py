"""CPMpy's operators in Concord's words, and what reading anything takes.

Words
-----
word      what reads one kind of CPMpy expression: a function of whoever reads, and the expression.
          It gives an expression of Concord's, an integer or a truth value
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from itertools import chain
from operator import index
from typing import Any, Protocol

import numpy as np

from modelling.errors import ModelError
from modelling.expressions.expression import (
    Combination,
    Condition,
    Expression,
    common_space,
    join,
    operand,
    to_formula,
    to_term,
)
from modelling.expressions.functions import FUNCTIONS, sum_
from modelling.vocabulary.comparisons import RELATIONS
from modelling.vocabulary.formulas.connectives import And, Implies, Or
from modelling.vocabulary.formulas.linear import defined

GREATEST_POWER = 1_000
"""A power is a product of as many factors."""


class Reader(Protocol):
    """What a word may ask for."""

    def read(self, expression: Any) -> Any:
        """An expression of Concord's for any of CPMpy's; integers and truth values as they are."""
        ...

    def every(self, expressions: Any) -> list[Any]:
        """Those of a list, an array or nested ones, in order."""
        ...


Word = Callable[[Reader, Any], Any]


def flat(items: Any) -> Iterator[Any]:
    """The items of nested lists, tuples, sets and arrays; any other object is its only item."""
    if isinstance(items, np.ndarray):
        yield from items.flat
    elif isinstance(items, (list, tuple, set, frozenset)):
        for item in items:
            yield from flat(item)
    else:
        yield items


def integer(value: Any, owner: str) -> int:
    """An argument that must be a constant; ModelError for another."""
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    try:
        return index(value)
    except TypeError:
        raise ModelError(f"CPMpy's {owner}: {value!r} stands where an integer must") from None


def integers(values: Any, owner: str) -> list[int]:
    """A list of constants, or one."""
    return [integer(value, owner) for value in flat(values)]


def conjunction(parts: Iterable[Any]) -> Any:
    """A condition that all hold; a single one is returned unchanged."""
    parts = list(parts)
    return parts[0] if len(parts) == 1 else join(And, parts)


def disjunction(parts: Iterable[Any]) -> Any:
    """A condition that at least one holds; a single one is returned unchanged."""
    parts = list(parts)
    return parts[0] if len(parts) == 1 else join(Or, parts)


def negation(condition: Any) -> Any:
    """That it does not hold."""
    return ~condition if isinstance(condition, Expression) else not condition


def implication(condition: Any, consequence: Any) -> Any:
    """If the one holds, the other does."""
    formula = Implies(to_formula(condition), to_formula(consequence))
    return Condition(common_space(condition, consequence), formula)


def compare(left: Any, relation: str, right: Any) -> Any:
    """``left RELATION right``, of expressions or integers."""
    return RELATIONS[relation](left, right)


def all_defined(*lists: Iterable[Any]) -> list[Any]:
    """Conditions that these have values. A formula needs them: in it, undefined means false."""
    terms = [(one, to_term(operand(one, "a task"))) for one in chain.from_iterable(lists)]
    parts = ((common_space(one), part) for one, term in terms for part in defined((term,)))
    return [Condition(space, part) for space, part in parts]


def weighted_sum(reader: Reader, expression: Any) -> Any:
    """``wsum``: weights, and as many expressions."""
    weights, terms = expression.args
    factors = integers(weights, "wsum")
    return sum_([w * reader.read(t) for w, t in zip(factors, terms, strict=True)])


def difference(reader: Reader, expression: Any) -> Any:
    """``sub``."""
    left, right = map(reader.read, expression.args)
    return left - right


def product(reader: Reader, expression: Any) -> Any:
    """``mul``."""
    return reduce(lambda left, right: left * right, map(reader.read, expression.args))


def power(reader: Reader, expression: Any) -> Any:
    """``pow``: where the exponent is 0, the base must be defined all the same."""
    base, exponent = reader.read(expression.args[0]), integer(expression.args[1], "power")
    if not 0 <= exponent <= GREATEST_POWER:
        raise ModelError(
            f"CPMpy's power: the exponent {exponent} is not between 0 and {GREATEST_POWER}"
        )
    if exponent or not isinstance(base, Expression):
        return base**exponent
    return Combination(base._space, (base,), (0,), 1)


def call(name: str) -> Word:
    """A function of Concord's that has the same arguments, none of them a list."""
    return lambda reader, e: FUNCTIONS[name](*map(reader.read, e.args))


def absolute(reader: Reader, expression: Any) -> Any:
    """``abs``."""
    return abs(reader.read(expression.args[0]))


OPERATORS: Mapping[str, Word] = {
    "and": lambda reader, e: conjunction(reader.every(e.args)),
    "or": lambda reader, e: disjunction(reader.every(e.args)),
    "->": lambda reader, e: implication(*map(reader.read, e.args)),
    "not": lambda reader, e: negation(reader.read(e.args[0])),
    "sum": lambda reader, e: sum_(reader.every(e.args)),
    "wsum": weighted_sum,
    "sub": difference,
    "-": lambda reader, e: -reader.read(e.args[0]),
    "mul": product,  # these five were operators before they were global functions
    "div": call("truncated"),
    "mod": call("remainder"),
    "pow": power,
    "abs": absolute,
}
"""CPMpy's operators, by name."""
