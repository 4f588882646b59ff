"""A worker process: loads one backend, then answers jobs until its pipe is closed.

Started by ``harness.supervise.keeper`` with three descriptors: requests come in on the first,
answers go out on the second, the third is the scoreboard. Standard output and standard error belong
to the solver, and never carry an answer. A worker loads one backend only: there are solvers that
break each other's import (ortools 9.15 and highspy 1.15).

A job runs in this order: family by name, clock started, problem stated (phase ``model``),
``accepts``, ``solve``, clock stopped. Digests, memory and the answer's way home are outside the
clock. Where the structure is new to a worker that is to warm up, it does that in place of the rest,
and the job is sent again (``harness.supervise.warming``).
"""

from __future__ import annotations

import ctypes
import importlib.metadata
import os
import platform
import resource
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any, NoReturn

import msgspec

from backends.interface import registry
from backends.interface.api import (
    Backend,
    Limits,
    Refused,
    Result,
    Sink,
    family_of,
    is_complete,
    load_ahead,
)
from backends.interface.encoding_cache import allow_memory
from backends.interface.evidence import malformed, shortfall
from harness.job import Job
from harness.plan import instances
from harness.plan.importable import ensure_importable
from harness.record import Outcome, Record, Version
from harness.supervise.keeper import CLEAN
from harness.supervise.meter import Meter
from harness.supervise.process_tree import (
    children_of,
    die_with_parent,
    everything,
    has_children,
    tree,
)
from harness.supervise.protocol import CHUNK, Frames, Greeting, Start, WarmUp, frame
from harness.supervise.scoreboard import Scoreboard
from harness.supervise.warming import Warmth
from modelling.errors import BackendUnavailable, ConcordError, ContradictoryResult, Unsupported
from modelling.problem import Problem
from puzzles.family import Family

LONGEST_ERROR = 20_000
"""So many characters of a traceback are kept, the last ones."""

CONTRADICTION = "contradiction"
"""What stops an answer that contradicts itself, so that it is told from a failure without one."""

MOST_CHECKED = 100
"""So many solutions are checked before the answer goes home, which must not look late for it;
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


def main() -> None:
    """Serve on the descriptors that stand last on the command line."""
    requests, answers, board, parent = (int(word) for word in sys.argv[-4:])
    for descriptor in (requests, answers, board):
        os.set_inheritable(descriptor, False)
    die_with_parent(parent)
    serve(requests, answers, Scoreboard(board))
    sys.exit(CLEAN if not has_children() else 1)


Clock = Callable[[], float]
Families = dict[str, Family | str]
"""The puzzle families imported so far; for one that cannot be, a traceback that says why."""

Loaded = tuple[Backend | None, Greeting, Families]
"""A backend with its greeting, None if it cannot be used, and the families so far."""


def serve_forked(requests: int, answers: int, board: int, parent: int, loaded: Loaded) -> int:
    """Serve as a fork of the process ``parent``, which has loaded the backend; the exit status."""
    die_with_parent(parent)
    serve(requests, answers, Scoreboard(board), loaded)
    return 1


def serve(
    requests: int,
    answers: int,
    board: Scoreboard,
    loaded: Loaded | None = None,
) -> None:
    """Greet, then answer jobs one by one until ``requests`` is closed."""
    payloads = _payloads(requests)
    first = next(payloads, None)
    if first is None:
        return
    start = msgspec.json.decode(first, type=Start)
    if loaded is None:
        sys.path[:] = start.path
        loaded = (*load(start.backend), {})
    backend, greeting, families = loaded
    _send(answers, msgspec.json.encode(greeting))
    if backend is None:
        return
    if start.memory_mb is not None:
        allow_memory(start.memory_mb)
    if start.headroom_mb is not None:
        _limit_address_space(start.headroom_mb)
    own, meter = os.getpid(), Meter()
    decode = msgspec.json.Decoder(Job | str).decode
    encoder = msgspec.json.Encoder(enc_hook=_plain)
    warmth = None
    if start.warm_ups:
        warmth = Warmth(start.warm_ups, start.first_cold, lambda told: _tell(answers, told, own))
    for payload in payloads:
        job = decode(payload)
        if isinstance(job, str):
            prepare(families, job)
            _send(answers, payload)
            continue
        record = answer(backend, job, board, meter, families, warmth)
        if os.getpid() != own:  # a child that the backend forked has come back as if it were us
            os._exit(0)
        if record is None:
            continue
        record.left_behind = _living_children()
        try:
            reply = encoder.encode(record)
        except (TypeError, ValueError, OverflowError) as error:
            reply = encoder.encode(_failed(job.number, f"the answer cannot be sent: {error}"))
        _send(answers, reply)
        if start.once:
            _leave(record.left_behind)


def _tell(answers: int, told: WarmUp, own: int) -> None:
    """Send what a warm-up has to say, and when it has ended, what processes it left."""
    if os.getpid() != own:  # a forked child; the parent goes on
        os._exit(0)
    if told.state == "ends":
        told = msgspec.structs.replace(told, left_behind=_living_children())
    _send(answers, msgspec.json.encode(told))


def _living_children() -> int:
    """How many processes there are below this one; next to nothing when there are none."""
    if not has_children():
        return 0
    table = everything()
    below = tree([os.getpid()], children_of(table))[1:]
    return sum(1 for pid in below if not table[pid].over)


def _leave(left_behind: int) -> NoReturn:
    """End at once, without tidying up an interpreter that nobody needs again."""
    sys.stdout.flush()
    sys.stderr.flush()
    ctypes.CDLL(None).fflush(None)  # what a solver has printed
    os._exit(1 if left_behind else CLEAN)


def _limit_address_space(headroom_mb: float) -> None:
    """Let the addresses in use grow by so much and no more; a limit that is there stays there."""
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    most = used + int(headroom_mb * (1 << 20))
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    for limit in (soft, hard):
        if limit != resource.RLIM_INFINITY:
            most = min(most, limit)
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def load(name: str) -> tuple[Backend | None, Greeting]:
    """The backend called ``name`` with its greeting; None when it cannot be loaded."""
    started = perf_counter()
    python = f"{platform.python_implementation()} {platform.python_version()}"
    version = Version(backend=name, concord=concord_version(), python=python)
    try:
        ensure_importable(name, "a backend")
        backend = registry.get(name)
        load_ahead(backend)
        version = msgspec.structs.replace(
            version,
            canonical=str(backend.name),
            family=family_of(backend),
            complete=is_complete(backend),
            solver=str(getattr(backend, "version", "")),
            native=tuple(sorted(kind.__name__ for kind in backend.native)),
        )
    except ConcordError as error:
        return None, Greeting(version=version, error=str(error))
    except Exception:  # a backend's import may raise anything; the greeting carries the traceback
        return None, Greeting(version=version, error=_traceback())
    return backend, Greeting(version=version, import_s=perf_counter() - started)


def prepare(families: Families, name: str) -> None:
    """Import the puzzle family called ``name``, unless that was tried before."""
    if name not in families:
        try:
            families[name] = instances.family(name)
        except Exception:  # a family of one's own may raise anything; the jobs' records say what
            families[name] = _traceback()


def refusal(greeting: Greeting, error: str) -> Greeting:
    """``greeting`` with the reason why the backend cannot be used after all."""
    return msgspec.structs.replace(greeting, error=error)


def concord_version() -> str:
    """The version of this project; empty when it runs uninstalled."""
    try:
        return importlib.metadata.version("solver-concord")
    except importlib.metadata.PackageNotFoundError:
        return ""


def answer(
    backend: Backend,
    job: Job,
    board: Scoreboard,
    meter: Meter,
    families: Families,
    warmth: Warmth | None = None,
    clock: Clock = perf_counter,
) -> Record | None:
    """Run ``job``; whatever the backend does short of dying ends in a record.

    None when a warm-up came in its place: the job is to be sent again. ``clock`` is bound when this
    file is loaded, before any backend is: one that replaces ``perf_counter`` in every module that
    it finds changes its own phases, and not the time that counts.
    """
    prepare(families, job.family)
    family = families[job.family]
    if isinstance(family, str):
        return _failed(job.number, family)
    meter.start()
    board.take(job.number, meter.cpu_before_s, meter.baseline_memory_mb)
    started = clock()
    try:
        problem = family.problem(job.text)
        stated = clock()
        if warmth is not None:
            if warmth.is_new(problem.structure):
                warmth.warm_up(backend, problem, job)
                return None
            looked_s = clock() - stated  # a structure's digest may take long, once
            started, stated = started + looked_s, stated + looked_s
        record = _run(backend, problem, job, board, started, stated - started, clock)
    except Unsupported as error:
        record = _failed(job.number, str(error), "unsupported")
    except MemoryError:
        record = _failed(job.number, _traceback(), "memout")
    except ContradictoryResult as error:
        record = _failed(job.number, f"{type(error).__name__}: {error}")
        record.stopped_by = CONTRADICTION
    except (BackendUnavailable, ConcordError) as error:
        record = _failed(job.number, f"{type(error).__name__}: {error}")
    except BaseException:  # SystemExit and KeyboardInterrupt of a backend end its job, not us
        record = _failed(job.number, _traceback())
    if not record.wall_s:
        record.wall_s = clock() - started
    record.cpu_s = meter.cpu_s()
    record.peak_memory_mb = peak = meter.peak_memory_mb()
    record.baseline_memory_mb = baseline = meter.baseline_memory_mb
    record.memory_increment_mb = None if baseline is None else max(0.0, peak - baseline)
    return record


def _run(
    backend: Backend,
    problem: Problem,
    job: Job,
    board: Scoreboard,
    started: float,
    model_s: float,
    clock: Clock,
) -> Record:
    verdict = backend.accepts(problem)
    if isinstance(verdict, Refused):
        record = _failed(job.number, verdict.reason, "refused")
        record.wall_s = clock() - started
    else:
        sink = _sink(board, job, problem)
        limits = _remaining(job.limits, clock() - started)
        ask, asked_at = job.question.ask(), clock()
        result = backend.solve(problem, ask, limits, sink)
        ended_at = clock()
        fault = shortfall(result, ask, problem, seconds=ended_at - asked_at, most=MOST_CHECKED)
        record = _answered(job, result, fault, ended_at - started)
    record.phases["model"] = model_s + record.phases.get("model", 0.0)
    record.instance_digest = problem.digest
    return record


def _sink(board: Scoreboard, job: Job, problem: Problem) -> Sink | None:
    """Progress is noted wherever a search goes on after its first solution."""
    question, objective = job.question, problem.structure.objective
    if question.optimum:
        return None if objective is None else board.incumbents(job.number, objective)
    return None if question.limit == 1 else board.counter(job.number, question.keep)


def _remaining(limits: Limits, passed_s: float) -> Limits:
    if limits.seconds is None:
        return limits
    return replace(limits, seconds=max(LEAST_SECONDS, limits.seconds - passed_s))


def _answered(job: Job, result: object, fault: str, wall_s: float) -> Record:
    """The record of an answer; with a ``fault`` it is none, but what it claimed is kept."""
    if malformed(result):
        record = _failed(job.number, fault)
        record.stopped_by = CONTRADICTION if isinstance(result, Result) else ""
        record.wall_s = wall_s
        return record
    assert isinstance(result, Result)
    record = Record(
        job=job.number,
        outcome="finished",
        status=result.status,
        native_status=str(result.native_status),
        stopped_by=result.stopped_by,
        count=result.count,
        repeats=result.repeats,
        digest=result.digest,
        objective=result.objective,
        bound=result.bound,
        solutions=result.solutions,
        statistics=_figures("statistics", result.statistics),
        phases=_figures("phases", result.phases),
        encoding_reused=bool(result.encoding_reused),
        configuration=str(result.configuration),
        wall_s=wall_s,
    )
    if fault:
        record.outcome, record.error = "error", fault
    else:
        record.outcome = _STOPS[result.stopped_by]
        if job.limits.seconds is not None and wall_s > job.limits.seconds:
            record.outcome = "timeout"
    return record


def _figures(what: str, found: Mapping[str, Any]) -> dict[str, int | float]:
    """The numbers among ``found`` that can be written down: no infinite gap, no integer of 10**400.

    Raises TypeError for what is no number.
    """
    plain = {
        name: value.item() if hasattr(value, "item") else value for name, value in found.items()
    }
    for name, value in plain.items():
        if not isinstance(value, int | float):
            raise TypeError(f"{what}: {name} is {value!r}, which is not a number")
    return {name: value for name, value in plain.items() if abs(value) < LARGEST_FIGURE}


def _failed(job: int, error: str, outcome: Outcome = "error") -> Record:
    return Record(job=job, outcome=outcome, error=error[-LONGEST_ERROR:], phases={}, statistics={})


def _traceback() -> str:
    return traceback.format_exc()[-LONGEST_ERROR:]


def _plain(value: object) -> object:
    """A NumPy number among statistics, phases or objectives as the number that it stands for."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{value!r} is not a number")


def _payloads(descriptor: int) -> Iterator[bytes]:
    frames = Frames()
    while data := os.read(descriptor, CHUNK):
        yield from frames.feed(data)


def _send(descriptor: int, payload: bytes) -> None:
    rest = memoryview(frame(payload))
    while rest:
        rest = rest[os.write(descriptor, rest) :]


if __name__ == "__main__":
    main()
