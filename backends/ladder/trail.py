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
field       a value's stretch of a cell's integer, wide enough to count to the size of a unit. An
            open value is a 1 in its field, so that the *sum* of a unit's cells counts the places
            of every value at once; a cell whose peers know its value has a 2 there instead, so
            that it neither seems to be a last place nor is found open by anyone

cut         a tight unit divided into the groups of cells that it shares with the units of another
            layer: a box into pieces of rows, or of columns

Fixed cells are dealt with first, since that is cheap: the value leaves the peers. Then a touched
tight unit is added up: a field of 0 is a clash, a field of 1 a value with one place left, and that
place gets it. When all is quiet, units that were added up are cut: a value whose places lie in one
group (*locked candidates*) leaves the rest of the unit that shares the group. Only then does the
search guess, in the cell with the fewest values in proportion to the clashes that it had a part in
(after Boussemart et al., *Boosting systematic search by weighting constraints*, 2004).

``propagations`` counts units added up or cut. ``docs/decisions/0004-trail.md`` says what each idea
gave.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from operator import itemgetter

from backends.ladder.meter import Found, Meter
from backends.ladder.units import Units
from modelling.problem import Problem

START = 4
"""The weight of every cell before any clash: the first few should not decide everything."""


Cut = list[tuple[Callable[[list[int]], tuple[int, ...]], tuple[int, ...]]]
"""For each group: what takes its cells out of a grid, and the rest of the unit that shares it."""


def cuts(units: Units, tight: list[int]) -> list[list[Cut]]:
    """For each unit of ``tight``, its cuts by the earlier layers that share groups with it.

    A group has two cells or more, and the groups of a cut cover the unit. Two layers cut only the
    units of the later one (the boxes of a Sudoku): cutting both adds little.
    """
    found: list[list[Cut]] = [[] for _ in tight]
    place = {number: k for k, number in enumerate(tight)}
    for later, layer in enumerate(units.layers):
        for number in layer:
            if number not in place:
                continue
            unit = units.units[number]
            for earlier in units.layers[:later]:
                cut: Cut = []
                covered = 0
                for other in earlier:
                    outside = units.units[other]
                    group = [cell for cell in unit if cell in outside]
                    if len(group) > 1:
                        covered += len(group)
                        rest = tuple(cell for cell in outside if cell not in unit)
                        cut.append((itemgetter(*group), rest))
                if covered == len(unit) and len(cut) > 1:
                    found[place[number]].append(cut)
    return found


class Trail:
    """See the top of this file."""

    def __init__(self, units: Units) -> None:
        self.units = units
        tight = [k for k, is_tight in enumerate(units.tight) if is_tight]
        self.tight_units = [(itemgetter(*units.units[k]), units.units[k]) for k in tight]
        self.all_touched = (1 << len(tight)) - 1
        number = {k: position for position, k in enumerate(tight)}
        self.touching = [
            sum(1 << number[k] for k in numbers if k in number) for numbers in units.units_of
        ]
        self.width = 1 + max(map(len, units.units), default=2).bit_length()
        self.field_of = [1 << self.width * k for k in range(len(units.values))]
        self.value_of = {
            2 * field: value for field, value in zip(self.field_of, units.values, strict=True)
        }

        @lru_cache(maxsize=1024)
        def spread(values: int) -> int:
            return sum(field for k, field in enumerate(self.field_of) if values >> k & 1)

        self.spread = spread
        self.open_values = sum(self.field_of)
        top = self.width - 1
        # top bits of the fields, what carries into them from 1 on, and from 2 on
        self.offered: list[tuple[int, int, int]] = []
        for k in tight:
            ones = sum(self.field_of[units.position[value]] for value in units.values_of[k])
            tops = ones << top
            self.offered.append((tops, tops - ones, tops - ones - ones))

        self.cuts = cuts(units, tight)

    def start(self, problem: Problem) -> list[int]:
        """The open values of every cell, a 1 in the field of each."""
        return [self.spread(values) for values in self.units.sets(problem)]

    def assignment(self, grid: list[int]) -> tuple[int, ...]:
        """The values of a grid whose cells each hold one that their peers know."""
        return tuple([self.value_of[cell] for cell in grid])

    def search(self, problem: Problem, meter: Meter, found: Found) -> bool:
        """Depth first; a frame is (length of the trail, cell, values not tried yet)."""
        if not meter.enter(0):
            return False
        grid = self.start(problem)
        trail: list[tuple[int, int]] = []
        fixed = [cell for cell, values in enumerate(grid) if not values & (values - 1)]
        weights = [START] * len(grid)
        frames: list[tuple[int, int, int]] = []
        touched = self.all_touched
        undecided: list[int] = []
        while True:
            culprits = self._settle(grid, trail, fixed, touched, meter)
            if not culprits:
                if not frames:
                    undecided = [i for i, values in enumerate(grid) if values & (values - 1)]
                cell = choose(grid, undecided, weights)
                if cell >= 0:
                    frames.append((len(trail), cell, grid[cell]))
                elif not found(self.assignment(grid)):
                    return False
            else:
                meter.failures += 1
                for culprit in culprits:
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
    ) -> tuple[int, ...]:
        """Propagate until the queue and ``touched`` are empty; returns the cells of a clash."""
        peers, touching = self.units.peers, self.touching
        tight_units, offered, top = self.tight_units, self.offered, self.width - 1
        all_cuts, open_values = self.cuts, self.open_values
        quiet = 0  # units that were added up and not cut since
        while True:
            while fixed:
                cell = fixed.pop()
                value = grid[cell]
                trail.append((cell, value))
                grid[cell] = value << 1
                for peer in peers[cell]:
                    before = grid[peer]
                    if before & value:
                        after = before ^ value
                        trail.append((peer, before))
                        grid[peer] = after
                        touched |= touching[peer]
                        if not after & (after - 1):
                            if not after:
                                return cell, peer
                            fixed.append(peer)
            if not touched:
                if not quiet:
                    return ()
                number = quiet.bit_length() - 1
                quiet ^= 1 << number
                for groups in all_cuts[number]:
                    meter.propagations += 1
                    once = twice = 0
                    unions = []
                    for group, _ in groups:
                        union = 0
                        for values in group(grid):
                            union |= values
                        twice |= once & union
                        once |= union
                        unions.append(union)
                    locked = once & ~twice & open_values
                    if not locked:
                        continue
                    for union, (_, outside) in zip(unions, groups, strict=True):
                        gone = locked & union
                        if gone:
                            for cell in outside:
                                before = grid[cell]
                                if before & gone:
                                    after = before & ~gone
                                    trail.append((cell, before))
                                    grid[cell] = after
                                    touched |= touching[cell]
                                    if not after & (after - 1):
                                        if not after:
                                            return (cell, *tight_units[number][1])
                                        fixed.append(cell)
                continue
            number = touched.bit_length() - 1
            touched ^= 1 << number
            if all_cuts[number]:
                quiet |= 1 << number
            meter.propagations += 1
            cells_of, unit = tight_units[number]
            tops, unless_none, unless_one = offered[number]
            places = sum(cells_of(grid))
            if (places + unless_none) & tops != tops:
                return unit
            single = (places + unless_one) & tops ^ tops
            if single:
                hidden = single >> top
                for cell in unit:
                    values = grid[cell]
                    value = values & hidden
                    if value:
                        if value & (value - 1):
                            return unit
                        if value != values:
                            trail.append((cell, values))
                            grid[cell] = value
                            touched |= touching[cell]
                            fixed.append(cell)


def choose(grid: list[int], undecided: list[int], weights: list[int]) -> int:
    """The open cell with the least number of values over weight; -1 when there is none.

    ``undecided`` holds all open cells, and may hold others.
    """
    best, lowest = -1, float("inf")
    for cell in undecided:
        values = grid[cell]
        if values & (values - 1):
            ratio = values.bit_count() / weights[cell]
            if ratio < lowest:
                best, lowest = cell, ratio
    return best
