"""How a worker answers one job: puzzle family, problem, backend, record.

A job runs in this order: family by name, model flattened by its program (phase ``flatten``), clock
started, problem stated (phase ``model``), ``accepts``, ``solve``, clock stopped. Flattening takes
from the limit of the job and is part of no other time: it says nothing of the solver. Digests,
memory, the check of proofs and the answer's way home are outside the clock.

Encoding a structure is within the clock, as the phase ``encode``. A backend that keeps encodings
does it for the first instance of a structure that a worker is given; for the others
``encoding_reused`` is true.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from time import perf_counter
from typing import Any, NamedTuple

from backends.interface.api import Ask, Backend, Limits, Refused, Result, give_text
from backends.interface.events import Emit, Event, Found, SearchTrajectory, emitting
from backends.interface.evidence.answer import malformed, shortfall
from backends.proofs.certify import allowed, certified, is_due
from harness.job import Job
from harness.record import Outcome, Record
from harness.supervise.processes import JobMeter
from harness.supervise.protocol import Scoreboard
from modelling.check import violations
from modelling.errors import ConcordError, ContradictoryResult, Unsupported
from modelling.problem import Assignment, Problem
from puzzles.family import Family, Flattened, LoadedAhead, family, original_text

LONGEST_ERROR = 20_000
"""Characters of a traceback that are kept, the last ones."""

CONTRADICTION = "contradiction"
"""What stops an answer that contradicts itself, which tells it from a failure without an answer."""

LONGEST_TEXT = 2_000
"""Characters of a text of a backend that are kept; of an error more."""

MOST_FIGURES = 1_000
"""Statistics, and phases, that are kept of an answer."""

MOST_CHECKED = 100
"""Most solutions that are checked before the answer goes home, which must not look late for it;
validation checks them all."""

LARGEST_FIGURE = 2.0**63
"""Statistics and phases beyond this are left out, as infinite ones and NaN are."""

LEAST_SECONDS = 0.001
"""What is left of a limit when stating the problem took all of it."""

_STOPS: dict[str, Outcome] = {
    "exhausted": "finished",
    "enough": "finished",
    "time": "timeout",
    "memory": "memout",
    "gave_up": "gave_up",
}

Clock = Callable[[], float]
TellCheck = Callable[[float], None]
Families = dict[str, Family | str]
"""The puzzle families imported so far; for one that cannot be, a traceback that says why."""


def import_family(families: Families, name: str) -> Family | str:
    """The puzzle family called ``name``, imported unless that was tried before, with all that it
    imports to state a problem: the first backend that is asked must not pay for it."""
    if name not in families:
        try:
            families[name] = found = family(name)
            if isinstance(found, LoadedAhead):
                found.load_ahead()
        except Exception:  # a user's family may raise anything; the jobs' records say what
            families[name] = format_last_traceback()
    return families[name]


# --- jobs -----------------------------------------------------------------------------------


def answer(
    backend: Backend,
    job: Job,
    board: Scoreboard,
    meter: JobMeter,
    families: Families,
    clock: Clock = perf_counter,
    tell_check: TellCheck | None = None,
) -> Record:
    """Run ``job``; whatever the backend does short of dying ends in a record.

    ``tell_check`` hears how long a check of proofs may take that begins; without it none is
    checked. ``clock`` is bound when this file is loaded, before any backend is: one that replaces
    ``perf_counter`` in every module that it finds changes its own phases, and not the time that
    counts.
    """
    family = import_family(families, job.family)
    if isinstance(family, str):
        return make_failed_record(job.number, family)
    ask = job.question.ask()
    shown: list[ProvenAnswer] = []
    meter.start()
    board.take(job.number, meter.cpu_before_s, meter.baseline_memory_mb)
    started = clock()
    flatten_s = 0.0
    try:
        if isinstance(family, Flattened) and family.flatten(job.text):
            flatten_s = clock() - started
            meter.start()
            board.take(job.number, meter.cpu_before_s, meter.baseline_memory_mb)
            started += flatten_s
        problem = family.problem(job.text)
        stated = clock()
        problem.structure.digest  # noqa: B018 - for the record; it may take long, once
        digested_s = clock() - stated
        started, stated = started + digested_s, stated + digested_s
        give_text(backend, problem, partial(original_text, family, job.text))
        limits = _subtract_time(job.limits, flatten_s + stated - started)
        record = _run(backend, problem, job, limits, ask, board, started, clock, shown)
        record.phases["model"] = stated - started + record.phases.get("model", 0.0)
    except Unsupported as error:
        record = make_failed_record(job.number, str(error), "unsupported")
    except MemoryError:
        record = make_failed_record(job.number, format_last_traceback(), "memout")
    except ConcordError as error:
        record = make_failed_record(job.number, f"{type(error).__name__}: {error}")
        record.stopped_by = CONTRADICTION if isinstance(error, ContradictoryResult) else ""
    except BaseException:  # SystemExit and KeyboardInterrupt of a backend end its job, not us
        record = make_failed_record(job.number, format_last_traceback())
    if not record.wall_s:
        record.wall_s = clock() - started
    if flatten_s:
        record.phases["flatten"] = flatten_s
    if job.question.optimum:
        record.incumbents = board.read(job.number).incumbents
    record.cpu_s = meter.cpu_s()
    record.peak_memory_mb = peak = meter.peak_memory_mb()
    record.baseline_memory_mb = baseline = meter.baseline_memory_mb
    record.memory_increment_mb = None if baseline is None else max(0.0, peak - baseline)
    if shown and tell_check is not None:
        _check_proofs(record, shown[0], tell_check)
    return record


class ProvenAnswer(NamedTuple):
    """An answer with proofs, and what it is an answer to."""

    result: Result
    ask: Ask
    problem: Problem


def _check_proofs(record: Record, shown: ProvenAnswer, tell_check: TellCheck) -> None:
    """Write into a record what becomes of the proofs; a false one makes it an error."""
    tell_check(allowed(shown.result))
    result, fault = certified(*shown)
    found = result.certificate
    record.proof, record.proof_note, record.proof_bytes = found.state, found.said, found.size
    record.phases["proof"] = found.seconds
    record.proof_encoding = found.encoding
    if found.encoding:
        record.proof_note += f"; encoding {found.encoding}: {found.encoding_said}"
    if fault:
        record.outcome, record.error = "error", fault


def _run(
    backend: Backend,
    problem: Problem,
    job: Job,
    limits: Limits,
    ask: Ask,
    board: Scoreboard,
    started: float,
    clock: Clock,
    shown: list[ProvenAnswer],
) -> Record:
    """The record; into ``shown`` an answer whose proofs are to be checked."""
    verdict = backend.accepts(problem)
    if isinstance(verdict, Refused):
        record = make_failed_record(job.number, verdict.reason, "refused")
        record.wall_s = clock() - started
    else:
        # What is found is noted wherever a search continues after its first solution.
        question, objective = job.question, problem.structure.objective
        asked_at = clock()
        noted: list[Assignment] = []
        if question.optimum and objective is not None:
            emit = _collect_solutions(
                board.incumbents(job.number, SearchTrajectory(objective, clock)), noted
            )
            result = emitting(backend, problem, ask, limits, emit)
        else:
            counts = question.limit != 1 and not question.optimum
            sink = board.counter(job.number, question.keep) if counts else None
            result = backend.solve(problem, ask, limits, sink)
        ended_at = clock()
        fault = shortfall(result, ask, problem, seconds=ended_at - asked_at, most=MOST_CHECKED)
        fault = fault or _find_false_incumbent(problem, noted)
        record = make_record(job, result, fault, ended_at - started)
        if not fault and is_due(result, ask):
            shown.append(ProvenAnswer(result, ask, problem))
    record.instance_digest = problem.digest
    return record


def _collect_solutions(emit: Emit, noted: list[Assignment]) -> Emit:
    """``emit``, which also collects the first solutions that it is given."""

    def note(event: Event) -> bool:
        if isinstance(event, Found) and len(noted) < MOST_CHECKED:
            noted.append(event.values)
        return emit(event)

    return note


def _find_false_incumbent(problem: Problem, noted: Sequence[Assignment]) -> str:
    """What is wrong with a solution that was shown on the way to an optimum; empty for nothing."""
    for place, values in enumerate(noted, 1):
        if found := violations(problem, values):
            return f"solution {place} on its way to the optimum does not hold: {found[0]}"
    return ""


def _subtract_time(limits: Limits, passed_s: float) -> Limits:
    if limits.seconds is None:
        return limits
    # Not ``replace``, which takes microseconds within the clock.
    seconds = max(LEAST_SECONDS, limits.seconds - passed_s)
    return Limits(seconds, limits.nodes, limits.conflicts, limits.seed, limits.threads)


def make_record(job: Job, result: object, fault: str, wall_s: float) -> Record:
    """The record of an answer; with a ``fault`` it is none, but what it claimed is kept."""
    if malformed(result):
        record = make_failed_record(job.number, fault)
        record.stopped_by = CONTRADICTION if isinstance(result, Result) else ""
        record.wall_s = wall_s
        return record
    assert isinstance(result, Result)
    record = Record(
        job=job.number,
        outcome="finished",
        status=result.status,
        native_status=str(result.native_status)[:LONGEST_TEXT],
        stopped_by=result.stopped_by,
        count=result.count,
        repeats=result.repeats,
        digest=result.digest,
        objective=result.objective,
        bound=result.bound,
        solutions=result.solutions,
        statistics=_select_figures("statistics", result.statistics),
        phases=_select_figures("phases", result.phases),
        encoding_reused=bool(result.encoding_reused),
        configuration=str(result.configuration)[:LONGEST_TEXT],
        wall_s=wall_s,
    )
    if fault:
        record.outcome, record.error = "error", fault
    else:
        record.outcome = _STOPS[result.stopped_by]
        if job.limits.seconds is not None and wall_s > job.limits.seconds:
            record.outcome = "timeout"
    return record


def _select_figures(what: str, found: Mapping[str, Any]) -> dict[str, int | float]:
    """The numbers among ``found`` that can be stored, no infinite gap; TypeError for no number."""
    plain = {
        str(name)[:LONGEST_TEXT]: value.item() if hasattr(value, "item") else value
        for name, value in islice(found.items(), MOST_FIGURES)
    }
    for name, value in plain.items():
        if not isinstance(value, int | float):
            raise TypeError(f"{what}: {name} is {value!r}, which is not a number")
    return {name: value for name, value in plain.items() if abs(value) < LARGEST_FIGURE}


def make_failed_record(job: int, error: str, outcome: Outcome = "error") -> Record:
    """The record of a job without an answer."""
    return Record(job=job, outcome=outcome, error=error[-LONGEST_ERROR:])


def format_last_traceback() -> str:
    """The end of the traceback of what is being handled."""
    return traceback.format_exc()[-LONGEST_ERROR:]
