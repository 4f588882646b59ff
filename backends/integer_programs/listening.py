"""Callbacks during a search: one may end the search, and what it raises is kept.

An exception does not pass through the frames of a solver; it is raised again after the search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


class Listener:
    """``take`` returns whether to continue; once it returned false, or raised, it is not called."""

    def __init__(self, take: Callable[..., bool]) -> None:
        self.take = take
        self.stopped = False
        self.error: BaseException | None = None

    def callback(self, *said: Any) -> bool:
        """Call ``take`` unless it has ended; return whether to continue."""
        if not self.stopped:
            try:
                self.stopped = not self.take(*said)
            except BaseException as error:
                self.error, self.stopped = error, True
        return not self.stopped

    def check(self) -> None:
        """Raise what was raised."""
        if self.error is not None:
            raise self.error
