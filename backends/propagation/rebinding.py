"""Functions of the kernel bound to other functions and constants than those that they name.

Every function is written once. The compiled form reads other constants, calls instructions of the
processor, and is compiled; where the solver learns, ``learning.domains`` narrows domains in place
of ``kernel.domains``. A ``Binding`` says what takes the place of what, in a function and in all
that it calls.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from types import FunctionType
from typing import Any

Function = Callable[..., Any]
ROOM = __name__.rpartition(".")[0]


class Binding:
    """What takes the place of functions and of constants.

    ``ready`` has functions that are called as they are; ``substitutes`` functions that are bound
    in their turn, by ``below``, so that they may call what they substitute; ``constants`` integers
    by their names.
    ``finish(function, made)`` makes of the bound copy of a function what others call.
    """

    def __init__(
        self,
        ready: Mapping[Any, Any],
        substitutes: Mapping[Any, Any],
        constants: Mapping[str, int],
        finish: Callable[[Function, Function], Any],
        below: Binding | None = None,
    ) -> None:
        self.ready = ready
        self.substitutes = substitutes
        self.constants = constants
        self.finish = finish
        self.known: dict[Function, Any] = {}
        self.below = below or self

    def rebound(self, function: Function) -> Function:
        """A copy of ``function`` that calls and reads what is bound."""
        names: dict[str, Any] = {"__name__": function.__module__, "__builtins__": __builtins__}
        for name in function.__code__.co_names:
            if name in function.__globals__:
                value = function.__globals__[name]
                names[name] = self.constants.get(name, value)
                if isinstance(value, FunctionType) and value.__module__.startswith(ROOM):
                    names[name] = self.bound(value)
        made = FunctionType(function.__code__, names, function.__name__, function.__defaults__)
        made.__module__, made.__qualname__ = function.__module__, function.__qualname__
        return made

    def bound(self, function: Function) -> Any:
        """What is called where ``function`` is named."""
        if function in self.ready:
            return self.ready[function]
        if self.below is self:
            function = self.substitutes.get(function, function)
        elif function in self.substitutes:
            return self.below.bound(self.substitutes[function])
        elif function in self.substitutes.values():
            return self.below.bound(function)
        if function not in self.known:
            self.known[function] = self.finish(function, self.rebound(function))
        return self.known[function]

    def digest(self, function: Function, *more: bytes) -> str:
        """Eight hexadecimal digits that change with ``function``, with all that it calls, with the
        constants that these read, and with ``more``."""
        content = blake2b(digest_size=4)
        for part in more:
            content.update(part)
        for called in self._reached(function, {}):
            code = called.__code__
            read = [
                (name, self.constants.get(name, called.__globals__[name]))
                for name in code.co_names
                if isinstance(called.__globals__.get(name), int)
            ]
            known = called.__module__, called.__qualname__, code.co_consts, code.co_names, read
            content.update(repr(known).encode() + code.co_code)
        return content.hexdigest()

    def _reached(self, function: Function, found: dict[Function, None]) -> dict[Function, None]:
        """The functions that are part of ``function``, in the order in which they are met."""
        place = self.substitutes.get(function, function)
        if place in found or function in self.ready:
            return found
        found[place] = None
        below = self if place is function else self.below
        for name in place.__code__.co_names:
            value = place.__globals__.get(name)
            if isinstance(value, FunctionType) and value.__module__.startswith(ROOM):
                below._reached(value, found)
        return found
