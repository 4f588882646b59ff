"""The puzzles that tests of soundness take: the samples here, and the public sets where they lie.

The samples are in every clone. The large public sets are not part of the repository; where they lie
in ``../shared/puzzles`` beside it, tests take them too. No test is skipped where they are missing.
"""

from __future__ import annotations

import gzip
from functools import lru_cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARED = HERE.parents[2] / "shared" / "puzzles"

SAMPLES = {
    "easy.txt": (60, 1),
    "minimal.txt": (200, 1),
    "few-clues.txt": (40, 1),
    "hardest.txt": (20, 1),
    "several.txt": (32, 2),
    "none.txt": (60, 0),
}
"""File: how many puzzles, and how many solutions each has, counted up to 2."""

PUBLIC = {
    "17clue.txt.gz": (48_658, 1),
    "magictour_top1465.txt": (1_172, 1),
    "forum_hardest_1905_11plus.txt.gz": (48_135, 1),
    "serg_multi_solution.txt": (9_494, 2),
    "norvig_10k.txt": (9_500, 1),
    "top95.txt": (95, 1),
    "easy50.txt": (49, 1),
    "norvig_hardest11.txt": (11, 1),
    "random_minimal.txt.gz": (19_500, 1),
    "random_easy.txt": (4_500, 1),
    "zero_solutions.txt": (1_600, 0),
    "anchor_17clue_200.txt": (200, 1),
    "anchor_magictour_200.txt": (200, 1),
    "anchor_hardest_11plus_100.txt": (100, 1),
}
"""The same of the public sets, as SOURCES.md there says."""

SETS = SAMPLES | (PUBLIC if SHARED.is_dir() else {})


def only(*names: str) -> list[str]:
    """Those of the names that are here: every sample, and public sets where there are any."""
    unknown = set(names) - set(SAMPLES) - set(PUBLIC)
    assert not unknown, f"neither a sample nor a public set: {sorted(unknown)}"
    return [name for name in names if name in SETS]


def path(name: str) -> Path:
    return (HERE if name in SAMPLES else SHARED) / name


@lru_cache(maxsize=4)
def lines(name: str) -> tuple[str, ...]:
    """The puzzles of a set, without what is said after them."""
    data = path(name).read_bytes()
    text = (gzip.decompress(data) if name.endswith(".gz") else data).decode("ascii")
    return tuple(line.split()[0] for line in text.splitlines() if line)


def exact(name: str) -> dict[str, int]:
    """Of each puzzle the number of solutions that its line tells."""
    found = (line.split() for line in path(name).read_text(encoding="ascii").splitlines())
    return {words[0]: int(words[2]) for words in found}
