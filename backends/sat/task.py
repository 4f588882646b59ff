"""The seam between the SAT backend and its engines: a task in, models out.

Words
-----
engine    a SAT solver
task      one call: the formula, the literals of the instance, and the resources
models    a generator that yields, for each model, what is ``found`` in it (see ``encode``), and
          returns why it stopped. It is sent clauses that hold from there on, over variables
          that the formula has already; without any the model is excluded, on ``Task.on``,
          before the next is looked for, so that none comes twice.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from backends.interface.api import Deadline, Limits, Phases, StoppedBy
from backends.sat.cnf import Clause
from backends.sat.encode import Encoding

Models = Generator[list[int], list[Clause] | None, StoppedBy]


STATISTICS = {
    "conflicts": "failures",
    "decisions": "nodes",
    "propagations": "propagations",
    "restarts": "restarts",
}
"""What solvers count, and its name in MiniZinc."""


@dataclass
class Task:
    """One call to an engine; it adds to ``phases`` and ``statistics`` as it goes.

    ``givens`` are literals that hold in this instance, ``closing`` clauses; ``several`` says that
    more than one model may be wanted, which the variables ``on`` (None: all) distinguish. An engine
    that writes proofs leaves one in ``proof`` when it returns ``exhausted``, or in ``missing`` why
    there is none.
    """

    encoding: Encoding
    givens: list[int]
    closing: list[Clause]
    deadline: Deadline
    limits: Limits = field(default_factory=Limits)
    several: bool = True
    phases: Phases = field(default_factory=Phases)
    statistics: dict[str, int | float] = field(default_factory=dict)
    on: tuple[int, ...] | None = None
    proof: bytes | None = None
    missing: str = ""

    @property
    def units(self) -> list[Sequence[int]]:
        """What holds in this instance alone, as clauses."""
        return [*([literal] for literal in self.givens), *self.closing]

    def excluding(self, model: list[int]) -> Clause:
        """The clause that excludes what was found in a model."""
        return self.encoding.excluding(model, self.on)


class Engine(Protocol):
    """A SAT solver behind the seam; ``version`` is that of the distribution it comes in, and
    ``form`` that of the proofs that it writes: ``binary``, ``text``, or empty for none."""

    version: str
    form: str

    def models(self, task: Task) -> Models:
        """The models of the task's formula under its givens, each once."""
        ...
