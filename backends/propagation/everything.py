"""All that the compiled forms may ever run, for those who compile it before they need it.

What is compiled of one file, for one of the two searches, is a batch: its functions share others,
which a process compiles once. Batches may be compiled in processes at once. Each keeps what it has
made on disk, where every later process finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import walk_packages
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from backends.propagation import propagators
from backends.propagation.forms import machine
from backends.propagation.kernel.search import search
from backends.propagation.learning.explanations import EXPLANATIONS, REDUNDANT
from backends.propagation.learning.search import search as learning_search
from backends.propagation.rebinding import Function

ARGUMENTS = ("S", "T", "M", "a")
"""What every propagator takes."""
MORE = 4
"""What an explanation takes besides."""


class Part(NamedTuple):
    """A function that becomes one piece of machine code: its module and its name; whether it is for
    the search that learns; how many numbers it takes beyond (S, T, M, a)."""

    module: str
    name: str
    learns: bool
    more: int = 0

    @property
    def function(self) -> Function:
        """The function as it is written."""
        found: Function = getattr(import_module(self.module), self.name)
        return found


Batch = tuple[Part, ...]


def list_batches() -> list[Batch]:
    """All parts, those of one file together; the batches that take longest first."""
    batches: dict[tuple[str, bool], list[Part]] = {}
    for part in _list_parts():
        batches.setdefault((part.module, part.learns), []).append(part)
    return sorted(map(tuple, batches.values()), key=_measure, reverse=True)


def compile_batch(batch: Batch) -> int:
    """Compile the parts of a batch, or find them on disk; how many have been kept there.

    Raises ``BackendUnavailable`` without numba.
    """
    form: Any = machine()
    return sum(form.is_kept(part.function, part.learns, part.more) for part in batch)


def _list_parts() -> Iterator[Part]:
    yield _part(search, learns=False)
    yield _part(learning_search, learns=True)
    for propagate in list_propagators():
        yield _part(propagate, learns=False)
    for propagate in (*EXPLANATIONS, *REDUNDANT):
        yield _part(propagate, learns=True)
    for explain in dict.fromkeys(EXPLANATIONS.values()):
        yield _part(explain, learns=True, more=MORE)


def _part(function: Function, learns: bool, more: int = 0) -> Part:
    return Part(function.__module__, function.__name__, learns, more)


def list_propagators() -> list[Callable[..., bool]]:
    """The functions of (S, T, M, a) that no other function of a propagator calls."""
    found: dict[Function, None] = {}
    called: set[object] = set()
    for one in walk_packages(propagators.__path__, f"{propagators.__name__}."):
        for value in vars(import_module(one.name)).values():
            if isinstance(value, FunctionType) and value.__module__ == one.name:
                code = value.__code__
                called.update(value.__globals__.get(name) for name in code.co_names)
                if _arguments(code) == ARGUMENTS:
                    found[value] = None
    return [function for function in found if function not in called]


def _arguments(code: CodeType) -> tuple[str, ...]:
    return code.co_varnames[: code.co_argcount]


def _measure(batch: Batch) -> int:
    """The length of all code that a batch reaches, once each: about proportional to the time."""
    reached: dict[Function, int] = {}
    open_ = [part.function for part in batch]
    while open_:
        function = open_.pop()
        if function not in reached:
            reached[function] = len(function.__code__.co_code)
            values = map(function.__globals__.get, function.__code__.co_names)
            open_ += [value for value in values if isinstance(value, FunctionType)]
    return sum(reached.values())
