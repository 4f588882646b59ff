"""Every technique once more, found by trying everything: the measure of the real ones.

Each function here is the definition at the head of the technique's file, put as plainly as can be
over sets of cells: units, what sees what, singles and solutions are worked out anew, and nothing is
shared with the techniques. It is far too slow to solve by. Tests and the measurement ``grading``
compare: on any position both must find the same findings.

A cell is a pair (row, column) here, from 0; rows, columns and boxes are numbered as in ``layout``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import combinations, permutations

from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.step import Step

SOLUTIONS = 20
"""Where a position has more solutions, nested trial's definition looks at candidates one by one."""

Cell = tuple[int, int]
Options = dict[Cell, set[int]]
"""For each cell the values that it may have; a filled cell has one."""


@dataclass(frozen=True)
class Finding:
    """A step as far as it does not depend on any order; cells are numbers again."""

    technique: str
    cells: frozenset[int]
    values: frozenset[int]
    units: frozenset[int]
    placements: frozenset[tuple[int, int]]
    eliminations: frozenset[tuple[int, int]]


def to_finding(step: Step) -> Finding:
    """What a technique found, to be compared with what its definition finds."""
    return Finding(
        step.technique,
        frozenset(step.cells),
        frozenset(step.values),
        frozenset(step.units),
        frozenset(step.placements),
        frozenset(step.eliminations),
    )


class Plain:
    """A position as a dictionary of candidates, with the rules worked out from row and column."""

    def __init__(self, position: Position) -> None:
        self.n = position.layout.order
        self.box = position.layout.box
        self.filled: dict[Cell, int] = {}
        self.open: Options = {}
        for number, value in enumerate(position.values):
            cell = number // self.n, number % self.n
            if value:
                self.filled[cell] = value
            else:
                mask = position.candidates[number]
                self.open[cell] = {v for v in range(1, self.n + 1) if mask >> (v - 1) & 1}
        self.units = dict(self._units())

    def _units(self) -> Iterator[tuple[int, list[Cell]]]:
        every = [(r, c) for r in range(self.n) for c in range(self.n)]
        for k in range(self.n):
            yield k, [cell for cell in every if cell[0] == k]
            yield self.n + k, [cell for cell in every if cell[1] == k]
            if self.box is not None:
                yield 2 * self.n + k, [cell for cell in every if self.box_of(cell) == k]

    def box_of(self, cell: Cell) -> int:
        """The number of a cell's box, from the top left."""
        if self.box is None:
            return -1
        high, wide = self.box
        return cell[0] // high * (self.n // wide) + cell[1] // wide

    def sees(self, one: Cell, other: Cell) -> bool:
        """Whether two different cells share a unit."""
        same_box = self.box is not None and self.box_of(one) == self.box_of(other)
        return one != other and (one[0] == other[0] or one[1] == other[1] or same_box)

    def places(self, value: int, cells: Iterable[Cell] | None = None) -> list[Cell]:
        """The empty cells, of these or of all, that have a value as a candidate."""
        return [c for c in (self.open if cells is None else cells) if value in self.open.get(c, ())]

    def make_finding(
        self,
        technique: str,
        cells: Iterable[Cell],
        values: Iterable[int],
        units: Iterable[int] = (),
        placed: Iterable[tuple[Cell, int]] = (),
        gone: Iterable[tuple[Cell, int]] = (),
    ) -> Finding:
        """A finding with its cells as numbers."""

        def pairs(found: Iterable[tuple[Cell, int]]) -> frozenset[tuple[int, int]]:
            return frozenset((r * self.n + c, value) for (r, c), value in found)

        return Finding(
            technique,
            frozenset(r * self.n + c for r, c in cells),
            frozenset(values),
            frozenset(units),
            pairs(placed),
            pairs(gone),
        )


def naked_singles(plain: Plain) -> Iterator[Finding]:
    for cell, options in plain.open.items():
        if len(options) == 1:
            (value,) = options
            yield plain.make_finding("naked-single", [cell], [value], placed=[(cell, value)])


def hidden_singles(plain: Plain) -> Iterator[Finding]:
    for number, unit in plain.units.items():
        for value in range(1, plain.n + 1):
            places = plain.places(value, unit)
            if len(places) == 1:
                placed = [(places[0], value)]
                yield plain.make_finding("hidden-single", places, [value], [number], placed)


def locked_candidates(plain: Plain) -> Iterator[Finding]:
    for (one, unit), (other, second) in permutations(plain.units.items(), 2):
        if (one < 2 * plain.n) == (other < 2 * plain.n):
            continue  # one of them is a box, the other a line
        for value in range(1, plain.n + 1):
            places = plain.places(value, unit)
            if len(places) >= 2 and set(places) <= set(second):
                gone = [(c, value) for c in plain.places(value, second) if c not in unit]
                if gone:
                    yield plain.make_finding(
                        "locked-candidates", places, [value], [one, other], gone=gone
                    )


def naked_subsets(technique: str, size: int, plain: Plain) -> Iterator[Finding]:
    for number, unit in plain.units.items():
        for cells in combinations([c for c in unit if len(plain.open.get(c, ())) >= 2], size):
            values = set().union(*(plain.open[c] for c in cells))
            rest = [c for c in unit if c in plain.open and c not in cells]
            gone = [(c, v) for c in rest for v in plain.open[c] & values]
            if len(values) == size and gone:
                yield plain.make_finding(technique, cells, values, [number], gone=gone)


def hidden_subsets(technique: str, size: int, plain: Plain) -> Iterator[Finding]:
    for number, unit in plain.units.items():
        places = {v: plain.places(v, unit) for v in range(1, plain.n + 1)}
        for values in combinations([v for v in places if len(places[v]) >= 2], size):
            cells = {c for v in values for c in places[v]}
            gone = [(c, v) for c in cells for v in plain.open[c] - set(values)]
            if len(cells) == size and gone:
                yield plain.make_finding(technique, cells, values, [number], gone=gone)


def fish(technique: str, size: int, plain: Plain) -> Iterator[Finding]:
    n = plain.n
    for lines, across in ((range(n), range(n, 2 * n)), (range(n, 2 * n), range(n))):
        for value in range(1, n + 1):
            places = {k: plain.places(value, plain.units[k]) for k in range(2 * n)}
            for base in combinations([k for k in lines if len(places[k]) >= 2], size):
                cells = {c for k in base for c in places[k]}
                cover = [k for k in across if cells & set(places[k])]
                gone = [(c, value) for k in cover for c in places[k] if c not in cells]
                if len(cover) == size and gone:
                    yield plain.make_finding(technique, cells, [value], [*base, *cover], gone=gone)


def xy_wings(plain: Plain) -> Iterator[Finding]:
    pairs = {cell: values for cell, values in plain.open.items() if len(values) == 2}
    for pivot, (x, y) in ((c, order) for c in pairs for order in permutations(pairs[c])):
        for one in pairs:
            if not plain.sees(pivot, one) or x not in pairs[one] or y in pairs[one]:
                continue
            (z,) = pairs[one] - {x}
            for other in pairs:
                if plain.sees(pivot, other) and pairs[other] == {y, z}:
                    seen = [c for c in plain.places(z) if plain.sees(c, one)]
                    gone = [(c, z) for c in seen if plain.sees(c, other)]
                    if gone:
                        yield plain.make_finding(
                            "xy-wing", [pivot, one, other], [x, y, z], gone=gone
                        )


def simple_colourings(plain: Plain) -> Iterator[Finding]:
    for value in range(1, plain.n + 1):
        linked: dict[Cell, set[Cell]] = {}
        for unit in plain.units.values():
            places = plain.places(value, unit)
            if len(places) == 2:
                one, other = places
                linked.setdefault(one, set()).add(other)
                linked.setdefault(other, set()).add(one)
        reached = {cell: _reach(linked, cell) for cell in linked}
        for cell in linked:
            same, other_colour = reached[cell]
            if same & other_colour:
                continue  # it cannot be coloured
            net = same | other_colour
            if any(plain.sees(a, b) for a, b in combinations(same, 2)):
                gone = [(c, value) for c in same]
                yield plain.make_finding("simple-colouring", net, [value], gone=gone)
            gone = [
                (c, value)
                for c in plain.places(value)
                if c not in net
                and any(plain.sees(c, a) for a in same)
                and any(plain.sees(c, b) for b in other_colour)
            ]
            if gone:
                yield plain.make_finding("simple-colouring", net, [value], gone=gone)


def _reach(linked: dict[Cell, set[Cell]], start: Cell) -> tuple[set[Cell], set[Cell]]:
    """What an even number of links leads to from a cell, and what an odd number does."""
    reached: tuple[set[Cell], set[Cell]] = ({start}, set())
    waiting = [(start, 0)]
    while waiting:
        cell, parity = waiting.pop()
        for neighbour in linked[cell] - reached[1 - parity]:
            reached[1 - parity].add(neighbour)
            waiting.append((neighbour, 1 - parity))
    return reached


def trials(plain: Plain) -> Iterator[Finding]:
    for cell, value in _candidates(plain):
        if _singles(plain, {**_options(plain), cell: {value}}) is None:
            yield plain.make_finding("trial", [cell], [value], gone=[(cell, value)])


def nested_trials(plain: Plain) -> Iterator[Finding]:
    possible, few = _in_solutions(plain)
    for cell, value in _candidates(plain):
        guess = {**_options(plain), cell: {value}}
        if (cell, value) in possible or _singles(plain, guess) is None:
            continue
        if few or next(_solutions(plain, guess), None) is None:
            yield plain.make_finding("nested-trial", [cell], [value], gone=[(cell, value)])


def _in_solutions(plain: Plain) -> tuple[set[tuple[Cell, int]], bool]:
    """The candidates in the first solutions, and whether these are all solutions."""
    possible: set[tuple[Cell, int]] = set()
    for number, solution in enumerate(_solutions(plain, _options(plain))):
        if number == SOLUTIONS:
            return possible, False
        possible |= {(cell, value) for cell, (value,) in solution.items()}
    return possible, True


def _candidates(plain: Plain) -> Iterator[tuple[Cell, int]]:
    return ((cell, value) for cell, values in plain.open.items() for value in values)


def _options(plain: Plain) -> Options:
    options = {cell: set(values) for cell, values in plain.open.items()}
    return options | {cell: {value} for cell, value in plain.filled.items()}


def _singles(plain: Plain, options: Options) -> Options | None:
    """The options when no single is left to follow; None for a contradiction."""
    options = {cell: set(values) for cell, values in options.items()}
    before = None
    while before != (before := sum(map(len, options.values()))):
        for unit in plain.units.values():
            places: dict[int, list[Cell]] = {v: [] for v in range(1, plain.n + 1)}
            for cell in unit:
                if len(options[cell]) == 1:
                    for other in unit:
                        if other != cell:
                            options[other] -= options[cell]
            for cell in unit:
                for value in options[cell]:
                    places[value].append(cell)
            for value, cells in places.items():
                if not cells:
                    return None
                if len(cells) == 1:
                    options[cells[0]] &= {value}
        if not all(options.values()):
            return None
    return options


def _solutions(plain: Plain, options: Options) -> Iterator[Options]:
    """Every solution, by following singles and trying each option of the cell that has fewest."""
    settled = _singles(plain, options)
    if settled is None:
        return
    cell = min(settled, key=lambda c: len(settled[c]) if len(settled[c]) > 1 else plain.n + 1)
    if len(settled[cell]) == 1:
        yield settled
        return
    for value in sorted(settled[cell]):
        yield from _solutions(plain, {**settled, cell: {value}})


DEFINITIONS: dict[str, Callable[[Plain], Iterator[Finding]]] = {
    "naked-single": naked_singles,
    "hidden-single": hidden_singles,
    "locked-candidates": locked_candidates,
    "naked-pair": partial(naked_subsets, "naked-pair", 2),
    "hidden-pair": partial(hidden_subsets, "hidden-pair", 2),
    "naked-triple": partial(naked_subsets, "naked-triple", 3),
    "hidden-triple": partial(hidden_subsets, "hidden-triple", 3),
    "naked-quad": partial(naked_subsets, "naked-quad", 4),
    "hidden-quad": partial(hidden_subsets, "hidden-quad", 4),
    "x-wing": partial(fish, "x-wing", 2),
    "swordfish": partial(fish, "swordfish", 3),
    "xy-wing": xy_wings,
    "simple-colouring": simple_colourings,
    "trial": trials,
    "nested-trial": nested_trials,
}


def findings(technique: str, position: Position) -> set[Finding]:
    """All that a technique's definition finds in a position."""
    return set(DEFINITIONS[technique](Plain(position)))
