"""The files of a family are read as those of a format are: each line, or the file, is an instance.

Two others contradict: the instance in the family's own words, read again, and the rules of the
puzzle, by which a solution of the problem is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from harness.hunting.fuzzing.files.others import Claim, find_best, solve
from modelling.errors import InstanceError
from modelling.problem import Problem
from puzzles import sets
from puzzles.family import Ending, Instance, Valued, family

SETS = "families"
"""The collection of small sets whose instances are changed."""


@dataclass(frozen=True)
class FamilyFiles:
    """What a format is for the hunt of its reader (``modelling.formats.Format``)."""

    name: str
    writes: bool = False

    @property
    def endings(self) -> tuple[str, ...]:
        """What the names of such files end in."""
        kind = family(self.name)
        return tuple(kind.endings) if isinstance(kind, Ending) and kind.endings else (".txt",)

    def load_ahead(self) -> None:
        """Import the family."""
        family(self.name)

    def read(self, data: bytes, source: str) -> Problem:
        """The problem of the first instance.

        Raises InstanceError, with ``source:line:column``, where an entry is bad.
        """
        one = read_first(self.name, data, source)
        try:
            return family(self.name).problem(one.text)
        except InstanceError as error:  # whoever asks for the problem says which instance it is
            raise InstanceError(error.cause, f"{one.source}:1") from error

    def list_texts(self) -> Iterator[str]:
        """The small instances that ship, as lines of a file."""
        for name in sets.members(SETS):
            for found in sets.instances(name):
                if isinstance(found, Instance) and found.family == self.name:
                    yield f"{found.text}\n"

    @property
    def others(self) -> dict[str, Callable[[str], Claim | None]]:
        """By its name, each that says something of a text."""
        return {"its own words": self._read_again, "the rules": self._follow_rules}

    def _read_again(self, text: str) -> Claim | None:
        one = read_first(self.name, text.encode(), "bug.txt")
        again = read_first(self.name, f"{one.text}\n".encode(), "again.txt")
        return solve(family(self.name).problem(again.text))

    def _follow_rules(self, text: str) -> Claim | None:
        """A solution by the rules alone; they say nothing where there is none."""
        kind = family(self.name)
        one = read_first(self.name, text.encode(), "bug.txt")
        values = find_best(kind.problem(one.text))
        if values is None:
            return None
        if kind.check(one.text, values):
            return Claim(False)
        return Claim(True, kind.value(one.text, values) if isinstance(kind, Valued) else None)


def read_first(name: str, data: bytes, source: str) -> Instance:
    """The first instance of a file of this family; raises InstanceError for a bad entry."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / source
        path.write_bytes(data)
        entries = list(sets.instances(str(path), name))
        for found in entries:
            if isinstance(found, InstanceError):
                raise InstanceError(found.cause, _without(folder, found.place))
        first = entries[0]
        assert isinstance(first, Instance)
        return Instance(first.family, first.name, first.text, _without(folder, first.source))


def _without(folder: str, place: str) -> str:
    return place.replace(f"{folder}/", "")
