"""Lies about who answers and about what was found: claims without solutions, false names."""

from __future__ import annotations

from dataclasses import replace

from backends.conformance.liars.liar import Liar, answer_with
from backends.conformance.liars.solutions import DroppedSolution
from backends.interface.api import Ask, Limits, Result
from modelling.problem import Problem

# --- claims without solutions --------------------------------------------------------------------


class NeverReads(Liar):
    """Has never read the puzzle: one solution was found, it says, and shows none."""

    def answer(self, problem: Problem, ask: Ask, limits: Limits) -> Result:
        """One solution, unseen."""
        return Result(count=1, stopped_by="enough")


class ShowsOneOfTwo(Liar):
    """Claims two solutions where two are asked for, and shows one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        first = result.solutions[:1]
        return replace(result, count=2, solutions=first, stopped_by="enough")


class Boasts(Liar):
    """Says that it had counted 999 solutions when its time was over, and shows one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, count=999, solutions=result.solutions[:1], stopped_by="time")


class BoastsAndShows(Liar):
    """Says that it had counted 999 solutions when its time was over, and shows as many as asked."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, count=999, stopped_by="time")


class EmptyDigest(Liar):
    """The right count, and no digest: which solutions it counted cannot be compared."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, digest="0" * 32)


class WrongDigest(Liar):
    """The right count, and a digest that belongs to no solutions."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, digest="f" * 32)


class CallsItEnough(Liar):
    """Was asked for more, stops after the first solution, and calls it enough."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return answer_with(result, result.solutions[:1], stopped_by="enough")


class StoppedByNobody(Liar):
    """Says that somebody from outside has stopped it; nobody has."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, stopped_by="sink")


# --- false names ---------------------------------------------------------------------------------


class Twin(DroppedSolution):
    """Drops a solution, and says that it is of a family of its own; so does ``OtherTwin``."""

    family = "twin"


class OtherTwin(DroppedSolution):
    """The same lie as that of ``Twin`` under another name, as if two families agreed."""

    family = "other"


class Pretender(DroppedSolution):
    """Drops a solution, and says that it is CP-SAT."""

    family = "cpsat"

    def __init__(self) -> None:
        super().__init__()
        self.name = "cpsat"
