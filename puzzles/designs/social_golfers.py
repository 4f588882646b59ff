"""Social golfers: every week all play in groups of one size, and no two play together twice.

Text is the groups, the players of a group, and the weeks: ``3 3 4``. Variable ``pIwJ`` is the
group, from 1, in which player I plays in week J. Solutions that differ in the names of players,
groups or weeks are solutions apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from modelling.constraints import Linear, Truth
from modelling.errors import PuzzleError
from modelling.problem import Problem, Structure
from modelling.terms import constants
from modelling.vocabulary.counting.global_cardinality import GlobalCardinality
from modelling.vocabulary.formulas.linear import equal
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_numbers

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
    """Implements ``puzzles.family.Family``."""

    name = "social_golfers"
    about = "social golfers: groups every week, no two players together twice"
    csplib = 10

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
            raise PuzzleError(cause, locate(1))
        return groups, size, weeks

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


SOCIAL_GOLFERS = SocialGolfers()
