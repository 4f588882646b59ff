"""Families and instances by name: the seam to ``puzzles`` as far as the harness uses it.

A collection of sets is taken apart by ``puzzles.sets.members``. A family of one's own,
``py:module:attribute``, is any object with the methods of ``puzzles.family.Family``; its instances
come from a file, which it reads itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePath

from modelling.errors import InputError, PuzzleError
from puzzles import sets
from puzzles.family import FAMILIES, Family, Instance, Sized, is_own
from puzzles.family import family as family  # for those who import this seam


def label(source: str) -> str:
    """What a set is called in tables: its name, or a file's name without folder and endings."""
    return PurePath(source).name.removesuffix(".gz").removesuffix(".txt") or source


def read_set(source: str, family_name: str | None = None) -> Iterator[Instance | PuzzleError]:
    """The instances of a set or file; a line that cannot be read comes as its error.

    An instance's name that occurs again in its set gets a number behind it.
    """
    return _name_apart(label(source), _read(source, family_name))


def _name_apart(
    set_name: str, entries: Iterable[Instance | PuzzleError]
) -> Iterator[Instance | PuzzleError]:
    """The entries with names that tell them apart.

    Names made of the line's number are not remembered, so that a million lines take no memory; a
    name that somebody gave counts as used when a line before may have been called like that.
    """
    used: Counter[str] = Counter()
    for item in entries:
        if isinstance(item, PuzzleError):
            yield item
            continue
        line, number = (text.rpartition(":")[2] for text in (item.source, item.name))
        again = used[item.name] + 1
        if number != line and again == 1 and _is_before(number, line):
            again = 2
        if number != line or again > 1:
            used[item.name] = again
        unique = item.name if again == 1 else f"{item.name} ({again})"
        yield Instance(item.family, unique, item.text, item.source, set_name)


def _is_before(number: str, line: str) -> bool:
    return number.isdigit() and line.isdigit() and int(number) < int(line)


def read_sizes(set_name: str, family_name: str, sizes: Iterable[int]) -> Iterator[Instance]:
    """The empty boards of a family in some sizes, named ``queens-8`` and so on.

    Raises InputError for a family that has no sizes, PuzzleError for a size that it does not have.
    """
    chosen = family(family_name)
    for size in sizes:
        found = next(iter(chosen.read([_board(family_name, chosen, size)], f"size {size}")))
        if isinstance(found, PuzzleError):
            raise PuzzleError(found.cause, f"{family_name} of size {size}")
        name = f"{chosen.name}-{size}"
        source = f"{family_name} of size {size}"
        yield Instance(family_name, name, found.text, source, set_name)


def read_texts(
    set_name: str, family_name: str, texts: Mapping[str, str]
) -> Iterator[Instance | PuzzleError]:
    """Instances by their names, each text as a line of a file of the family would have it."""
    chosen = family(family_name)
    for name, text in texts.items():
        source = f"{set_name}: {name}"
        found = next(iter(chosen.read([f"{text}\n"], source)))
        if isinstance(found, PuzzleError):
            yield PuzzleError(found.cause, source)
        else:
            yield Instance(family_name, name, found.text, source, set_name)


def _board(family_name: str, chosen: Family, size: int) -> str:
    """The line that stands for the empty board of a size."""
    if size < 1:
        raise PuzzleError("sizes begin at 1", f"{family_name} of size {size}")
    if not isinstance(chosen, Sized):
        known = ", ".join(name for name in FAMILIES if isinstance(family(name), Sized))
        raise InputError(
            f"family {family_name!r} has no sizes (these have: {known}; one of your own needs a "
            "method of_size(n) that returns a line)"
        )
    return str(chosen.of_size(size))


def _read(source: str, family_name: str | None) -> Iterator[Instance | PuzzleError]:
    if family_name is not None and is_own(family_name) and sets.ships(source):
        raise InputError(
            f"{source!r} is a set that ships; a family of your own reads files: name one "
            f"(for a file that is called so, ./{source})"
        )
    yield from sets.instances(source, family_name)
