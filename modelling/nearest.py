"""What a name that is not known may have been meant for, as messages say it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType


def did_you_mean(
    given: str,
    known: Iterable[str],
    most: int = 1,
    first: Sequence[str] = (),
    written: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """``; did you mean 'x' or 'y'?``, to be put behind what is wrong; empty if nothing is like it.

    At most ``most`` names, those of ``first`` before the others. ``written`` says of some names how
    they are to be written.
    """
    close = list(dict.fromkeys([*first, *get_close_matches(given, list(known), n=most)]))[:most]
    meant = " or ".join(written.get(name, repr(name)) for name in close)
    return f"; did you mean {meant}?" if close else ""
