"""The watch over limits, with what jobs use told by the test: what ends a job, when it looks."""

from dataclasses import dataclass, field
from time import perf_counter
from types import SimpleNamespace

import pytest

from harness.record import Record
from harness.supervise import limits
from harness.supervise.limits import SHORTEST, FailedStarts, LimitWatch, Usage, seconds_to_next_look
from harness.supervise.settings import Isolation, Settings
from harness.supervise.worker_process import Attempt, WorkerProcess


@dataclass
class Group:
    """A control group in which the kernel has killed so many."""

    killed: int = 0
    peak: float | None = None

    def kills(self):
        return self.killed

    def peak_mb(self):
        return self.peak


@dataclass
class Seen:
    """What a sampler sees, as the test says."""

    usage: Usage = field(default_factory=Usage)
    pss: float | None = None
    alone: float | None = None

    def sample(self, pid, group):
        return self.usage

    def pss_mb(self, pid):
        return self.pss


@pytest.fixture
def seen(monkeypatch):
    seen = Seen()
    monkeypatch.setattr(limits, "UsageSampler", lambda: seen)
    monkeypatch.setattr(limits, "peak_mb", lambda pid: seen.alone)
    monkeypatch.setattr(limits, "perf_counter", lambda: 1000.0)
    return seen


def watch(cpu=None, memory=None, means="polled", cores=2):
    settings = SimpleNamespace(cpu_seconds=cpu, memory_mb=memory, tick=0.5)
    return LimitWatch(settings, Isolation(means), cores)


class Worker(WorkerProcess):
    """One without a process."""

    def __init__(self, group=None, before=0.0, taken=True, inherited=0.0):
        self.board = SimpleNamespace(
            has_taken=lambda job: taken, cpu_before_s=before, memory_before_mb=None
        )
        self.attempt = Attempt(SimpleNamespace(number=3))
        self.group, self.pid, self.inherited_mb, self.status = group, 7, inherited, 0


def test_the_settings_have_what_the_watch_reads():
    settings = Settings()
    assert {"cpu_seconds", "memory_mb", "tick"} <= set(dir(settings))


@pytest.mark.parametrize(("cpu_s", "ends"), [(4.9, False), (5.0, True), (5.1, True)])
def test_cpu_time_counts_from_the_beginning_of_the_job(seen, cpu_s, ends):
    seen.usage = Usage(cpu_s=cpu_s + 3)
    verdict = watch(cpu=5).check(Worker(before=3.0))
    assert verdict == (("timeout", "killed after the limit of 5 s of CPU time") if ends else None)
    assert watch(cpu=5).check(Worker(before=3.0, taken=False)) is None
    assert watch().check(Worker()) is None


def test_memory_above_the_limit(seen):
    own, one = watch(memory=100), Worker()
    seen.usage = Usage(resident_mb=100)
    assert own.check(one) is None
    assert one.attempt.most_mb == 100
    seen.usage = Usage(resident_mb=101)
    assert own.check(one) == ("memout", "killed above 100 MB")  # nobody can say what is fair
    assert watch().check(Worker()) is None


def test_pages_that_processes_share_count_once(seen):
    own, one = watch(memory=100), Worker()
    seen.usage, seen.pss = Usage(resident_mb=150, processes=2), 100.0
    assert own.check(one) is None
    assert one.attempt.most_mb == 100  # not the plain sum
    seen.pss = 101.0
    assert own.check(one) == ("memout", "killed above 100 MB")


def test_one_process_above_the_limit_alone_needs_no_dear_look(seen):
    own, one = watch(memory=100), Worker()
    seen.usage, seen.pss, seen.alone = Usage(resident_mb=150), 90.0, 101.0
    assert own.check(one) == ("memout", "killed above 100 MB")
    seen.alone = 100.0
    assert own.check(one) is None


def test_the_most_memory_stays(seen):
    own, one = watch(memory=100), Worker()
    for now in (30, 80, 20):
        seen.usage = Usage(resident_mb=now)
        assert own.check(one) is None
    assert one.attempt.most_mb == 80
    own.start(one)
    assert one.attempt.most_mb == 0


def test_what_the_kernel_killed(seen):
    group = Group(killed=2, peak=120.0)
    own, one = watch(memory=100, means="cgroup"), Worker(group, inherited=5.0)
    own.start(one)
    assert one.attempt.kills_before == 2
    assert own.check(one) is None
    assert own.find_kernel_kill(one) is None
    group.killed = 3
    assert own.check(one) == ("memout", "killed above 100 MB")
    assert own.find_kernel_kill(one) == ("memout", "killed by the kernel above 100 MB")
    assert one.attempt.most_mb == 125
    group.peak = None
    own.find_kernel_kill(one)
    assert one.attempt.most_mb == 105
    assert own.find_kernel_kill(Worker()) is None


def answer(**facts):
    return Record(job=3, outcome=facts.pop("outcome", "finished"), **facts)


@pytest.mark.parametrize(
    ("facts", "most_mb", "outcome", "peak"),
    [
        ({}, 0.0, "finished", None),
        ({"peak_memory_mb": 100.0}, 0.0, "finished", 100.0),
        ({"peak_memory_mb": 100.5}, 0.0, "memout", 100.5),
        ({"peak_memory_mb": 50.0}, 101.0, "memout", 101.0),
        ({"peak_memory_mb": 50.0}, 60.0, "finished", 60.0),
        ({"cpu_s": 5.0}, 0.0, "finished", None),
        ({"cpu_s": 5.1}, 0.0, "timeout", None),
        ({"cpu_s": 5.1, "outcome": "error"}, 0.0, "error", None),
        ({"cpu_s": 5.1, "peak_memory_mb": 101.0}, 0.0, "memout", 101.0),
    ],
)
def test_an_answer_from_beyond_a_limit_is_none(seen, facts, most_mb, outcome, peak):
    one, record = Worker(), answer(**facts)
    one.attempt.most_mb = most_mb
    watch(cpu=5, memory=100).check_answer(one, record)
    assert (record.outcome, record.peak_memory_mb) == (outcome, peak)


def test_without_limits_an_answer_stays(seen):
    record = answer(cpu_s=1e6, peak_memory_mb=1e6)
    watch().check_answer(Worker(), record)
    assert record.outcome == "finished"


def test_an_answer_after_a_child_was_killed_is_none(seen):
    group, record = Group(), answer()
    one = Worker(group)
    group.killed = 1
    watch(memory=100, means="cgroup").check_answer(one, record)
    assert record.outcome == "memout"


def test_what_was_used_is_told_with_shared_pages_once(seen):
    for processes, pss, peak in (
        (1, 40.0, 90.0),
        (2, 40.0, 40.0),
        (2, None, 90.0),
        (2, 95.0, 90.0),
    ):
        seen.usage = Usage(cpu_s=2.5, resident_mb=90.0, processes=processes)
        seen.pss = pss
        record = answer()
        watch(cpu=5, memory=100).write_usage(Worker(before=0.5), record)
        assert (record.peak_memory_mb, record.cpu_s) == (peak, 2.0)


@pytest.mark.parametrize(
    ("usage", "left", "memory", "cores", "wait"),
    [
        (Usage(), None, None, 1, 0.5),
        (Usage(), 0.6, None, 1, 0.5),
        (Usage(), 0.6, None, 2, 0.3),
        (Usage(), 0.0, None, 2, SHORTEST),
        (Usage(resident_mb=600), None, 1000.0, 1, 0.2),
        (Usage(resident_mb=600), 0.1, 1000.0, 1, 0.1),
        (Usage(resident_mb=1200), None, 1000.0, 1, SHORTEST),
    ],
)
def test_the_next_look_comes_before_a_limit_can_be_passed_by_much(usage, left, memory, cores, wait):
    assert seconds_to_next_look(usage, left, memory, cores, 0.5) == pytest.approx(wait)


def test_a_job_of_which_a_process_is_stopped_is_lost(seen):
    seen.usage = Usage(processes=2, stopped=1)
    for own in (watch(), watch(memory=9.0), watch(means="wall")):
        assert own.check(Worker()) == ("lost", limits.STOPPED)
        assert own.find_hindrance(Worker(), 5.0) == limits.STOPPED


@pytest.mark.parametrize(
    ("backend", "family", "cpu_s", "taken", "is_hindered"),
    [
        ("cpsat", "sudoku", 2.04, True, True),
        ("cpsat", "sudoku", 2.06, True, False),
        ("cpsat", "sudoku", 60.0, False, True),  # it never came to its job
        ("py:mine:Sleeper", "sudoku", 2.0, True, False),
        ("cpsat", "py:mine:SLOW", 2.0, True, False),
    ],
)
def test_a_solver_without_cpu_time_was_hindered(seen, backend, family, cpu_s, taken, is_hindered):
    one = Worker(before=2.0, taken=taken)
    one.backend, one.attempt.sent_at = backend, 900.0
    one.attempt.job.family = family
    seen.usage = Usage(cpu_s=cpu_s, processes=1)
    said = watch().find_hindrance(one, 5.0)
    assert ("CPU time in 5 s" in said) == is_hindered
    one.attempt.sent_at = None  # it still warms up
    assert watch().find_hindrance(one, 5.0) == ""


def test_when_it_looks(seen):
    one = Worker(before=0.0)
    own = watch(cpu=1.0, memory=1000.0)
    own.start(one)
    assert one.look_at == pytest.approx(1000.5)
    seen.usage = Usage(cpu_s=0.4)
    own.check(one)
    assert one.look_at == pytest.approx(1000.3)
    blind = watch(cpu=1.0, means="wall")  # it looks for what is stopped alone
    blind.start(one)
    assert one.look_at == pytest.approx(1000.0 + limits.STOPS_SECONDS)
    seen.usage, one.look_at = Usage(cpu_s=9.0, resident_mb=9e9), 0.0
    assert blind.check(one) is None
    assert one.look_at == pytest.approx(1000.0 + limits.STOPS_SECONDS)


@pytest.mark.parametrize(("before", "more"), [(None, None), (30.0, 60.0), (95.0, 0.0)])
def test_how_much_memory_a_job_added(seen, before, more):
    worker, record = Worker(), answer()
    worker.board.memory_before_mb = before
    seen.usage = Usage(cpu_s=1.0, resident_mb=90.0, processes=1)
    watch(cpu=5, memory=100).write_usage(worker, record)
    assert (record.baseline_memory_mb, record.memory_increment_mb) == (before, more)


def test_workers_that_fail_side_by_side_fail_once():
    starts = FailedStarts()
    for _ in range(2):
        began = perf_counter()
        for _ in range(3):
            starts.add("sat", "error", "does not load", began)
    assert starts.find(SimpleNamespace(backend="sat", family="sudoku")) is None
    starts.add("sat", "error", "does not load", perf_counter())
    found = starts.find(SimpleNamespace(backend="sat", family="sudoku"))
    assert found == ("error", "does not load (not started again after 3 failed starts in a row)")
