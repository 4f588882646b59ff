"""Clauses: a whole formula in conjunctive normal form as one constraint, in a few bytes a literal.

A file of clauses may have ten million of them. As objects of Python each would take some 200 bytes,
and the time to make them; as a ``Block`` a literal takes four, and backends that solve clauses are
given the block as it is.

Words
-----
literal     ``k`` says that the k-th term, counted from 1, is true, ``-k`` that it is false; a term
            is true where it is not 0
clause      some literals, of which one at least holds; the empty clause is false
block       clauses one after the other in one array of 32-bit integers, each ended by a 0
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import chain
from sys import byteorder
from typing import Any, ClassVar

from modelling.constraint import Constraint, Predicate
from modelling.errors import ModelError
from modelling.terms import Fresh, Function, Term, Terms, constants, is_constant
from modelling.vocabulary.comparisons import are_total, is_total
from modelling.vocabulary.formulas.connectives import FALSE, And, Or
from modelling.vocabulary.formulas.linear import Linear, defined

MOST_EXPANDED = 1_000_000
"""A block of more literals is not expressed by other constraints: they would take a gigabyte."""

SHORT = 4096
"""A block of no more numbers is looked at clause by clause; a longer one by numpy."""

CHUNK = 1 << 18
"""Numbers of a block that are looked at together."""


class Block:
    """Clauses as one value: immutable, equal by content, quick to compare, to hash and to pickle.

    ``Block(((1, -2), (3,)))`` is made of sequences of literals, ``Block.of_numbers`` of an array or
    of bytes in which each clause ends with a 0. ``data`` are its bytes, little end first.
    """

    __slots__ = ("__dict__", "data")
    data: bytes

    def __init__(self, clauses: Iterable[Sequence[int]] = ()) -> None:
        rows = [tuple(clause) for clause in clauses]
        self.data = _bytes_of(chain.from_iterable((*row, 0) for row in rows))
        if len(self) != len(rows):
            raise ModelError("0 is no literal: it ends a clause")

    @classmethod
    def of_numbers(cls, numbers: Any) -> Block:
        """The clauses in an array of 32-bit integers, in a list of integers, or in bytes.

        Raises ModelError where the last clause is not ended.
        """
        made = cls.__new__(cls)
        if isinstance(numbers, bytes):
            made.data = numbers
        else:
            own = hasattr(numbers, "astype")
            made.data = numbers.astype("<i4").tobytes() if own else _bytes_of(numbers)
        if len(made.data) % 4 or any(made.data[-4:]):
            raise ModelError("the last clause of a block is not ended by a 0")
        return made

    @cached_property
    def numbers(self) -> Any:
        """A view of the bytes as an array of numpy's."""
        import numpy  # not before: small blocks do without

        return numpy.frombuffer(self.data, "<i4")

    @cached_property
    def length(self) -> int:
        """How many numbers it has, ends included."""
        return len(self.data) // 4

    @cached_property
    def _number(self) -> int:
        if self.length > SHORT:
            return self.length - int((self.numbers != 0).sum())
        return self.numbers_listed().count(0)

    def __len__(self) -> int:
        return self._number

    @property
    def literals(self) -> int:
        """How many literals it has."""
        return self.length - len(self)

    @cached_property
    def most(self) -> int:
        """The greatest number of a term that it names."""
        if self.length > SHORT:
            return int(max(self.numbers.max(), -int(self.numbers.min())))
        return max(map(abs, self.numbers_listed()), default=0)

    @property
    def has_empty(self) -> bool:
        """Whether one of the clauses is empty."""
        if self.length > SHORT:
            ends = self.numbers == 0
            return bool(ends[0] or (ends[1:] & ends[:-1]).any())
        return () in self._few

    @cached_property
    def _few(self) -> tuple[tuple[int, ...], ...]:
        """The clauses of a short block."""
        found, clause = [], []
        for number in self.numbers_listed():
            if number:
                clause.append(number)
            else:
                found.append(tuple(clause))
                clause = []
        return tuple(found)

    def numbers_listed(self) -> list[int]:
        """The numbers as a list, ends included."""
        return _turned(array("i", self.data)).tolist()

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        if self.length <= SHORT:
            return iter(self._few)
        return map(tuple, clauses_in(self.numbers))

    def __eq__(self, other: object) -> bool:
        return self.data == other.data if type(other) is Block else NotImplemented

    def __hash__(self) -> int:
        return hash(self.data)

    def __reduce__(self) -> tuple[Any, ...]:
        return Block.of_numbers, (self.data,)

    def __repr__(self) -> str:
        """The clauses, or for many their number and digest: different for different blocks."""
        if self.length <= 64:
            return f"Block({self._few!r})"
        digest = blake2b(self.data, digest_size=16).hexdigest()
        return f"<Block of {len(self)} clauses, {self.literals} literals, {digest}>"


def _bytes_of(numbers: Iterable[int]) -> bytes:
    try:
        return _turned(array("i", numbers)).tobytes()
    except (TypeError, OverflowError) as error:
        raise ModelError(f"a clause is a sequence of integers of 32 bits: {error}") from error


def _turned(numbers: array[int]) -> array[int]:
    """Little end first, or back from that."""
    if byteorder == "big":
        numbers.byteswap()
    return numbers


def chunks_of(numbers: Any) -> Iterator[Any]:
    """The clauses of an array in pieces of about ``CHUNK`` numbers, each of whole clauses."""
    start, size = 0, len(numbers)
    while start < size:
        stop = min(start + CHUNK, size)
        while stop < size and numbers[stop - 1]:
            ends = numbers[stop : stop + CHUNK] == 0
            first = int(ends.argmax())
            stop += first + 1 if ends[first] else len(ends)
        yield numbers[start:stop]
        start = stop


def clauses_in(numbers: Any) -> Iterator[list[int]]:
    """The clauses of an array, each as a list that is there while it is looked at."""
    for piece in chunks_of(numbers):
        ends = (piece == 0).nonzero()[0].tolist()
        starts = [0, *(end + 1 for end in ends[:-1])]
        yield from map(piece.tolist().__getitem__, map(slice, starts, ends))


@dataclass(frozen=True)
class Clauses(Predicate):
    """Every clause holds: of its literals one at least does.

    Literals are given as a ``Block`` or as a sequence of sequences: ``Clauses((x, y), ((1, -2),))``
    says that x is not 0 or y is 0.
    """

    xcsp3: ClassVar[str] = "clause"
    minizinc: ClassVar[str] = "bool_clause"

    terms: Terms
    literals: Block

    def __post_init__(self) -> None:
        super().__post_init__()
        if type(self.literals) is not Block:
            object.__setattr__(self, "literals", Block(self.literals))
        if self.literals.most > len(self.terms):
            raise ModelError(
                f"Clauses: the literal {self.literals.most} or its negation stands for no term; "
                f"there are {len(self.terms)}"
            )

    def relates(self, terms: Sequence[int], literals: Block) -> bool:
        if literals.length > SHORT:
            return _all_hold(terms, literals.numbers)
        return all(
            any((terms[x - 1] != 0) if x > 0 else (terms[-x - 1] == 0) for x in clause)
            for clause in literals
        )

    def holds(self, values: Sequence[int]) -> bool:
        if self.is_plain:
            return self.relates(values, self.literals)
        return Predicate.holds(self, values)

    def size(self) -> int:
        within: int = sum(part.size() for part in self.parts())
        return len(self.terms) + self.literals.literals + within

    def negated(self) -> Constraint | None:
        """In one clause every literal fails."""
        if self.literals.literals > MOST_EXPANDED or not are_total(self.terms):
            return None
        return Or(
            tuple([And(tuple([self._literal(-x) for x in clause])) for clause in self.literals])
        )

    def _literal(self, literal: int) -> Linear:
        term = self.terms[abs(literal) - 1]
        return Linear((term,), (1,), "!=" if literal > 0 else "==", 0)

    def simplified(self) -> Constraint:
        """Over distinct terms that are used, without clauses that always hold."""
        literals = self.literals
        if literals.has_empty:
            return FALSE
        if literals.literals > MOST_EXPANDED:
            return self
        number, turned = _numbered(self.terms)
        known = {k: t.offset != 0 for k, t in enumerate(self.terms, 1) if is_constant(t)}
        kept: list[tuple[int, ...]] = []
        for clause in literals:
            if any(abs(x) in known and known[abs(x)] is (x > 0) for x in clause):
                continue
            left = dict.fromkeys(turned[x] for x in clause if abs(x) not in known)
            if not any(-x in left for x in left):
                kept.append(tuple(left))
        return _over_used(number, kept)

    def expand(self, fresh: Fresh) -> Constraint | None:
        """A sum for each clause over terms that are 0 or 1, else a disjunction."""
        if self.literals.literals > MOST_EXPANDED:
            return None
        is_boolean = [0 <= low <= high <= 1 for low, high in map(fresh.bounds, self.terms)]
        found: list[Constraint] = []
        for clause in self.literals:
            if all(is_boolean[abs(x) - 1] for x in clause):
                terms = tuple([self.terms[abs(x) - 1] for x in clause])
                signs = tuple([1 if x > 0 else -1 for x in clause])
                found.append(Linear(terms, signs, ">=", 1 - signs.count(-1)))
            else:
                found.append(Or(tuple(map(self._literal, clause))))
        return And((*found, *defined(self.terms)))

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Clauses:
        drawn = terms.some(0, 4)
        clauses = [
            tuple(
                rng.choice((-1, 1)) * rng.randint(1, len(drawn))
                for _ in range(rng.randint(0 if rng.random() < 0.1 else 1, 3) if drawn else 0)
            )
            for _ in range(rng.randint(0, 4))
        ]
        return cls(drawn, Block(clauses))

    EDGES = (
        (((), ()), True),
        (((), ((),)), False),
        ((constants(0, 1), ((1, 2),)), True),
        ((constants(0, 1), ((1, -2),)), False),
        ((constants(0, 1), ((2,), (-1,))), True),
        ((constants(0, 1), ((2,), (1,))), False),
        ((constants(0, 1), ((1, 1), (2, -2))), False),
        ((constants(-7), ((1,),)), True),
        ((constants(-7), ((-1,),)), False),
    )


def _all_hold(terms: Sequence[int], numbers: Any) -> bool:
    """Whether every clause has a literal that holds where the terms have these values."""
    import numpy

    true = numpy.fromiter((value != 0 for value in terms), bool, len(terms))
    # The entry of a literal is at its own index: negative ones count from the end.
    by_literal = numpy.concatenate(([False], true, ~true[::-1]))
    for piece in chunks_of(numbers):
        starts = (piece[:-1] == 0).nonzero()[0] + 1
        held = numpy.logical_or.reduceat(by_literal[piece], numpy.concatenate(([0], starts)))
        if not held.all():
            return False
    return True


def _numbered(terms: Sequence[Term]) -> tuple[dict[Term, int], dict[int, int]]:
    """A number for each term that is not a constant, and each of their literals by this number."""
    number: dict[Term, int] = {}
    turned: dict[int, int] = {}
    for k, term in enumerate(terms, 1):
        if not is_constant(term):
            new = number.setdefault(term, len(number) + 1)
            turned[k], turned[-k] = new, -new
    return number, turned


def _over_used(number: dict[Term, int], clauses: list[tuple[int, ...]]) -> Constraint:
    """These clauses over the terms that they name, or that can be undefined."""
    named = {abs(x) for clause in clauses for x in clause}
    left = [term for term, k in number.items() if k in named or not is_total(term)]
    if () in clauses:
        return FALSE
    if not clauses:
        return And(defined(left))
    again = {number[term]: k for k, term in enumerate(left, 1)}
    moved = tuple(
        [tuple([again[x] if x > 0 else -again[-x] for x in clause]) for clause in clauses]
    )
    if len(moved) == len(moved[0]) == len(left) == 1 and not isinstance(left[0], Function):
        return Linear((left[0],), (1,), "!=" if moved[0][0] > 0 else "==", 0)
    return Clauses(tuple(left), Block(dict.fromkeys(moved)))
