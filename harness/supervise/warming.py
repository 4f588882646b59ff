"""Warm-ups: a worker answers small questions of ours before it is sent its first job.

Compiling, and importing what is imported late, would otherwise be paid for by the first job of each
worker. A warm-up loads the library and goes through its calls, on problems that are the same in
every run, and the backend is made anew afterwards. So it shows nothing of any instance, and what a
solver keeps of it is gone: an instance, and its structure, are in the worker only when the clock
runs. ``docs/decisions/0034-warm-ups.md`` says why.
"""

from __future__ import annotations

from dataclasses import replace

from backends.interface import registry
from backends.interface.api import Backend, Limits, Refused, load_ahead
from harness.job import WARM_UP_SECONDS, Question
from harness.supervise.answering import LONGEST_TEXT
from harness.supervise.protocol import WarmedUp, WarmUp
from modelling.constraints import AllDifferent, Linear
from modelling.problem import Assignment, Objective, Problem, build_problem


def small_problems(question: Question) -> list[Problem]:
    """What is asked in a warm-up; of these the first one that the backend accepts.

    The first has sums and inequalities, which not every backend takes; the second has none.
    """
    domains = {name: range(1, 5) for name in "abcd"}
    different = AllDifferent(("a", "b", "c", "d"))
    ordered = Linear(("a", "b"), (1, -1), "<=", -1)
    total = Linear(("a", "b", "c"), (1, 1, 1), "==", 7)
    objective = Objective("minimize", ("c", "d"), (1, 2)) if question.optimum else None
    return [
        build_problem(domains, [different, ordered, total], objective=objective),
        build_problem(domains, [different], objective=objective),
    ]


def warm_up(backend: Backend, order: WarmUp) -> WarmedUp:
    """Answer ``order.times`` times a small problem; the reply has what the backend raised.

    Whatever it raises is not held against its jobs.
    """
    question = order.question
    given = order.limits.seconds
    seconds = WARM_UP_SECONDS if given is None else min(given, WARM_UP_SECONDS)
    limits = replace(order.limits, seconds=seconds)
    try:
        for problem in small_problems(question):
            if not isinstance(backend.accepts(problem), Refused):
                _ask(backend, problem, question, limits, order.times)
                break
    except BaseException as raised:  # also SystemExit and KeyboardInterrupt, as in a job
        return WarmedUp(f"{type(raised).__name__}: {raised}"[:LONGEST_TEXT])
    return WarmedUp()


def _ask(
    backend: Backend, problem: Problem, question: Question, limits: Limits, times: int
) -> None:
    """The search ends at its first solution.

    Where it does so by itself it gets no sink, as in a job, so that the solver does the same work.
    """
    sink = None if question.limit == 1 and not question.optimum else _stop
    for _ in range(times):
        backend.solve(problem, question.ask(), limits, sink)


def _stop(values: Assignment) -> bool:
    return False


def make_anew(name: str) -> Backend:
    """The backend that a worker serves with after its warm-up: it has seen no problem.

    An object that ``py:`` names, neither class nor function, cannot be made again: it is returned.
    """
    backend = registry.get(name)
    load_ahead(backend)
    return backend
