"""A question about a problem, as a solver with its options was asked it."""

from __future__ import annotations

from dataclasses import dataclass

from backends.interface.api import Limits
from harness.job import Question
from modelling.problem import Problem

SECONDS = 10.0
"""The limit for each answer; a solver that does not keep it is ended later, as one that hangs."""

UNLIMITED = Limits(seconds=SECONDS)


@dataclass(frozen=True)
class Asked:
    """A question about a problem, to a backend by its full name."""

    problem: Problem
    origin: str
    backend: str
    question: Question
    limits: Limits = UNLIMITED

    @property
    def is_limited(self) -> bool:
        """Whether a limit is likely to stop the search."""
        limits = self.limits
        return limits.seconds != SECONDS or limits.nodes is not None or limits.conflicts is not None
