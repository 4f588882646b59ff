"""Rung 9: the grid itself is changed, and undone from a trail; what changed waits in a queue.

What Mooney's *Sudoku Solver and Generator* calls the real solution and leaves undone: to change the
original, keep track of the few cells that change, and revert them at a dead end. What changed from
the rung below: no grid is ever copied or compared, and no unit is looked at in which nothing
happened.

Words
-----
trail       (cell, what it held before) for every change; to undo is to pop
fixed       the cells that were left with one value and whose peers do not know it yet: a queue
touched     a set of units, as an integer: those in which a cell changed since they were looked at

Fixed cells are dealt with first, since that is cheap: the value leaves the peers. Then a touched
tight unit is looked at as a whole, for values with one place left (or none). The search guesses in
a cell with the fewest values; of those with equally many, in the one whose units have failed most
(after Boussemart et al., *Boosting systematic search by weighting constraints*, 2004).

``propagations`` counts units looked at.
"""

from __future__ import annotations

from backends.ladder.meter import Found, Meter
from backends.ladder.units import Units
from modelling.problem import Problem


class Trail:
    """See the top of this file."""

    def __init__(self, units: Units) -> None:
        self.units = units
        tight = [k for k, is_tight in enumerate(units.tight) if is_tight]
        self.tight_units = [units.units[k] for k in tight]
        self.all_touched = (1 << len(tight)) - 1
        number = {k: position for position, k in enumerate(tight)}
        self.touching = [
            sum(1 << number[k] for k in numbers if k in number) for numbers in units.units_of
        ]
        self.peers = units.peers

    def search(self, problem: Problem, meter: Meter, found: Found) -> bool:
        """Depth first; a frame is (length of the trail, cell, values not tried yet)."""
        units = self.units
        if not meter.enter(0):
            return False
        grid = units.sets(problem)
        trail: list[tuple[int, int]] = []
        fixed = [cell for cell, values in enumerate(grid) if not values & (values - 1)]
        weights = [1] * units.size
        frames: list[tuple[int, int, int]] = []
        touched = self.all_touched
        while True:
            culprit = self._settle(grid, trail, fixed, touched, meter)
            if culprit < 0:
                cell = choose(grid, weights)
                if cell >= 0:
                    frames.append((len(trail), cell, grid[cell]))
                elif not found(units.assignment(grid)):
                    return False
            else:
                meter.failures += 1
                weights[culprit] += 1
                fixed.clear()
            if not frames:
                return True
            if not meter.enter(len(frames)):
                return False
            mark, cell, untried = frames[-1]
            while len(trail) > mark:
                changed, before = trail.pop()
                grid[changed] = before
            value = untried & -untried
            if untried == value:
                frames.pop()
            else:
                frames[-1] = (mark, cell, untried ^ value)
            trail.append((cell, grid[cell]))
            grid[cell] = value
            fixed.append(cell)
            touched = self.touching[cell]

    def _settle(
        self,
        grid: list[int],
        trail: list[tuple[int, int]],
        fixed: list[int],
        touched: int,
        meter: Meter,
    ) -> int:
        """Propagate until the queue and ``touched`` are empty: -1, or the cell of a clash."""
        peers, touching, tight_units = self.peers, self.touching, self.tight_units
        while True:
            while fixed:
                cell = fixed.pop()
                value = grid[cell]
                for peer in peers[cell]:
                    before = grid[peer]
                    if before & value:
                        after = before ^ value
                        trail.append((peer, before))
                        grid[peer] = after
                        touched |= touching[peer]
                        if not after & (after - 1):
                            if not after:
                                return peer
                            fixed.append(peer)
            if not touched:
                return -1
            number = touched.bit_length() - 1
            touched ^= 1 << number
            meter.propagations += 1
            unit = tight_units[number]
            once = twice = 0
            for cell in unit:
                values = grid[cell]
                twice |= once & values
                once |= values
            if once.bit_count() < len(unit):
                return unit[0]
            hidden = once & ~twice
            if hidden:
                for cell in unit:
                    values = grid[cell]
                    value = values & hidden
                    if value and value != values:
                        if value & (value - 1):
                            return cell
                        trail.append((cell, values))
                        grid[cell] = value
                        touched |= touching[cell]
                        fixed.append(cell)


def choose(grid: list[int], weights: list[int]) -> int:
    """The open cell with the least number of values over weight; -1 when there is none."""
    best, lowest = -1, float("inf")
    for cell, values in enumerate(grid):
        if values & (values - 1):
            ratio = values.bit_count() / weights[cell]
            if ratio < lowest:
                best, lowest = cell, ratio
    return best
