"""How large instances are, beside each other: which ones say most about a solver."""

from __future__ import annotations

from collections.abc import Collection
from time import perf_counter

from harness.advise.deadline import TimeUp, stop_at
from harness.plan.candidates import LONGEST_STATED
from modelling.errors import ConcordError
from modelling.problem import Problem
from puzzles.family import Instance, family

Size = tuple[int, int]
"""What is compared: the size of the problem, 0 where that is not known, and that of the text."""


def measure_sizes(instances: Collection[Instance], until: float) -> list[Size]:
    """The size of each instance.

    To know that of a problem, it is stated. Where not all can be until the clock ``perf_counter``
    says ``until``, the lengths of the texts alone are compared.
    """
    found: list[Size] = []
    try:
        with stop_at(until):
            for one in instances:
                if len(one.text) > LONGEST_STATED or perf_counter() > until:
                    raise TimeUp
                problem = family(one.family).problem(one.text)
                found.append((measure_problem(problem), len(one.text)))
    except (ConcordError, TimeUp):
        return [(0, len(one.text)) for one in instances]
    return found


def measure_problem(problem: Problem) -> int:
    """The number of variables, and of all places of variables in constraints."""
    structure = problem.structure
    return structure.size + sum(len(one.scope) for one in structure.constraints)
