"""How a worker turns what a backend does into a record; no process is started here."""

from __future__ import annotations

import itertools
import math
import mmap
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import faulty
import liars
import msgspec
import numpy as np
import pytest
from harness_samples import TINY, answered, job

from backends.interface import registry
from backends.interface.api import Limits, Refused, Result
from backends.interface.events import Bound, Emit, Found, SearchTrajectory, Step
from backends.interface.evidence.answer import digest_of
from backends.interface.proofs import Certificate
from harness.flaws import CHECKED, find_flaw
from harness.job import Job, Question
from harness.record import Record
from harness.report.jobs import find_whole_time
from harness.supervise import answering, warming, worker
from harness.supervise.answering import CONTRADICTION
from harness.supervise.channels import Frames, frame
from harness.supervise.processes import JobMeter
from harness.supervise.protocol import Scoreboard, Sighting, Start, WarmedUp, WarmUp, shared_memory
from harness.supervise.worker import CLEAN, Loaded, load
from modelling.constraints import Linear
from modelling.errors import Unsupported, WorkerError
from modelling.formats import find_format
from modelling.problem import Assignment, Objective, Problem, build_problem
from puzzles.family import family

RULER = "py:ruler_family:Ruler"


@pytest.fixture
def board() -> Iterator[Scoreboard]:
    descriptor = shared_memory()
    board = Scoreboard(descriptor)
    yield board
    board.close()
    os.close(descriptor)


def test_an_answer_after_the_limit_is_a_timeout_and_kept(board: Scoreboard) -> None:
    record = answered(faulty.Late(), job(seconds=0.3), board)
    assert record.outcome == "timeout"
    assert (record.status, record.solutions) == ("SATISFIABLE", ((0, 1, 2),))
    assert record.wall_s >= 0.35


def test_no_limit_is_no_timeout(board: Scoreboard) -> None:
    assert answered(liars.Honest(), job(seconds=None), board).outcome == "finished"


def test_a_family_that_is_not_there_is_an_error(board: Scoreboard) -> None:
    lost = msgspec.structs.replace(job(), family="py:tiny_family:Huge")
    record = answered(liars.Honest(), lost, board)
    assert (record.outcome, "Huge" in record.error) == ("error", True)


def test_a_text_that_cannot_be_stated_is_an_error(board: Scoreboard) -> None:
    record = answered(liars.Honest(), job(text="three"), board)
    assert record.outcome == "error"
    assert "ValueError" in record.error


def test_a_search_for_one_solution_has_no_sink(board: Scoreboard) -> None:
    answered(liars.Honest(), job(number=7), board)
    assert board.read(7) == Sighting()


def test_counting_is_noted_as_it_goes(board: Scoreboard) -> None:
    record = answered(liars.Honest(), job(number=7, question=Question(None, 2)), board)
    assert record.count == 24
    assert board.read(7) == Sighting(24, ((0, 1, 2), (0, 1, 3)))
    assert board.read(8) == Sighting()


def test_a_solution_too_large_for_the_board_is_counted(board: Scoreboard) -> None:
    see = board.counter(1, keep=1)
    see(tuple(range(200_000)))
    assert board.read(1) == Sighting(1)


@pytest.mark.parametrize(("cell", "value"), [(2, 9), (3, 7), (3, 1 << 40)])
def test_a_board_that_was_written_over_is_no_reason_to_fail(
    board: Scoreboard, cell: int, value: int
) -> None:
    board.counter(1, keep=1)((4,))
    board._cells[cell] = value
    assert board.read(1) == Sighting(1)


def noting(board: Scoreboard) -> Emit:
    """What notes the course of job 1, which wants the largest number, by a clock of the test's."""
    passed = itertools.count()
    objective = Objective("maximize", (0,), (3,))
    return board.incumbents(1, SearchTrajectory(objective, lambda: float(next(passed))))


def test_incumbents_and_bounds_follow_each_other(board: Scoreboard) -> None:
    see = noting(board)
    assert board.read(1) == Sighting()
    assert see(Bound(1 << 80, 99.0))  # a bound without a solution
    assert board.read(1) == Sighting(bound=1 << 80, incumbents=(Step(1.0, 1 << 80, "bound"),))
    for value in (0, 2, 1):
        assert see(Found((value,), 99, 99.0))
    steps = ((1.0, 1 << 80, "bound"), (2.0, 0, "found"), (3.0, 6, "found"))
    assert board.read(1) == Sighting(1, ((2,),), 6, 1 << 80, steps)


def test_an_incumbent_too_large_for_the_board_is_not_claimed(board: Scoreboard) -> None:
    see = noting(board)
    see(Found(tuple(range(1, 200_000)), None, 0.0))
    assert board.read(1) == Sighting(incumbents=((1.0, 3, "found"),))


@pytest.mark.parametrize(
    ("name", "text", "best"),
    [("brute_force", "3 4", 3), *((name, "5 14", 11) for name in ("propagation", "sat", "cpsat"))],
)
def test_a_search_for_an_optimum_leaves_its_incumbents(
    board: Scoreboard, name: str, text: str, best: int
) -> None:
    shortest = Question(1, 1, optimum=True)
    ruler = msgspec.structs.replace(job(text=text, question=shortest), family=RULER)
    record = answered(registry.get(name), ruler, board)
    assert (record.outcome, record.status, record.objective) == ("finished", "OPTIMUM", best)
    found = [step for step in record.incumbents if step.kind == "found"]
    bounds = [step for step in record.incumbents if step.kind == "bound"]
    values = [step.objective for step in found]
    assert values == sorted(set(values), reverse=True)
    assert values[-1] == best
    assert all(step.objective <= best for step in bounds)
    assert bool(bounds) == (name == "cpsat")
    seconds = [step.seconds for step in record.incumbents]
    assert seconds == sorted(seconds)
    assert 0 < seconds[0] <= seconds[-1] <= record.wall_s


@pytest.mark.parametrize("question", [Question(), Question(None, 2)])
def test_a_search_for_solutions_has_no_incumbents(board: Scoreboard, question: Question) -> None:
    text = "3 4 - max"
    assert answered(liars.Honest(), job(text=text, question=question), board).incumbents == ()


def test_what_was_reported_before_an_exception_is_kept(board: Scoreboard) -> None:
    best = job(text="3 4 - max", question=Question(1, 1, optimum=True))
    record = answered(faulty.ReportsThenRaises(), best, board)
    assert (record.outcome, record.status, record.objective) == ("error", "UNKNOWN", None)
    assert [step.kind for step in record.incumbents] == ["found", "bound"] * 2


def test_a_missing_solver_is_named_in_the_greeting() -> None:
    loaded = load("sat:no_such_engine")
    assert loaded.backend is None
    assert "no_such_engine" in loaded.greeting.error


def test_unsupported_is_not_an_error(board: Scoreboard) -> None:
    class Narrow(liars.Honest):
        def answers(self, problem: Problem) -> Iterable[Assignment]:
            raise Unsupported("narrow", "this", "too wide")

    record = answered(Narrow(), job(), board)
    assert (record.outcome, record.error) == (
        "unsupported",
        "narrow does not support this: too wide",
    )


def test_a_contradictory_result_is_an_error(board: Scoreboard) -> None:
    class Contradictory(liars.Honest):
        def solve(self, *arguments: object, **more: object) -> Result:
            return Result(count=0, stopped_by="enough")

    record = answered(Contradictory(), job(), board)
    assert record.outcome == "error"
    assert record.error.startswith("ContradictoryResult: a result cannot say enough")
    assert record.stopped_by == CONTRADICTION  # so validation knows it for an answer


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"solutions": ()}, "1 solution must be shown"),
        ({"digest": "f" * 32}, "its digest is not that"),
        ({"phases": {"solve": 60.0}}, "its phases add up to 60"),
        ({"solutions": ((0, 0, 0),), "digest": digest_of([(0, 0, 0)])}, "solution 1 does not hold"),
    ],
)
def test_an_answer_that_falls_short_is_an_error_and_what_it_claims_is_kept(
    change: dict[str, Any], says: str, board: Scoreboard
) -> None:
    class Short(liars.Honest):
        def solve(self, *arguments: object, **more: object) -> Result:
            return replace(super().solve(*arguments, **more), **change)  # type: ignore[arg-type]

    record = answered(Short(), job(), board)
    assert (record.outcome, record.status, record.count) == ("error", "SATISFIABLE", 1)
    assert record.stopped_by == "enough"
    assert says in record.error
    assert "it claims SATISFIABLE, count 1, stopped by 'enough'" in record.error


@pytest.mark.parametrize("value", [True, 1.0, "1", None])
def test_a_value_that_only_equals_an_integer_is_no_value(value: Any, board: Scoreboard) -> None:
    class Equal(liars.Honest):
        def solve(self, *arguments: object, **more: object) -> Result:
            result = super().solve(*arguments, **more)  # type: ignore[arg-type]
            return replace(result, solutions=((0, value, 2),))

    record = answered(Equal(), job(), board)
    assert (record.outcome, record.stopped_by) == ("error", CONTRADICTION)
    assert f"solution 1 has the value {value!r}" in record.error


def test_what_is_no_result_is_a_failure_and_no_claim(board: Scoreboard) -> None:
    class Other(liars.Honest):
        def solve(self, *arguments: object, **more: object) -> Any:
            return {"count": 1}

    record = answered(Other(), job(), board)
    assert (record.outcome, record.stopped_by) == ("error", "")
    assert record.error == "solve() returned dict, not a Result"


def test_at_least_one_solution_is_kept(board: Scoreboard) -> None:
    record = answered(liars.Honest(), job(question=Question(2, 0)), board)
    assert (record.outcome, record.count, len(record.solutions)) == ("finished", 2, 1)


def test_memory_is_measured_where_the_peak_cannot_be_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.supervise.processes._open_if_there", lambda path, flags: None)
    meter = JobMeter()
    assert not meter.per_job
    assert meter.peak_memory_mb() > 5


def test_the_peak_is_that_of_the_job() -> None:
    meter = JobMeter()
    with mmap.mmap(-1, 64 << 20) as block:  # an allocator may keep what is freed
        block.write(b"x" * len(block))
        peak = meter.peak_memory_mb()
    assert peak > 64
    meter.start()
    if meter.per_job:
        assert meter.peak_memory_mb() < peak - 32
    meter.close()


def test_without_memfd_a_file_without_a_name_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "memfd_create", raising=False)
    descriptor = shared_memory()
    writer, reader = Scoreboard(descriptor), Scoreboard(descriptor)
    writer.counter(1, 1)((5, 6))
    assert reader.read(1) == Sighting(1, ((5, 6),))
    for one in (writer, reader):
        one.close()
    os.close(descriptor)


def test_frames_come_apart_at_any_cut() -> None:
    stream = b"".join(frame(payload) for payload in (b"", b"one", b"x" * 1000))
    frames, found = Frames(), []
    for byte in stream:
        found += frames.feed(bytes([byte]))
    assert found == [b"", b"one", b"x" * 1000]
    assert not frames.partial


@pytest.mark.parametrize("garbage", [b"Hello, world", b"CnCd\xff\xff\xff\xff"])
def test_foreign_bytes_are_no_frame(garbage: bytes) -> None:
    with pytest.raises(WorkerError, match="foreign bytes"):
        Frames().feed(garbage)


def test_records_do_not_share_their_tables() -> None:
    one, other = Record(job=1, outcome="error"), Record(job=2, outcome="error")
    one.phases["model"] = 1.0
    assert other.phases == {}


def test_stating_the_problem_is_within_the_limit() -> None:
    """A backend gets what is left of it, and never nothing."""
    assert answering._subtract_time(Limits(10.0, 5), 7.0) == Limits(3.0, 5)
    assert answering._subtract_time(Limits(7.0), 7.0).seconds == answering.LEAST_SECONDS == 0.001
    assert answering._subtract_time(Limits(1.0), 7.0).seconds == answering.LEAST_SECONDS
    assert answering._subtract_time(Limits(None, 5), 7.0) == Limits(None, 5)


def test_the_backend_is_given_what_stating_left(
    board: Scoreboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Limits] = []

    class Noting(liars.Honest):
        def solve(self, problem: Problem, ask: Any, limits: Limits, sink: Any = None) -> Result:
            given.append(limits)
            return super().solve(problem, ask, limits, sink)

    assert answered(Noting(), job(seconds=10.0), board).outcome == "finished"
    assert given[0].seconds is not None
    assert 0 < given[0].seconds < 10


# --- serving, in this process -------------------------------------------------------------------


class Said(liars.Honest):
    """Honest, with a status that cannot be written as JSON once it is wanted."""

    native_status = "done"

    def solve(self, problem: Problem, ask: Any, limits: Limits, sink: Any = None) -> Result:
        found = super().solve(problem, ask, limits, sink)
        return replace(found, native_status=self.native_status)


def served(
    board: Scoreboard, start: Start, *jobs: Job | str | WarmUp, loaded: Loaded | None = None
) -> list[Any]:
    """What a worker answers to ``start`` and to ``jobs``."""
    requests, answers = os.pipe(), os.pipe()
    for payload in (start, *jobs):
        os.write(requests[1], frame(msgspec.json.encode(payload)))
    os.close(requests[1])
    worker.serve(requests[0], answers[1], board, loaded)
    os.close(answers[1])
    with open(answers[0], "rb") as pipe:
        return [msgspec.json.decode(payload) for payload in Frames().feed(pipe.read())]


def ready(backend: Any = None) -> Loaded:
    return Loaded(backend or Said(), load("brute_force").greeting)


def start_of(backend: str = "brute_force", **more: Any) -> Start:
    return Start(backend, sys.path, **more)


def test_a_worker_greets_and_answers_each_job(board: Scoreboard) -> None:
    greeting, *records = served(board, start_of(), job(1), job(2))
    assert (greeting["version"]["backend"], greeting["error"]) == ("brute_force", "")
    assert [(one["job"], one["outcome"]) for one in records] == [(1, "finished"), (2, "finished")]


def test_without_its_backend_a_worker_only_greets(board: Scoreboard) -> None:
    (greeting,) = served(board, start_of("sat:no_such_engine"), job(1))
    assert "no_such_engine" in greeting["error"]


def test_a_family_is_imported_before_its_jobs_and_its_name_comes_back(board: Scoreboard) -> None:
    loaded = ready()
    _, told, _ = served(board, start_of(), TINY, "py:tiny_family:Huge", loaded=loaded)
    assert told == TINY
    families = loaded.families
    assert not isinstance(families[TINY], str)
    assert "Huge" in str(families["py:tiny_family:Huge"])


def test_a_family_that_cannot_be_imported_is_tried_once() -> None:
    assert answering.import_family({"queens": "why not"}, "queens") == "why not"


IMPORTING = """
import sys
import backends.interface.driver  # a worker has it with its backend
from harness.supervise.answering import import_family
from puzzles.model_files import _name_content

name, path = sys.argv[1:]
families, text = {}, _name_content(path)
import_family(families, name)
before = set(sys.modules)
families[name].problem(text)
print(*(name for name in sorted(set(sys.modules) - before) if not name.startswith("encodings.")))
"""


@pytest.mark.parametrize("name", ["cnf", "opb", "flatzinc", "xcsp3", "lp"])
def test_a_first_problem_imports_nothing_while_the_clock_runs(tmp_path: Path, name: str) -> None:
    """As numpy, for the clauses of whoever is asked first and has not imported it himself."""
    problem = build_problem({"x": range(2), "y": range(2)}, [Linear((0, 1), (1, 1), ">=", 1)])
    path = tmp_path / f"stated.{name}"
    path.write_text("".join(find_format(name).write(problem)))
    command = [sys.executable, "-c", IMPORTING, name, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_without_a_start_a_worker_says_nothing(board: Scoreboard) -> None:
    requests, answers = os.pipe(), os.pipe()
    os.close(requests[1])
    worker.serve(requests[0], answers[1], board)
    os.close(answers[1])
    assert os.read(answers[0], 1) == b""
    os.close(requests[0])
    os.close(answers[0])


ORDER = WarmUp(2, Question(), Limits(seconds=5.0))


def test_what_a_warm_up_leaves_running_is_counted(
    board: Scoreboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker.Afterwards, "look", lambda self: (3, 0.0))
    _, told = served(board, start_of(), ORDER, loaded=ready())
    assert msgspec.convert(told, WarmedUp) == WarmedUp("", 3)


@pytest.mark.parametrize(
    ("question", "sinks"),
    [
        (Question(limit=1), [None]),
        (Question(limit=2), [warming._stop]),
        (Question(limit=None), [warming._stop]),
        (Question(limit=1, optimum=True), [warming._stop]),
    ],
)
def test_a_warm_up_ends_at_its_first_solution(
    question: Question, sinks: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[Any] = []

    def note(self: Any, problem: Problem, ask: Any, limits: Limits, sink: Any = None) -> None:
        given.append(sink)

    monkeypatch.setattr(liars.Honest, "solve", note)
    assert warming.warm_up(liars.Honest(), WarmUp(1, question, Limits())) == WarmedUp()
    assert given == sinks


def test_an_answer_that_cannot_be_sent_is_an_error_of_its_job(
    board: Scoreboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Said, "native_status", "\udc80")
    _, record = served(board, start_of(), job(7), loaded=ready())
    assert (record["job"], record["outcome"]) == (7, "error")
    assert record["error"].startswith("the answer cannot be sent: ")


def test_what_limits_a_worker_is_set_before_its_jobs(
    board: Scoreboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, float]] = []
    monkeypatch.setattr(worker, "allow_memory", lambda mb: told.append(("memory", mb)))
    monkeypatch.setattr(worker, "limit_address_space", lambda mb: told.append(("headroom", mb)))
    served(board, start_of(), loaded=ready())
    assert told == []
    served(board, start_of(memory_mb=9.0, headroom_mb=5.0), loaded=ready())
    assert told == [("memory", 9.0), ("headroom", 5.0)]


def test_the_backend_that_has_warmed_up_answers_no_job(
    board: Scoreboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded, made = ready(faulty.Remembers()), faulty.Remembers()
    monkeypatch.setattr(registry, "get", lambda name: made)
    monkeypatch.setattr(
        worker.Afterwards, "look", lambda self: (0, 0.0)
    )  # else those of other tests, too
    _, told, record = served(board, start_of(), ORDER, job(1), loaded=loaded)
    assert told == ["warm", "", 0]
    assert (record["job"], record["outcome"], record["statistics"]["seen"]) == (1, "finished", 1)
    assert loaded.backend is not None
    assert loaded.backend.seen == 2  # type: ignore[attr-defined]


def test_a_warm_up_asks_what_the_backend_accepts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Problem] = []
    few = registry.get("ladder")
    monkeypatch.setattr(type(few), "solve", lambda self, problem, *more: asked.append(problem))
    assert warming.warm_up(few, ORDER) == WarmedUp()
    assert [len(problem.structure.constraints) for problem in asked] == [1, 1]
    few.accepts = lambda problem: Refused("no")  # type: ignore[method-assign]
    assert warming.warm_up(few, ORDER) == WarmedUp()
    assert len(asked) == 2


def test_a_worker_for_one_job_leaves_after_it(
    board: Scoreboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[int] = []
    monkeypatch.setattr(worker, "_leave", left.append)
    monkeypatch.setattr(
        worker.Afterwards, "look", lambda self: (2, 0.0)
    )  # here: those of other tests, too
    served(board, start_of(), job(1), loaded=ready())
    assert left == []
    served(board, start_of(once=True), job(1), loaded=ready())
    assert left == [2]


@pytest.mark.parametrize(("children", "status"), [(False, worker.CLEAN), (True, 1)])
def test_the_descriptors_stand_last_on_the_command_line(
    children: bool, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests, answers, shared = os.pipe(), os.pipe(), shared_memory()
    os.write(requests[1], frame(msgspec.json.encode(start_of())))
    os.close(requests[1])
    parents: list[int] = []
    monkeypatch.setattr(worker, "die_with_parent", parents.append)
    monkeypatch.setattr(worker, "has_children", lambda: children)
    words = [requests[0], answers[1], shared, 4711]
    monkeypatch.setattr(sys, "argv", ["worker", *map(str, words)])
    interrupts = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit) as ended:
            worker.main()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, interrupts)
    os.close(answers[1])
    with open(answers[0], "rb") as pipe:
        assert len(Frames().feed(pipe.read())) == 1
    assert (ended.value.code, parents) == (status, [4711])
    os.close(shared)


def test_children_are_counted_one_by_one() -> None:
    before = worker.Afterwards().look()[0]
    children = [subprocess.Popen(["sleep", "60"]) for _ in range(3)]
    try:
        assert worker.Afterwards().look()[0] == before + 3
    finally:
        for child in children:
            child.kill()
            child.wait()
    assert worker.Afterwards().look()[0] == before


def test_addresses_may_grow_by_so_much(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "setrlimit", lambda what, limits: given.append(limits))
    infinite = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda what: (infinite, infinite))
    worker.limit_address_space(0.0)
    worker.limit_address_space(1000.0)
    (used, _), (most, hard) = given
    assert used > 10 << 20  # a Python that has loaded solvers
    assert abs(most - used - (1000 << 20)) < 100 << 20
    with open("/proc/self/status", encoding="ascii") as file:
        told = {line.partition(":")[0]: line.partition(":")[2] for line in file}
    addresses, resident = (int(told[name].split()[0]) * 1024 for name in ("VmSize", "VmRSS"))
    assert abs(used - addresses) < abs(used - resident)
    assert hard == infinite
    monkeypatch.setattr(resource, "getrlimit", lambda what: (5, 7))
    worker.limit_address_space(1000.0)
    assert given[-1] == (5, 7)


def test_a_job_that_fails_has_its_time(board: Scoreboard) -> None:
    moments = itertools.count(1000.0)
    record = answered(liars.Honest(), job(text="three"), board, clock=lambda: next(moments))
    assert (record.outcome, record.wall_s) == ("error", 1.0)


def test_only_finite_figures_are_kept() -> None:
    found = {
        "nodes": 3,
        "gap": math.inf,
        "huge": 10**400,
        "ratio": np.float64(0.5),
        "odd": math.nan,
    }
    assert answering._select_figures("statistics", found) == {"nodes": 3, "ratio": 0.5}
    with pytest.raises(TypeError, match="statistics: name is 'x', which is not a number"):
        answering._select_figures("statistics", {"name": "x"})


def test_a_new_worker_looks_where_the_supervisor_looks(
    board: Scoreboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    start = Start("brute_force", [*sys.path, "/where/the/user/is"])
    served(board, start)
    assert sys.path == start.path


def test_figures_that_a_signed_integer_cannot_hold_are_left_out() -> None:
    figures = {"most": 2**63 - 1025, "beyond": 2**63, "below": -(2.0**63), "none": math.nan}
    assert answering._select_figures("statistics", figures) == {"most": 2**63 - 1025}


def test_a_fork_ignores_interrupts_while_it_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    handlers: list[Any] = []
    monkeypatch.setattr(worker, "die_with_parent", lambda parent: None)
    monkeypatch.setattr(worker, "Scoreboard", lambda board: board)
    monkeypatch.setattr(
        worker, "serve", lambda *arguments: handlers.append(signal.getsignal(signal.SIGINT))
    )
    before = signal.getsignal(signal.SIGINT)
    try:
        assert load("brute_force").serve_forked(0, 0, 0, 1) == 1
    finally:
        signal.signal(signal.SIGINT, before)
    assert handlers == [signal.SIG_IGN]


@pytest.mark.parametrize(("left_behind", "status"), [(0, CLEAN), (2, 1)])
def test_a_worker_that_leaves_says_whether_processes_are_left(
    left_behind: int, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended: list[int] = []
    monkeypatch.setattr(worker.os, "_exit", ended.append)
    worker._leave(left_behind)
    assert ended == [status]


def test_a_check_of_proofs_is_announced(board: Scoreboard, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(*_: Any, tell_check: Any) -> Record:
        tell_check(1.5)
        return Record(job=1, outcome="finished")

    monkeypatch.setattr(worker, "answer", answer)
    _, check, record = served(board, start_of("sat"), job(1), loaded=ready())
    assert check == ["proof", 1.5]
    assert record["job"] == 1


@pytest.mark.parametrize(
    ("fault", "outcome"), [("", "finished"), ("its proof is rejected: no", "error")]
)
def test_an_answer_whose_proof_is_rejected_is_an_error(
    fault: str, outcome: str, board: Scoreboard, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = Certificate("rejected" if fault else "checked", "no", size=7, seconds=0.5)
    monkeypatch.setattr(answering, "is_due", lambda *_: True)
    monkeypatch.setattr(
        answering,
        "certified",
        lambda result, *_: (replace(result, certificate=certificate), fault),
    )
    _, _, record = served(board, start_of("sat"), job(1), loaded=ready())
    assert (record["outcome"], record.get("error", "")) == (outcome, fault)
    assert (record["proof"], record["proof_bytes"]) == (certificate.state, 7)
    assert record["phases"]["proof"] == 0.5


class Forks(liars.Honest):
    """Comes back twice: as itself, and as a child."""

    def solve(self, problem: Problem, ask: Any, limits: Limits, sink: Any = None) -> Result:
        os.fork()
        return super().solve(problem, ask, limits, sink)


def test_a_child_that_comes_back_from_a_warm_up_ends(tmp_path: Path) -> None:
    """It would read the next job beside its parent."""
    ended = tmp_path / "ended"
    child = os.fork()
    if not child:
        leave = os._exit
        own = os.getpid()

        def note(status: int) -> NoReturn:
            if os.getpid() != own:
                with ended.open("a") as file:
                    file.write(f"{status}\n")
            leave(status)

        os._exit = note  # type: ignore[assignment]
        try:
            with os.fdopen(shared_memory(), "r+b") as memory:
                served(Scoreboard(memory.fileno()), start_of(), ORDER, loaded=ready(Forks()))
        finally:
            leave(0)
    os.waitpid(child, 0)
    assert "0" in ended.read_text().split()


# --- models that a program flattens --------------------------------------------------------------


class Flattening:
    """The tiny family, whose texts take a program three seconds by a clock of its own."""

    def __init__(self) -> None:
        self.now = 0.0
        self.inner = family(TINY)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def clock(self) -> float:
        self.now += 0.001
        return self.now

    def flatten(self, text: str) -> bool:
        self.now += 3.0
        return True


class Limited(liars.Honest):
    """Keeps the limit that it was given."""

    seconds: float | None = None

    def solve(self, problem: Problem, ask: Any, limits: Limits = Limits(), sink: Any = None) -> Any:
        self.seconds = limits.seconds
        return super().solve(problem, ask, limits, sink)


def test_flattening_takes_from_the_limit_and_is_in_no_other_time(board: Scoreboard) -> None:
    made, backend, meter = Flattening(), Limited(), JobMeter()
    families: Any = {TINY: made}
    record = answering.answer(backend, job(), board, meter, families, clock=made.clock)
    meter.close()
    assert record.phases["flatten"] == pytest.approx(3, abs=0.01)
    assert record.wall_s < 0.1
    assert record.phases["model"] < 0.1
    assert backend.seconds == pytest.approx(7, abs=0.01)
    fields = [getattr(record, name) for name in CHECKED]
    assert find_flaw(fields) == ""
    assert find_whole_time("pooled", record.phases, record.wall_s, 0.5) == pytest.approx(
        record.wall_s + 3, abs=0.01
    )
