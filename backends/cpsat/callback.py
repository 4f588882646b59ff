"""What CP-SAT calls with each solution that it finds."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from backends.cpsat.formulations import Read
from modelling.problem import Assignment


@lru_cache(maxsize=1)
def callback_class(cp: Any) -> Any:
    """A solution callback; defined here because its base class is imported lazily."""

    class Callback(cp.CpSolverSolutionCallback):  # type: ignore[misc]  # cp is imported lazily
        def __init__(self, read: Read, take: Callable[[Assignment], bool]) -> None:
            super().__init__()
            self.read = read
            self.take = take
            self.stopped = False
            self.error: BaseException | None = None

        def on_solution_callback(self) -> None:
            # CP-SAT may deliver further solutions after stop_search(): they are not ours any more.
            if self.stopped:
                return
            try:
                go_on = self.take(self.read(self.response_proto.solution))
            except BaseException as error:  # carried out of the C++ frames and raised again
                self.error = error
                go_on = False
            if not go_on:
                self.stopped = True
                self.stop_search()

    return Callback
