"""The contents of elements: lists of terms, numbers, tuples and conditions.

Words
-----
item        what a list is made of: an expression over variables, or an integer
argument    an item that a group or a slide puts in the place of ``%0``, ``%1``; ``%...`` means all
            from the first that the template does not name by its number
condition   an operator with an operand, as ``(le,5)`` or ``(in,{1,3})``: what a value is compared
            with
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from modelling.constraint import Constraint
from modelling.expressions.expression import Condition as Formula
from modelling.expressions.expression import Expression, join, to_formula, to_term
from modelling.formats.xcsp3.reader.document import Document, Element, show
from modelling.formats.xcsp3.reader.intension import read_expression
from modelling.formats.xcsp3.reader.variables import Variables
from modelling.terms import ANY, Term
from modelling.vocabulary.formulas.connectives import TRUE, And, Or
from modelling.vocabulary.formulas.table import Table

COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, name) for name in ("lt", "le", "ge", "gt", "eq", "ne")
}
RELATIONS = {"lt": "<", "le": "<=", "ge": ">=", "gt": ">", "eq": "==", "ne": "!="}

_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_REPEATED = re.compile(r"([+-]?[0-9]{1,18})x([0-9]{1,9})")
_RANGE = re.compile(r"([+-]?[0-9]{1,18})\.\.([+-]?[0-9]{1,18})")
_CONDITION = re.compile(r"\(\s*([a-z]+)\s*,\s*(.*?)\s*\)", re.DOTALL)
_PARAMETER = re.compile(r"%([0-9]{1,6}|\.\.\.)")
MANY = 1 << 30
_PLACES = {f"%{k}": k for k in range(100)}
"""The parameters that nearly all templates do with."""

_TUPLE = re.compile(r"\(([^()]*)\)")
_GAP = re.compile(r"\)\s*\(")
_PLAIN_TUPLES = re.compile(r"[0-9\s(),+-]*")
_LONG = re.compile(r"[0-9]{19}")
_CELL = re.compile(r"\s*(\{[^{}]*\}|[^,{}]*?)\s*(?:,|$)")


def is_range(word: str) -> bool:
    """Whether a word is one as ``1..5``."""
    return _RANGE.fullmatch(word) is not None


class Condition(NamedTuple):
    """``operator`` and ``operand``: an item; of ``in`` and ``notin``, a range or a set."""

    operator: str
    operand: Any

    def of(self, value: Any) -> Formula:
        """The formula that ``value``, an expression, is so."""
        if self.operator in COMPARISONS:
            found = COMPARISONS[self.operator](value, self.operand)
            return found if isinstance(found, Formula) else Formula(None, to_formula(found))
        inside = self.operator == "in"
        if isinstance(self.operand, range):
            least, most = self.operand[0], self.operand[-1]
            if not isinstance(value, Expression):
                return Formula(None, to_formula((value in self.operand) == inside))
            parts = (value >= least, value <= most) if inside else (value < least, value > most)
            return join(And if inside else Or, parts)
        rows = tuple((number,) for number in sorted(self.operand))
        return Formula(None, Table((to_term(value),), rows, inside))

    def allows(self, value: int) -> bool:
        """Whether an integer satisfies the condition, if the operand is not an expression."""
        if self.operator in COMPARISONS:
            return bool(COMPARISONS[self.operator](value, self.operand))
        return (value in self.operand) == (self.operator == "in")

    @property
    def is_fixed(self) -> bool:
        """Whether the operand holds no variables."""
        return not isinstance(self.operand, Expression)


class Reading:
    """An instance while it is read: its variables, what was posted, and the arguments in force."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.variables = Variables(document)
        self.posted: list[Constraint] = []
        self.arguments: Sequence[Any] | None = None
        self.rest = 0
        """The first argument that ``%...`` stands for."""

    @property
    def space(self) -> Any:
        """The space of all variables."""
        return self.variables.space

    def post(self, *conditions: Any) -> None:
        """Let conditions, or constraints of the core, hold."""
        for condition in conditions:
            made = condition if isinstance(condition, Constraint) else to_formula(condition)
            if made != TRUE:
                self.posted.append(made)

    # --- items ---

    def words(self, element: Element) -> list[str]:
        """The words of a text, which blanks outside parentheses separate."""
        source = element.content()
        words: list[str] | None = source.kept.get("words")
        if words is None:
            words = source.text.split() if "(" not in source.text else list(_split(source))
            if self.arguments is not None or source is not element:  # it will be asked for again
                source.kept["words"] = words
        self.document.charge(len(words), element)
        return words

    def items(self, element: Element) -> list[Any]:
        """The list in an element, written out."""
        found: list[Any] = []
        positions, handles = self.variables.positions, self.variables.handles
        mention = self.variables.mentioned.add
        for word in self.words(element):
            position = positions.get(word)
            if position is None:
                found += self._item(element, word)
            else:
                found.append(handles[position])
                mention(position)
        return found

    def items_with_places(self, element: Element) -> list[Any]:
        """The same, where the place of each item matters: no array may have gaps."""
        self.variables.refuses_gaps = True
        try:
            return self.items(element)
        finally:
            self.variables.refuses_gaps = False

    def _item(self, element: Element, word: str) -> Sequence[Any]:
        """What a word stands for, unless it is the name of one variable."""
        arguments = self.arguments
        if arguments is not None and (place := _PLACES.get(word, MANY)) < len(arguments):
            return (arguments[place],)  # the rest is rare, or slow itself
        if _NUMBER.fullmatch(word):
            return (int(word),)
        if word[0] == "%":
            return self.argument(element, word)
        if word[0] == "(":
            return (self.read_condition(element, word),)
        if "(" in word:
            return (read_expression(element, word, partial(self.resolve, element)),)
        repeated = _REPEATED.fullmatch(word)
        if repeated:
            self.document.charge(int(repeated[2]), element)
            return [int(repeated[1])] * int(repeated[2])
        if _RANGE.fullmatch(word):
            return self.range_of(element, word)
        places = self.variables.positions_of(element, word)
        if places is None:
            element.refuse(f"{show(word)} is no variable, no integer and no expression")
        handles = self.variables.handles
        return [handles[place] for place in places]

    def resolve(self, element: Element, word: str) -> Sequence[Any]:
        """What a word stands for."""
        position = self.variables.positions.get(word)
        if position is not None:
            self.variables.mentioned.add(position)
            return (self.variables.handles[position],)
        found = self._item(element, word)
        return self.checked(element, found) if Condition in map(type, found) else found

    def expression(self, element: Element) -> Any:
        """The expression that is the text of an element."""
        text = element.content().text.strip()
        if not text:
            element.refuse("is empty; an expression must stand there")
        return read_expression(element, text, partial(self.resolve, element))

    def argument(self, element: Element, word: str) -> Sequence[Any]:
        """The arguments that a parameter stands for."""
        parts = _PARAMETER.fullmatch(word)
        if parts is None or self.arguments is None:
            element.refuse(f"{show(word)} stands where no group or slide gives an argument")
        if parts[1] == "...":
            rest = self.arguments[self.rest :]
            self.document.charge(len(rest), element)
            return rest
        if int(parts[1]) >= len(self.arguments):
            element.refuse(f"{word}: there are only {len(self.arguments)} arguments")
        return (self.arguments[int(parts[1])],)

    def range_of(self, element: Element, word: str) -> range:
        """``1..5``; its size counts as written out."""
        parts = _RANGE.fullmatch(word)
        assert parts is not None
        found = range(int(parts[1]), int(parts[2]) + 1)
        if not found:
            element.refuse(f"the range {word} ends before it begins")
        self.document.charge(found[-1] - found[0] + 1, element)
        return found

    def terms(self, element: Element) -> tuple[Term, ...]:
        """A list as terms of the core; it may not be empty."""
        found = tuple(map(to_term, self.checked(element, self.items(element))))
        if not found:
            element.refuse("is empty; a list has at least one variable")
        return found

    def checked(self, element: Element, items: Sequence[Any]) -> Sequence[Any]:
        """The same, refused if one is a condition such as ``(le,5)``."""
        for item in items:
            if isinstance(item, Condition):
                element.refuse("holds a condition where a term must stand")
        return items

    def item(self, element: Element) -> Any:
        """The one item of an element."""
        found = self.checked(element, self.items(element))
        if len(found) != 1:
            element.refuse(f"holds {len(found)} items where one must stand")
        return found[0]

    def numbers(self, element: Element) -> list[int]:
        """A list of integers."""
        found = self.items(element)
        for item in found:
            if type(item) is not int:
                element.refuse("holds variables or expressions; only integers are supported here")
        return found

    def is_numbers(self, items: Sequence[Any]) -> bool:
        """Whether all items are integers."""
        return all(type(item) is int for item in items)

    # --- conditions ---

    def condition(self, element: Element) -> Condition:
        """The condition in an element."""
        text = element.content().text.strip()
        if text.startswith("%"):
            found = self.argument(element, text)
            if len(found) != 1 or not isinstance(found[0], Condition):
                element.refuse(f"{text} is no condition")
            return found[0]
        return self.read_condition(element, text)

    def read_condition(self, element: Element, text: str) -> Condition:
        """``(operator,operand)``."""
        parts = _CONDITION.fullmatch(text)
        if parts is None:
            element.refuse(f"{show(text)} is no condition; write one as (le,5)")
        name, operand = parts[1], parts[2]
        if name in COMPARISONS:
            items = self.resolve(element, operand) if operand else ()
            if len(items) != 1:
                element.refuse(f"the condition {show(text)} has {len(items)} operands")
            return Condition(name, items[0])
        if name not in ("in", "notin"):
            element.refuse(f"there is no operator {show(name)}; use lt le ge gt eq ne in notin")
        if _RANGE.fullmatch(operand):
            least, most = map(int, operand.split(".."))
            if most < least:
                element.refuse(f"the range {operand} ends before it begins")
            return Condition(name, range(least, most + 1))
        if not (operand.startswith("{") and operand.endswith("}")):
            element.refuse(f"{show(operand)} is no range as 1..5 and no set as {{1,3}} of integers")
        words = operand[1:-1].replace(",", " ").split()
        return Condition(name, frozenset(self._numbers(element, words)))

    def _numbers(self, element: Element, words: Sequence[str]) -> Iterator[int]:
        for word in words:
            if _RANGE.fullmatch(word):
                yield from self.range_of(element, word)
            elif _NUMBER.fullmatch(word):
                yield int(word)
            else:
                element.refuse(f"{show(word)} is no integer")

    def conditions(self, element: Element) -> list[Condition]:
        """``(le,5)(eq,3)``: one for each of several things."""
        text = element.content().text.strip()
        found = [self.read_condition(element, part[0]) for part in _TUPLE.finditer(text)]
        if _TUPLE.sub("", text).strip() or not found:
            element.refuse(f"{show(text)} is no sequence of conditions as (le,5)(eq,3)")
        return found

    # --- tuples ---

    def rows(self, element: Element, once: bool = True) -> tuple[tuple[Any, ...], ...]:
        """``(1,2)(3,*)`` as rows of integers and ANY; ranges and sets are written out.

        Each row is given once, or, without ``once``, as often as the text contains it.
        """
        source = element.content()
        found: tuple[tuple[Any, ...], ...] | None = source.kept.get(f"rows {once}")
        if found is None:
            text = source.text.strip()
            if _PLAIN_TUPLES.fullmatch(text) and not _LONG.search(text):
                found = tuple(_plain_rows(source, text))
            else:
                found = tuple(self._mixed_rows(source, text))
            if len(set(map(len, found))) > 1:
                source.refuse("has tuples of several lengths")
            if once:
                found = tuple(dict.fromkeys(found))
            self.document.charge(sum(map(len, found[:1])) * len(found), element)
            source.kept[f"rows {once}"] = found
        return found

    def _mixed_rows(self, element: Element, text: str) -> Iterator[tuple[Any, ...]]:
        if not text:
            return
        for row in _inner(element, text):
            cells: list[Sequence[Any]] = [self._cell(element, cell) for cell in _cells(row)]
            number = 1
            for cell in cells:
                number *= len(cell)
            self.document.charge(number * len(cells), element)
            made: list[tuple[Any, ...]] = [()]
            for cell in cells:
                made = [(*start, value) for start in made for value in cell]
            yield from made

    def _cell(self, element: Element, cell: str) -> Sequence[Any]:
        if cell == "*":
            return (ANY,)
        if cell.startswith("{") and cell.endswith("}"):
            return list(self._numbers(element, cell[1:-1].replace(",", " ").split()))
        if not (_NUMBER.fullmatch(cell) or _RANGE.fullmatch(cell)):
            element.refuse(
                f"{show(cell)} in a tuple is no integer, * or range; the restrictions of hybrid "
                "tables are not supported: write the tuples out"
            )
        return list(self._numbers(element, (cell,)))

    def tuples(self, element: Element) -> list[tuple[str, ...]]:
        """``(a,0,b)(b,1,a)`` as words."""
        return [_cells(row) for row in _inner(element, element.content().text.strip())]

    def matrix(self, element: Element) -> list[list[Any]]:
        """A matrix of items: ``x[][]``, or rows as ``(x,y)(z,3)``."""
        text = element.content().text.strip()
        if not text.startswith("("):
            rows = self.variables.matrix_of(element, text)
            if rows is None:
                element.refuse(f"{show(text)} is no matrix; write x[][] or (x,y)(z,t)")
            handles = self.variables.handles
            return [[handles[position] for position in row] for row in rows]
        found = []
        for row in _rows_of_items(element, text):
            items: list[Any] = []
            for word in row:
                items += self.resolve(element, word) if word else ()
            self.document.charge(len(items), element)
            found.append(list(self.checked(element, items)))
        if len(set(map(len, found))) > 1:
            element.refuse("has rows of several lengths")
        return found


_MARKS = re.compile(r"[(){}]|\s+")


def _split(element: Element) -> Iterator[str]:
    """Words apart by blanks outside of parentheses and braces."""
    depth, start, text = 0, 0, element.text
    for at in _MARKS.finditer(text):
        sign = at[0]
        if sign in "({":
            depth += 1
        elif sign in ")}":
            depth -= 1
        elif not depth:
            if at.start() > start:
                yield text[start : at.start()]
            start = at.end()
        if depth < 0:
            break
    if depth:
        element.refuse("its parentheses do not match")
    if start < len(text):
        yield text[start:]


def _inner(element: Element, text: str) -> list[str]:
    """The text within each pair of parentheses of ``(1,2)(3,4)``."""
    if len(text) < 2 or text[0] != "(" or text[-1] != ")":
        element.refuse(f"{show(text)} is no sequence of tuples as (1,2)(3,4)")
    rows = _GAP.split(text[1:-1])
    for row in rows:
        if "(" in row or ")" in row:
            element.refuse(f"{show(row)} has parentheses in a tuple")
    return rows


def _plain_rows(element: Element, text: str) -> Iterator[tuple[int, ...]]:
    if not text:
        return
    if text[0] != "(":  # unary: values and nothing else
        element.refuse("has values without parentheses")
    for row in _inner(element, text):
        try:
            yield tuple(map(int, row.split(",")))
        except ValueError:
            element.refuse(f"({row[:40]}) is no tuple of integers")


def _cells(row: str) -> tuple[str, ...]:
    """The cells of a tuple, apart by commas outside of braces."""
    if "{" not in row:
        return tuple(cell.strip() for cell in row.split(","))
    found, end = [], 0
    while end <= len(row):
        at = _CELL.match(row, end)
        if at is None:
            return (row,)
        found.append(at[1])
        if at.end() == len(row) and not row.endswith(",", end):
            break
        end = at.end()
    return tuple(found)


def _rows_of_items(element: Element, text: str) -> Iterator[list[str]]:
    """The items of ``(x,add(y,1))(z,3)`` by rows, with parentheses within."""
    depth, start = 0, 0
    row: list[str] = []
    for at in re.finditer(r"[(),]", text):
        sign = at[0]
        if sign == "(":
            depth += 1
            if depth == 1:
                if text[start : at.start()].strip():
                    element.refuse("has text between its rows")
                row, start = [], at.end()
        elif depth < 1:
            element.refuse(f"{show(text)} is no sequence of rows as (x,y)(z,t)")
        elif depth == 1:
            row.append(text[start : at.start()].strip())
            start = at.end()
        if sign == ")":
            depth -= 1
            if not depth:
                yield row
    if depth or text[start:].strip():
        element.refuse(f"{show(text)} is no sequence of rows as (x,y)(z,t)")
