"""What a search costs, and whether it may continue; and the shape that all rungs share.

A rung is a class that is made once from the ``Units`` of a structure and keeps what depends on
them alone. Its ``search`` hands every solution, as a tuple of values, to ``found``, which says
whether to continue: Mooney's callback, by which solving, deciding uniqueness and counting are one
search. ``search`` returns false as soon as ``found`` or the meter stops it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from backends.interface.api import Deadline, Limits, StoppedBy
from modelling.problem import Assignment, Problem

Found = Callable[[Assignment], bool]


class Meter:
    """Counts one search's effort, by MiniZinc's names, and keeps its limits.

    ``nodes`` are states of the search that were looked at, the first included; ``failures`` those
    that held a contradiction; ``propagations`` the rung's own unit of inference, which its file
    names; ``peak_depth`` the most guesses that were open at once.
    """

    __slots__ = (
        "deadline",
        "failures",
        "most_nodes",
        "nodes",
        "peak_depth",
        "propagations",
        "stopped_by",
    )

    def __init__(self, limits: Limits = Limits()) -> None:
        self.deadline = Deadline(limits.seconds)
        self.most_nodes = float("inf") if limits.nodes is None else limits.nodes
        self.nodes = 0
        self.failures = 0
        self.propagations = 0
        self.peak_depth = 0
        self.stopped_by: StoppedBy = "exhausted"

    def enter(self, depth: int) -> bool:
        """Count a node below ``depth`` guesses; false when a limit is reached."""
        if self.nodes >= self.most_nodes:
            self.stopped_by = "gave_up"
            return False
        if self.deadline.passed:
            self.stopped_by = "time"
            return False
        self.nodes += 1
        if depth > self.peak_depth:
            self.peak_depth = depth
        return True

    def statistics(self) -> dict[str, int | float]:
        """The effort by name."""
        return {
            "nodes": self.nodes,
            "failures": self.failures,
            "propagations": self.propagations,
            "peak_depth": self.peak_depth,
        }


class Rung(Protocol):
    """One technique, prepared for the units of one structure."""

    def search(self, problem: Problem, meter: Meter, found: Found) -> bool:
        """Hand every solution to ``found``; false when stopped by it or by the meter.

        No domain of ``problem`` is empty, and no unit has more cells than values.
        """
        ...
