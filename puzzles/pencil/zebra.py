"""Logic puzzles of houses in a row, such as the zebra puzzle: who lives where, by clues.

Text is how many houses there are, the attributes, each with its values, and the clues, with ``|``
between the parts and commas between the clues::

    2 | colour: red blue | pet: dog fox | red < dog, red = fox

No two houses share a value of an attribute; there may be fewer values than houses. A clue relates
two values, or a value to the number of its house, counted from the left:

``a = b``     in the same house             ``a = 3``    in house 3
``a != b``    in different houses           ``a != 3``   not in house 3
``a ~ b``     in houses next to each other
``a < b``     a is left of b, anywhere      ``a << b``   a is immediately left of b

``>`` and ``>>`` are read too. Variables are the values, in their order; each is the number of the
house.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, constant, equal
from modelling.errors import InputError, InstanceError
from modelling.problem import Problem, Structure
from modelling.vocabulary.functions.distance import Distance
from modelling.wording import did_you_mean
from puzzles.drawing import beside_or_below
from puzzles.family import Count
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_number, split_words
from puzzles.parameters import Parameter
from puzzles.pencil.uniqueness import is_unique, remove_needless
from puzzles.pictures import Picture, draw_table
from puzzles.random_stream import Stream

MOST_HOUSES, MOST_ATTRIBUTES, MOST_CLUES = 30, 30, 1000

_FORM = "2 | colour: red blue | pet: dog fox | red < dog, red = fox"
_NAME = re.compile(r"[^\W\d_][\w.'-]{0,39}")
_CLUE = re.compile(r"\s*(\S+?)\s*(!=|<<|>>|[=~<>])\s*(\S+)\s*")

WORDS = {
    "=": "{} and {} are in the same house",
    "!=": "{} and {} are in different houses",
    "~": "{} and {} are next to each other",
    "<": "{} is left of {}",
    "<<": "{} is immediately left of {}",
}
"""A clue in words, by its relation."""


@dataclass(frozen=True, slots=True)
class Clue:
    """A relation between a value and another, or the number of a house."""

    one: str
    relation: str
    other: str | int

    def __str__(self) -> str:
        return f"{self.one} {self.relation} {self.other}"


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The houses, the attributes with their values, and the clues by their values."""

    houses: int
    attributes: tuple[tuple[str, tuple[str, ...]], ...]
    clues: tuple[Clue, ...]

    @property
    def values(self) -> tuple[str, ...]:
        """The values of all attributes."""
        return tuple(value for _, values in self.attributes for value in values)


@lru_cache(maxsize=64)
def structure(puzzle: Puzzle) -> Structure:
    """Different houses for the values of an attribute, and the clues."""
    number = {value: k for k, value in enumerate(puzzle.values)}
    groups = (tuple(number[value] for value in values) for _, values in puzzle.attributes)
    return Structure(
        puzzle.values,
        (tuple(range(1, puzzle.houses + 1)),) * len(number),
        (
            *(AllDifferent(group) for group in groups if len(group) > 1),
            *(_state(number[c.one], c, number.get(str(c.other))) for c in puzzle.clues),
        ),
    )


def _state(one: int, clue: Clue, other: int | None) -> Constraint:
    if isinstance(clue.other, int):
        return Linear((one,), (1,), "==" if clue.relation == "=" else "!=", clue.other)
    assert other is not None
    if clue.relation == "~":
        return equal(Distance(one, other), constant(1))
    if clue.relation == "!=":
        return NotEqual((one, other))
    relation, difference = {"=": ("==", 0), "<": ("<", 0), "<<": ("==", -1)}[clue.relation]
    return Linear((one, other), (1, -1), relation, difference)


class Zebra(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family`` and ``Generated``."""

    name = "zebra"
    about = "logic puzzles such as the zebra puzzle: houses in a row, attributes, clues"
    unit = "values"

    join_drawings = staticmethod(beside_or_below)
    parameters = (
        Parameter("houses", 5, "Number of houses.", 2, 7),
        Parameter("attributes", 4, "Number of attributes.", 1, 6),
        Parameter("unnumbered", False, "No clue tells the number of a house, which is harder."),
    )
    asks_solver = True

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The houses, the attributes and the clues."""
        parts = [(part[0], part.start()) for part in re.finditer(r"[^|]+", body)]
        if len(parts) < 2 or not parts[0][0].strip():
            cause = "write the number of houses, attributes and clues with | between"
            raise InstanceError(f"{cause}, as in {_FORM!r}", locate(1))
        words = split_words(parts[0][0])
        if len(words) > 1:
            cause = f"{len(words)} words where the number of houses must be alone"
            raise InstanceError(cause, locate(words[1][1]))
        houses = read_number(
            words[0][0], "the number of houses", 1, MOST_HOUSES, locate(words[0][1])
        )
        last, start = parts[-1]
        given = last if ":" not in last else ""
        attributes = _read_attributes(parts[1 : -1 if given else None], houses, locate)
        known = [value for _, values in attributes for value in values]
        clues = {
            clue
            for part in re.finditer(r"[^,]+", given)
            if part[0].strip()
            for clue in [_read_clue(part[0], known, houses, locate, start + part.start())]
        }
        if len(clues) > MOST_CLUES:
            raise InstanceError(f"{len(clues)} clues; there are at most {MOST_CLUES}", locate(1))
        return Puzzle(houses, attributes, _sort_clues(clues, known))

    def generate(self, draws: Stream, *, count: Count, unnumbered: bool, **given: Any) -> str:
        """See ``Generated`` and the function below."""
        return generate(draws, count=count, numbered=not unnumbered, **given)

    def text(self, puzzle: Puzzle) -> str:
        """The houses, the attributes and the clues."""
        groups = [f"{name}: {' '.join(values)}" for name, values in puzzle.attributes]
        clues = [", ".join(map(str, puzzle.clues))] if puzzle.clues else []
        return " | ".join([str(puzzle.houses), *groups, *clues])

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def count_values(self, puzzle: Puzzle) -> int:
        """The values of all attributes."""
        return len(puzzle.values)

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Each house is furnished, and the clues are looked at from house to house."""
        wrong = out_of_range(puzzle.values, values, 1, puzzle.houses)
        yield from wrong
        if wrong:
            return
        street: list[set[str]] = [set() for _ in range(puzzle.houses + 1)]
        for value, house in zip(puzzle.values, values, strict=True):
            street[house].add(value)
        for name, group in puzzle.attributes:
            for house, held in enumerate(street):
                shared = [value for value in group if value in held]
                if len(shared) > 1:
                    yield f"house {house} has {' and '.join(shared)} as its {name}"
        for clue in puzzle.clues:
            if not _is_met(clue, street):
                yield f"it is not so that {tell(clue)}"

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """The values and the clues in words; a solution as a table of the houses."""
        wide = max(len(name) for name, _ in puzzle.attributes)
        if values is None:
            rows = [f"{name:{wide}}  {' '.join(group)}" for name, group in puzzle.attributes]
            clues = [f"{k:>2}. {tell(clue)}" for k, clue in enumerate(puzzle.clues, 1)]
            return "\n".join([f"{puzzle.houses} houses in a row", "", *rows, "", *clues]).rstrip()
        table = [("", [str(house) for house in range(1, puzzle.houses + 1)])]
        table += zip((name for name, _ in puzzle.attributes), _furnish(puzzle, values), strict=True)
        widths = [max(map(len, column)) for column in zip(*(row for _, row in table), strict=True)]
        return "\n".join(
            f"{name:{wide}}  "
            + "  ".join(f"{word:{w}}" for word, w in zip(row, widths, strict=True)).rstrip()
            for name, row in table
        )

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The values and the clues in words; a solution as a table of the houses."""
        if values is None:
            return super().sketch(puzzle, None)
        return draw_table(_furnish(puzzle, values), [name for name, _ in puzzle.attributes])

    def write(self, text: str, values: Sequence[int]) -> str:
        """House by house: ``red dog | blue fox``."""
        houses = zip(*_furnish(self.parse(text), values), strict=True)
        return " | ".join(map(" ".join, houses))


def tell(clue: Clue) -> str:
    """A clue in words."""
    if isinstance(clue.other, int):
        return f"{clue.one} is {'' if clue.relation == '=' else 'not '}in house {clue.other}"
    return WORDS[clue.relation].format(clue.one, clue.other)


def _furnish(puzzle: Puzzle, values: Sequence[int]) -> list[list[str]]:
    """For each attribute its value in every house, ``-`` where there is none."""
    house_of = dict(zip(puzzle.values, values, strict=True))
    found = []
    for _, group in puzzle.attributes:
        row = ["-"] * puzzle.houses
        for value in group:
            if house_of[value] in range(1, puzzle.houses + 1):
                row[house_of[value] - 1] = value
        found.append(row)
    return found


def _is_met(clue: Clue, street: Sequence[set[str]]) -> bool:
    """Whether a clue is so in a street of houses, the first of which, number 0, is empty."""
    if isinstance(clue.other, int):
        return (clue.one in street[clue.other]) == (clue.relation == "=")
    (here,) = (house for house, held in enumerate(street) if clue.one in held)
    if clue.relation in ("=", "!="):
        return (clue.other in street[here]) == (clue.relation == "=")
    left, right = street[:here], street[here + 1 :]
    if clue.relation == "<":
        return any(clue.other in held for held in right)
    near = right[:1] if clue.relation == "<<" else [*left[-1:], *right[:1]]
    return any(clue.other in held for held in near)


def _read_attributes(
    parts: Sequence[tuple[str, int]], houses: int, locate: Locate
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found: dict[str, tuple[str, ...]] = {}
    seen: set[str] = set()
    for part, start in parts:
        head, colon, rest = part.partition(":")
        names = split_words(" " * start + head, start)
        first = start + 1 if not names else names[0][1]
        if not colon or len(names) != 1 or not _NAME.fullmatch(names[0][0]):
            cause = "write an attribute as its name, a colon and its values, as in 'pet: dog fox'"
            raise InstanceError(cause, locate(first))
        name = names[0][0]
        if name in found:
            raise InstanceError(f"a second attribute {name!r}; give it another name", locate(first))
        begin = start + len(head) + 1
        values = split_words(" " * begin + rest, begin)
        if not 1 <= len(values) <= houses:
            cause = f"{name} has {len(values)} values; {houses} houses have 1 to {houses} of them"
            raise InstanceError(cause, locate(first))
        for value, column in values:
            if not _NAME.fullmatch(value):
                cause = f"{value[:40]!r} is no value; begin it with a letter, continue with "
                raise InstanceError(f"{cause}letters, digits, - . ' or _", locate(column))
            if value in seen:
                raise InstanceError(
                    f"{value!r} occurs twice; give one of them another name", locate(column)
                )
            seen.add(value)
        found[name] = tuple(value for value, _ in values)
    if not 1 <= len(found) <= MOST_ATTRIBUTES:
        cause = f"{len(found)} attributes; there must be 1 to {MOST_ATTRIBUTES}"
        raise InstanceError(cause, locate(1))
    return tuple(found.items())


def _read_clue(part: str, known: Sequence[str], houses: int, locate: Locate, start: int) -> Clue:
    where = locate(start + len(part) - len(part.lstrip()) + 1)
    found = _CLUE.fullmatch(part)
    if found is None:
        cause = f"{part.strip()[:60]!r} is no clue; write two values with = != ~ < or << between"
        raise InstanceError(cause, where)
    one, relation, other = found.groups()
    for value, group in ((one, 1), (other, 3)):
        if value not in known and not (group == 3 and other.isdecimal()):
            cause = f"{value[:40]!r} is a value of no attribute{did_you_mean(value, known)}"
            raise InstanceError(cause, locate(start + found.start(group) + 1))
    if other not in known:
        if relation not in ("=", "!="):
            cause = f"a house after {relation}; write a value there, or = or !="
            raise InstanceError(cause, where)
        at = locate(start + found.start(3) + 1)
        return Clue(one, relation, read_number(other, "a house", 1, houses, at))
    if one == other:
        raise InstanceError(f"a clue that relates {one} to itself; name another value", where)
    if relation in (">", ">>"):
        one, other, relation = other, one, relation.replace(">", "<")
    elif relation in ("=", "!=", "~") and known.index(one) > known.index(other):
        one, other = other, one
    return Clue(one, relation, other)


def _sort_clues(clues: set[Clue], known: Sequence[str]) -> tuple[Clue, ...]:
    number = {value: k for k, value in enumerate(known)}

    def key(clue: Clue) -> tuple[int, int, str]:
        to = clue.other if isinstance(clue.other, int) else len(known) + number[clue.other]
        return number[clue.one], to, clue.relation

    return tuple(sorted(clues, key=key))


ZEBRA = Zebra()

# --- generating ----------------------------------------------------------------------------------

POOL = (
    ("colour", ("red", "green", "white", "yellow", "blue", "black", "pink")),
    ("person", ("Ada", "Alan", "Edsger", "Grace", "John", "Kurt", "Emmy")),
    ("pet", ("dog", "cat", "horse", "fox", "owl", "snail", "goat")),
    ("drink", ("tea", "coffee", "milk", "juice", "water", "cocoa", "wine")),
    ("game", ("chess", "go", "whist", "poker", "dominoes", "draughts", "bridge")),
    ("fruit", ("apple", "pear", "plum", "fig", "cherry", "lemon", "grape")),
)
"""Attributes and values of puzzles that are generated."""

RELATIONS = ("=", "~", "<<", "<")


def generate(
    draws: Stream,
    *,
    count: Count,
    houses: int = 5,
    attributes: int = 4,
    numbered: bool = True,
    relations: Sequence[str] = RELATIONS,
) -> str:
    """A puzzle with one solution, of whose clues none can go.

    Clues have these relations, and with ``numbered`` some tell a house by its number; without ``=``
    and numbers it is hard. ``count`` is asked whether there is one solution.
    """
    if not (
        2 <= houses <= len(POOL[0][1])
        and 1 <= attributes <= len(POOL)
        and set(relations) <= set(RELATIONS)
    ):
        raise InputError(f"no puzzle of {houses} houses and {attributes} attributes is generated")
    chosen = tuple(
        (name, tuple(draws.shuffled(values)[:houses])) for name, values in POOL[:attributes]
    )
    lives = {v: k for _, values in chosen for k, v in enumerate(draws.shuffled(values), 1)}
    known = list(lives)
    clues = [Clue(value, "=", lives[value]) for value in known if numbered]
    for one, other in combinations(known, 2):
        left, right = sorted((one, other), key=lambda value: lives[value])
        apart = lives[right] - lives[left]
        clues += [Clue(one, "=", other)] if apart == 0 and "=" in relations else []
        clues += [Clue(one, "~", other)] if apart == 1 and "~" in relations else []
        clues += [Clue(left, "<<", right)] if apart == 1 and "<<" in relations else []
        clues += [Clue(left, "<", right)] if apart > 0 and "<" in relations else []

    def make(given: Sequence[Clue]) -> Puzzle:
        return Puzzle(houses, chosen, tuple(given))

    def suffice(given: Sequence[Clue]) -> bool:
        return is_unique(ZEBRA.state(make(given)), count)

    if not suffice(clues):
        raise InputError(f"clues of {' '.join(relations)} do not tell one solution; allow more")
    kept = remove_needless(clues, draws, suffice)
    return ZEBRA.text(ZEBRA.parse(ZEBRA.text(make(kept))))
