"""Cumulative: tasks that share a resource.

Words
-----
load        the demands of the tasks that run at a time, together
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from modelling.constraint import NO_SIMPLE_OPPOSITE, Constraint, Predicate
from modelling.errors import ModelError
from modelling.terms import Fresh, Term, Terms, constant, constants, is_constant
from modelling.vocabulary.formulas.connectives import And
from modelling.vocabulary.formulas.linear import Linear, Sum, defined
from modelling.vocabulary.formulas.truth import IfThenElse, Truth
from modelling.vocabulary.scheduling.no_overlap import not_negative


@dataclass(frozen=True)
class Cumulative(Predicate):
    """Tasks run from ``starts[i]`` for ``durations[i]``; the load never exceeds the capacity.

    The capacity is a limit at every time, so it cannot be negative even without tasks (MiniZinc's
    constraint is true then). A task of duration or demand 0 does no harm, wherever it starts, also
    where this is reified (MiniZinc's and CPMpy's decompositions count a task of duration 0 at its
    start). A negative duration or demand makes it false. The lists have one length (ModelError).

    The decomposition limits the load at the start of each task, for a load grows at starts only
    (Schutt, Feydt, Stuckey and Wallace, "Why cumulative decomposition is not as bad as it sounds",
    CP 2009). It grows with the square of the number of tasks, and not with time.
    """

    xcsp3: ClassVar[str] = "cumulative"
    minizinc: ClassVar[str] = "cumulative"
    WITHOUT = NO_SIMPLE_OPPOSITE

    starts: Terms
    durations: Terms
    demands: Terms
    capacity: Term

    def __post_init__(self) -> None:
        super().__post_init__()
        lengths = [len(self.starts), len(self.durations), len(self.demands)]
        if len(set(lengths)) > 1:
            raise ModelError("Cumulative: {} starts, {} durations, {} demands".format(*lengths))

    def relates(
        self, starts: Sequence[int], durations: Sequence[int], demands: Sequence[int], capacity: int
    ) -> bool:
        if capacity < 0 or any(number < 0 for number in (*durations, *demands)):
            return False
        tasks = list(zip(starts, durations, demands, strict=True))
        return all(
            sum(demand for start, duration, demand in tasks if start <= time < start + duration)
            <= capacity
            for time in starts
        )

    def expand(self, fresh: Fresh) -> Constraint:
        every = (*self.durations, *self.demands, self.capacity)
        loads = (
            Linear((*self._load(time), self.capacity), (*(1 for _ in self.starts), -1), "<=", 0)
            for time in self.starts
        )
        return And((*not_negative(every), *loads, *defined(self.starts)))

    def _load(self, time: Term) -> list[Term]:
        """What each task adds to the load at a time."""
        added: list[Term] = []
        for start, duration, demand in zip(self.starts, self.durations, self.demands, strict=True):
            begun = Linear((start, time), (1, -1), "<=", 0)
            runs = And((begun, Linear((time, start, duration), (1, -1, -1), "<", 0)))
            if is_constant(demand):
                added.append(Sum((Truth(runs),), (demand.offset,)))
            else:
                added.append(IfThenElse(runs, demand, constant(0)))
        return added

    def expanded_size(self) -> int:
        return 40 * len(self.starts) ** 2 + 10

    @classmethod
    def draw(cls, rng: random.Random, terms: Any) -> Cumulative:
        starts = terms.some(0, 3)
        durations, demands = (terms.lengths(len(starts)) for _ in range(2))
        fixed = rng.random() < 0.7
        capacity = constant(rng.choice((0, 1, 1, 2, 3, -1))) if fixed else terms.term()
        return cls(starts, durations, demands, capacity)

    EDGES = (
        (((), (), (), constant(0)), True),
        (((), (), (), constant(-1)), False),
        ((constants(0, 0), constants(2, 2), constants(1, 1), constant(2)), True),
        ((constants(0, 1), constants(2, 2), constants(1, 1), constant(1)), False),
        ((constants(0, 2), constants(2, 2), constants(1, 1), constant(1)), True),
        ((constants(0), constants(0), constants(5), constant(1)), True),
        ((constants(0, 0), constants(3, 0), constants(1, 5), constant(1)), True),
        ((constants(0), constants(3), constants(0), constant(0)), True),
        ((constants(0), constants(-1), constants(0), constant(9)), False),
        ((constants(0), constants(1), constants(-1), constant(9)), False),
    )
