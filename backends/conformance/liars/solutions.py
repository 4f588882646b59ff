"""False solutions; false sets and numbers of solutions."""

from __future__ import annotations

from dataclasses import replace

from backends.conformance.liars.liar import Liar, answer_with, kept
from backends.interface.api import Ask, Limits, Result
from backends.interface.proofs import Refutation
from modelling.brute_force import solutions
from modelling.problem import Assignment, Problem

# --- false solutions -----------------------------------------------------------------------------


class WrongValue(Liar):
    """One value of each solution is another one of its domain."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        domain = problem.structure.domains[0]

        def other(values: Assignment) -> Assignment:
            place = domain.index(values[0])
            return (domain[(place + 1) % len(domain)], *values[1:])

        return answer_with(result, [other(v) for v in result.solutions], kept(ask))


class OutsideDomain(Liar):
    """One value of each solution is in no domain."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return answer_with(result, [(997, *v[1:]) for v in result.solutions], kept(ask))


class ManyDigits(Liar):
    """One value of each solution has 5,000 digits, more than Python writes."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        shown = tuple([(10**4999, *values[1:]) for values in result.solutions])
        return replace(result, solutions=shown)


class TooShort(Liar):
    """Each solution lacks its last value."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return answer_with(result, [v[:-1] for v in result.solutions], kept(ask))


class TrueForOne(Liar):
    """The values 1 and 0 are the Booleans that equal them, and write themselves differently."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        found = [tuple(bool(v) if v in (0, 1) else v for v in one) for one in result.solutions]
        return replace(result, solutions=tuple(found))


class FloatForInteger(Liar):
    """Each value is the float that equals it."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        found = tuple(tuple(map(float, one)) for one in result.solutions)
        return replace(result, solutions=found)  # type: ignore[arg-type] # that is the lie


class AnotherInstance(Liar):
    """Answers with the solutions of the instance that it was asked about before."""

    def __init__(self) -> None:
        super().__init__()
        self._before: Result | None = None

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        before, self._before = self._before, result
        return before or result


class OverlooksTheLast(Liar):
    """Overlooks the last constraint: its answer changes with the order of constraints."""

    def answer(self, problem: Problem, ask: Ask, limits: Limits) -> Result:
        """The answer to another problem."""
        structure = replace(problem.structure, constraints=problem.structure.constraints[:-1])
        return self.honest.solve(Problem(structure, problem.masks), ask, limits)


class ChangesTheProblem(Liar):
    """Takes the constraints out of the problem that it was given, so that a wrong value holds."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        object.__setattr__(problem.structure, "constraints", ())
        values = problem.structure.domains[0][:1] * problem.structure.size
        return answer_with(result, [values], stopped_by="enough")


# --- false sets and numbers of solutions ---------------------------------------------------------


class FalseUnsatisfiable(Liar):
    """Says of everything that it has no solution."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return Result(count=0, stopped_by="exhausted", phases=result.phases)


class ProofOfAnother(Liar):
    """The same, with a proof that is right: of a formula that has nothing to do with it."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        shown = (Refutation((((1,), (-1,)),), proof=b"0\n"),)
        return Result(count=0, stopped_by="exhausted", phases=result.phases, refutations=shown)


class DroppedSolution(Liar):
    """Counts all solutions but the last one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return answer_with(result, list(solutions(problem))[:-1], kept(ask), stopped_by="exhausted")


class Duplicate(Liar):
    """Counts the first solution twice, and admits it."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        found = list(solutions(problem))
        return answer_with(result, found[:1] + found, kept(ask), repeats=1)


class TooManyRepeats(Liar):
    """Admits more repeats than a database can count, so that there be no record at all."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, repeats=1 << 70)


class HiddenDuplicate(Liar):
    """Shows one solution twice as if they were two."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return answer_with(result, result.solutions[:1] * 2, 2, stopped_by="enough")


class CountsOneMore(Liar):
    """Its count is too high by one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return replace(result, count=result.count + 1)


class CountsOneLess(Liar):
    """Its count is too low by one, and it shows no more than fits."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        shown = result.solutions[: result.count - 1]
        return replace(result, count=result.count - 1, solutions=shown)


class ExhaustedTooEarly(Liar):
    """Shows the first of many solutions, and claims that it is the only one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        return answer_with(result, result.solutions[:1], stopped_by="exhausted")


class ExhaustedHalfway(Liar):
    """Gives up after half of the solutions, and says that these are all."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        found = list(solutions(problem))
        return answer_with(result, found[: len(found) // 2], kept(ask), stopped_by="exhausted")
