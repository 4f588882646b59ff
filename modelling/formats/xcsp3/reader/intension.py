"""Expressions such as ``le(add(x,2),y)``, read without recursion.

Operators are those of XCSP3-core. ``add``, ``mul``, ``min``, ``max``, ``and`` or ``or`` directly
within the same operator becomes a part of it, however deeply these are nested. Division rounds
toward zero; a division by zero makes the nearest condition false.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, NamedTuple, NoReturn

from modelling import constraints as core
from modelling.errors import ModelError
from modelling.expressions.expression import (
    Call,
    Combination,
    Condition,
    Expression,
    bounds_of,
    common_space,
    join,
    operand,
    to_formula,
    to_term,
)
from modelling.formats.xcsp3.reader.document import DEEPEST, Element, show
from modelling.vocabulary.functions.element import Element as ElementOf

MOST_POWER = 64
"""So large an exponent may be."""

_TOKEN = re.compile(r"\s*([(),]|[^\s(),]+)")


class Set(NamedTuple):
    """The operand of ``in``."""

    items: tuple[Any, ...]


class Operator(NamedTuple):
    """How many arguments it takes, and what it makes of them; ``joins``: nested in itself it is
    one."""

    least: int
    most: int
    make: Callable[[Sequence[Any]], Any]
    joins: bool = False


def read_expression(element: Element, text: str, resolve: Callable[[str], Sequence[Any]]) -> Any:
    """The expression in a text of an element, or the integer; ``resolve`` says what words are."""
    tokens = element.kept.get(text)
    if tokens is None:
        tokens = _TOKEN.findall(text)
        if "%" in text:  # it is one of a template
            element.kept[text] = tokens
    element.document.charge(len(tokens), element)
    parser = _Parser(element, text, resolve)
    made = parser.read(tokens)
    if isinstance(made, Expression) and parser.sizes[0] > UNTOLD:
        element.document.sizes[id(made)] = made, parser.sizes[0]
    return made


class _Open(NamedTuple):
    """An operator that waits for arguments.

    ``arguments`` may be shared with the operator around it; its own begin at ``first``.
    ``depth`` is how deeply it is nested.
    """

    name: str
    arguments: list[Any]
    first: int
    depth: int


class _Parser:
    """A stack of open operators."""

    def __init__(
        self, element: Element, text: str, resolve: Callable[[str], Sequence[Any]]
    ) -> None:
        self.element = element
        self.text = text
        self.resolve = resolve
        self.open: list[_Open] = []
        self.done: list[Any] = []
        self.sizes = [0]
        """How many words the arguments come to, written out: of all, and of each that is open."""

    def refuse(self, cause: str) -> NoReturn:
        self.element.refuse(f"{show(self.text)}: {cause}")

    def read(self, tokens: Sequence[str]) -> Any:
        expects, begun = True, False  # an argument, else a comma or an end; after an operator
        for token, following in zip(tokens, (*tokens[1:], ""), strict=True):
            if token == "(":
                if not begun:
                    self.refuse("a parenthesis opens after no operator")
                begun = False
            elif token == ",":
                if expects or not self.open:
                    self.refuse("a comma stands where an argument must")
                expects = True
            elif token == ")":
                if not self.open or (expects and len(self.into()) > self.open[-1].first):
                    self.refuse("a parenthesis closes where an argument must stand")
                self.end()
                expects = False
            elif not expects:
                self.refuse(f"{show(token)} stands where a comma must")
            elif following == "(":
                self.begin(token)
                begun = True
            else:
                self.take(self.resolve(token))
                expects = False
        if self.open or expects or len(self.done) != 1:
            self.refuse("it is no expression, or not to its end")
        return self.done[0]

    def take(self, items: Sequence[Any]) -> None:
        """Add what a word stands for; an argument of a group may be large itself."""
        known = self.element.document.sizes
        size = sum(known[id(item)][1] if id(item) in known else 1 for item in items)
        if size > len(items):
            self.element.document.charge(size, self.element)
        self.into().extend(items)
        self.sizes[-1] += size

    def into(self) -> list[Any]:
        """The list of arguments that is being written."""
        return self.open[-1].arguments if self.open else self.done

    def begin(self, name: str) -> None:
        if name not in OPERATORS:
            self.refuse(f"there is no operator {show(name)}, or it is not supported")
        self.sizes.append(1)
        around = self.open[-1] if self.open else None
        if around is not None and around.name == name and OPERATORS[name].joins:
            shared = around.arguments
            self.open.append(_Open(name, shared, len(shared), around.depth))
            return
        depth = around.depth + 1 if around else 1
        if depth > DEEPEST:
            self.refuse(f"it is nested more deeply than {DEEPEST}")
        self.open.append(_Open(name, [], 0, depth))

    def end(self) -> None:
        """Close the innermost operator."""
        closed = self.open.pop()
        known, number = OPERATORS[closed.name], len(closed.arguments) - closed.first
        if not known.least <= number <= known.most:
            self.refuse(f"{closed.name} does not take {number} arguments")
        size = self.sizes.pop()
        copies = _copies(closed.name, closed.arguments)
        if copies > 1:  # before any is made, for copies of copies double with each
            self.element.document.charge(size * copies, self.element)
        self.sizes[-1] += size * copies
        into = self.into()
        if into is not closed.arguments:
            into.append(self.apply(closed.name, known, closed.arguments))

    def apply(self, name: str, known: Operator, arguments: Sequence[Any]) -> Any:
        of_sets = name in ("in", "notin")
        if of_sets or Set in map(type, arguments):
            for k, item in enumerate(arguments):
                if isinstance(item, Set) != (of_sets and k == 1):
                    self.refuse(f"{name} does not take these: a set stands after in and notin")
        try:
            made = known.make(arguments)
        except ModelError as error:
            self.refuse(f"{name}: {error}")
        return int(made) if isinstance(made, bool) else made


def _copies(name: str, arguments: Sequence[Any]) -> int:
    """How often the result of the operator contains an argument, at most."""
    if name == "sqr":
        return 2
    if name == "iff":
        return min(2, len(arguments) - 1)
    if name != "pow":
        return 1
    least, most = bounds_of(arguments[1])
    return max(1, most if least == most else MOST_POWER * (MOST_POWER + 1) // 2)


# --- what operators make -------------------------------------------------------------------------


def _call(kind: Any, *terms: Any) -> Any:
    return Call(common_space(*terms), kind(*map(to_term, terms)))


def add(items: Sequence[Any]) -> Any:
    """The sum of items."""
    items = [operand(item, "add") for item in items]
    offset = sum(item for item in items if type(item) is int)
    terms = tuple(item for item in items if type(item) is not int)
    return Combination(common_space(*terms), terms, (1,) * len(terms), offset) if terms else offset


def multiply(items: Sequence[Any]) -> Any:
    """The product of items; constants are its factor."""
    items = [operand(item, "mul") for item in items]
    factor = reduce(operator.mul, (item for item in items if type(item) is int), 1)
    terms = [item for item in items if type(item) is not int]
    if not terms:
        return factor
    found = terms[0]
    if len(terms) > 1:
        found = Call(common_space(*terms), core.Product(tuple(map(to_term, terms))))
    return found if factor == 1 else found * factor


def _absolute(items: Sequence[Any]) -> Any:
    return abs(operand(items[0], "abs"))


def distance(items: Sequence[Any]) -> Any:
    """How far two items are apart."""
    if _are_numbers(items):
        return abs(items[0] - items[1])
    return _call(core.Distance, *items)


def _are_numbers(items: Sequence[Any]) -> bool:
    return not any(isinstance(item, Expression) for item in items)


def _divided(kind: Any) -> Callable[[Sequence[Any]], Any]:
    return lambda items: _call(kind, *items)


def power(items: Sequence[Any]) -> Any:
    """A base to an exponent, which is a constant, or varies between 0 and ``MOST_POWER``."""
    base, exponent = items
    least, most = bounds_of(exponent)
    if least < 0 or most > MOST_POWER:
        raise ModelError(f"an exponent is from 0 to {MOST_POWER}, and this is {least} to {most}")
    if least == most:
        return multiply([base] * most) if most else 1
    powers = tuple(to_term(multiply([base] * k) if k else 1) for k in range(most + 1))
    return Call(common_space(base, exponent), ElementOf(powers, to_term(exponent)))


def extreme(kind: Any, chosen: Callable[..., Any]) -> Callable[[Sequence[Any]], Any]:
    """The least or greatest of items."""

    def make(items: Sequence[Any]) -> Any:
        if _are_numbers(items):
            return chosen(items)
        return Call(common_space(*items), kind(tuple(map(to_term, items))))

    return make


def _compared(relation: Callable[[Any, Any], Any]) -> Callable[[Sequence[Any]], Any]:
    return lambda items: relation(*items)


def _equal(items: Sequence[Any]) -> Any:
    if len(items) == 2:
        return items[0] == items[1]
    return Condition(common_space(*items), core.AllEqual(tuple(map(to_term, items))))


def _different(items: Sequence[Any]) -> Any:
    if len(items) == 2:
        return items[0] != items[1]
    return Condition(common_space(*items), core.AllDifferent(tuple(map(to_term, items))))


def _inside(items: Sequence[Any]) -> Any:
    value, members = items[0], items[1].items
    if _are_numbers((value, *members)):
        return int(value in members)
    if not isinstance(value, Expression):
        return join(core.Or, [value == member for member in members])
    return value.isin(members)


def _outside(items: Sequence[Any]) -> Any:
    value, members = items[0], items[1].items
    if isinstance(value, Expression) and _are_numbers(members):
        rows = tuple((member,) for member in dict.fromkeys(members))
        return Condition(common_space(value), core.Table((to_term(value),), rows, False))
    return _not([_inside(items)])


def _not(items: Sequence[Any]) -> Any:
    if not isinstance(items[0], Expression):
        return 1 - _truth(items[0])
    return ~items[0]


def _truth(item: Any) -> int:
    if item not in (0, 1):
        raise ModelError(f"{item} is no condition; only 0 and 1 are")
    return int(item)


def _iff(items: Sequence[Any]) -> Any:
    if len(items) == 2:
        return _condition(items[0]).iff(_condition(items[1]))
    first = _condition(items[0])
    return join(core.And, [first.iff(_condition(item)) for item in items[1:]])


def _implies(items: Sequence[Any]) -> Any:
    return _condition(items[0]).implies(_condition(items[1]))


def _condition(item: Any) -> Condition:
    if isinstance(item, Condition):
        return item
    return Condition(common_space(item), to_formula(item))


def _if(items: Sequence[Any]) -> Any:
    test, yes, no = items
    made = core.IfThenElse(to_formula(test), to_term(yes), to_term(no))
    return Call(common_space(*items), made)


MANY = 1 << 60
UNTOLD = 16
"""Expressions of no more words count as one word where groups and slides repeat them."""

OPERATORS: dict[str, Operator] = {
    "neg": Operator(1, 1, lambda items: -items[0]),
    "abs": Operator(1, 1, _absolute),
    "sqr": Operator(1, 1, lambda items: multiply([items[0], items[0]])),
    "add": Operator(2, MANY, add, joins=True),
    "sub": Operator(2, 2, lambda items: items[0] - items[1]),
    "mul": Operator(2, MANY, multiply, joins=True),
    "div": Operator(2, 2, _divided(core.Quotient)),
    "mod": Operator(2, 2, _divided(core.Remainder)),
    "pow": Operator(2, 2, power),
    "dist": Operator(2, 2, distance),
    "min": Operator(2, MANY, extreme(core.Minimum, min), joins=True),
    "max": Operator(2, MANY, extreme(core.Maximum, max), joins=True),
    "lt": Operator(2, 2, _compared(operator.lt)),
    "le": Operator(2, 2, _compared(operator.le)),
    "ge": Operator(2, 2, _compared(operator.ge)),
    "gt": Operator(2, 2, _compared(operator.gt)),
    "eq": Operator(2, MANY, _equal),
    "ne": Operator(2, MANY, _different),
    "in": Operator(2, 2, _inside),
    "notin": Operator(2, 2, _outside),
    "not": Operator(1, 1, _not),
    "and": Operator(2, MANY, lambda items: join(core.And, items), joins=True),
    "or": Operator(2, MANY, lambda items: join(core.Or, items), joins=True),
    "xor": Operator(2, MANY, lambda items: join(core.Xor, items)),
    "iff": Operator(2, MANY, _iff),
    "imp": Operator(2, 2, _implies),
    "if": Operator(3, 3, _if),
    "set": Operator(0, MANY, lambda items: Set(tuple(items))),
}
"""Each operator of XCSP3-core's expressions over integers."""
