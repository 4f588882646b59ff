"""Numbers, durations and lists in words, as every room writes them."""

from __future__ import annotations

from collections.abc import Sequence


def plural(number: int, thing: str) -> str:
    """``1 job`` or ``2 jobs``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def format_duration(seconds: float) -> str:
    """``1:02:03`` or ``2:03``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def join_words(words: Sequence[str]) -> str:
    """``a, b and c``."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
