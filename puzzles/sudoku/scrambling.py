"""Isomorphic scrambles: a set in disguise, for fair timing.

A solver that has been tuned on a set, or that happens to like the order of its cells,
loses that advantage on the same puzzles under random symmetries (``symmetries``). What a scramble
looks like depends on the seed, the puzzle's place in the set and the number of the copy alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from modelling.errors import InputError, InstanceError
from puzzles.family import Instance
from puzzles.formats import LONGEST_NAME
from puzzles.random_stream import Stream
from puzzles.sudoku import SUDOKU
from puzzles.sudoku.symmetries import draw_symmetry

MARK = "~"
"""Stands between a puzzle's name and the number of its copy."""


def scramble(instance: Instance, seed: int, item: int, copy: int = 1) -> Instance:
    """Puzzle ``item`` (from 0) of a set in disguise; another for every copy (from 1).

    Its name is the puzzle's with the mark and the copy's number after it. Raises ``InputError``
    for a puzzle that is no Sudoku.
    """
    if instance.family != SUDOKU.name:
        raise InputError(
            f"{instance.source or instance.name}: only Sudoku can be scrambled, "
            f"and this puzzle is of the family {instance.family}"
        )
    layout, values = SUDOKU.parse(instance.text)
    image = draw_symmetry(layout, Stream(seed, item, copy))(values)
    mark = f"{MARK}{copy}"
    name = instance.name[: LONGEST_NAME - len(mark)] + mark
    return replace(instance, name=name, text=SUDOKU.text(layout, image))


def scrambles(
    entries: Iterable[Instance | InstanceError], seed: int, copies: int = 1
) -> Iterator[Instance | InstanceError]:
    """Every puzzle in disguise, all its copies after each other; what could not be read stays.

    The i-th entry is item i, whether it could be read or not.
    """
    for item, entry in enumerate(entries):
        for copy in range(1, copies + 1):
            yield entry if isinstance(entry, InstanceError) else scramble(entry, seed, item, copy)


def line(instance: Instance) -> str:
    """The puzzle as a line of a set: its text and, after ``#``, its name."""
    return f"{instance.text}  # {instance.name}"
