"""Declarations: parameters, variables with their domains, arrays; and annotations.

Words
-----
unbounded   a variable that is declared without bounds, with the place of its declaration
shown       a variable that is annotated as output, by itself or in an array
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from modelling.constraint import Constraint
from modelling.formats.flatzinc.builtins import is_in
from modelling.formats.flatzinc.items import Item, is_float, shown
from modelling.formats.flatzinc.values import Names, Numbers
from modelling.problem import LISTED
from modelling.terms import Affine, Term, affine, bounds
from modelling.vocabulary.formulas.linear import equal

BOOLEAN = (0, 1)

MOST_VALUES = 1 << 24
"""Most values that all distinct listed domains have together."""

LARGE = 1000
"""A domain of at least this many values, all within ``LISTED`` of 0, shares its integers."""


class DomainPool:
    """The domains so far."""

    def __init__(self) -> None:
        self._known: dict[Numbers, Numbers] = {}
        self._integers: tuple[int, ...] = ()
        self._values = 0

    def domain(self, item: Item, k: int, numbers: Numbers) -> Numbers:
        """The values of a domain, which is declared at a token; listed, as a structure will."""
        found = self._known.get(numbers)
        if found is None:
            found = numbers
            if len(numbers) <= LISTED:
                self._values += len(numbers)
                if self._values > MOST_VALUES:
                    item.fail(
                        k,
                        f"the domains of the variables have more than {MOST_VALUES:,} values "
                        "together; tighter bounds in the model would help",
                    )
                found = self._listed(numbers)
            self._known[numbers] = found
        return found

    def _listed(self, numbers: Numbers) -> tuple[int, ...]:
        if len(numbers) < LARGE or numbers[0] < -LISTED or numbers[-1] > LISTED:
            return tuple(numbers)
        if not self._integers:
            self._integers = tuple(range(-LISTED, LISTED + 1))
        if isinstance(numbers, tuple):
            return tuple([self._integers[number + LISTED] for number in numbers])
        return self._integers[numbers.start + LISTED : numbers.stop + LISTED]


class Declarations:
    """What has been declared so far, and the constraints that follow from declarations."""

    def __init__(self) -> None:
        self.names = Names()
        self.called: list[str] = []
        self.domains: list[Any] = []
        self.unbounded: dict[int, tuple[Item, int]] = {}
        self.output: list[int] | None = None
        self.pool = DomainPool()
        self.constraints: list[Constraint] = []

    def parameter(self, item: Item) -> None:
        """``int: n = 5;`` and its like."""
        kind, k = self.par_type(item, 0)
        k = item.expect(k, ":")
        name = self.names.declare(item, k, "float" if kind == "float" else kind)
        k = item.expect(skip_annotations(item, k + 1), "=")
        if kind == "float":
            return
        if kind == "set":
            self.names.sets[name], k = self.names.set(item, k)
        else:
            value, k = self.names.number(item, k)
            self.names.numbers[name] = value
            self.names.terms[name] = Affine(None, 0, value)
        item.expect(k, ";")

    def par_type(self, item: Item, k: int) -> tuple[str, int]:
        """``par``, ``set`` or ``float``, and what follows the type."""
        token = item.tokens[k]
        if token in ("int", "bool"):
            return "par", k + 1
        if token == "float":
            return "float", k + 1
        if token != "set":
            item.fail(k, f"a type must stand here, not {shown(token)}")
        k = item.expect(k + 1, "of")
        after = k + 1 if item.tokens[k] == "int" else self.names.set(item, k)[1]
        return "set", after

    def variable(self, item: Item) -> None:
        """``var 1..9: x :: output_var;``"""
        domain, boolean, k = self.var_type(item, 1)
        k = item.expect(k, ":")
        at, name = k, self.names.declare(item, k, "var")
        position = len(self.called)
        self.called.append(name)
        self.domains.append(domain)
        if domain is None:
            self.unbounded[position] = item, at
        if boolean:
            self.names.booleans.add(position)
        self.names.terms[name] = position
        k = skip_annotations(item, k + 1)
        if "output_var" in annotated(item, at + 1, k):
            self.show((position,))
        if item.tokens[k] == "=":
            term, k = self.names.term(item, k + 1)
            self.constraints.append(equal(position, term).simplified())
        item.expect(k, ";")

    def var_type(self, item: Item, k: int) -> tuple[Any, bool, int]:
        """The domain that a type says (None: any integer), whether it is ``bool``, what follows."""
        token = item.tokens[k]
        if token == "bool":
            return BOOLEAN, True, k + 1
        if token == "int":
            return None, False, k + 1
        if token == "set":
            self.refuse_variable(item, k, "a set", 'include "nosets.mzn" in the model')
        if token == "float" or is_float(token):
            self.refuse_variable(item, k, "a float", "take scaled integers")
        first = k
        numbers, k = self.names.set(item, k)
        return self.pool.domain(item, first, numbers), False, k

    def refuse_variable(self, item: Item, k: int, what: str, instead: str) -> None:
        """Refuse a variable of a kind that is not covered, by its name."""
        colon = item.tokens.index(":") if ":" in item.tokens else k
        name = item.tokens[min(colon + 1, len(item.tokens) - 1)]
        item.fail(
            k,
            f"the variable {shown(name)} is {what}, and only integers and Booleans are covered; "
            f"{instead}",
        )

    def array(self, item: Item) -> None:
        """``array [1..3] of var int: xs = [x, y, z];`` and arrays of numbers or sets."""
        k = item.expect(1, "[")
        first, k = item.integer_at(k), item.expect(k + 1, "..")
        length, k = item.integer_at(k), item.expect(item.expect(k + 1, "]"), "of")
        if first != 1:
            item.fail(2, "the places of an array are counted from 1")
        domain: Any = None
        if item.tokens[k] == "var":
            domain, boolean, k = self.var_type(item, k + 1)
            kind, read_it = "var", self.names.booleans_at if boolean else self.names.terms_at
        else:
            kind, k = self.par_type(item, k)
            read_it = self.names.sets_at if kind == "set" else self.names.numbers_at
        k = item.expect(k, ":")
        at, name = k, self.names.declare(item, k, kind)
        k = skip_annotations(item, k + 1)
        if item.tokens[k] != "=":
            item.fail(k, f"the array {name} must say what it holds: = [...]")
        if kind == "float":
            return
        found, after = read_it(item, k + 1)
        if len(found) != length:
            item.fail(k + 1, f"the array {name} has {len(found)} elements, and {length} declared")
        item.expect(after, ";")
        self.names.arrays[name] = found
        if kind == "var":
            self.limit(found, domain)
            if "output_array" in annotated(item, at + 1, k):
                self.show(found)

    def limit(self, terms: Sequence[Term], domain: Numbers | None) -> None:
        """Keep the elements of an array in the domain that its type says."""
        if domain is None or domain is BOOLEAN:
            return
        for term in dict.fromkeys(terms):
            own = self.domains[term] if not isinstance(term, Affine) else (term.offset,)
            if own is domain or (own and _covers(domain, own)):
                continue
            self.constraints.append(is_in(term, domain))

    def show(self, terms: Sequence[Term]) -> None:
        """Let variables be output."""
        self.output = [] if self.output is None else self.output
        self.output += [term for term in terms if not isinstance(term, Affine)]

    def ends(self, term: Term) -> tuple[int | None, int | None]:
        """The least and greatest value of a term by its declaration."""
        variable = affine(term).variable
        if variable is not None and self.domains[variable] is None:
            return None, None
        return bounds(term, self.domains)


def skip_annotations(item: Item, k: int) -> int:
    """The number of the token after the annotations, which are read past."""
    tokens = item.tokens
    while tokens[k] == "::":
        depth, k = 0, k + 1
        while depth or tokens[k] not in ("::", "=", ";", "satisfy", "minimize", "maximize"):
            if tokens[k] in ("(", "[", "{"):
                depth += 1
            elif tokens[k] in (")", "]", "}"):
                depth -= 1
            elif tokens[k] in (";", '"'):
                kind = "bracket" if tokens[k] == ";" else "string"
                item.fail(k, f"a {kind} of an annotation is not closed")
            k += 1
    return k


def annotated(item: Item, k: int, end: int) -> list[str]:
    """The first words of the annotations from one token to another."""
    tokens = item.tokens[k : end + 1]
    return [after for sign, after in pairwise(tokens) if sign == "::"]


def _covers(domain: Numbers, other: Numbers) -> bool:
    """Whether a domain surely has all values of another one (by their ends, if it has no gaps)."""
    if domain and domain[-1] - domain[0] == len(domain) - 1:
        return domain[0] <= other[0] and other[-1] <= domain[-1]
    return domain == other
