"""Beyond the posts: the whole grid in one integer, every unit looked at in the same few operations.

Python's integers are of any length, and an operation on thousands of bits costs little more than
one on a few. What changed from the rung below: it needs no queue, because looking at everything
costs no more than looking at one unit. It needs no trail either, because an integer does not
change: to go back is to take the old one again.

Words
-----
candidate   a value in a cell
field       the candidates of which exactly one is to hold: those of a cell, or a value's places
            in a tight unit
lane        a field's stretch of the integer: a bit for each of its candidates and one guard bit
            above them, so that sums and differences of a lane do not reach the next one
guard       the highest bit of a lane; a number of guards says which fields something is true of

A candidate has a bit in every field that it lies in: four in a Sudoku, whose 324 fields in lanes of
10 bits make 3240 bits. That is the exact-cover matrix (Knuth, *Dancing Links*, 2000) written as a
number, and what follows is arithmetic inside of lanes (Lamport, *Multiple byte processing with
full-word instructions*, 1975):

    grid + ones      carries into the guard where the field has a candidate left
    grid - lowest    changes the lowest candidate of each field, so ``& grid`` drops it: what is
                     empty then had one candidate, a *single*, and that one must hold
    dropped twice    what is empty then had two: there the search guesses

A candidate that holds is taken out with all of its fields, its rivals included. The search guesses
in a field with two candidates, or, if there is none, in one with the fewest.

``propagations`` counts looks at the whole grid.
"""

from __future__ import annotations

from backends.ladder.meter import Found, Meter
from backends.ladder.units import Units
from modelling.problem import Problem


def fields_of(units: Units) -> list[list[int]]:
    """The fields of which exactly one candidate is to hold; those of cells come last.

    Candidate ``cell * len(values) + k`` is the k-th of all values in that cell. Units with values
    to spare have no fields: no value must be in them.
    """
    values, position = len(units.values), units.position
    fields = []
    for unit, tight, offered in zip(units.units, units.tight, units.values_of, strict=True):
        if tight:
            for value in sorted(offered):
                cells = [cell for cell in unit if value in units.domains[cell]]
                fields.append([cell * values + position[value] for cell in cells])
    for cell, domain in enumerate(units.domains):
        fields.append([cell * values + position[value] for value in domain])
    return fields


class OneInteger:
    """The lanes of one structure.

    ``keep[c]`` is what candidate ``c`` leaves of the grid when it holds, ``keep_guards[c]`` what
    it leaves of the guards of open fields; ``candidate_at[n]`` is the candidate whose bit is the
    highest of a number of n bits.
    """

    def __init__(self, units: Units) -> None:
        self.units = units
        self.fields = fields_of(units)
        self.width = width = 1 + max(map(len, self.fields), default=0)
        self.lowest = sum(1 << number * width for number in range(len(self.fields)))
        self.guards = self.lowest << (width - 1)
        self.ones = self.guards - self.lowest
        self.candidate_at = [-1] * (width * len(self.fields) + 1)
        total = units.size * len(units.values)
        self.bits = [0] * total
        lanes_of: list[list[int]] = [[] for _ in range(total)]
        for number, field in enumerate(self.fields):
            for k, candidate in enumerate(field):
                self.candidate_at[number * width + k + 1] = candidate
                self.bits[candidate] |= 1 << number * width + k
                lanes_of[candidate].append(number)
        self.everything = sum(self.bits)
        self.full = [sum(bits) for bits in units.bits]
        self.keep = [self._kept(candidate, lanes_of[candidate]) for candidate in range(total)]
        self.keep_guards = [
            self.guards & ~sum(1 << number * width + width - 1 for number in lanes)
            for lanes in lanes_of
        ]

    def _kept(self, candidate: int, lanes: list[int]) -> int:
        values = len(self.units.values)
        cell, value = divmod(candidate, values)
        gone = 0
        for rival in self.units.peers[cell]:
            gone |= self.bits[rival * values + value]
        for other in range(cell * values, cell * values + values):
            gone |= self.bits[other]
        for number in lanes:
            gone |= ((1 << self.width - 1) - 1) << number * self.width
        return (self.guards | self.ones) & ~gone

    def start(self, problem: Problem) -> tuple[int, int, list[int]] | None:
        """Grid, guards and candidates that hold at the start; None when givens clash."""
        grid, guards, held = self.everything, self.guards, []
        values = len(self.units.values)
        sets = self.units.sets(problem)
        for cell, (values_set, full) in enumerate(zip(sets, self.full, strict=True)):
            if values_set == full:
                continue
            if values_set & (values_set - 1):
                closed = full ^ values_set
                while closed:
                    bit = closed & -closed
                    grid &= ~self.bits[cell * values + bit.bit_length() - 1]
                    closed ^= bit
            else:
                candidate = cell * values + values_set.bit_length() - 1
                if not grid & self.bits[candidate]:
                    return None
                grid &= self.keep[candidate]
                guards &= self.keep_guards[candidate]
                held.append(candidate)
        return grid, guards, held

    def search(self, problem: Problem, meter: Meter, found: Found) -> bool:
        if not meter.enter(0):
            return False
        begun = self.start(problem)
        if begun is None:
            meter.failures += 1
            return True
        grid, guards, held = begun
        keep, keep_guards, candidate_at = self.keep, self.keep_guards, self.candidate_at
        every, lowest, ones, under_guard = self.guards, self.lowest, self.ones, self.width - 1
        frames: list[tuple[int, int, int, list[int]]] = []
        while True:
            consistent = True
            while True:
                meter.propagations += 1
                if (grid + ones) & guards != guards:
                    consistent = False
                    break
                dropped = ((grid | every) - lowest) & grid
                single = (dropped + ones) & guards ^ guards
                if not single:
                    break
                forced = grid & (single - (single >> under_guard))
                while forced:
                    candidate = candidate_at[forced.bit_length()]
                    kept = keep[candidate]
                    forced &= kept
                    grid &= kept
                    guards &= keep_guards[candidate]
                    held.append(candidate)
            if not consistent:
                meter.failures += 1
            elif guards:
                frames.append((grid, guards, len(held), self._choices(grid, guards, dropped)))
            elif not found(self._assignment(held)):
                return False
            if not frames:
                return True
            grid, guards, mark, choices = frames[-1]
            depth = len(frames)
            del held[mark:]
            candidate = choices.pop()
            if not choices:
                frames.pop()
            if not meter.enter(depth):
                return False
            grid &= keep[candidate]
            guards &= keep_guards[candidate]
            held.append(candidate)

    def _choices(self, grid: int, guards: int, dropped: int) -> list[int]:
        """The candidates of a field with the fewest, the one to try first at the end.

        ``dropped`` is the grid without the lowest candidate of each field.
        """
        while True:
            dropped &= (dropped | self.guards) - self.lowest
            few = (dropped + self.ones) & guards ^ guards
            if few:
                break
        number = (few.bit_length() - 1) // self.width
        lane = grid >> number * self.width
        return [c for k, c in enumerate(self.fields[number]) if lane >> k & 1][::-1]

    def _assignment(self, held: list[int]) -> tuple[int, ...]:
        values = self.units.values
        return tuple([values[candidate % len(values)] for candidate in sorted(held)])
