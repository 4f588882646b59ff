"""The seam between the SAT backend and its engines: a task in, models out.

Words
-----
engine    a SAT solver
task      one call: the formula, the literals of the instance, and the resources
models    a generator that yields, for each model, its positive one-hot literals in ascending order,
          and returns why it stopped. Each model is excluded on the one-hot literals before the
          next is looked for, so that none comes twice.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from typing import Protocol

from backends.interface.api import Deadline, Limits, Phases, StoppedBy
from backends.sat.encode import Encoding

Models = Generator[list[int], None, StoppedBy]


@dataclass
class Task:
    """One call to an engine; it adds to ``phases`` and ``statistics`` as it goes.

    ``givens`` are literals that hold in this instance; ``several`` says that more than one model
    may be wanted.
    """

    encoding: Encoding
    givens: list[int]
    deadline: Deadline
    limits: Limits = field(default_factory=Limits)
    several: bool = True
    phases: Phases = field(default_factory=Phases)
    statistics: dict[str, int | float] = field(default_factory=dict)


class Engine(Protocol):
    """A SAT solver behind the seam; ``version`` is that of the distribution it comes in."""

    version: str

    def models(self, task: Task) -> Models:
        """The models of the task's formula under its givens, each once."""
        ...
