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

from modelling.errors import InputError, PuzzleError
from puzzles import sets
from puzzles.family import Completed, Instance, families, find_by_ending
from puzzles.family import family as family_called
from puzzles.files import plain_name
from puzzles.formats import label

Entry = Instance | PuzzleError


class Source(NamedTuple):
    """A set or file, and the files of data that follow it."""

    name: str
    data: tuple[str, ...] = ()


def group_data(names: Iterable[str], family: str | None = None) -> list[Source]:
    """Sets and files, each with its data; of another ``family`` than models no file is data."""
    found: list[Source] = []
    for name in names:
        model = find_model(found[-1].name, family) if found else None
        if model is not None and _ends(name, model.data_endings):
            found[-1] = Source(found[-1].name, (*found[-1].data, name))
        else:
            found.append(Source(name))
    return found


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
            f"{path} takes no data; files that do end in {', '.join(_list_model_endings())}"
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


def read_all(sources: Sequence[str], family: str | None = None) -> Iterator[Entry]:
    """The instances of several sets and files, of models with the data that follow them."""
    for name, data in group_data(sources, family):
        yield from read_with_data(name, family, data) if data else sets.given(name, family)


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
        parts = {path: os.path.abspath(path).split(os.sep) for path in those}
        longest = max(map(len, parts.values()))
        length = next(
            (n for n in range(1, longest) if len({tuple(p[-n:]) for p in parts.values()}) == len(those)),
            longest,
        )
        for path in those:
            found[path] = "/".join(parts[path][-length:])
    return found


def _ends(name: str, endings: Sequence[str]) -> bool:
    return plain_name(name).lower().endswith(tuple(endings))


def _drop_ending(name: str, endings: Sequence[str]) -> str:
    ends = [len(end) for end in endings if name.lower().endswith(end)]
    return name[: -max(ends, default=0) or None] or name


def _list_model_endings() -> list[str]:
    models = [one for one in families() if isinstance(one, Completed) and one.data_endings]
    return [end for one in models for end in one.endings]
