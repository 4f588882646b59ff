"""What a name that is not known may have been meant for, as messages say it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


def nearest(given: str, known: Iterable[str]) -> str | None:
    """The known name that is most like the given one; None if none is like it."""
    return next(iter(get_close_matches(given, list(known), n=1)), None)


def did_you_mean(given: str, known: Iterable[str], most: int = 1, first: Sequence[str] = ()) -> str:
    """``; did you mean 'x' or 'y'?``, to be put behind what is wrong; empty if nothing is like it.

    At most ``most`` names, those of ``first`` before the others.
    """
    close = list(dict.fromkeys([*first, *get_close_matches(given, list(known), n=most)]))[:most]
    return f"; did you mean {' or '.join(map(repr, close))}?" if close else ""
