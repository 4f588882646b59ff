"""The colour, dash and marker of each solver: the same in every plot of every run.

They follow from the solver's name alone. Those that ship are dealt out in order, so that the first
ones differ in colour; any other takes what the digest of its name gives. Solvers of one colour
differ in dash and marker.

The colours are those of Okabe and Ito, "Color universal design", 2008, but for black and yellow,
which a dark or a white ground swallows: readers of every kind of colour vision tell them apart.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

from backends.interface.shipped import SHIPPED

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9")
DASHES: tuple[tuple[int, ...], ...] = ((), (6, 2), (2, 2), (6, 2, 2, 2))
MARKERS = ("circle", "square", "diamond", "triangle-up", "cross", "triangle-down")

ORDER = tuple(entry.name for entry in SHIPPED)
"""The backends that ship; a new one comes last there, so that no other changes its colour."""


class Style(NamedTuple):
    """How a solver is drawn: its colour, the lengths of its dashes and gaps, its marker."""

    colour: str
    dash: tuple[int, ...]
    marker: str


def style_of(backend: str) -> Style:
    """The style of a backend; one with options has the colour of its solver, and its own dash."""
    base = backend.partition(":")[0].partition("@")[0]
    own = ORDER.index(backend) if backend in ORDER else _digest(backend)
    place = ORDER.index(base) if base in ORDER else own
    dash = DASHES[own // len(COLOURS) % len(DASHES)]
    marker = MARKERS[(own + own // len(COLOURS)) % len(MARKERS)]  # another one in each round
    return Style(COLOURS[place % len(COLOURS)], dash, marker)


def _digest(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=4).digest(), "big")
