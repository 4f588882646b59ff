"""Numbers, durations, lists and near names in words, as the messages of every room have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType


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


def did_you_mean(
    given: str,
    known: Iterable[str],
    most: int = 1,
    first: Sequence[str] = (),
    written: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """``; did you mean 'x' or 'y'?``, to be put after what is wrong; empty if nothing is like it.

    At most ``most`` names, those of ``first`` before the others. ``written`` says of some names how
    they are to be written.
    """
    close = list(dict.fromkeys([*first, *get_close_matches(given, list(known), n=most)]))[:most]
    meant = " or ".join(written.get(name, repr(name)) for name in close)
    return f"; did you mean {meant}?" if close else ""
