"""What a puzzle family is, what an instance is, and the families that there are.

Words
-----
family      a kind of puzzle: how its instances are written, stated as a Problem, checked and drawn
instance    one puzzle of a family: its canonical text and what it is called
text        one line from which alone the family can state the problem; equal puzzles, equal text
values      a solution: one integer per variable, in the order of the problem's structure
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from modelling.errors import InputError, PuzzleError, describe_unknown
from modelling.problem import Problem


@dataclass(frozen=True, slots=True)
class Instance:
    """One puzzle.

    ``name`` is what stands after it on its line, else ``set:line``; names need not be unique.
    ``source`` is ``file:line``, where it was read.
    """

    family: str
    name: str
    text: str
    source: str = ""


class Family(Protocol):
    """A kind of puzzle. Adding one touches its own file, a set and a line of ``FAMILIES``."""

    name: str
    about: str

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | PuzzleError]:
        """Every entry of ``lines`` in order, as it is read.

        A bad entry is yielded, not raised, as a ``PuzzleError`` whose place is
        ``source:line:column``, and the entries behind it still come. Input without any entry is
        one ``PuzzleError``.
        """
        ...

    def problem(self, text: str) -> Problem:
        """The instance as a problem, even if its givens clash (it then has no solution).

        Instances of one size share one structure. Raises ``PuzzleError`` for a text that cannot
        be read.
        """
        ...

    def check(self, text: str, values: Sequence[int]) -> list[str]:
        """What is wrong with a solution, by the puzzle's own rules alone; [] means nothing."""
        ...

    def render(self, text: str, values: Sequence[int] | None = None) -> str:
        """The puzzle drawn over several lines; with values, ``puzzle --> solution``."""
        ...

    def write(self, text: str, values: Sequence[int]) -> str:
        """The solution as one line."""
        ...


FAMILIES: dict[str, tuple[str, str]] = {
    "sudoku": ("puzzles.sudoku", "SUDOKU"),
    "queens": ("puzzles.queens", "QUEENS"),
    "latin": ("puzzles.latin", "LATIN"),
    "cryptarithm": ("puzzles.cryptarithm", "CRYPTARITHM"),
    "problem": ("puzzles.stated", "PROBLEM"),
}
"""Name -> module and attribute; a family is imported when it is asked for."""


def family(name: str) -> Family:
    """The family called ``name``, or of one's own as ``py:package.module:attribute``.

    Raises ``InputError`` for one that is not there, naming the nearest one that is.
    """
    if is_own(name):
        return _own(name)
    if name not in FAMILIES:
        raise InputError(describe_unknown("puzzle family", name, FAMILIES))
    module, attribute = FAMILIES[name]
    found: Family = getattr(importlib.import_module(module), attribute)
    return found


def is_own(name: str) -> bool:
    """Whether this is how a family that is not Concord's is called."""
    return name.startswith("py:")


def _own(name: str) -> Family:
    """Any object, or class, with the methods of ``Family``."""
    module, _, attribute = name.removeprefix("py:").partition(":")
    if os.getcwd() not in sys.path:  # a file beside the user, as for backends
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"family {name!r}: write py:package.module:attribute ({error})") from error
    made: Family = found() if isinstance(found, type) else found
    return made


def families() -> list[Family]:
    """Every family."""
    return [family(name) for name in FAMILIES]
