"""Instances drawn from a seed, of every family that can: random ones, or one size after the other.

A family that is ``Generated`` has a generator of its own. One that is only ``Sized`` has its empty
boards: item k is of k sizes more than the first. Generators of puzzles with one solution ask a
solver how many there are, which the caller passes in (``Count``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from modelling.errors import InputError, InstanceError
from modelling.wording import did_you_mean
from puzzles.family import (
    Count,
    Family,
    Generated,
    Instance,
    Sized,
    families,
    is_own,
    is_shipped,
)
from puzzles.family import family as find_family
from puzzles.parameters import Parameter, Value, complete
from puzzles.random_stream import Stream

SIZE = Parameter(
    "size", 4, "Size of the first instance; each further one is larger by 1.", 1, 10**6
)


def find_parameters(family: Family) -> Sequence[Parameter]:
    """The parameters of the generator of a family; raises ``InputError`` if there is none."""
    if isinstance(family, Generated):
        return family.parameters
    if isinstance(family, Sized):
        return (SIZE,)
    raise _refuse(f"the family {family.name!r} has no generator")


def list_generated() -> list[Family]:
    """The families with a generator."""
    return [one for one in families() if isinstance(one, Generated | Sized)]


def find_generated(name: str) -> Family:
    """The family of this name; raises ``InputError`` for one without a generator."""
    if not (is_own(name) or is_shipped(name)):
        known = [one.name for one in list_generated()]
        raise _refuse(f"no family is called {name!r}{did_you_mean(name, known)}")
    found = find_family(name)
    if not isinstance(found, Generated | Sized):
        raise _refuse(f"the family {name!r} has no generator")
    return found


def _refuse(cause: str) -> InputError:
    known = ", ".join(one.name for one in list_generated())
    return InputError(f"{cause} (families with a generator: {known})")


def generate(
    family: Family,
    number: int = 1,
    /,
    *,
    seed: int = 0,
    start: int = 0,
    count: Count | None = None,
    **given: Any,
) -> Iterator[Instance]:
    """The items ``start`` to ``start + number - 1`` of a seed; an item depends on nothing else.

    ``given`` are parameters; the others have their defaults. Raises ``InputError``.
    """
    values = complete(find_parameters(family), given, family.name)
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
    except InstanceError as error:
        found = error
    if isinstance(found, InstanceError):
        raise InputError(f"{family.name} of size {size}: {found.cause}")
    return Instance(family.name, f"{family.name}-{size}", found.text)
