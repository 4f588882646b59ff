"""Whether two backends differ in speed: decided here for all tables, sentences and differences.

Two equal backends are exchangeable: on each instance the logarithm of the ratio of their times
is as likely to be its negative. The test compares the logarithms with what they are after each
change of signs, and so needs no assumption of how they are distributed: of equal backends it
calls at most ``SIGNIFICANT`` different. The interval says by how much they differ; the two must
agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from harness.report.statistics.grid import Floats
from harness.report.statistics.significance import SIGNIFICANT
from harness.statistics import EQUAL, LEAST_FOR_INTERVAL, collapse_single

SEED = 25
DRAWS = 9_999
"""Changes of signs that are drawn, unless there are so few that each is tried."""

WORK, LEAST_DRAWS = 4_000_000, 999
"""Most signs that are drawn, of thousands of ratios; and the least number of draws."""

BLOCK = 1_000_000
"""Signs in memory at once."""

MANY = 1000
"""From this many ratios of a set on, their sum under changes of signs is normally distributed for
all that one can see, and is drawn as such."""

TIE = 1e-9
"""Statistics that differ by less than this part are equal but for the arithmetic."""

Difference = Literal["slower", "faster", "alike", "unclear", "too few"]

LEVEL = ("alike", "unclear")
"""Neither is known to be faster."""


def find_chance(logs: Floats, strata: Sequence[object] | npt.NDArray[Any]) -> float:
    """The probability, of equal backends, of logarithms of ratios that lie as far from 0 as these.

    The sign-flip test (Fisher, "The Design of Experiments", 1935, section 21; Pitman,
    "Significance Tests Which May Be Applied to Samples from Any Populations", 1937): the part of
    all 2^n changes of signs, of n logarithms, whose statistic is as large. The statistic is the
    square of the mean over that of its standard error within ``strata``, the sets of
    the ratios, sum of n_h s_h^2 (Janssen, "Studentized Permutation Tests for Non-i.i.d.
    Hypotheses", Statistics & Probability Letters 36, 1997), so that sets which differ
    from each other cost no power. Sets of one ratio are collapsed (``harness.statistics``).

    Where there are more than ``DRAWS`` changes, as many are drawn with a seed, and these logarithms
    count as one of them: (1 + b) / (1 + m), which keeps the level (Phipson and Smyth,
    "Permutation P-Values Should Never Be Zero", Statistical Applications in Genetics and Molecular
    Biology 9, 2010). Logarithms may be weighted. nan of fewer than ``LEAST_FOR_INTERVAL``.
    """
    if len(logs) < LEAST_FOR_INTERVAL:
        return np.nan
    parts = _split(np.asarray(logs, dtype=float), strata)
    observed = float(_compare(parts, np.array([[part.sum() for part in parts]]))[0])
    is_exact = 1 << len(logs) - 1 <= DRAWS
    sums = _flip_all(parts) if is_exact else _draw_sums(parts)
    as_far = sum(int((_compare(parts, some) >= observed * (1 - TIE)).sum()) for some in sums)
    if is_exact:  # a change of all signs changes nothing, so half of them are tried
        return as_far / (1 << len(logs) - 1)
    return (1 + as_far) / (1 + _count_draws(parts))


def _split(logs: Floats, strata: Sequence[object] | npt.NDArray[Any]) -> list[Floats]:
    """The logarithms of each set, those that are alone in theirs joined."""
    known: dict[object, int] = {}
    codes = np.array([known.setdefault(name, len(known)) for name in strata], dtype=np.int64)
    codes = collapse_single(np.bincount(codes))[codes]
    ordered = logs[np.argsort(codes, kind="stable")]
    return np.split(ordered, np.cumsum(np.bincount(codes))[:-1])


def _compare(parts: list[Floats], sums: Floats) -> Floats:
    """The statistic for the sums of each set, of shape (changes, sets): with t the mean over its
    standard error t^2 / (1 + t^2), which orders changes as t^2 does and is never infinite."""
    sizes = np.array([len(part) for part in parts])
    squares = np.array([part @ part for part in parts])
    spread = (np.maximum(squares - sums**2 / sizes, 0.0) * (sizes / (sizes - 1))).sum(axis=1)
    square = sums.sum(axis=1) ** 2
    return np.asarray(square / np.maximum(square + spread, np.finfo(float).tiny))


def _flip_all(parts: list[Floats]) -> Iterator[Floats]:
    """The sums of each set under all changes of signs but of the first one."""
    number = sum(map(len, parts))
    changes = np.arange(2 ** (number - 1), dtype=np.int64)[:, None]
    signs = 1.0 - 2.0 * ((changes >> np.arange(number)) & 1)
    ends = np.cumsum([len(part) for part in parts])
    yield np.column_stack(
        [signs[:, end - len(part) : end] @ part for part, end in zip(parts, ends, strict=True)]
    )


def _count_draws(parts: list[Floats]) -> int:
    number = sum(len(part) for part in parts if len(part) < MANY)
    return int(np.clip(WORK // max(number, 1), LEAST_DRAWS, DRAWS))


def _draw_sums(parts: list[Floats]) -> Iterator[Floats]:
    """The sums of each set under changes of signs that are drawn, a block at a time."""
    generator = np.random.default_rng(SEED)
    number, left = sum(len(part) for part in parts if len(part) < MANY), _count_draws(parts)
    while left:
        draws = min(left, max(1, BLOCK // max(number, 1)))
        yield np.column_stack([_draw_sum(part, draws, generator) for part in parts])
        left -= draws


def _draw_sum(part: Floats, draws: int, generator: np.random.Generator) -> Floats:
    if len(part) >= MANY:
        return generator.normal(0.0, np.sqrt(part @ part), draws)
    width = -(-len(part) // 8)
    bits = np.frombuffer(generator.bytes(draws * width), dtype=np.uint8).reshape(draws, width)
    positive = np.unpackbits(bits, axis=1, count=len(part)).astype(np.float32)
    return np.asarray(2.0 * (positive @ part.astype(np.float32)) - part.sum(), dtype=float)


# --- the decision ---------------------------------------------------------------------------------


def name_difference(low: float, high: float, p: float) -> Difference:
    """What is known of a ratio from its interval and ``p``, by ``find_chance`` or corrected.

    Slower and faster where the interval excludes 1 and ``p`` is below ``SIGNIFICANT``; else alike,
    where the interval lies within ``EQUAL``, or unclear. Too few ratios have no interval.
    """
    if np.isnan(low) or np.isnan(p):
        return "too few"
    if p < SIGNIFICANT and not low <= 1 <= high:
        return "slower" if low > 1 else "faster"
    return "alike" if low >= 1 / EQUAL and high <= EQUAL else "unclear"


def name_difference_to_first(row: Mapping[str, Any]) -> Difference:
    """What is known of the times of a backend by those of the first, from its row of the summary
    or of the kinds."""
    return name_difference(*(row[f"to_first_{name}"] for name in ("low", "high", "p")))
