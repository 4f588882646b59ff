"""The best probe that each machine has ever had, kept in the user's cache folder.

A run that is disturbed from beginning to end has probes that are all alike; only beside those of
quieter days does it show. Each machine, by its id, has a file of its own with one number in it: the
seconds of its best probe. Nothing depends on it: one that is damaged, unlikely or gone is as if
there had been none, and where it cannot be written the best is that of this run.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from puzzles.sets.folders import cache_folder

FOLDER = "probes"

LIKELY = (1e-4, 10.0)
"""Seconds that a probe may have taken; another number in the file is damage."""


class BestProbe:
    """The best probe of the machine with the id ``machine``."""

    def __init__(self, machine: str) -> None:
        self._path = cache_folder() / FOLDER / machine
        self._best_s: float | None = None

    def beside(self, wall_s: float) -> float:
        """The best so far, ``wall_s`` included, which is kept if it is that."""
        if self._best_s is None or wall_s < self._best_s:
            before = self._read()  # anew, since another run may have had a better one meanwhile
            self._best_s = wall_s if before is None else min(before, wall_s)
            if self._best_s != before:
                self._write()
        return self._best_s

    def _read(self) -> float | None:
        try:
            found = float(self._path.read_text(encoding="ascii"))
        except (OSError, ValueError):
            return None
        return found if LIKELY[0] <= found <= LIKELY[1] else None

    def _write(self) -> None:
        """Whole or not at all. Of two at a time one is lost, until the next good probe."""
        with suppress(OSError):  # a cache that cannot be written is none
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._path.parent)
            try:
                with open(handle, "w", encoding="ascii") as file:
                    file.write(repr(self._best_s))
                os.replace(name, self._path)
            except OSError:
                Path(name).unlink(missing_ok=True)
                raise
