"""Models with their data, as sets: each file of data makes an instance of the model.

::

    knapsack.mzn small.dzn large.dzn      # the instances small and large of knapsack.mzn

What follows a model and ends as data do belongs to it. A model alone takes the data that it finds
by their names (``Completed``).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from modelling.errors import InputError, InstanceError
from puzzles import sets
from puzzles.endings import FILES
from puzzles.family import Completed, Instance, find_by_ending
from puzzles.family import family as family_called
from puzzles.files import plain_name
from puzzles.formats import label

Entry = Instance | InstanceError


class Source(NamedTuple):
    """A set or file, and the files of data that follow it."""

    name: str
    data: tuple[str, ...] = ()


def group_data(names: Iterable[str], family: str | None = None) -> list[Source]:
    """Sets and files, each with its data; of another ``family`` than models no file is data."""
    found: list[Source] = []
    for name in names:
        if found and is_data(name, found[-1].name, family):
            found[-1] = Source(found[-1].name, (*found[-1].data, name))
        else:
            found.append(Source(name))
    return found


def is_data(name: str, model: str, family: str | None = None) -> bool:
    """Whether a file after ``model`` is data of it, by the endings of both."""
    if not _ends(name, _list_data_endings()):
        return False
    found = find_model(model, family)
    return found is not None and _ends(name, found.data_endings)


def find_model(path: str, family: str | None = None) -> Completed | None:
    """The family of a model that takes data; None for any other file or set."""
    ending = find_by_ending(path)
    if ending is None or family not in (None, ending) or sets.ships(path):
        return None
    found = family_called(ending)
    return found if isinstance(found, Completed) and found.data_endings else None


def read_with_data(path: str, family: str | None, data: Sequence[str]) -> Iterator[Entry]:
    """The instances of a model, one for each file of data; raises InputError."""
    model = find_model(path, family)
    if model is None:
        raise InputError(
            f"{path} is no model that takes data; such files end in "
            f"{', '.join(end for one in FILES.values() if one.data_endings for end in one.endings)}"
        )
    for name in data:
        if not _ends(name, model.data_endings):
            ends = " or ".join(model.data_endings)
            raise InputError(f"{name} is no file of data for {path}: its name must end in {ends}")
    for name in (path, *data):
        if not os.path.isfile(name):
            raise InputError(f"there is no file {name}")
    called = name_apart(data, model.data_endings)
    return chain.from_iterable(
        model.for_file(path, called[name], [name]).read((), name) for name in data
    )


def read_sources(names: Iterable[str], family: str | None = None) -> Iterator[Entry]:
    """The instances of several sets and files, of models with the data that follow them."""
    for name, data in group_data(names, family):
        yield from read_with_data(name, family, data) if data else sets.instances(name, family)


def name_apart(paths: Iterable[str], endings: Sequence[str] = ()) -> dict[str, str]:
    """What files are called: by their names without endings, and where several are called so, by as
    much of their paths as tells them apart."""
    found: dict[str, str] = {}
    by_name: dict[str, list[str]] = {}
    for path in dict.fromkeys(paths):
        by_name.setdefault(_drop_ending(label(path), endings), []).append(path)
    for name, those in by_name.items():
        if len(those) == 1:
            found[those[0]] = name
            continue
        parts = {path: tuple(os.path.abspath(path).split(os.sep)) for path in those}
        files = set(parts.values())
        length = 1
        while len({part[-length:] for part in files}) < len(files):
            length += 1
        found |= {path: "/".join(part[-length:]) for path, part in parts.items()}
    return found


def _ends(name: str, endings: Sequence[str]) -> bool:
    return plain_name(name).lower().endswith(tuple(endings))


def _drop_ending(name: str, endings: Sequence[str]) -> str:
    ends = [len(end) for end in endings if name.lower().endswith(end)]
    return name[: -max(ends, default=0) or None] or name


def _list_data_endings() -> tuple[str, ...]:
    return tuple(end for files in FILES.values() for end in files.data_endings)
