"""Values that are one thing when they are checked and another when they are written down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from backends.conformance.liars.liar import Liar, answer_with, kept
from backends.interface.api import Ask, Limits, Result, Solutions
from backends.interface.evidence.answer import digest_of
from modelling.problem import Assignment, Problem


class _OnceRight(tuple[Assignment, ...]):
    """Gives its true content twice, and another one from then on."""

    reads = 0

    def __iter__(self) -> Iterator[Assignment]:
        self.reads += 1
        true = super().__iter__()
        return true if self.reads < 3 else iter([tuple(v + 1 for v in one) for one in true])


class LazySolutions(Liar):
    """Its solutions are right as long as they are checked, and false when they are sent."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, solutions=_OnceRight(result.solutions))


class _EqualToAll(int):
    """An integer that is equal to every other one."""

    def __eq__(self, other: object) -> bool:
        return True

    def __ne__(self, other: object) -> bool:
        return False

    __hash__ = int.__hash__


class EqualToAll(Liar):
    """Its values are equal to whatever they are compared with."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        false = [tuple(_EqualToAll(value + 1) for value in one) for one in result.solutions]
        return answer_with(result, false, kept(ask))


class _AnyWord(str):
    """A word that is equal to every other one."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("exhausted")


class WordForAll(Liar):
    """Stops after the first solution, for a reason that is equal to every reason."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        reason: Any = _AnyWord("sink")
        return answer_with(result, result.solutions[:1], stopped_by=reason)


class CountsTwins(Liar):
    """Leaves one solution out and counts another one twice, so that the number is right."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        every = self.honest.solve(problem, Solutions(None, keep=None), limits).solutions
        return replace(result, digest=digest_of([*every[:-1], every[0]]))


class TimeWithoutNumber(Liar):
    """A phase took NaN seconds, another endless ones: with neither a sum is too large."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, phases={"encode": float("nan"), "solve": float("-inf")})


BRUSH = "\x1b[2K\x1b[1A\r\u202e"
"""Deletes the line that is printed, goes up, and has text run backwards."""


class PaintsTheScreen(Liar):
    """Answers falsely, and paints over its verdict, with rows that look like a table's."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        false = [tuple(value + 9 for value in one) for one in result.solutions]
        row = f"{BRUSH}\n1  {self.name}  verified  0.000 s\n"
        return answer_with(
            result, false, kept(ask), native_status=row, configuration=row, statistics={row: 1}
        )
