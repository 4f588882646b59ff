"""What a backend does for seconds before it begins, for those who wait.

A backend announces it; nobody hears of it unless ``announce_by`` has said who does. A command that
solves at a terminal does so. Workers do not, whose output is kept with the records of a run.
"""

from __future__ import annotations

from collections.abc import Callable

_hearers: list[Callable[[str], object]] = []


def announce_by(hear: Callable[[str], object] | None) -> None:
    """Let ``hear`` have every text from now on, in place of who had it before; None: nobody."""
    _hearers[:] = [] if hear is None else [hear]


def announce(text: str) -> None:
    """Say what takes long, in a few words."""
    for hear in _hearers:
        hear(text)
