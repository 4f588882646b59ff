"""SCIP's event handler that reports incumbents and bounds."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from backends.integer_programs.listening import Listener


@lru_cache(maxsize=1)
def incumbent_handler_class(library: Any) -> Any:
    """The handler; made here because its base class is imported when it is needed."""
    event = library.SCIP_EVENTTYPE
    kinds = (event.BESTSOLFOUND, event.NODESOLVED)

    class IncumbentHandler(library.Eventhdlr):  # type: ignore[misc]  # the library is imported lazily
        def __init__(self, listener: Listener) -> None:
            self.listener = listener

        def eventinit(self) -> None:
            for kind in kinds:
                self.model.catchEvent(kind, self)

        def eventexit(self) -> None:
            for kind in kinds:
                self.model.dropEvent(kind, self)

        def eventexec(self, event: Any) -> None:
            if not self.listener.stopped and not self.listener.callback(event):
                self.model.interruptSolve()

    return IncumbentHandler
