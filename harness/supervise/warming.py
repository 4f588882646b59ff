"""Warm-ups: what a worker answers, unrecorded, before its first job on a structure.

Encoding a structure, compiling, importing what is imported late: whoever comes first would pay for
all that come after. So a worker that is given a structure which it has not seen answers another
question first: nothing of the instance is given, one variable of the structure is fixed to one
value, and the search ends at its first solution. An answer that somebody keeps for the instance
gains nothing by that.

Words
-----
variation   the structure with that variable fixed, in place of the instance
cold        without a warm-up: after a warm-up that came to no end, the job runs so in a new worker

A warm-up that hangs, crashes or takes too much memory is not held against the job, whose instance
may be far easier than the variation: it runs cold, and its record says in ``warm_up`` why.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from backends.interface.api import Backend, Limits, Refused, Sink
from harness.job import WARM_UP_SECONDS, Job
from harness.supervise.protocol import WarmUp
from modelling.problem import Assignment, Problem, Structure


def variation(problem: Problem) -> Problem | None:
    """The structure of ``problem`` with a variable of several values fixed to one, the first of
    both that do not make it ``problem`` itself; None if there are none."""
    structure = problem.structure
    for variable, domain in enumerate(structure.domains):
        for value in domain if len(domain) > 1 else ():
            other = structure.problem({variable: value})
            if other.masks != problem.masks:
                return other
    return None


@dataclass
class Warmth:
    """Which structures a worker is warm for; ``times`` is how many warm-ups there are for each.

    With ``first_cold`` the structure of the first job is passed over. ``tell`` hears that a warm-up
    begins, and that it has ended, with what was raised in it.
    """

    times: int
    first_cold: bool
    tell: Callable[[WarmUp], None]
    _last: Structure | None = None
    _seen: set[str] = field(default_factory=set)

    def is_new(self, structure: Structure) -> bool:
        """Whether a warm-up is due; asked once for each structure, it is so once."""
        if structure is self._last:  # their digests need not be compared
            return False
        self._last = structure
        known = structure.digest in self._seen
        self._seen.add(structure.digest)
        if self.first_cold:
            self.first_cold, known = False, True
        return not known

    def warm_up(self, backend: Backend, problem: Problem, job: Job) -> None:
        """Answer the variation of ``problem``, unless there is none or the backend refuses it."""
        self.tell(WarmUp("begins"))
        error = ""
        try:
            other = variation(problem)
            if other is not None and not isinstance(backend.accepts(other), Refused):
                for _ in range(self.times):
                    backend.solve(other, job.question.ask(), _limits(job.limits), _sink(job))
        except BaseException as raised:  # also SystemExit and KeyboardInterrupt, as in a job
            error = f"{type(raised).__name__}: {raised}"
        self.tell(WarmUp("ends", error))


def _limits(limits: Limits) -> Limits:
    seconds = WARM_UP_SECONDS if limits.seconds is None else limits.seconds
    return replace(limits, seconds=min(seconds, WARM_UP_SECONDS))


def _sink(job: Job) -> Sink | None:
    """The search ends at its first solution; where it does so by itself there is no sink, as in the
    job, so that the solver goes the same ways."""
    return None if job.question.limit == 1 and not job.question.optimum else _stop


def _stop(values: Assignment) -> bool:
    return False
