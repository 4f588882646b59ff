"""Simple colouring: chains of pairs of places, of which one or the other holds a value.

Two cells are *linked* for a value if they are its only two places in some unit. A *net* is a set of
at least two places that links join, as large as can be. Where its cells can be given two colours
so that linked cells differ, either all cells of one colour hold the value, or all of the other.

wrap    two cells of one colour see each other: that colour is false, and the value goes from all
        of its cells
trap    a place outside the net sees cells of both colours: the value goes from there

A net that cannot be coloured shows that the position has no solution; it is left to cheaper and
dearer techniques. Only what removes at least one candidate is a step, and all that one net traps
is one step.

Steps come by value, then by net (the smallest cell), the wrap of the smallest cell's colour, of the
other colour, the trap. ``cells`` are the net's: those of the smallest cell's colour, ascending,
then those of the other, or in a wrap those of the false colour first; ``values`` is the value.
"""

from __future__ import annotations

from collections.abc import Iterator

from puzzles.grid.symbols import sign
from puzzles.sudoku.grading.board import board, members
from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.step import Step
from puzzles.sudoku.grading.techniques.words import cells, from_cells, losses

NAME = "simple-colouring"


def simple_colouring(position: Position) -> Iterator[Step]:
    """See the head of this file."""
    peers = board(position.layout).peers
    for value, places in enumerate(position.places, 1):
        for one, other in _nets(position, places):
            for false, true in ((one, other), (other, one)):
                pair = _seeing(peers, false)
                if pair is not None:
                    yield _wrap(position, value, false, true, pair)
            outside = members(places & ~(one | other))
            gone = [c for c in outside if peers[c] & one and peers[c] & other]
            if gone:
                yield _trap(position, value, one, other, gone)


def _nets(position: Position, places: int) -> Iterator[tuple[int, int]]:
    """The two colours of every net that can be coloured, by smallest cell, whose is the first."""
    links: dict[int, int] = {}
    for unit in board(position.layout).units:
        pair = places & unit
        if pair.bit_count() == 2:
            high, low = pair.bit_length() - 1, (pair & -pair).bit_length() - 1
            links[low] = links.get(low, 0) | 1 << high
            links[high] = links.get(high, 0) | 1 << low
    waiting = set(links)
    for first in sorted(links):
        if first not in waiting:
            continue
        one, other, fresh = 0, 0, 1 << first
        while fresh:
            one |= fresh
            across = 0
            for cell in members(fresh):
                waiting.discard(cell)
                across |= links[cell]
            one, other, fresh = other, one, across & ~other
        if not one & other:
            yield (one, other) if one >> first & 1 else (other, one)


def _seeing(peers: tuple[int, ...], colour: int) -> tuple[int, int] | None:
    """The first two cells of a set that see each other."""
    for cell in members(colour):
        near = peers[cell] & colour
        if near:
            return cell, (near & -near).bit_length() - 1
    return None


def _wrap(position: Position, value: int, false: int, true: int, pair: tuple[int, int]) -> Step:
    layout = position.layout
    gone = from_cells(false, value)
    what = sign(value, layout.order)
    why = (
        f"pairs of places for {what} link {cells(layout, members(false))}: all are {what} or none "
        f"is, and {cells(layout, pair)} see each other: {losses(layout, gone)}"
    )
    net = (*members(false), *members(true))
    return Step(NAME, net, (value,), (), (), gone, why)


def _trap(position: Position, value: int, one: int, other: int, trapped: list[int]) -> Step:
    layout = position.layout
    gone = tuple((cell, value) for cell in trapped)
    what = sign(value, layout.order)
    colours = [cells(layout, members(colour)) for colour in (one, other)]
    why = (
        f"pairs of places for {what} link {colours[0]} on one side with {colours[1]} on the other: "
        f"one side is {what}, so what sees both is not: {losses(layout, gone)}"
    )
    return Step(NAME, (*members(one), *members(other)), (value,), (), (), gone, why)
