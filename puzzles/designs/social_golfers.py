"""Social golfers: every week all play in groups of one size, and no two play together twice.

Text is the groups, the players of a group, and the weeks: ``3 3 4``. Variable ``pIwJ`` is the
group, from 1, in which player I plays in week J. Solutions that differ in the names of players,
groups or weeks are solutions apart.

Words
-----
bound       the least known upper bound of the number of weeks: nobody can meet more others than
            there are, a group's worth a week. For some shapes fewer are proven (``find_bound``)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from modelling.constraints import Linear, Truth
from modelling.errors import InputError, InstanceError
from modelling.problem import Problem, Structure
from modelling.terms import constants
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.formulas.linear import equal
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_numbers
from puzzles.parameters import Parameter
from puzzles.pictures import Picture, draw_table
from puzzles.random_stream import Stream

MOST, MOST_PLAYERS = 20, 60

Puzzle = tuple[int, int, int]
"""Groups, players of a group, weeks."""


@lru_cache(maxsize=32)
def structure(groups: int, size: int, weeks: int) -> Structure:
    """Groups of the right size, and for each two players at most one week together."""
    players = range(groups * size)
    numbers = tuple(range(1, groups + 1))
    sizes = constants(*(size,) * groups)
    weekly = [tuple(p * weeks + w for p in players) for w in range(weeks)]
    meetings = (
        tuple(Truth(equal(p * weeks + w, q * weeks + w)) for w in range(weeks))
        for p, q in combinations(players, 2)
    )
    return Structure(
        tuple(f"p{p + 1}w{w + 1}" for p in players for w in range(weeks)),
        (numbers,) * (len(players) * weeks),
        (
            *(GlobalCardinality(week, numbers, sizes) for week in weekly),
            *(Linear(met, (1,) * weeks, "<=", 1) for met in meetings),
        ),
    )


class SocialGolfers(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family`` and ``Generated``."""

    name = "social_golfers"
    about = "social golfers: groups every week, no two players together twice"
    unit = "players x weeks"
    csplib = 10
    parameters = (
        Parameter("groups", 0, "Number of groups; 0 is any, one after the other.", 0, MOST),
        Parameter("players", 0, "Players of a group; 0 is any from 2.", 0, MOST),
        Parameter(
            "below",
            0,
            "Weeks fewer than the bound; 0 is hardest, -1 is a week too many.",
            -1,
            MOST_PLAYERS,
        ),
    )
    asks_item = True

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """Groups, players of a group, weeks."""
        groups, size, weeks = read_numbers(
            body,
            locate,
            "3 3 4",
            ("how many groups", 1, MOST),
            ("how many players a group", 1, MOST),
            ("how many weeks", 1, MOST),
        )
        if groups * size > MOST_PLAYERS:
            cause = f"{groups * size} players; there are at most {MOST_PLAYERS}"
            raise InstanceError(cause, locate(1))
        return groups, size, weeks

    def generate(self, draws: Stream, *, item: int, groups: int, players: int, below: int) -> str:
        """See ``Generated``: item after item, by the number of all players and then by that of a
        group; nothing is drawn. Shapes of which too few weeks are left are passed over."""
        shapes = [
            (g, s)
            for s in range(2, MOST + 1)
            for g in range(s, MOST_PLAYERS // s + 1)
            if groups in (0, g) and players in (0, s) and g <= MOST
        ]
        weeks = [(g, s, find_bound(g, s) - below) for g, s in shapes]
        found = sorted((g * s, s, g, w) for g, s, w in weeks if 1 < w <= MOST)
        if item >= len(found):
            cause = f"there are {len(found)} such shapes of at most {MOST_PLAYERS} players"
            raise InputError(f"{cause}: no item {item}, counted from 0")
        _, size, many, left = found[item]
        return self.text((many, size, left))

    def text(self, puzzle: Puzzle) -> str:
        """Groups, players of a group, weeks."""
        return " ".join(map(str, puzzle))

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(*puzzle).problem()

    def count_values(self, puzzle: Puzzle) -> int:
        """A group for each player and week."""
        return puzzle[0] * puzzle[1] * puzzle[2]

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """The groups are put together, and who meets whom is counted."""
        groups, size, weeks = puzzle
        names = [f"p{p + 1}w{w + 1}" for p in range(groups * size) for w in range(weeks)]
        yield from out_of_range(names, values, 1, groups)
        met: Counter[tuple[int, int]] = Counter()
        for week in range(weeks):
            for group in range(1, groups + 1):
                team = [p + 1 for p, g in enumerate(values[week::weeks]) if g == group]
                if len(team) != size:
                    yield f"group {group} of week {week + 1} has {len(team)} players, not {size}"
                met.update(combinations(team, 2))
        for (one, other), times in met.items():
            if times > 1:
                yield f"players {one} and {other} play together {times} times"

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """A line a week, its groups one after the other."""
        groups, size, weeks = puzzle
        if values is None:
            return f"{groups} groups of {size} in {weeks} weeks"
        return "\n".join(
            " | ".join(
                " ".join(str(p + 1) for p, g in enumerate(values[week::weeks]) if g == group)
                for group in range(1, groups + 1)
            )
            for week in range(weeks)
        )

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """A timetable: a row for each week."""
        if values is None:
            return super().sketch(puzzle, None)
        rows = [line.split(" | ") for line in self.draw(puzzle, values).splitlines()]
        return draw_table(rows, [f"week {week}" for week in range(1, puzzle[2] + 1)])


SOCIAL_GOLFERS = SocialGolfers()

_PROVEN = {(4, 3): 4, (6, 6): 3}
"""Groups, players of a group: 12 players in threes have no nearly Kirkman triple system (Rees and
Stinson, "On resolvable group-divisible designs with block size 3", Ars Combinatoria 23, 1987), and
more weeks of 36 in sixes would be orthogonal Latin squares of order 6 (Tarry, "Le probleme des 36
officiers", 1900)."""


def find_bound(groups: int, size: int) -> int:
    """The weeks that there can be at most, for groups of at least 2 players."""
    if size > groups:
        return 1  # in another week somebody would meet one of the same group again
    return _PROVEN.get((groups, size), (groups * size - 1) // (size - 1))
