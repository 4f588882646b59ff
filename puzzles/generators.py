"""Instances drawn from a seed, of every family that can: random ones, or one size after the other.

A family that is ``Generated`` has a generator of its own. One that is only ``Sized`` has its empty
boards: item k is of k sizes more than the first. Generators of puzzles with one solution ask a
solver how many there are, which the caller passes in (``Count``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from modelling.errors import InputError, PuzzleError
from puzzles.family import Count, Family, Generated, Instance, Sized, families
from puzzles.parameters import Parameter, Value, complete
from puzzles.random_stream import Stream

SIZE = Parameter(
    "size", 4, "Size of the first instance; each further one is larger by 1.", 1, 10**6
)


def find_parameters(family: Family) -> Sequence[Parameter]:
    """What the generator of a family can be told; raises ``InputError`` if there is none."""
    if isinstance(family, Generated):
        return family.parameters
    if isinstance(family, Sized):
        return (SIZE,)
    known = ", ".join(one.name for one in families() if isinstance(one, Generated | Sized))
    raise InputError(
        f"{family.name!r} is a family without a generator (instances are generated of {known})"
    )


def generate(
    family: Family,
    number: int = 1,
    /,
    *,
    seed: int = 0,
    start: int = 0,
    count: Count | None = None,
    **told: Any,
) -> Iterator[Instance]:
    """The items ``start`` to ``start + number - 1`` of a seed; an item depends on nothing else.

    ``told`` are parameters; the others have their defaults. Raises ``InputError``.
    """
    values = complete(find_parameters(family), told, family.name)
    return (make_instance(family, seed, start + k, values, count) for k in range(number))


def make_instance(
    family: Family,
    seed: int,
    item: int,
    values: Mapping[str, Value],
    count: Count | None = None,
) -> Instance:
    """One item, of parameters that are complete."""
    name = f"{family.name}-{seed}-{item}"
    if isinstance(family, Generated):
        asked: dict[str, Any] = {}
        if getattr(family, "asks_solver", False):
            asked["count"] = count
        if getattr(family, "asks_item", False):
            asked["item"] = item
        return Instance(family.name, name, family.generate(Stream(seed, item), **asked, **values))
    assert isinstance(family, Sized)
    size = int(values["size"]) + item
    try:
        text = family.of_size(size)
        found = next(iter(family.read([f"{text}\n"], f"size {size}")))
    except PuzzleError as error:
        found = error
    if isinstance(found, PuzzleError):
        raise InputError(f"{family.name} of size {size}: {found.cause}")
    return Instance(family.name, f"{family.name}-{size}", found.text)
