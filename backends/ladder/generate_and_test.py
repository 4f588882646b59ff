"""Rung 1: a stack of boards; pop one, reject it if it is invalid, fill its first empty cell.

From Lewellen, *Sudoku Solver in C# using Lambda Expressions* (2009). A board is derived for each
value that the cell's row, column and box leave, and pushed. Nothing is remembered about the cells
that are still empty: what a cell may hold is collected from the board when its turn has come.

``propagations`` counts the cells for which this was done.
"""

from __future__ import annotations

from collections.abc import Iterator

from backends.ladder.meter import Found, Meter
from backends.ladder.units import Units
from modelling.problem import Problem

Board = tuple[int | None, ...]
"""A value per cell, None where it is empty."""


def valid(units: Units, board: Board) -> bool:
    """Whether no unit holds a value twice."""
    for unit in units.units:
        used = [board[cell] for cell in unit if board[cell] is not None]
        if len(set(used)) < len(used):
            return False
    return True


def first_available(board: Board) -> int | None:
    """The first empty cell; None when the board is full."""
    return board.index(None) if None in board else None


def possible_values(
    units: Units, domains: tuple[tuple[int, ...], ...], board: Board, cell: int
) -> Iterator[int]:
    """The values that are open for ``cell`` and not in its units yet."""
    used = {board[other] for number in units.units_of[cell] for other in units.units[number]}
    return (value for value in domains[cell] if value not in used)


def derived(board: Board, cell: int, value: int) -> Board:
    """A new board with ``value`` in ``cell``."""
    return (*board[:cell], value, *board[cell + 1 :])


class GenerateAndTest:
    """See the top of this file."""

    def __init__(self, units: Units) -> None:
        self.units = units

    def search(self, problem: Problem, meter: Meter, found: Found) -> bool:
        domains = problem.domains()
        start: Board = tuple(domain[0] if len(domain) == 1 else None for domain in domains)
        empty = start.count(None)
        boards = [start]
        while boards:
            board = boards.pop()
            if not meter.enter(empty - board.count(None)):
                return False
            if not valid(self.units, board):
                meter.failures += 1
                continue
            cell = first_available(board)
            if cell is None:
                if not found(tuple(value for value in board if value is not None)):
                    return False
                continue
            meter.propagations += 1
            values = list(possible_values(self.units, domains, board, cell))
            meter.failures += not values
            boards.extend(derived(board, cell, value) for value in reversed(values))
        return True
