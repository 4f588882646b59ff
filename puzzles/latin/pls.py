"""Files of the generator lsencode: a square with holes (``.pls``).

The first line is ``order N``; then come N rows of N numbers, 0 to N-1, with -1 for a hole. They are
the values 1 to N here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from modelling.errors import InstanceError
from puzzles.family import Family, Instance
from puzzles.formats import check_format, label, place
from puzzles.grid.clashes import clash, describe_clash
from puzzles.grid.family import GridFamily
from puzzles.latin import LATIN, latin_layout
from puzzles.lines import list_filled_lines

FORMATS = ("lines", "pls")


def by_name(name: str) -> str:
    """The format of this name; raises ``InputError``."""
    check_format(name, FORMATS)
    return name


def detect(head: Sequence[str], first: str, path: str) -> str:
    """The format of a file whose first line is this."""
    return "pls" if first.split()[:1] == ["order"] else "lines"


def as_family(form: str) -> Family:
    """The family as it reads files of this format."""
    return _PlsLatin() if form == "pls" else LATIN


class _PlsLatin(GridFamily):
    """Reads one square a file."""

    def __init__(self) -> None:
        super().__init__(LATIN.name, LATIN.about, LATIN.rules)

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        """See ``Family.read``."""
        given = [(number, line.split()) for number, line in list_filled_lines(lines)]
        try:
            yield self._square(given, source)
        except InstanceError as error:
            yield error

    def _square(self, given: Sequence[tuple[int, Sequence[str]]], source: str) -> Instance:
        first, words = given[0] if given else (1, [])
        where = place(source, first, 1)
        if len(words) != 2 or words[0] != "order" or not words[1].isdecimal():
            raise InstanceError("a file of squares with holes begins with 'order N'", where)
        if len(words[1]) > 4:
            raise InstanceError(f"an order of {words[1][:40]}", where)
        layout = latin_layout(int(words[1]))
        n = layout.order
        if len(given) != n + 1:
            raise InstanceError(f"{len(given) - 1} rows follow, not {n}", where)
        values: list[int] = []
        for line, row in given[1:]:
            if len(row) != n:
                raise InstanceError(f"{len(row)} cells in a row of {n}", place(source, line, 1))
            for word in row:
                if word != "-1" and not (word.isdecimal() and len(word) < 5 and int(word) < n):
                    cause = f"{word[:40]!r} is neither one of 0-{n - 1} nor -1"
                    raise InstanceError(cause, place(source, line, 1))
                values.append(int(word) + 1)
        found = clash(layout, values)
        if found is not None:
            line = given[1 + found[1] // n][0]
            raise InstanceError(describe_clash(layout, values, *found), place(source, line, 1))
        name = label(source).removesuffix(".pls")
        return Instance(self.name, name, self.text(layout, values), f"{source}:{first}")
