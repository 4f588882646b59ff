"""Reads the arguments of constraints by their kind: terms, numbers, sets and arrays.

Each constraint has a *signature*, one letter an argument:

t T     an integer, variable or not, as a term; an array of them
b B     a Boolean, variable or not, as a term that is 0 or 1; an array of them
i I     a number (or ``true``, ``false``); an array of them
s S     a set of numbers: a range, or an ascending tuple; an array of them

``Names`` are the declared names with what they stand for. Arrays are read as a whole where they
list names and numbers only, as nearly all do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from modelling.formats.flatzinc.items import Item, shown, to_integer
from modelling.terms import Affine, Term, constant, is_constant

Numbers = range | tuple[int, ...]
"""A set of numbers."""

LITERALS = {"true": 1, "false": 0}


class Unknown(Exception):
    """A token that is not what was wanted; caught within this room."""

    def __init__(self, token: str, cause: str) -> None:
        super().__init__(cause)
        self.token = token
        self.cause = cause


class _Terms(dict[str, Term]):
    """Name or number -> term."""

    def __missing__(self, token: str) -> Term:
        value = to_integer(token)
        if value is None:
            raise Unknown(token, "a variable or an integer")
        return constant(value)


class _Integers(dict[str, int]):
    """Name or digits -> number."""

    def __missing__(self, token: str) -> int:
        value = to_integer(token)
        if value is None:
            raise Unknown(token, "an integer")
        return value


class Names:
    """What the declared names stand for."""

    def __init__(self) -> None:
        self.terms: dict[str, Term] = _Terms({k: constant(v) for k, v in LITERALS.items()})
        self.numbers: dict[str, int] = _Integers(LITERALS)
        self.sets: dict[str, Numbers] = {}
        self.arrays: dict[str, tuple[Any, ...]] = {}
        self.kinds: dict[str, str] = {}
        self.booleans: set[int] = set()
        self._of_constants: dict[str, tuple[Term, ...]] = {}

    def term(self, item: Item, k: int) -> tuple[Term, int]:
        """The term at a token, and the number of the token after it."""
        token = item.tokens[k]
        if item.tokens[k + 1] == "[" and token in self.arrays:
            return self._place(item, k)
        try:
            return self.terms[token], k + 1
        except Unknown as found:
            self._refuse(item, k, found)
            raise

    def boolean(self, item: Item, k: int) -> tuple[Term, int]:
        """The same for a Boolean."""
        term, after = self.term(item, k)
        self._check_booleans(item, k, (term,))
        return term, after

    def number(self, item: Item, k: int) -> tuple[int, int]:
        """The number at a token."""
        if item.tokens[k + 1] == "[" and item.tokens[k] in self.arrays:
            term, after = self._place(item, k)
            if not is_constant(term):
                item.fail(k, f"a number must stand here, and {item.tokens[k]} has variables")
            return term.offset, after
        try:
            return self.numbers[item.tokens[k]], k + 1
        except Unknown as found:
            self._refuse(item, k, found)
            raise

    def set(self, item: Item, k: int) -> tuple[Numbers, int]:
        """The set of numbers at a token."""
        token = item.tokens[k]
        if token in self.sets:
            return self.sets[token], k + 1
        if token == "{":
            numbers, after = self._listed(item, k, "}", self.numbers, self.number)
            return tuple(sorted(set(numbers))), after
        if token in self.arrays and item.tokens[k + 1] == "[":
            found, after = self._place(item, k)
            if isinstance(found, (range, tuple)) and not isinstance(found, Affine):
                return found, after
        if item.tokens[k + 1] != "..":
            item.fail(k, f"a set of integers must stand here, not {shown(token)}")
        low, high = item.integer_at(k), item.integer_at(k + 2)
        return range(low, high + 1), k + 3

    def terms_at(self, item: Item, k: int) -> tuple[tuple[Term, ...], int]:
        """The array of terms at a token."""
        token = item.tokens[k]
        if token == "[":
            return self._listed(item, k, "]", self.terms, self.term)
        kind = self._kind_of_array(item, k)
        if kind == "set":
            item.fail(k, f"an array of integers must stand here, and {token} is one of sets")
        if kind == "var":
            return self.arrays[token], k + 1
        made = self._of_constants.get(token)
        if made is None:
            made = self._of_constants[token] = tuple(map(constant, self.arrays[token]))
        return made, k + 1

    def booleans_at(self, item: Item, k: int) -> tuple[tuple[Term, ...], int]:
        """The array of Booleans at a token."""
        terms, after = self.terms_at(item, k)
        self._check_booleans(item, k, terms)
        return terms, after

    def numbers_at(self, item: Item, k: int) -> tuple[tuple[int, ...], int]:
        """The array of numbers at a token."""
        token = item.tokens[k]
        if token == "[":
            return self._listed(item, k, "]", self.numbers, self.number)
        kind, array = self._kind_of_array(item, k), self.arrays[token]
        if kind == "var" and all(map(is_constant, array)):
            return tuple(term.offset for term in array), k + 1
        if kind != "par":
            item.fail(k, f"an array of numbers must stand here, and {token} is none")
        return array, k + 1

    def sets_at(self, item: Item, k: int) -> tuple[tuple[Numbers, ...], int]:
        """The array of sets at a token."""
        token = item.tokens[k]
        if token == "[":
            return self._one_by_one(item, k, "]", self.set)
        if self._kind_of_array(item, k) != "set":
            item.fail(k, f"an array of sets must stand here, and {token} is none")
        return self.arrays[token], k + 1

    def declare(self, item: Item, k: int, kind: str) -> str:
        """A name that is new, with what it will stand for."""
        name = item.name_at(k)
        if name in self.kinds or name in LITERALS:
            item.fail(k, f"{shown(name)} is declared already, or a word of the language")
        self.kinds[name] = kind
        return name

    def _kind_of_array(self, item: Item, k: int) -> str:
        token = item.tokens[k]
        if token not in self.arrays:
            item.fail(k, f"an array must stand here, not {shown(token)}{self._known(token)}")
        return self.kinds[token]

    def _place(self, item: Item, k: int) -> tuple[Any, int]:
        """An element of a named array, counted from 1."""
        name = item.tokens[k]
        number, array = item.integer_at(k + 2), self.arrays[name]
        if not 1 <= number <= len(array):
            item.fail(k + 2, f"{name} has no element {number}; it has {len(array)}")
        found = array[number - 1]
        return constant(found) if isinstance(found, int) and self.kinds[name] == "par" else found, (
            item.expect(k + 3, "]")
        )

    def _listed(
        self, item: Item, k: int, closing: str, known: dict[str, Any], read: Callable[..., Any]
    ) -> tuple[tuple[Any, ...], int]:
        """A list in brackets: all at once, if it is of names and numbers with commas between."""
        tokens = item.tokens
        try:
            end = tokens.index(closing, k)
        except ValueError:
            item.fail(k, f"no {closing!r} closes what begins here")
        inside = tokens[k + 1 : end]
        if inside and inside[-1] == ",":
            inside.pop()
        commas = inside[1::2]
        if (len(inside) % 2 or not inside) and commas.count(",") == len(commas):
            try:
                return tuple(map(known.__getitem__, inside[::2])), end + 1
            except Unknown:
                pass  # read one by one, it will be found where the matter lies
        return self._one_by_one(item, k, closing, read)

    def _one_by_one(
        self, item: Item, k: int, closing: str, read: Callable[..., Any]
    ) -> tuple[tuple[Any, ...], int]:
        found: list[Any] = []
        k += 1
        while item.tokens[k] != closing:
            if found:
                k = item.expect(k, ",")
                if item.tokens[k] == closing:
                    break
            value, k = read(item, k)
            found.append(value)
        return tuple(found), k + 1

    def _check_booleans(self, item: Item, k: int, terms: Sequence[Term]) -> None:
        for term in terms:
            if isinstance(term, Affine):
                if term.offset not in (0, 1):
                    item.fail(k, f"true or false must stand here, not {term.offset}")
            elif term not in self.booleans:
                item.fail(k, "a Boolean must stand here, not an integer variable")

    def _refuse(self, item: Item, k: int, found: Unknown) -> None:
        item.fail(
            k, f"{found.cause} must stand here, not {shown(found.token)}{self._known(found.token)}"
        )

    def _known(self, token: str) -> str:
        kind = self.kinds.get(token)
        if kind is not None:
            return f", which is {_KINDS[kind]}"
        return ", which is not declared" if token[:1].isidentifier() else ""


_KINDS = {
    "var": "declared with variables",
    "par": "declared as numbers",
    "set": "declared as a set or sets",
    "float": "declared as a float: floats are not covered",
}
