"""How a worker turns what a backend does into a record; no process is started here."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

import faulty
import liars
import pytest
from harness_samples import answered, job

from backends.api import Result
from harness.job import Question
from harness.meter import Meter
from harness.protocol import Frames, frame
from harness.record import Record
from harness.scoreboard import Scoreboard, Sighting, shared_memory
from harness.worker import defect_of, load
from modelling.errors import Unsupported, WorkerError
from modelling.problem import Assignment, Objective, Problem


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
    import msgspec

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


def test_incumbents_follow_each_other(board: Scoreboard) -> None:
    see = board.incumbents(1, Objective("maximize", (0,), (3,)))
    for value in range(5):
        see((value,))
    assert board.read(1) == Sighting(1, ((4,),), 12)


@pytest.mark.parametrize(
    ("question", "result", "says"),
    [
        (Question(1), Result(count=1, stopped_by="sink"), "stopped by 'sink'"),
        (Question(2), Result(count=1, stopped_by="enough"), "1 of 2"),
        (Question(None), Result(count=5, stopped_by="enough"), "every solution"),
        (Question(1, 1, True), Result(count=1, stopped_by="exhausted"), "any solution"),
        (
            Question(1),
            Result(count=1, stopped_by="exhausted", objective=1, optimising=True),
            "an optimum came back",
        ),
        (Question(2), Result(count=1, stopped_by="exhausted"), ""),
        (Question(2), Result(count=1, stopped_by="time"), ""),
        (Question(1, 1, True), Result(count=0, stopped_by="exhausted"), ""),
    ],
)
def test_a_result_must_answer_the_question(question: Question, result: Result, says: str) -> None:
    defect = defect_of(result, question)
    assert says in defect
    assert bool(says) == bool(defect)


def test_a_missing_solver_is_named_in_the_greeting() -> None:
    backend, greeting = load("sat:no_such_engine")
    assert backend is None
    assert "no_such_engine" in greeting.error


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


def test_memory_is_measured_where_the_peak_cannot_be_reset(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.meter._opened", lambda path, flags: None)
    meter = Meter()
    assert not meter.per_job
    assert meter.peak_memory_mb() > 5


def test_the_peak_is_that_of_the_job() -> None:
    meter = Meter()
    block = bytearray(b"x") * (64 << 20)
    peak = meter.peak_memory_mb()
    assert peak > 64
    del block
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
