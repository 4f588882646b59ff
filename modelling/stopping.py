"""Work over a whole structure that ends when a limit of time is over.

Whoever has the limit opens ``stop_when``. Whoever goes through all variables or constraints of a
structure goes through ``watched`` of them, and so asks now and then. Outside of ``stop_when``, and
for few items, ``watched`` returns what it is given.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
EVERY = 256
"""So many items are taken between two questions, where each takes some microseconds."""


class Stopped(Exception):
    """The time is over; whoever opened ``stop_when`` catches it."""


_is_over: ContextVar[Callable[[], bool] | None] = ContextVar("is_over", default=None)


@contextmanager
def stop_when(asked: Callable[[], bool]) -> Iterator[None]:
    """In the block, ``watched`` raises ``Stopped`` once ``asked()`` is true."""
    token = _is_over.set(asked)
    try:
        yield
    finally:
        _is_over.reset(token)


def watched(items: Collection[Item], every: int = EVERY) -> Iterable[Item]:
    """The items, which may take long to go through; a question comes before ``every`` of them."""
    asked = _is_over.get()
    if asked is None or len(items) <= every:
        return items
    return _asking(items, every, asked)


def stop_if_over() -> None:
    """Ask once, before what takes long in one step."""
    if is_over():
        raise Stopped


def is_over() -> bool:
    """Whether a limit of time is over."""
    asked = _is_over.get()
    return asked is not None and asked()


def _asking(items: Iterable[Item], every: int, asked: Callable[[], bool]) -> Iterator[Item]:
    rest = iter(items)
    while some := tuple(islice(rest, every)):
        if asked():
            raise Stopped
        yield from some
