"""Variables as declarations: arrays where names tell them, identifiers for other names.

Names such as ``x[2][0]`` in the order of an array are those of one, perhaps with gaps; ``x[2,0]``,
as Concord's arrays have them, too. A variable whose name is not an identifier is given one, and a
note keeps its name for the reader.

Words
-----
note        the attribute of an element that tells the reader a name (``reader.variables``)
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import count, groupby
from math import prod
from typing import NamedTuple
from xml.sax.saxutils import quoteattr

from modelling.formats.xcsp3.reader.variables import COMMAS, NAMED
from modelling.formats.xcsp3.writer.wording import say_number
from modelling.problem import runs_of

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_PLACE = re.compile(
    r"([A-Za-z][A-Za-z0-9_]*)((?:\[(?:0|[1-9][0-9]{0,6})\])+|\[[0-9]+(?:,[0-9]+)+\])"
)
_PART = re.compile(r"(?:0|[1-9][0-9]{0,6})(?:,(?:0|[1-9][0-9]{0,6}))+")


class _Name(NamedTuple):
    """An array's name, the place in it, and whether commas separate the indices."""

    array: str
    place: tuple[int, ...]
    commas: bool


class Declaration(NamedTuple):
    """A variable, or an array of some, by position; ``sizes`` is empty for a variable."""

    name: str
    note: str
    sizes: tuple[int, ...]
    first: int
    places: tuple[tuple[int, ...], ...]


def declare(names: Sequence[str]) -> tuple[list[Declaration], list[str]]:
    """The declarations, in the order of the variables, and the identifier of each variable."""
    found: list[Declaration] = []
    taken = {name for name in names if _PLAIN.fullmatch(name)}
    unused = (f"v{k}" for k in count() if f"v{k}" not in taken)
    position = 0
    for run in _runs(names):
        array = _array(run, position) if run[0] is not None else None
        if array is not None and array.name not in taken:
            taken.add(array.name)
            found.append(array)
            position += len(run)
            continue
        for _ in run:
            name = names[position]
            plain = _PLAIN.fullmatch(name) is not None
            used = name if plain else next(unused)
            taken.add(used)
            note = "" if plain else NAMED + json.dumps(name)
            found.append(Declaration(used, note, (), position, ((),)))
            position += 1
    return found, [
        one.name + "".join(f"[{k}]" for k in place) for one in found for place in one.places
    ]


def _runs(names: Sequence[str]) -> Iterator[list[_Name | None]]:
    """Neighbours that may be of one array, their places ascending; others alone."""
    parts = map(_read, names)
    for _, run in groupby(parts, key=lambda one: one and (one.array, one.commas, len(one.place))):
        members = list(run)
        if members[0] is None:
            yield from ([one] for one in members)
            continue
        start = 0
        for k in range(1, len(members) + 1):
            if k == len(members) or members[k - 1].place >= members[k].place:  # type: ignore[union-attr]
                yield members[start:k]
                start = k


def _read(name: str) -> _Name | None:
    parts = _PLACE.fullmatch(name)
    if parts is None:
        return None
    inner = parts[2][1:-1]
    if "," not in inner:
        return _Name(parts[1], tuple(map(int, inner.split("]["))), False)
    if not _PART.fullmatch(inner):
        return None
    return _Name(parts[1], tuple(map(int, inner.split(","))), True)


def _array(run: Sequence[_Name | None], first: int) -> Declaration | None:
    """The array whose variables these are, unless most of its places would be gaps."""
    places = tuple(one.place for one in run if one is not None)
    one = run[0]
    assert one is not None
    sizes = tuple(max(indices) + 1 for indices in zip(*places, strict=True))
    if prod(sizes) > 4 * len(places) + 16:
        return None
    return Declaration(one.array, COMMAS if one.commas else "", sizes, first, places)


def write_declarations(
    declarations: Sequence[Declaration], domains: Sequence[Sequence[int]]
) -> Iterator[str]:
    """The elements of ``<variables>``."""
    for one in declarations:
        note = f" note={quoteattr(one.note)}" if one.note else ""
        own = domains[one.first : one.first + len(one.places)]
        if not one.sizes:
            yield f'    <var id="{one.name}"{note}> {_runs_of(own[0])} </var>\n'
            continue
        size = "".join(f"[{k}]" for k in one.sizes)
        opening = f'    <array id="{one.name}"{note} size="{size}">'
        if len(one.places) == prod(one.sizes) and all(domain == own[0] for domain in own):
            yield f"{opening} {_runs_of(own[0])} </array>\n"
            continue
        alike: dict[Sequence[int], list[tuple[int, ...]]] = {}
        for place, domain in zip(one.places, own, strict=True):
            alike.setdefault(domain, []).append(place)
        yield f"{opening}\n"
        for domain, places in alike.items():
            named = _compact(one.name, places)
            yield f'      <domain for="{named}"> {_runs_of(domain)} </domain>\n'
        yield "    </array>\n"


def _compact(name: str, places: Sequence[tuple[int, ...]]) -> str:
    """``x[0][1..3] x[2][0]``: neighbours in the last dimension as ranges."""
    said = []
    for row, members in groupby(places, key=lambda place: place[:-1]):
        start = name + "".join(f"[{k}]" for k in row)
        for first, last in runs_of([place[-1] for place in members]):
            said.append(f"{start}[{first}]" if first == last else f"{start}[{first}..{last}]")
    return " ".join(said)


def _runs_of(domain: Sequence[int]) -> str:
    """``0..3 7``."""
    said = []
    for first, last in runs_of(domain):
        ends = [say_number(first), say_number(last)][: 1 + (first != last)]
        said.append((" " if last == first + 1 else "..").join(ends))
    return " ".join(said)
