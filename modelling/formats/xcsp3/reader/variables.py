"""The variables of an instance: declarations, arrays, and the compact forms that name many at once.

``x[2][0]`` names one variable, ``x[1..3][]`` those of rows 1 to 3, row by row. An array may have
gaps: places without a domain. Lists leave them out; where a place matters, as in a matrix, they are
refused.

Names are the file's, unless Concord's writer has left a note of the original ones. A note that
begins with ``NAMED`` contains the name of a variable as a JSON string. ``COMMAS`` means that the
names of an array are ``x[2,0]``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import product
from math import prod

from modelling.expressions.expression import Variable
from modelling.expressions.space import Space
from modelling.formats.xcsp3.reader.document import Document, Element, show
from modelling.problem import LISTED

MOST_VARIABLES = 1_000_000
NAMED = "concord name "
COMMAS = "concord names with commas"

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_SIZE = re.compile(r"(?:\s*\[\s*[0-9]{1,18}\s*\])+\s*")
_COMPACT = re.compile(r"([A-Za-z][A-Za-z0-9_]*)((?:\[\s*(?:[0-9]{1,9}(?:\.\.[0-9]{1,9})?)?\s*\])+)")
_INDEX = re.compile(r"\[\s*(?:([0-9]+)(?:\.\.([0-9]+))?)?\s*\]")
_RANGE = re.compile(r"([+-]?[0-9]{1,18})(?:\.\.([+-]?[0-9]{1,18}))?")
GAP = -1


class _Array:
    """Sizes of the dimensions, and for each place, row by row, the variable's position or GAP."""

    def __init__(self, sizes: tuple[int, ...], places: Sequence[int]) -> None:
        self.sizes = sizes
        self.places = places


class Variables:
    """All variables that were declared so far; positions by name."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.space = Space()
        self.positions: dict[str, int] = {}
        self.handles: list[Variable] = []
        self.mentioned: set[int] = set()
        """The positions of those that a constraint or the objective mentions."""
        self.refuses_gaps = False
        """Whether a list is read in which places matter."""
        self._arrays: dict[str, _Array] = {}
        self._domains: dict[str, Sequence[int]] = {}

    # --- declarations ---

    def declare(self, element: Element) -> None:
        """A ``<var>`` or an ``<array>``."""
        kind = element.attributes.get("type", "integer")
        if kind != "integer":
            element.refuse(f"variables of type {show(kind)} are not supported, only integers")
        name = element.attributes.get("id", "")
        if not _NAME.fullmatch(name):
            element.refuse("has no id, or none of letters, digits and _ that begins with a letter")
        if element.tag == "var":
            element.check((), ("type", "as"))
            self._extend(element, [name], self._domain(element), [_noted(element, name)])
        else:
            self._declare_array(element, name)

    def _declare_array(self, element: Element, name: str) -> None:
        element.check(("domain",), ("type", "as", "size", "startIndex"))
        if element.integer("startIndex", 0):
            element.refuse("startIndex is 0 in XCSP3-core; number the places from 0")
        size = element.attributes.get("size", "")
        if not _SIZE.fullmatch(size):
            element.refuse(f"size={show(size)} is none; write it as [3][4]")
        sizes = tuple(map(int, re.findall("[0-9]+", size)))
        number = prod(sizes)
        if not number or len(self.handles) + number > MOST_VARIABLES:
            element.refuse(
                f"declares {number:,} variables; an instance has from 1 to {MOST_VARIABLES:,}"
            )
        if name in self._arrays:
            element.refuse("an array is called so already")
        source = element.content()
        if not source.children:
            names = [name + ending for ending in _endings(sizes)]
            kept = [_noted(element, one) for one in names]
            first = self._extend(element, names, self._domain(element), kept)
            self._arrays[name] = _Array(sizes, range(first, first + number))
            return
        source.check(("domain",), ("type", "as", "size", "startIndex"))
        domains = self._mixed(source, source.attributes.get("id", name), sizes)
        places = []
        for ending, domain in zip(_endings(sizes), domains, strict=True):
            if domain is None:
                places.append(GAP)
            else:
                kept = [_noted(element, name + ending)]
                places.append(self._extend(element, [name + ending], domain, kept))
        self._arrays[name] = _Array(sizes, places)

    def _mixed(
        self, element: Element, name: str, sizes: tuple[int, ...]
    ) -> list[Sequence[int] | None]:
        """The domain of each place, row by row; None in gaps."""
        found: list[Sequence[int] | None] = [None] * prod(sizes)
        for child in element.children:
            child.check((), ("for", "as"))
            domain = self._domain(child)
            for word in child.attributes.get("for", "").split():
                if word == "others":
                    self.document.charge(len(found), child)
                    found = [domain if one is None else one for one in found]
                    continue
                parts = _COMPACT.fullmatch(word)
                if parts is None or parts[1] != name:
                    child.refuse(f"for={show(word)} names no variables of {name}")
                for place in self._places(child, word, sizes, parts[2]):
                    if found[place] is not None:
                        child.refuse(f"{show(word)}: a variable of it has a domain already")
                    found[place] = domain
        return found

    def _extend(
        self, element: Element, names: list[str], domain: Sequence[int], kept: list[str]
    ) -> int:
        """Add variables, known to the file by ``names`` and to the problem as ``kept``."""
        if len(self.handles) + len(names) > MOST_VARIABLES:
            element.refuse(f"an instance has {MOST_VARIABLES:,} variables at most")
        first = self.space.extend(kept, domain)
        self.positions.update(zip(names, range(first, first + len(names)), strict=True))
        self.handles += [Variable(self.space, first + k) for k in range(len(names))]
        if len(self.positions) != len(self.handles):
            element.refuse(f"a variable is called {show(names[0])} already")
        return first

    def _domain(self, element: Element) -> Sequence[int]:
        """The values of a domain, ascending; equal texts give one object."""
        element = element.content()
        known = self._domains.get(element.text)
        if known is None:
            known = self._domains[element.text] = _read_domain(element)
        return known

    # --- compact forms ---

    def positions_of(self, element: Element, word: str) -> list[int] | None:
        """The positions that a compact form names, in order, without gaps; None for other words."""
        parts = _COMPACT.fullmatch(word)
        array = self._arrays.get(parts[1]) if parts else None
        if parts is None or array is None:
            return None
        places = self._places(element, word, array.sizes, parts[2])
        self.document.charge(len(places), element)
        found = [array.places[place] for place in places]
        self.mentioned.update(found)
        if GAP not in found:
            return found
        if self.refuses_gaps:
            element.refuse(f"{show(word)} has a gap: a variable of it is not declared")
        return [position for position in found if position != GAP]

    def matrix_of(self, element: Element, word: str) -> list[list[int]] | None:
        """The positions of a compact form by rows; None if it is not a compact form.

        Its rows and columns are the two dimensions with more than one index; more are an error.
        """
        parts = _COMPACT.fullmatch(word)
        array = self._arrays.get(parts[1]) if parts else None
        if parts is None or array is None:
            return None
        ranges = self._indices(element, word, array.sizes, parts[2])
        wide = [k for k, indices in enumerate(ranges) if len(indices) > 1]
        if len(wide) > 2:
            element.refuse(f"{show(word)} has {len(wide)} dimensions; a matrix has two")
        found = [array.places[p] for p in _flat(array.sizes, ranges)]
        self.document.charge(len(found), element)
        self.mentioned.update(found)
        if GAP in found:
            element.refuse(f"{show(word)} has a gap: a variable of it is not declared")
        columns = len(ranges[wide[1]]) if len(wide) == 2 else 1
        return [found[k : k + columns] for k in range(0, len(found), columns)]

    def _places(
        self, element: Element, word: str, sizes: tuple[int, ...], indices: str
    ) -> list[int]:
        return _flat(sizes, self._indices(element, word, sizes, indices))

    def _indices(
        self, element: Element, word: str, sizes: tuple[int, ...], indices: str
    ) -> list[range]:
        written = _INDEX.findall(indices)
        if len(written) != len(sizes):
            element.refuse(f"{show(word)} has {len(written)} indices for {len(sizes)} dimensions")
        found = []
        for (first, last), size in zip(written, sizes, strict=True):
            least = int(first) if first else 0
            most = int(last) if last else least if first else size - 1
            if not least <= most < size:
                element.refuse(f"{show(word)} has no such place: its indices end at {size - 1}")
            found.append(range(least, most + 1))
        return found


def _noted(element: Element, name: str) -> str:
    """What a variable is called in the problem."""
    note = element.attributes.get("note", "")
    if note == COMMAS:
        return name.replace("][", ",")
    if element.tag != "var" or not note.startswith(NAMED):
        return name
    try:
        told = json.loads(note.removeprefix(NAMED))
    except (ValueError, RecursionError):
        return name
    return told if isinstance(told, str) else name


def _flat(sizes: tuple[int, ...], ranges: Sequence[range]) -> list[int]:
    """Places of an array, counted row by row, of all combinations of indices."""
    places = [0]
    for size, indices in zip(sizes, ranges, strict=True):
        places = [place * size + index for place in places for index in indices]
    return places


def _endings(sizes: tuple[int, ...]) -> list[str]:
    """``[0][0]``, ``[0][1]``, ... row by row."""
    steps = [[f"[{k}]" for k in range(size)] for size in sizes]
    return ["".join(parts) for parts in product(*steps)]


def _read_domain(element: Element) -> Sequence[int]:
    runs = []
    for word in element.text.split():
        parts = _RANGE.fullmatch(word)
        if parts is None:
            element.refuse(
                f"{show(word)} is no value and no range of a domain; domains are finite sets of "
                "integers as in 0..3 7 9"
            )
        least = int(parts[1])
        most = int(parts[2]) if parts[2] else least
        if most < least:
            element.refuse(f"the range {word} of a domain ends before it begins")
        runs.append((least, most))
    if not runs:
        element.refuse("has no domain; write its values, as in 0..3 7 9")
    runs.sort()
    if len(runs) == 1 and runs[0][1] - runs[0][0] >= LISTED:
        return range(runs[0][0], runs[0][1] + 1)
    total = sum(most - least + 1 for least, most in runs)
    if total > LISTED:
        element.refuse(
            f"its domain has {total:,} values in several runs, more than {LISTED:,}; give one run "
            "and exclude values by a constraint"
        )
    values = {value for least, most in runs for value in range(least, most + 1)}
    return tuple(sorted(values))
