"""A solver that contradicts itself is asked again, about less: does it still?

The relation is drawn again from the same random stream, so that it is the same one of the smaller
problem. Where it is another one there, or none, the contradiction counts as gone.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Any

from backends.interface.api import Backend, Refused, Result
from harness.hunting.findings import Answer
from harness.hunting.fuzzing.drawing.relations import exclude, relate
from harness.hunting.judging.answers import Wrong, describe_claim
from harness.hunting.judging.asked import Asked
from harness.hunting.judging.relations import Related, find_broken_relation
from modelling.errors import ConcordError
from modelling.problem import Problem

EXCLUDED = 0.15
"""How often a solution is excluded, where there is one."""


def draw_related(rng: random.Random, problem: Problem, result: Result) -> Related | None:
    """A relation of a problem with this answer."""
    if result.solutions and rng.random() < EXCLUDED:
        return exclude(problem, rng.choice(result.solutions))
    return relate(rng, problem)


@dataclass(frozen=True)
class Contradiction:
    """A relation by its name, and the ``state`` of the random stream that it was drawn from."""

    name: str
    state: Any
    backend: Backend

    def ask(self, asked: Asked) -> tuple[Wrong, Answer] | None:
        """What is wrong, and what is claimed, where the solver contradicts itself about this."""
        try:
            result = self._solve(asked)
            rng = random.Random()
            rng.setstate(self.state)
            related = draw_related(rng, asked.problem, result)
            if related is None or related.name != self.name:
                return None
            answers = [self._solve(replace(asked, problem=one)) for one in related.problems]
        except (ConcordError, _Refusal):
            return None
        wrong = find_broken_relation(asked, result, related, answers)
        return None if wrong is None else (wrong, describe_claim(result, wrong.note))

    def _solve(self, asked: Asked) -> Result:
        if isinstance(self.backend.accepts(asked.problem), Refused):
            raise _Refusal
        return self.backend.solve(asked.problem, asked.question.ask(), asked.limits)


class _Refusal(Exception):
    """The solver does not take the smaller problem."""
