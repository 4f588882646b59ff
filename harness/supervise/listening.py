"""Waiting for descriptors: each has a handler, which is called when there is something to read."""

from __future__ import annotations

import selectors
from collections.abc import Callable
from contextlib import suppress

Handler = Callable[[], object]


class Listener:
    """A selector with a handler for each descriptor."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()
        self._handlers: dict[int, Handler] = {}

    def listen(self, descriptor: int, handler: Handler, *, to_write: bool = False) -> None:
        """Call ``handler`` whenever ``descriptor`` has something to read, or can be written to."""
        events = selectors.EVENT_WRITE if to_write else selectors.EVENT_READ
        self._selector.register(descriptor, events)
        self._handlers[descriptor] = handler

    def deafen(self, descriptor: int) -> None:
        """Listen no more to ``descriptor``, if anybody did."""
        if self._handlers.pop(descriptor, None) is not None:
            with suppress(KeyError, ValueError):  # its owner has closed it before
                self._selector.unregister(descriptor)

    def wait(self, seconds: float) -> None:
        """Wait for something to happen, at most so long, and let the handlers deal with it."""
        for key, _ in self._selector.select(max(0.0, seconds)):
            handler = self._handlers.get(key.fd)
            if handler is not None:  # its owner may have ended a moment ago
                handler()

    def close(self) -> None:
        """Listen to nothing any more."""
        self._selector.close()
        self._handlers.clear()
