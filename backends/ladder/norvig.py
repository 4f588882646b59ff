"""Rung 4: eliminate and assign, the yardstick that the posts compare with.

After the two rules of Norvig's essay *Solving Every Sudoku Puzzle*. What changed from the rung
below: instead of sweeping over the grid, one elimination calls for the next.

1. A cell that is left with one digit takes that digit from all of its peers.
2. A unit that is left with one place for a digit has it placed there (in tight units only).

The grid is a dict from the cell's name to a string of its digits. Assigning a digit means
eliminating all others. The search guesses in the cell with the fewest digits, on a copy of the
dict, in ascending order.

``propagations`` counts assignments.
"""

from __future__ import annotations

from backends.ladder.meter import Found, Meter
from backends.ladder.units import Units
from modelling.problem import Problem

Grid = dict[str, str]


class Norvig:
    """A value is written as one character, the first as ``1``."""

    def __init__(self, units: Units) -> None:
        names = units.names
        self.cells = names
        self.values = units.values
        self.digits = [chr(ord("1") + k) for k in range(len(units.values))]
        self.digit_of = dict(zip(units.values, self.digits, strict=True))
        self.value_of = dict(zip(self.digits, units.values, strict=True))
        self.base: Grid = {
            name: "".join(self.digit_of[value] for value in domain)
            for name, domain in zip(names, units.domains, strict=True)
        }
        self.peers = {
            name: tuple(names[peer] for peer in peers)
            for name, peers in zip(names, units.peers, strict=True)
        }
        self.tight_units = {
            name: [
                tuple(names[cell] for cell in units.units[number])
                for number in units.units_of[position]
                if units.tight[number]
            ]
            for position, name in enumerate(names)
        }

    def search(self, problem: Problem, meter: Meter, found: Found) -> bool:
        if not meter.enter(0):
            return False
        grid = self.parsed(problem, meter)
        if grid is None:
            meter.failures += 1
            return True
        return self._search(grid, 0, meter, found)

    def parsed(self, problem: Problem, meter: Meter) -> Grid | None:
        """The problem's domains, with all that follows from them; None on a contradiction."""
        grid = self.base.copy()
        for name, domain, mask in zip(
            self.cells, problem.structure.domains, problem.masks, strict=True
        ):
            for k, value in enumerate(domain):
                if not mask >> k & 1 and not self.eliminate(
                    grid, name, self.digit_of[value], meter
                ):
                    return None
        for name, digits in self.base.items():  # cells that no elimination has left single
            if len(digits) == 1 and not self.expel(grid, name, digits, meter):
                return None
        return grid

    def assign(self, grid: Grid, cell: str, digit: str, meter: Meter) -> bool:
        """Eliminate every other digit from ``cell``; false on a contradiction."""
        meter.propagations += 1
        others = grid[cell].replace(digit, "")
        return all(self.eliminate(grid, cell, other, meter) for other in others)

    def expel(self, grid: Grid, cell: str, digit: str, meter: Meter) -> bool:
        """Eliminate ``digit`` from all peers of ``cell``; false on a contradiction."""
        return all(self.eliminate(grid, peer, digit, meter) for peer in self.peers[cell])

    def eliminate(self, grid: Grid, cell: str, digit: str, meter: Meter) -> bool:
        """Take ``digit`` from ``cell`` and do what the two rules ask; false: contradiction."""
        if digit not in grid[cell]:
            return True
        left = grid[cell] = grid[cell].replace(digit, "")
        if not left:
            return False
        if len(left) == 1 and not self.expel(grid, cell, left, meter):
            return False
        for unit in self.tight_units[cell]:
            places = [place for place in unit if digit in grid[place]]
            if not places:
                return False
            if len(places) == 1 and not self.assign(grid, places[0], digit, meter):
                return False
        return True

    def _search(self, grid: Grid, depth: int, meter: Meter, found: Found) -> bool:
        open_cells = [(len(digits), cell) for cell, digits in grid.items() if len(digits) > 1]
        if not open_cells:
            return found(tuple([self.value_of[grid[cell]] for cell in self.cells]))
        _, cell = min(open_cells)
        for digit in grid[cell]:
            if not meter.enter(depth + 1):
                return False
            guess = grid.copy()
            if not self.assign(guess, cell, digit, meter):
                meter.failures += 1
            elif not self._search(guess, depth + 1, meter, found):
                return False
        return True
