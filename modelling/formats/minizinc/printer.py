"""Terms, lists and conditions as MiniZinc's expressions, of any class; and their brackets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from modelling.constraint import Constraint
from modelling.errors import ModelError
from modelling.formats.minizinc.names import Grid, Names
from modelling.terms import Domains, Function, Term, affine
from modelling.vocabulary.comparisons import is_total
from modelling.vocabulary.functions.define import Define

LARGEST = 1 << 61
"""The greatest absolute value of a number; beyond it, MiniZinc's arithmetic soon overflows."""


class Words(NamedTuple):
    """How the functions and the constraints of each class are written.

    ``at_root`` has the classes that are written differently where they must hold.
    """

    terms: Mapping[type, Callable[[MiniZincPrinter, Any], str]]
    formulas: Mapping[type, Callable[[MiniZincPrinter, Any], str]]
    at_root: Mapping[type, Callable[[MiniZincPrinter, Any], str]]


class MiniZincPrinter:
    """Writes terms and formulas.

    ``included`` are the files of the library that the text needs. ``depth`` is the number of
    conditions around the current term or formula.
    """

    def __init__(self, names: Names, domains: Domains, words: Words) -> None:
        self.names = names
        self.words = words
        self.domains = domains
        self.included: set[str] = set()
        self.depth = 0
        self._lists: dict[tuple[int, ...], str] = {}
        self._boxes: dict[tuple[int, ...], str] = {}
        for grid in names.grids:
            known = self._lists if len(grid.ends) == 1 else self._boxes
            known.setdefault(grid.variables, grid.name)
            if len(grid.ends) == 2:
                self._add_lines(grid)

    def _add_lines(self, grid: Grid) -> None:
        """The rows and columns of a matrix, which have short names."""
        (top, bottom), (left, right) = grid.ends
        width = right - left + 1
        for row in range(bottom - top + 1):
            line = grid.variables[row * width : (row + 1) * width]
            self._lists.setdefault(line, f"{grid.name}[{top + row},..]")
        for column in range(width):
            self._lists.setdefault(
                grid.variables[column::width], f"{grid.name}[..,{left + column}]"
            )

    def use(self, file: str) -> str:
        """The name of a predicate or function, whose file of the library is included."""
        self.included.add(f"{file}.mzn")
        return file

    # --- terms ---

    def number(self, value: int) -> str:
        """A number that MiniZinc takes."""
        if not -LARGEST <= value <= LARGEST:
            raise ModelError(f"MiniZinc: the number {value} is too large; they go to {LARGEST}")
        return str(value)

    def term(self, term: Term, shift: int = 0) -> str:
        """A term, with ``shift`` added."""
        if isinstance(term, Function):
            said = self.words.terms[type(term)](self, term)
            return f"{enclosed(said)} {signed(shift)}" if shift else said
        variable, factor, offset = affine(term)
        offset += shift
        if variable is None:
            return self.number(offset)
        name = self.names.called[variable]
        said = (
            name if factor == 1 else f"-{name}" if factor == -1 else f"{self.number(factor)}*{name}"
        )
        if not offset:
            return said
        self.number(offset)
        return f"{said} {signed(offset)}"

    def factor(self, term: Term, shift: int = 0) -> str:
        """A term as a factor of a product: in brackets, unless it is one word or a call."""
        return enclosed(self.term(term, shift))

    def terms(self, terms: Iterable[Term], of_any_shape: bool = False) -> str:
        """An array, by its name if there is one; where it is counted from does not matter."""
        terms = tuple(terms)
        if terms and all(type(term) is int for term in terms):
            name = self._lists.get(terms)
            if name is None and of_any_shape:
                name = self._boxes.get(terms)
            if name is not None:
                return name
        return self.plain(terms)

    def plain(self, terms: Iterable[Term], shift: int = 0) -> str:
        """An array that is counted from 1."""
        return "[" + ", ".join(self.term(term, shift) for term in terms) + "]"

    def from_zero(self, terms: Sequence[Term]) -> str:
        """An array whose places are counted from 0."""
        for grid in self.names.grids:
            if grid.variables == tuple(terms) and [low for low, _ in grid.ends] == [0]:
                return grid.name
        return f"array1d(0..{len(terms) - 1}, {self.plain(terms)})"

    def numbers(self, values: Iterable[int]) -> str:
        """An array of numbers."""
        return "[" + ", ".join(map(self.number, values)) + "]"

    def set(self, values: Iterable[int]) -> str:
        """A set of numbers."""
        values = sorted(set(values))
        if len(values) > 2 and values[-1] - values[0] == len(values) - 1:
            return f"{self.number(values[0])}..{self.number(values[-1])}"
        return "{" + ", ".join(map(self.number, values)) + "}"

    def sum(self, terms: Sequence[Term], factors: Sequence[int], offset: int = 0) -> str:
        """A sum."""
        parts: list[str] = []
        passed_over = []
        for term, coefficient in zip(terms, factors, strict=True):
            if not coefficient:
                passed_over.append(term)
                continue
            said = self.factor(term)
            if abs(coefficient) != 1:
                said = f"{self.number(abs(coefficient))}*{said}"
            sign = "-" if coefficient < 0 else "+"
            parts.append(f"{sign} {said}" if parts else said if sign == "+" else f"-{said}")
        if offset or not parts:
            self.number(offset)
            parts.append(signed(offset) if parts else str(offset))
        return self.strictly(" ".join(parts), passed_over)

    def strictly(self, said: str, terms: Iterable[Term]) -> str:
        """An expression that is undefined where one of the terms is, though MiniZinc need not look
        at them for its value: ``max([s, min([s, e])])`` is s wherever e is defined."""
        for term in terms:
            if not is_total(term):
                said = f"max([{said}, min([{said}, {self.term(term)}])])"
        return said

    # --- formulas ---

    def formula(self, formula: Constraint, nested: bool = True) -> str:
        """A condition; in brackets, if it is ``nested`` and no single call."""
        self.depth += 1
        if type(formula) is Define and isinstance(formula.function, Function):
            said = f"{self.factor(formula.result)} = {self.factor(formula.function)}"
        else:
            kind = type(formula)
            at_root = self.words.at_root.get(kind) if self.depth == 1 else None
            said = (at_root or self.words.formulas[kind])(self, formula)
        self.depth -= 1
        return enclosed(said) if nested else said


def signed(offset: int) -> str:
    """``+ 1`` or ``- 1``."""
    return f"{'-' if offset < 0 else '+'} {abs(offset)}"


def enclosed(said: str) -> str:
    """In brackets, unless it is one word or call, or in brackets already."""
    return said if is_word(said) else f"({said})"


def is_word(said: str) -> bool:
    """Whether it is one name, number or call, or is enclosed in brackets."""
    if said.replace("_", "a").isalnum():
        return True
    if said[-1] not in ")]" or not (said[0].isalpha() or said[0] == "("):
        return False
    depth = 0
    for k, sign in enumerate(said):
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth -= 1
            if not depth and k < len(said) - 1 and said[k + 1] != "[":
                return False
        elif not depth and not (sign.isalnum() or sign == "_"):
            return False
    return depth == 0
