"""What was new in an answer: guidance for a hunt, and the problems that it keeps for it.

Words
-----
trait     something that an answer shows: two constraints in one problem, the solver's own status
          with the question, a statistic to the nearest power of two
corpus    problems whose answers had a trait that none before them had; new ones are made of these
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations

import msgspec

from backends.interface.api import Result
from harness.hunting.fuzzing.coverage import Placed

MOST_ENTRIES = 1000
"""Problems that a corpus keeps, the newest ones."""

TIMES = ("time", "seconds", "memory")
"""What the names of statistics contain that differ from run to run."""


class Entry(msgspec.Struct):
    """A problem of the corpus, as its text; ``gain`` is how many traits it was the first to show,
    ``chosen`` how often another one was made of it."""

    text: str
    gain: int
    chosen: int = 0


def find_traits(
    placed: frozenset[Placed], ask: str, options: list[str], result: Result, *, keeps_state: bool
) -> Iterator[str]:
    """The traits of an answer; its statistics among them, unless the solver lives on, so that they
    depend on what came before."""
    for one, other in combinations(sorted(placed), 2):
        yield f"{one[0]}@{one[1]} {other[0]}@{other[1]}"
    for name, position in placed:
        yield f"{name}@{position} {ask}"
    yield f"status {result.native_status[:80]} {result.status} {ask}"
    for option in options:
        yield f"option {option} {result.status}"
    if keeps_state:
        return
    for statistic, number in result.statistics.items():
        if not any(word in statistic for word in TIMES) and isinstance(number, int):
            yield f"{statistic} {max(number, 0).bit_length()}"


def choose(rng: random.Random, corpus: list[Entry]) -> Entry:
    """One of the corpus: of four, the one with the most gain that was chosen the least."""
    drawn = [rng.choice(corpus) for _ in range(4)]
    best = max(drawn, key=lambda entry: entry.gain / (1 + entry.chosen))
    best.chosen += 1
    return best


def keep(corpus: list[Entry], text: str, gain: int) -> None:
    """Add a problem; the oldest one leaves a full corpus."""
    corpus.append(Entry(text, gain))
    del corpus[:-MOST_ENTRIES]
