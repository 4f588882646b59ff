"""Random problems of Model RB: constraints of one arity with equally many forbidden tuples.

Text is the arity, how many variables, how many values, how many constraints, how many forbidden
tuples of each, a colon and the seed: ``2 12 6 31 9: 5``. With ``forced`` after the seed there is
a solution: one is drawn first, and no constraint forbids it. Variables ``x1`` to ``xN`` have values
from 0. The problem is drawn from the text alone, so the text is the instance.

``write_rb`` makes the text from the model's own parameters (Xu and Li, "Exact phase transitions in
random constraint satisfaction problems", JAIR 12, 2000): n variables with n^alpha values, r n ln n
constraints, and the share of forbidden tuples. At ``find_threshold`` the problems turn from
soluble to insoluble, and are hardest.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from modelling.constraints import Table
from modelling.errors import InputError, InstanceError
from modelling.problem import Problem, Structure
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_number, read_numbers, split_words
from puzzles.parameters import Parameter
from puzzles.random_stream import Stream

MOST_VARIABLES, MOST_VALUES, MOST_CONSTRAINTS, MOST_TUPLES = 200, 100, 5000, 200_000
MOST_SEED = 999_999_999

_FORM = "2 12 6 31 9: 5"

Forbidden = tuple[tuple[tuple[int, ...], tuple[tuple[int, ...], ...]], ...]
"""The variables of each constraint (from 0), and its forbidden tuples."""


@dataclass(frozen=True)
class Parameters:
    """What the text tells."""

    arity: int
    variables: int
    values: int
    constraints: int
    tuples: int
    seed: int
    forced: bool


@lru_cache(maxsize=16)
def draw_constraints(given: Parameters) -> Forbidden:
    """The constraints, one after the other; scopes may come again, tuples of one do not."""
    draws = Stream(given.seed)
    hidden = [draws.below(given.values) for _ in range(given.variables)] if given.forced else []
    possible = given.values**given.arity
    found = []
    for _ in range(given.constraints):
        scope = tuple(_draw_some(draws, given.variables, given.arity))
        kept = _number_of([hidden[v] for v in scope], given.values) if given.forced else possible
        drawn = _draw_some(draws, possible - given.forced, given.tuples)
        numbers = sorted(n + (n >= kept) for n in drawn)
        found.append((scope, tuple(_row_of(n, given.values, given.arity) for n in numbers)))
    return tuple(found)


def _draw_some(draws: Stream, n: int, number: int) -> list[int]:
    """Different numbers of 0 to n-1, in random order (the first steps of a shuffle)."""
    moved: dict[int, int] = {}
    found = []
    for k in range(number):
        other = k + draws.below(n - k)
        found.append(moved.get(other, other))
        moved[other] = moved.get(k, k)
    return found


def _number_of(row: Sequence[int], values: int) -> int:
    number = 0
    for value in row:
        number = number * values + value
    return number


def _row_of(number: int, values: int, arity: int) -> tuple[int, ...]:
    row = []
    for _ in range(arity):
        number, value = divmod(number, values)
        row.append(value)
    return tuple(row[::-1])


@lru_cache(maxsize=16)
def structure(given: Parameters) -> Structure:
    """A table of conflicts for each constraint."""
    return Structure(
        tuple(f"x{v + 1}" for v in range(given.variables)),
        (tuple(range(given.values)),) * given.variables,
        tuple(Table(scope, rows, allowed=False) for scope, rows in draw_constraints(given)),
    )


class ModelRb(LineFamily[Parameters]):
    """Implements ``puzzles.family.Family`` and ``Generated``."""

    name = "model_rb"
    about = "random problems of Model RB, easy or at the threshold of solubility"
    unit = "variables"
    parameters = (
        Parameter("variables", 12, "Number of variables, n.", 2, MOST_VARIABLES),
        Parameter("arity", 2, "Number of variables of a constraint.", 2, 4),
        Parameter("alpha", Fraction("0.8"), "There are n to the power of alpha values.", 0, 4),
        Parameter("r", Fraction("0.8"), "There are r n ln n constraints.", 0, 100),
        Parameter(
            "phase",
            Fraction(1),
            "Forbidden tuples by their number at the threshold of solubility; 1 is hardest.",
            0,
            10,
        ),
        Parameter("forced", False, "There is a solution, which is drawn first."),
    )

    def parse(self, body: str, locate: Locate = in_text) -> Parameters:
        """The parameters."""
        head, colon, _ = body.partition(":")
        words = split_words(body, len(head) + 1)
        if (
            not colon
            or not 1 <= len(words) <= 2
            or [w for w, _ in words[1:]] not in ([], ["forced"])
        ):
            cause = f"write five numbers, a colon and the seed, perhaps 'forced', as in {_FORM!r}"
            raise InstanceError(cause, locate(1))
        arity, variables, values, constraints, tuples = read_numbers(
            head,
            locate,
            _FORM,
            ("the arity", 1, 4),
            ("the number of variables", 1, MOST_VARIABLES),
            ("the number of values", 1, MOST_VALUES),
            ("the number of constraints", 0, MOST_CONSTRAINTS),
            ("the number of forbidden tuples", 0, MOST_TUPLES),
        )
        seed = read_number(words[0][0], "the seed", 0, MOST_SEED, locate(words[0][1]))
        given = Parameters(arity, variables, values, constraints, tuples, seed, len(words) == 2)
        cause = _find_fault(given)
        if cause:
            raise InstanceError(cause, locate(1))
        return given

    def text(self, puzzle: Parameters) -> str:
        """The parameters."""
        numbers = puzzle.arity, puzzle.variables, puzzle.values, puzzle.constraints, puzzle.tuples
        return f"{' '.join(map(str, numbers))}: {puzzle.seed}{' forced' * puzzle.forced}"

    def state(self, puzzle: Parameters) -> Problem:
        """See ``structure``."""
        return structure(puzzle).problem()

    def count_values(self, puzzle: Parameters) -> int:
        """The variables."""
        return puzzle.variables

    def find_faults(self, puzzle: Parameters, values: Sequence[int]) -> Iterator[str]:
        """Every constraint's forbidden tuples are looked through."""
        names = [f"x{v + 1}" for v in range(puzzle.variables)]
        yield from out_of_range(names, values, 0, puzzle.values - 1)
        for scope, rows in draw_constraints(puzzle):
            if tuple(values[v] for v in scope) in rows:
                yield f"{', '.join(f'{names[v]} = {values[v]}' for v in scope)} is forbidden"

    def generate(
        self,
        draws: Stream,
        *,
        variables: int,
        arity: int,
        alpha: Fraction,
        r: Fraction,
        phase: Fraction,
        forced: bool,
    ) -> str:
        """See ``Generated``; what is drawn is the seed in the text."""
        tightness = min(1.0, float(phase) * find_threshold(float(alpha), float(r))) if r else 0.0
        return write_rb(
            arity,
            variables,
            float(alpha),
            float(r),
            tightness,
            seed=draws.below(MOST_SEED + 1),
            forced=forced,
        )

    def draw(self, puzzle: Parameters, values: Sequence[int] | None) -> str:
        """What there is of it; or the values."""
        if values is not None:
            return " ".join(map(str, values))
        return (
            f"{puzzle.variables} variables of {puzzle.values} values, {puzzle.constraints} "
            f"constraints of {puzzle.arity}, each forbids {puzzle.tuples} tuples"
        )


MODEL_RB = ModelRb()


def _find_fault(given: Parameters) -> str:
    possible = given.values**given.arity
    if given.arity > given.variables:
        return f"constraints of {given.arity} among {given.variables} variables"
    if given.tuples + given.forced > possible:
        return (
            f"{given.tuples} forbidden tuples of {possible}" + ", one of them kept" * given.forced
        )
    if given.tuples * given.constraints > MOST_TUPLES:
        return f"more than {MOST_TUPLES} forbidden tuples in all"
    return ""


def write_rb(
    arity: int,
    variables: int,
    alpha: float,
    r: float,
    tightness: float,
    *,
    seed: int,
    forced: bool = False,
) -> str:
    """The text of a problem of Model RB; numbers are rounded to whole ones."""
    values = round(variables**alpha)
    constraints = round(r * variables * math.log(variables))
    tuples = round(tightness * values**arity)
    given = Parameters(arity, variables, values, constraints, tuples, seed, forced)
    try:
        return MODEL_RB.text(MODEL_RB.parse(MODEL_RB.text(given)))
    except InstanceError as error:
        raise InputError(f"no problem of Model RB: {error.cause}") from error


def find_threshold(alpha: float, r: float) -> float:
    """The share of forbidden tuples at which problems turn insoluble."""
    return 1 - math.exp(-alpha / r)
