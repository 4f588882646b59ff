"""Instances of sets, of sizes and of texts: read in their order, named apart, and drawn from.

They stream by, so that a set of a million takes as little memory as one of ten. A family of one's
own, ``py:module:attribute``, is any object with the methods of ``puzzles.family.Family``; its
instances come from a file.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from modelling.errors import InputError, InstanceError
from modelling.formats import Format
from modelling.problem import Problem
from puzzles import sets
from puzzles.family import Instance, Sized, families, family, is_own
from puzzles.files import read_bytes
from puzzles.formats import label
from puzzles.sets.models import read_with_data

Entry = Instance | InstanceError
"""An instance, or the error of a line that cannot be read."""

Named = tuple[str, str, Problem]
"""The name of an instance, its place, and its problem."""


def read_set(
    source: str, family_name: str | None = None, data: Sequence[str] = (), set_name: str = ""
) -> Iterator[Entry]:
    """The instances of a set or file; a line that cannot be read comes as its error.

    ``data`` are the files that complete a model, each for an instance. Without ``set_name`` the
    set is called as its file.

    An instance's name that occurs again in its set gets a number after it. Names made of the
    line's number are not remembered, so that a million lines take no memory; a name that somebody
    gave counts as used when a line before may have been called like that.
    """
    if family_name is not None and is_own(family_name) and sets.ships(source):
        raise InputError(
            f"{source!r} is a set that ships; a family of your own reads files: name one "
            f"(for a file that is called so, ./{source})"
        )
    used: Counter[str] = Counter()
    set_name = set_name or label(source)
    entries = (
        read_with_data(source, family_name, data) if data else sets.instances(source, family_name)
    )
    for item in entries:
        if isinstance(item, InstanceError):
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

    Raises InputError for a family that has no sizes, InstanceError for a size it does not have.
    """
    chosen = family(family_name)
    if not isinstance(chosen, Sized):
        known = ", ".join(one.name for one in families() if isinstance(one, Sized))
        raise InputError(
            f"family {family_name!r} has no sizes (these have: {known}; one of your own needs a "
            "method of_size(n) that returns a line)"
        )
    for size in sizes:
        source = f"{family_name} of size {size}"
        found = next(iter(chosen.read([str(chosen.of_size(size))], f"size {size}")))
        if isinstance(found, InstanceError):
            raise InstanceError(found.cause, source)
        yield Instance(family_name, f"{chosen.name}-{size}", found.text, source, set_name)


def read_texts(set_name: str, family_name: str, texts: Mapping[str, str]) -> Iterator[Entry]:
    """Instances by their names, each text as a line of a file of the family would have it."""
    chosen = family(family_name)
    for name, text in texts.items():
        source = f"{set_name}: {name}"
        found = next(iter(chosen.read([f"{text}\n"], source)))
        if isinstance(found, InstanceError):
            yield InstanceError(found.cause, source)
        else:
            yield Instance(family_name, name, found.text, source, set_name)


def take(entries: Iterable[Entry], most: int) -> Iterator[Entry]:
    """The first ``most`` instances, and the bad lines up to there."""
    for item in entries:
        if isinstance(item, Instance):
            if not most:
                return
            most -= 1
        yield item


def draw_sample(entries: Iterable[Entry], number: int, chance: random.Random) -> Iterator[Entry]:
    """``number`` instances of all, each as likely as any other, in their order; and all bad lines.

    A reservoir (algorithm R: Vitter, Random sampling with a reservoir, 1985): a set is read once,
    and no more of it is kept than the sample.
    """
    kept: list[tuple[int, Instance]] = []
    seen = 0
    for item in entries:
        if not isinstance(item, Instance):
            yield item
            continue
        seen += 1
        if len(kept) < number:
            kept.append((seen, item))
            continue
        place = chance.randrange(seen)
        if place < number:
            kept[place] = seen, item
    yield from (item for _, item in sorted(kept))


def read_problems(
    source: str, family_name: str | None, origin: Format | None
) -> Iterator[Named | InstanceError]:
    """The problems of a set, file, folder or (``-``) standard input; what is bad is an error.

    ``origin`` is the format of a file, or of standard input, whose name does not tell it.
    """
    if origin is not None:
        data = sys.stdin.buffer.read() if source == "-" else read_bytes(source)
        name = "stdin" if source == "-" else source
        try:
            yield name, name, origin.read(data, name)
        except InstanceError as error:
            yield error
        return
    for found in sets.given(source, family_name):
        if isinstance(found, InstanceError):
            yield found
            continue
        try:
            yield found.name, found.source, family(found.family).problem(found.text)
        except InstanceError as error:
            yield InstanceError(error.cause, found.source)
