"""Car sequencing: cars of several classes on an assembly line whose stations must not be overrun.

Text is the capacity p/q of each option (p of any q cars in a row may have it), a colon, and how
many cars are of each class with its options, 1 for one that it has: ``1/2 2/3: 2=10 1=01 2=11``.
Variable ``cI`` is the class, from 1, of the car at place I; after all of them is ``oI_K``, 1 if
that car has option K. Sequences of classes are counted: cars of one class are all the same, classes
with the same options are classes apart, and the options follow from the classes.

Files may be CSPLib's (``csplib``, several problems a file): how many cars, options and classes,
then p of all options, q of all options, and for each class its number, how many cars it has, and
its options. Where p and q are missing, as they are in the oldest problems, they are those of these:
1/2 2/3 1/3 2/5 1/5. Lines that begin with a letter or ``#`` are passed over, but for
``# Problem NAME``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from modelling.constraints import Constraint, Linear, Table
from modelling.errors import InputError, InstanceError
from modelling.problem import Problem, Structure
from modelling.terms import constants
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from puzzles.drawing import beside_or_below
from puzzles.family import Family
from puzzles.formats import Locate, default_name, in_text, label, numbered, place
from puzzles.lines import FormattedFamily, Read, out_of_range, read_number, split_words
from puzzles.parameters import Parameter
from puzzles.pictures import CELL, Picture, draw_pattern
from puzzles.random_stream import Stream

MOST_CARS, MOST_CLASSES, MOST_OPTIONS = 1000, 200, 20
USUAL = ((1, 2), (2, 3), (1, 3), (2, 5), (1, 5))
"""The capacities of nearly all problems of CSPLib."""

_FORM = "1/2 2/3: 2=10 1=01 2=11"
_WIDTH = 60
"""Most cars that are drawn in a row."""


class Puzzle(NamedTuple):
    """Capacities as (p, q); of each class how many cars there are, and whether it has options."""

    capacities: tuple[tuple[int, int], ...]
    classes: tuple[tuple[int, tuple[bool, ...]], ...]

    @property
    def cars(self) -> int:
        """How many there are."""
        return sum(number for number, _ in self.classes)

    def demand(self, option: int) -> int:
        """How many cars have an option."""
        return sum(number for number, has in self.classes if has[option])


@lru_cache(maxsize=16)
def structure(puzzle: Puzzle) -> Structure:
    """As many cars of each class as there are; and for each option, p of q in a row at most.

    It follows, and is stated too, how many cars with the option come first at least, since what
    comes after them has room for only some (Dincbas, Simonis and Van Hentenryck, "Solving the
    car-sequencing problem in constraint logic programming", ECAI 1988).
    """
    cars, options = puzzle.cars, len(puzzle.capacities)
    places = tuple(range(cars))
    numbers = constants(*(number for number, _ in puzzle.classes))
    used = [(c, *map(int, has)) for c, (n, has) in enumerate(puzzle.classes, 1) if n]
    constraints: list[Constraint] = [
        GlobalCardinality(places, tuple(range(1, len(puzzle.classes) + 1)), numbers, closed=True)
    ]
    constraints += [
        Table((car, *range(cars + car * options, cars + (car + 1) * options)), tuple(used))
        for car in places
    ]
    for option, (most, length) in enumerate(puzzle.capacities):
        having = tuple(cars + car * options + option for car in places)
        for first in range(max(cars - length, 0) + 1):
            window = having[first : first + length]
            if len(window) > most:
                constraints.append(Linear(window, (1,) * len(window), "<=", most))
        for behind in range(length, cars, length):
            least = puzzle.demand(option) - behind // length * most
            if least > 0:
                before = having[: cars - behind]
                constraints.append(Linear(before, (1,) * len(before), ">=", least))
    names = (f"o{car + 1}_{option + 1}" for car in places for option in range(options))
    return Structure(
        (*(f"c{car + 1}" for car in places), *names),
        ((tuple(c for c, *_ in used),) * cars) + ((0, 1),) * (cars * options),
        tuple(constraints),
    )


class CarSequencing(FormattedFamily[Puzzle]):
    """Implements ``puzzles.family.Family``, ``Formatted`` and ``Generated``."""

    name = "car_sequencing"
    file_formats = ("csplib",)
    about = "car sequencing: no station of the assembly line is overrun"
    unit = "cars"
    csplib = 1
    join_drawings = staticmethod(beside_or_below)
    parameters = (
        Parameter("cars", 30, "Number of cars.", 1, MOST_CARS),
        Parameter(
            "percent", 80, "Use of the stations; above 90 there is often no solution.", 0, 1000
        ),
        Parameter("classes", 20, "Number of classes of cars at most.", 1, MOST_CLASSES - 1),
    )

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The capacities and the classes."""
        head, colon, _ = body.partition(":")
        words = split_words(body, len(head) + 1)
        if not colon or not 1 <= len(words) <= MOST_CLASSES:
            cause = f"write capacities, a colon and 1 to {MOST_CLASSES} classes, as in {_FORM!r}"
            raise InstanceError(cause, locate(1))
        capacities = []
        for word, column in split_words(head):
            most, slash, length = word.partition("/")
            if not slash:
                cause = f"{word[:40]!r} is no capacity; write p/q as in '1/2'"
                raise InstanceError(cause, locate(column))
            among = read_number(length, "how many cars in a row", 1, MOST_CARS, locate(column))
            capacities.append(
                (read_number(most, "how many with the option", 0, among, locate(column)), among)
            )
        if not 1 <= len(capacities) <= MOST_OPTIONS:
            cause = f"{len(capacities)} options; there are from 1 to {MOST_OPTIONS}"
            raise InstanceError(cause, locate(1))
        classes = tuple(
            _parse_class(word, len(capacities), locate(column)) for word, column in words
        )
        return _check(Puzzle(tuple(capacities), classes), locate(1))

    def generate(self, draws: Stream, **given: Any) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, **given)

    def text(self, puzzle: Puzzle) -> str:
        """The capacities and the classes."""
        head = " ".join(f"{most}/{length}" for most, length in puzzle.capacities)
        classes = (f"{n}={''.join('01'[h] for h in has)}" for n, has in puzzle.classes)
        return f"{head}: {' '.join(classes)}"

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def measure(self, puzzle: Puzzle) -> int:
        """The cars."""
        return puzzle.cars

    def count_values(self, puzzle: Puzzle) -> int:
        """The cars, and each option of each."""
        return puzzle.cars * (1 + len(puzzle.capacities))

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Cars are counted by classes, and each q in a row by options."""
        line, given = values[: puzzle.cars], values[puzzle.cars :]
        wrong = out_of_range(
            [f"car {k}" for k in range(1, puzzle.cars + 1)], line, 1, len(puzzle.classes)
        )
        yield from wrong
        if wrong:
            return
        for c, (number, _) in enumerate(puzzle.classes, 1):
            if list(line).count(c) != number:
                yield f"{list(line).count(c)} cars of class {c}, where there are {number}"
        for option, (most, length) in enumerate(puzzle.capacities):
            row = [int(puzzle.classes[c - 1][1][option]) for c in line]
            if row != list(given[option :: len(puzzle.capacities)]):
                yield f"option {option + 1} does not match the classes"
            for first in range(max(len(row) - length, 0) + 1):
                if sum(row[first : first + length]) > most:
                    yield (
                        f"{sum(row[first : first + length])} of the {length} cars from car "
                        f"{first + 1} on have option {option + 1}, more than {most}"
                    )

    def write(self, text: str, values: Sequence[int]) -> str:
        """The classes of the cars."""
        return " ".join(map(str, values[: self.parse(text).cars]))

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The classes, a line each; or a row for each option, X where a car has it."""
        if values is None:
            wide = len(str(len(puzzle.classes)))
            rows = (
                f"{c:>{wide}}: {number:>3} cars  {''.join('.X'[h] for h in has)}"
                for c, (number, has) in enumerate(puzzle.classes, 1)
            )
            capacities = " ".join(f"{most}/{length}" for most, length in puzzle.capacities)
            return "\n".join([f"{puzzle.cars} cars, options {capacities}", *rows])
        blocks = []
        for first in range(0, puzzle.cars, _WIDTH):
            last = min(first + _WIDTH, puzzle.cars)
            part = [puzzle.classes[c - 1][1] for c in values[first:last]]
            rows = (
                f"{f'{most}/{length}':>7} {''.join('.X'[has[option]] for has in part)}"
                for option, (most, length) in enumerate(puzzle.capacities)
            )
            blocks.append("\n".join([f"{'car':>7} {first + 1}", *rows]))
        return "\n\n".join(blocks)

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """A row for each option, filled where a car has it, over the classes of the cars."""
        if values is None:
            return super().sketch(puzzle, None)
        line = values[: puzzle.cars]
        every = enumerate(puzzle.classes[c - 1][1] for c in line)
        filled = {o * puzzle.cars + k for k, has in every for o, h in enumerate(has) if h}
        made = draw_pattern(len(puzzle.capacities), puzzle.cars, filled)
        for option, (most, length) in enumerate(puzzle.capacities):
            made.text(-8, (option + 0.5) * CELL, f"{most}/{length}", 14, anchor="end")
        for k, class_ in enumerate(line):
            made.text((k + 0.5) * CELL, (len(puzzle.capacities) + 0.4) * CELL, class_, 14)
        return made

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``: lines have colons and ``=``."""
        return self.in_format("lines" if re.search(r":.*=", first) else "csplib")

    def read_file(self, lines: Iterable[str], source: str) -> Iterator[Read[Puzzle]]:
        """The problems of CSPLib; a bad one is the last that is read."""
        rows: list[tuple[int, str]] = []
        names: dict[int, str] = {}
        for number, text in numbered(lines):
            called = re.match(r"\s*#\s*Problem\s+(\S+)", text)
            if called:
                names[len(rows)] = called[1]
            elif text.strip()[:1].isdigit():
                rows.append((number, text))
            elif text.strip() and not (text.strip()[0].isalpha() or text.strip()[0] == "#"):
                raise InstanceError(f"{text.strip()[:40]!r} is no row", place(source, number, 1))
        if not rows:
            raise InstanceError("there is no problem in the file", place(source, 1, 1))
        at = 0
        while at < len(rows):
            line, begun = rows[at][0], at
            puzzle, at = _read_problem(rows, at, source)
            alone = not begun and at == len(rows)
            name = names.get(begun) or (label(source) if alone else default_name(source, line))
            yield name, line, puzzle


def _read_problem(rows: Sequence[tuple[int, str]], at: int, source: str) -> tuple[Puzzle, int]:
    line = rows[at][0]
    cars, options, classes = _read_row(
        rows[at],
        source,
        [
            ("the number of cars", 1, MOST_CARS),
            ("the number of options", 1, MOST_OPTIONS),
            ("the number of classes", 1, MOST_CLASSES),
        ],
    )
    at += 1
    capacities: tuple[tuple[int, int], ...] = USUAL
    if at < len(rows) and len(rows[at][1].split()) == options:
        given, lengths = _read_rows(rows, at, source, 2, [("a capacity", 0, MOST_CARS)] * options)
        capacities = tuple(zip(given, lengths, strict=True))
        for most, length in capacities:
            if not 0 <= most <= length or not length:
                raise InstanceError(f"a capacity of {most}/{length}", place(source, rows[at][0], 1))
        at += 2
    elif options != len(USUAL):
        cause = f"a line with {options} capacities should follow"
        raise InstanceError(cause, place(source, line, 1))
    row = [("the number of the class", 0, classes - 1), ("how many cars", 0, cars)]
    row += [("whether it has an option", 0, 1)] * options
    made = []
    for k, (stated, number, *has) in enumerate(_read_rows(rows, at, source, classes, row)):
        if stated != k:
            cause = f"class {stated} where class {k} is expected; write them in order, from 0 on"
            raise InstanceError(cause, place(source, rows[at + k][0], 1))
        made.append((number, tuple(map(bool, has))))
    puzzle = _check(Puzzle(capacities, tuple(made)), place(source, line, 1))
    if puzzle.cars != cars:
        cause = f"the classes have {puzzle.cars} cars together, not {cars}"
        raise InstanceError(cause, place(source, line, 1))
    return puzzle, at + classes


def _read_rows(
    rows: Sequence[tuple[int, str]],
    at: int,
    source: str,
    many: int,
    wanted: Sequence[tuple[str, int, int]],
) -> list[tuple[int, ...]]:
    if at + many > len(rows):
        cause = f"the file ends; {many} lines of {len(wanted)} numbers should follow"
        raise InstanceError(cause, place(source, rows[-1][0], 1))
    return [_read_row(row, source, wanted) for row in rows[at : at + many]]


def _read_row(
    row: tuple[int, str], source: str, wanted: Sequence[tuple[str, int, int]]
) -> tuple[int, ...]:
    line, text = row
    words = split_words(text)
    if len(words) != len(wanted):
        cause = f"{len(words)} numbers where there must be {len(wanted)}"
        raise InstanceError(cause, place(source, line, words[0][1]))
    return tuple(
        read_number(word, what, least, most, place(source, line, column))
        for (word, column), (what, least, most) in zip(words, wanted, strict=True)
    )


def _parse_class(word: str, options: int, where: str) -> tuple[int, tuple[bool, ...]]:
    number, equals, has = word.partition("=")
    if not equals or not re.fullmatch(f"[01]{{{options}}}", has):
        cause = f"{word[:40]!r} is no class; write how many cars it has and 0 or 1 for each of "
        raise InstanceError(
            f"{cause}{options} options, as in '2={'10' * options:.{options}}'", where
        )
    return (
        read_number(number, "how many cars", 0, MOST_CARS, where),
        tuple(sign == "1" for sign in has),
    )


def _check(puzzle: Puzzle, where: str) -> Puzzle:
    if not 1 <= puzzle.cars <= MOST_CARS:
        raise InstanceError(f"{puzzle.cars} cars; there are from 1 to {MOST_CARS}", where)
    return puzzle


CAR_SEQUENCING = CarSequencing()


def find_room(capacity: tuple[int, int], cars: int) -> int:
    """The most of these cars that can have an option, by its capacity alone."""
    most, length = capacity
    return cars // length * most + min(cars % length, most)


def generate(
    draws: Stream,
    *,
    cars: int,
    percent: int,
    classes: int = 20,
    capacities: Sequence[tuple[int, int]] = USUAL,
) -> str:
    """Cars whose options are asked for up to ``percent`` of the room for them (``find_room``).

    CSPLib distinguishes its sets of 200 cars by that utilisation, 60 to 90 (Gent, "Two
    results on car-sequencing problems", APES-02-1998); above 90, problems turn insoluble. Classes
    are drawn, each option with the share p/q; then each car is of a drawn class for which there is
    room left, and of the class without options where there is none.
    """
    if not (1 <= cars <= MOST_CARS and 1 <= classes < MOST_CLASSES and 0 <= percent <= 1000):
        raise InputError(f"no {cars} cars of {classes} classes at {percent} % of the room")
    if not 1 <= len(capacities) <= MOST_OPTIONS or any(
        not 0 <= most <= length or not length for most, length in capacities
    ):
        raise InputError(f"no stations of capacities {tuple(capacities)!r}")
    room = [find_room(capacity, cars) * percent // 100 for capacity in capacities]
    nothing = (False,) * len(capacities)
    kinds = {nothing: 0}
    for _ in range(20 * classes):  # there may be fewer classes that differ than are asked for
        if len(kinds) <= classes:
            kinds[tuple(draws.below(length) < most for most, length in capacities)] = 0
    for _ in range(cars):
        fitting = [
            kind
            for kind in kinds
            if any(kind) and all(left > 0 for has, left in zip(kind, room, strict=True) if has)
        ]
        chosen = draws.choice(fitting) if fitting else nothing
        kinds[chosen] += 1
        room = [left - has for has, left in zip(chosen, room, strict=True)]
    used = tuple((number, kind) for kind, number in kinds.items() if number)
    return CAR_SEQUENCING.text(Puzzle(tuple(capacities), used))
