"""What brute force says of a small problem, and what is wrong with an answer beside that.

In: a problem, a question, an answer. Out: faults in words, none for a right answer. The suite of
conformance, examinations and hunts judge by these functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from math import inf

from backends.interface.api import Ask, Optimum, Result, Solutions
from backends.interface.evidence.answer import digest_of
from modelling.brute_force import solutions
from modelling.check import violations
from modelling.problem import Assignment, Objective, Problem
from modelling.wording import plural


@dataclass(frozen=True)
class Oracle:
    """A problem with what the oracle says of it.

    ``every`` has all solutions as full assignments. ``expected`` has their distinct outputs.
    ``best`` is the best objective, 0 without a solution. ``reached`` has the distinct outputs of
    the solutions that reach it.
    """

    problem: Problem
    every: frozenset[Assignment]
    expected: tuple[Assignment, ...]
    best: int
    reached: tuple[Assignment, ...]

    def violations(self, values: Assignment) -> list[str]:
        """What is wrong with an assignment that a backend has shown."""
        if isinstance(values, tuple) and values in self.every:
            return []
        found = [f"{values}: {violation}" for violation in violations(self.problem, values)]
        return found or [f"{values} is none of the solutions, yet violates nothing"]


@lru_cache(maxsize=2048)
def consult(problem: Problem) -> Oracle:
    """What the oracle says; kept, for several backends are asked about the same draws."""
    return make_oracle(problem)


def make_oracle(problem: Problem) -> Oracle:
    """What the oracle says, by enumeration."""
    structure = problem.structure
    whole = Problem(replace(structure, output=None), problem.masks)
    return _describe(problem, list(solutions(whole)))


def _describe(problem: Problem, every: Sequence[Assignment]) -> Oracle:
    best, reached = 0, every
    if problem.structure.objective is not None:
        best, reached = optima_among(problem.structure.objective, every)
    apart = partial(tell_apart, problem)
    return Oracle(problem, frozenset(every), apart(every), best, apart(reached))


def narrow(oracle: Oracle, problem: Problem) -> Oracle:
    """What the oracle says of a problem of the same structure in which fewer values are open."""
    open_values = [frozenset(domain) for domain in problem.domains()]
    every = sorted(
        values
        for values in oracle.every
        if all(value in some for value, some in zip(values, open_values, strict=True))
    )
    return _describe(problem, every)


def optima_among(objective: Objective, every: Sequence[Assignment]) -> tuple[int, list[Assignment]]:
    """The best value and the solutions that reach it; (0, []) if there are none."""
    values = [objective.value(solution) for solution in every]
    best = (min if objective.sense == "minimize" else max)(values, default=0)
    return best, [s for s, value in zip(every, values, strict=True) if value == best]


def tell_apart(problem: Problem, found: Iterable[Assignment]) -> tuple[Assignment, ...]:
    """The distinct outputs of solutions, in their order."""
    return tuple(dict.fromkeys(project(problem, values) for values in found))


def project(problem: Problem, values: Assignment) -> Assignment:
    """What distinguishes a solution from others: its output, or all of it."""
    output = problem.structure.output
    return values if output is None else tuple([values[v] for v in output])


# --- answers -------------------------------------------------------------------------------------


def judge(
    oracle: Oracle, ask: Ask, result: Result, most: float = inf, *, is_complete: bool = True
) -> list[str]:
    """What is wrong with an answer to ``ask``, of which every solution was kept.

    ``most`` is how many solutions the backend enumerates; beyond them it gives up. Without
    ``is_complete`` it may give up anywhere.
    """
    if not is_complete:
        return judge_incomplete(oracle, result)
    if isinstance(ask, Optimum):
        return judge_optimum(oracle, result)
    expected = oracle.expected if isinstance(ask, Solutions) else oracle.reached
    if ask.limit is not None:
        return judge_limited(oracle, ask.limit, result, expected)
    if len(expected) > most:
        return judge_given_up(oracle, result, expected, most)
    if isinstance(ask, Solutions):
        return judge_every(oracle, result)
    return judge_optimum(oracle, result) + judge_set(oracle, result, expected)


def judge_every(oracle: Oracle, result: Result) -> list[str]:
    """Every solution once, and the claims that follow from it."""
    faults = judge_set(oracle, result, oracle.expected)
    if not result.exhausted:
        faults.append(f"not exhausted, but {result.stopped_by}")
    if result.status != ("SATISFIABLE" if oracle.expected else "UNSATISFIABLE"):
        faults.append(f"status {result.status} with {len(oracle.expected)} solutions")
    return faults


def judge_given_up(
    oracle: Oracle, result: Result, expected: Sequence[Assignment], most: float
) -> list[str]:
    """Where there are more than ``most`` solutions: ``most`` of them, each once, and no claim."""
    faults = judge_solutions(oracle, result)
    shown = {project(oracle.problem, values) for values in result.solutions}
    if result.count != most or result.stopped_by != "gave_up":
        faults.append(f"count {result.count}, stopped by {result.stopped_by}, of {len(expected)}")
    if len(shown) < result.count or shown - set(expected):
        faults.append(f"{len(shown & set(expected))} of {result.count} solutions are right")
    return faults


def judge_limited(
    oracle: Oracle, limit: int, result: Result, expected: Sequence[Assignment]
) -> list[str]:
    """At most ``limit`` solutions, and exhausted exactly when there are fewer."""
    faults = judge_solutions(oracle, result)
    many = len(expected)
    if many and result.status == "UNSATISFIABLE":
        faults.append(f"says UNSATISFIABLE, but there {are(many)}")
    if result.count != min(limit, many):
        faults.append(f"count {result.count} of {many} with limit {limit}")
    if result.exhausted != (many < limit):
        faults.append(f"stopped by {result.stopped_by} with limit {limit} of {many}")
    if len(result.solutions) != result.count:
        faults.append(f"kept {len(result.solutions)} of {result.count}, asked for all")
    return faults


def judge_incomplete(oracle: Oracle, result: Result) -> list[str]:
    """An incomplete backend may give up, but what it says must be true."""
    faults = judge_solutions(oracle, result)
    if result.exhausted:
        faults.append("an incomplete backend claims to have exhausted the search space")
    if result.count and not oracle.expected:
        faults.append("a solution to a problem that has none")
    return faults


def judge_stopped(oracle: Oracle, ask: Ask, result: Result) -> list[str]:
    """A search that a limit has stopped claims no end, and what it has found so far is true."""
    faults = judge_solutions(oracle, result)
    if isinstance(ask, Solutions) and result.count > len(oracle.expected):
        faults.append(f"count {result.count}, but there {are(len(oracle.expected))}")
    objective = oracle.problem.structure.objective
    if result.bound is None or objective is None or not oracle.reached:
        return faults
    if objective.better(oracle.best, result.bound):
        faults.append(f"nothing beyond {result.bound}, but the optimum is {oracle.best}")
    return faults


def judge_optimum(oracle: Oracle, result: Result) -> list[str]:
    """The best value, with solutions that reach it."""
    faults = judge_solutions(oracle, result)
    if not oracle.reached:
        if result.status != "UNSATISFIABLE":
            faults.append(f"status {result.status}, but there is no solution")
        return faults
    objective, best = oracle.problem.structure.objective, oracle.best
    assert objective is not None
    if result.status != "OPTIMUM" or result.objective != best:
        faults.append(f"{result.status} {result.objective}, but the optimum is {best}")
    for values in result.solutions:
        if values in oracle.every and objective.value(values) != best:
            faults.append(f"{values} does not reach the optimum {best}")
    if not result.solutions:
        faults.append("no solution is kept")
    return faults


def judge_solutions(oracle: Oracle, result: Result) -> list[str]:
    """Each solution that is shown holds, and statistics are numbers."""
    faults = []
    for values in result.solutions:
        if not isinstance(values, tuple) or any(type(v) is not int for v in values):
            faults.append(f"a solution must be a tuple of integers, not {values!r}")
        faults.extend(oracle.violations(values))
    faults.extend(
        f"statistic {name} is {number!r}"
        for name, number in result.statistics.items()
        if isinstance(number, bool) or not isinstance(number, (int, float)) or number < 0
    )
    return faults


def judge_set(oracle: Oracle, result: Result, expected: Sequence[Assignment]) -> list[str]:
    """All that are expected are shown, each once, and no others."""
    faults = judge_solutions(oracle, result)
    found = Counter(project(oracle.problem, values) for values in result.solutions)
    absent = set(expected) - set(found)
    if absent:
        faults.append(f"{plural(len(absent), 'solution')} missing, such as {min(absent)}")
    repeated = [values for values, times in found.items() if times > 1]
    if repeated or result.repeats:
        faults.append(f"{len(repeated)} solutions are repeated, {result.repeats} reported")
    if result.count != len(expected):
        faults.append(f"count {result.count}, but there {are(len(expected))}")
    if not faults and result.digest != digest_of(expected):
        faults.append(f"digest {result.digest} does not belong to the solutions")
    return faults


def are(many: int) -> str:
    """``is 1 solution`` or ``are 2 solutions``."""
    return f"{'is' if many == 1 else 'are'} {plural(many, 'solution')}"
