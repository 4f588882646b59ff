"""Lies at times: on one seed, on one instance of a thousand, every other call."""

from __future__ import annotations

from backends.conformance.liars.liar import Liar, answer_with, kept
from backends.conformance.liars.solutions import DroppedSolution, WrongValue
from backends.interface.api import Ask, Limits, Result
from modelling.brute_force import solutions
from modelling.problem import Problem

BAD_SEED = 13

ONE_IN = 1000


class OneBadSeed(DroppedSolution):
    """Right, but for one seed, with which it drops a solution."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return super().lie(problem, ask, limits, result) if limits.seed == BAD_SEED else result


def is_chosen(problem: Problem) -> bool:
    """Whether it is one of the instances that ``OneInAThousand`` is wrong on."""
    return int(problem.digest, 16) % ONE_IN == 0


class OneInAThousand(WrongValue):
    """Wrong on one instance of a thousand, always the same one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return super().lie(problem, ask, limits, result) if is_chosen(problem) else result


class Fickle(Liar):
    """Every other answer lacks a solution, beginning with the first."""

    def __init__(self) -> None:
        super().__init__()
        self._calls = 0

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        self._calls += 1
        found = list(solutions(problem))
        return answer_with(result, found[: len(found) - self._calls % 2], kept(ask))
