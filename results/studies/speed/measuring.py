"""What several studies of speed measure, and on what."""

from __future__ import annotations

import sys
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

from modelling.errors import InputError
from puzzles.family import Instance
from puzzles.sets import instances


def read_peak_mb() -> float:
    """The most memory that this process has held so far, in MB."""
    return getrusage(RUSAGE_SELF).ru_maxrss / (2**20 if sys.platform == "darwin" else 2**10)


def read_texts(path: Path) -> list[str]:
    """The texts of a file of puzzles."""
    texts = [entry.text for entry in instances(str(path)) if isinstance(entry, Instance)]
    if not texts:
        raise InputError(f"{path}: no puzzles; this experiment runs on the public sets")
    return texts
