"""Families and instances by name: those of ``puzzles``, and ``py:module:attribute`` for one's own.

The seam to ``puzzles`` as far as the harness uses it. A collection of sets is taken apart by
``puzzles.sets.members``. A family of one's own is any object with the
methods of ``puzzles.family.Family``; its instances come from a file, which it reads itself.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePath
from typing import NamedTuple

from modelling.errors import InputError, PuzzleError
from puzzles import family as known
from puzzles import sets
from puzzles.family import Family, Instance


class Named(NamedTuple):
    """An instance with its set, and a name that no other instance of the set has."""

    set: str
    name: str
    family: str
    text: str
    source: str


def family(name: str) -> Family:
    """The puzzle family called ``name``; raises InputError when there is none."""
    head, _, path = name.partition(":")
    if head != "py":
        return known.family(name)
    module_name, _, attribute = path.partition(":")
    if os.getcwd() not in sys.path:  # a file beside the user, as for backends
        sys.path.insert(0, os.getcwd())
    try:
        found = getattr(importlib.import_module(module_name), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise InputError(f"family {name!r}: write py:package.module:attribute ({error})") from error
    made: Family = found() if isinstance(found, type) else found
    return made


def label(source: str) -> str:
    """What a set is called in tables: its name, or a file's name without folder and endings."""
    return PurePath(source).name.removesuffix(".gz").removesuffix(".txt") or source


def of(source: str, family_name: str | None = None) -> Iterator[Named | PuzzleError]:
    """The instances of a set or file; a line that cannot be read comes as its error.

    An instance's name that occurs again in its set gets a number behind it.
    """
    used: Counter[str] = Counter()
    for item in _entries(source, family_name):
        if isinstance(item, PuzzleError):
            yield item
            continue
        used[item.name] += 1
        again = used[item.name]
        unique = item.name if again == 1 else f"{item.name} ({again})"
        yield Named(label(source), unique, item.family, item.text, item.source)


def _entries(source: str, family_name: str | None) -> Iterator[Instance | PuzzleError]:
    if family_name is None or not family_name.startswith("py:"):
        yield from sets.instances(source, family_name)
        return
    try:
        with open(source, encoding="utf-8") as lines:
            for item in family(family_name).read(lines, source):
                # The family goes by the name under which a worker can find it again.
                yield item if isinstance(item, PuzzleError) else replace(item, family=family_name)
    except (OSError, UnicodeError) as error:
        raise InputError(f"{source} cannot be read: {error}") from error
