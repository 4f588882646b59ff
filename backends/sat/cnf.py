"""Formulas in conjunctive normal form, as the encoders write them.

Words
-----
variable    a Boolean, 1, 2, 3, ...
literal     a variable ``v`` or its negation ``-v`` (DIMACS)
clause      some literals, at least one of which must be true; the empty clause is false
block       clauses one after the other in an array of 32-bit integers, each ended by a 0: of files
            of clauses there are too many to make an object of each
determined  a variable is determined when every assignment to the one-hot Booleans that satisfies
            the formula leaves it one value. Every auxiliary variable written here is determined,
            so the formula has as many models as the problem has solutions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from modelling.vocabulary.formulas.clauses import clauses_in

Clause = tuple[int, ...]

Literals = Mapping[int, int]
"""The one-hot Booleans of one variable: value -> literal."""

MOST_CLAUSES = 5_000_000
"""Most clauses of a formula: some 500 MB as Python tuples."""


MOST_IN_BLOCKS = 100_000_000
"""Most numbers in its blocks: some 400 MB, and several times that in a solver."""


class TooLarge(Exception):
    """An encoding would pass ``MOST_CLAUSES``; the message says what made it so large."""


class Cnf:
    """A growing formula over the variables 1 to ``top``.

    ``most`` bounds the number of clauses; ``add`` raises ``TooLarge`` beyond it. ``gates`` are the
    literals that ``backends.sat.gates`` has defined, each by what it is made of.
    """

    __slots__ = ("_excluded", "_shared", "_true", "blocks", "clauses", "gates", "most", "top")

    def __init__(self, most: int = MOST_CLAUSES) -> None:
        self.clauses: list[Clause] = []
        self.blocks: list[Any] = []
        self.gates: dict[tuple[int, ...], int] = {}
        self._true = 0
        self._shared: dict[int, int] = {}
        self.top = 0
        self.most = most
        self._excluded: set[Clause] = set()

    def new(self) -> int:
        """A variable that is not in use yet."""
        self.top += 1
        return self.top

    @property
    def written(self) -> int:
        """How many clauses there are."""
        return len(self.clauses)

    @property
    def true(self) -> int:
        """A literal that is always true."""
        if not self._true:
            self._true = self.new()
            self.add([self._true])
        return self._true

    def expect(self, clauses: int) -> None:
        """Raise ``TooLarge`` at once if ``more`` further clauses cannot fit."""
        if self.written + clauses > self.most:
            raise TooLarge(f"its SAT encoding has more than {self.most:,} clauses")

    def add(self, clause: Iterable[int]) -> None:
        """One more clause.

        Equal literals are one object: a solver that reads 10,000 clauses at each call reads them
        from the cache, and is a tenth faster than with an object each.
        """
        self._append(tuple([self._shared.setdefault(x, x) for x in clause]))

    def add_block(self, numbers: Any) -> None:
        """Many clauses at once; their variables are there already."""
        if sum(map(len, (*self.blocks, numbers))) > MOST_IN_BLOCKS:
            raise TooLarge(f"its clauses have more than {MOST_IN_BLOCKS:,} literals and ends")
        self.blocks.append(numbers)

    def say(self, *literals: int) -> None:
        """A clause of literals of which some may be constants or repeat."""
        true = self._true
        kept = dict.fromkeys(literals)
        if true in kept or any(-literal in kept for literal in kept):
            return
        kept.pop(-true, None)
        self.add(kept)

    def name(self, literals: Iterable[int]) -> None:
        """Make these known to solvers, even if no clause has them: add a clause that is true."""
        literals = tuple(literals)
        if literals or not self.top:
            self.add((self.true, *literals))

    def exclude(self, one: int, other: int) -> None:
        """The two literals are not both true.

        Said twice it is written once: in Sudoku a box and a row share three cells, and a ninth
        of the pairs with them.
        """
        share = self._shared
        one, other = share.setdefault(-one, -one), share.setdefault(-other, -other)
        clause = (one, other) if one > other else (other, one)
        if clause not in self._excluded:
            self._append(clause)
            self._excluded.add(clause)

    def _append(self, clause: Clause) -> None:
        if len(self.clauses) >= self.most:
            self.expect(1)
        self.clauses.append(clause)


def every_clause(clauses: Iterable[Clause], blocks: Iterable[Any]) -> Iterator[Sequence[int]]:
    """Single clauses, and those of blocks one by one, made while they are asked for."""
    return chain(clauses, chain.from_iterable(map(clauses_in, blocks)))


class Tally(Cnf):
    """A formula of which only the number of clauses is kept.

    What an encoder writes to it takes no memory, so that a formula which is too large is known
    before it is there. Pairs that are excluded twice count twice.
    """

    __slots__ = ("_written",)

    def __init__(self, most: int) -> None:
        super().__init__(most)
        self._written = 0

    @property
    def written(self) -> int:
        return self._written

    def add(self, clause: Iterable[int]) -> None:
        self._append(())

    def exclude(self, one: int, other: int) -> None:
        self._append(())

    def _append(self, clause: Clause) -> None:
        self._written += 1
        if self._written > self.most:
            self.expect(0)
