"""Limits hold for whole process trees in every mode, nothing escapes, and rows say what held."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil
import pytest
from faulty import AnyOf, DearAtFirst
from harness_samples import FAULT, FINE, between, job, the_reaper

from harness.job import Job
from harness.plan.experiment import Experiment
from harness.record import Record
from harness.supervise import cgroups
from harness.supervise.limits import STOPPED
from harness.supervise.processes import TOKEN, sweep
from harness.supervise.settings import Settings, most_threads, warnings
from harness.supervise.supervisor import supervise
from harness.supervise.worker_process import State, WorkerProcess
from modelling.errors import ExperimentError

pytestmark = pytest.mark.once

LINUX = sys.platform == "linux"
linux_only = pytest.mark.skipif(not LINUX, reason="only Linux has subreapers")
HERE = str(Path(__file__).parents[1])
ROOT = str(Path(__file__).parents[3])


def quick(**more: object) -> Settings:
    settings: dict[str, object] = {"start_seconds": 30, "exit_seconds": 0.5, "tick": 0.05}
    return Settings(**(settings | more))  # type: ignore[arg-type]


def run(jobs: Iterable[Job], settings: Settings) -> dict[int, Record]:
    return {r.job: r for r in supervise(jobs, settings) if r is not None}


def outcomes(records: dict[int, Record]) -> list[str]:
    return [records[number].outcome for number in sorted(records)]


def is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def all_end(pids: Iterable[int], rounds: int = 1000) -> bool:
    """Whether all have ended within ten seconds; those that have not are killed."""
    left = list(pids)
    for _ in range(rounds):
        left = [pid for pid in left if is_alive(pid)]
        if not left:
            return True
        time.sleep(0.01)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    return False


@pytest.fixture
def children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file to which faulty backends write the processes that they start."""
    path = tmp_path / "children"
    monkeypatch.setenv("TINY_CHILDREN", str(path))
    return path


def noted(path: Path, number: int) -> list[int]:
    """The process ids in ``path``, once there are ``number``."""
    for _ in range(3000):
        words = path.read_text().split() if path.exists() else []
        if len(words) >= number:
            return [int(word) for word in words]
        time.sleep(0.01)
    raise AssertionError(f"{path} has not got {number} lines")


# --- modes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["isolated", "fresh"])
def test_faults_are_recorded_in_every_mode(mode: str) -> None:
    faults = {
        "Segfault": ("crashed", "SIGSEGV"),
        "Raises": ("error", "a bug of the solver"),
        "Garbage": ("error", "foreign bytes"),
        "Hang": ("timeout", "limit of 1 s"),
    }
    texts = [*map(AnyOf.text, faults), FINE]
    jobs = [job(n, text, "py:faulty:AnyOf", seconds=1.0) for n, text in enumerate(texts)]
    records = run(jobs, quick(mode=mode))
    for number, (outcome, says) in enumerate(faults.values()):
        assert records[number].outcome == outcome, records[number].error
        assert says in records[number].error
    assert records[len(faults)].outcome == "finished"
    assert {record.mode for record in records.values()} == {mode}
    assert {record.nth for record in records.values()} == {1}


@pytest.mark.parametrize(
    ("mode", "seen", "workers"),
    [("pooled", [1, 2, 3], 1), ("isolated", [1, 1, 1], 3), ("fresh", [1, 1, 1], 3)],
)
def test_what_a_job_sees_of_those_before_it(mode: str, seen: list[int], workers: int) -> None:
    jobs = [job(number, FINE, "py:faulty:Remembers") for number in (1, 2, 3)]
    records = run(jobs, quick(mode=mode))
    assert [records[number].statistics["seen"] for number in (1, 2, 3)] == seen
    assert len({record.worker for record in records.values()}) == workers
    imports = {record.import_s for record in records.values()}
    assert len(imports) == (3 if mode == "fresh" else 1)


@pytest.mark.parametrize("mode", ["pooled", "isolated", "fresh"])
def test_backends_that_cannot_share_a_process_have_workers_of_their_own(mode: str) -> None:
    names = ["py:rivals:left", "py:rivals:right"]
    jobs = [job(number, FINE, names[number % 2]) for number in range(1, 5)]
    records = run(jobs, quick(mode=mode, slots=1))
    assert outcomes(records) == ["finished"] * 4
    of = [{record.worker for record in records.values() if record.job % 2 == k} for k in (0, 1)]
    assert not of[0] & of[1]


@linux_only
def test_a_library_that_starts_threads_is_not_forked() -> None:
    jobs = [job(1, FINE, "py:faulty:starts_a_thread")]
    (record,) = run(jobs, quick(mode="isolated")).values()
    assert record.outcome == "error"
    assert "forking beside threads is not safe" in record.error
    assert run(jobs, quick(mode="fresh"))[1].outcome == "finished"


@pytest.mark.parametrize(
    ("backend", "outcome", "says"),
    [
        ("explodes", "error", "no licence"),
        ("dies_at_import", "crashed", "while it loaded the backend"),
        ("hangs_at_import", "error", "did not load within 2 s"),
    ],
)
def test_a_fork_server_that_cannot_load_its_backend(backend: str, outcome: str, says: str) -> None:
    jobs = [job(number, FINE, f"py:faulty:{backend}") for number in range(1, 8)]
    seconds = 2 if backend == "hangs_at_import" else 60
    records = run(jobs, quick(mode="isolated", start_seconds=seconds, slots=2))
    assert set(outcomes(records)) == {outcome}
    assert says in records[1].error
    assert "not started again" in records[7].error or backend == "explodes"


def test_a_warm_up_comes_once_for_each_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backend that answers has not seen it; it leaves no record, and has no ``nth``."""
    calls = tmp_path / "calls"
    monkeypatch.setenv("TINY_CALLS", str(calls))
    jobs = [
        job(number, text, "py:faulty:Remembers", repeat=repeat)
        for number, (text, repeat) in enumerate(
            [("2 3 -", 1), ("2 3 -", 1), ("2 4 -", 1), ("2 3 -", 1), ("2 3 -", 2)], 1
        )
    ]
    records = run(jobs, quick(warm_ups=2))
    assert outcomes(records) == ["finished"] * 5
    assert [record.nth for record in records.values()] == [1, 2, 3, 4, 1]
    assert [record.statistics["seen"] for record in records.values()] == [1, 2, 3, 4, 1]
    assert {record.warm_up for record in records.values()} == {""}
    workers = [line.split()[0] for line in calls.read_text().splitlines()]
    first, second = dict.fromkeys(workers)
    assert (workers.count(first), workers.count(second)) == (2 + 4, 2 + 1)
    assert all(record.warm_up_s > 0 for record in records.values())


def test_the_memory_of_a_warm_up_is_in_no_record() -> None:
    (record,) = run([job(1, FINE, "py:faulty:DearAtFirst")], quick(warm_ups=1)).values()
    (cold,) = run([job(1, FINE, "py:faulty:DearAtFirst")], quick()).values()
    assert (record.outcome, cold.outcome) == ("finished", "finished")
    if record.baseline_memory_mb is not None:  # it holds what the warm-up has made
        assert cold.baseline_memory_mb is not None
        assert cold.memory_increment_mb is not None
        assert record.memory_increment_mb is not None
        assert record.baseline_memory_mb > cold.baseline_memory_mb + DearAtFirst.MB / 2
        assert record.memory_increment_mb < DearAtFirst.MB / 2 < cold.memory_increment_mb


@pytest.mark.parametrize(
    ("backend", "says"),
    [
        ("HangsInWarmUps", "timeout: killed after the limit of 1 s"),
        ("DiesInWarmUps", "crashed: the worker was killed by SIGKILL"),
        ("EscapesInWarmUps", "error: it left processes behind"),
    ],
)
def test_what_goes_wrong_in_a_warm_up_is_not_held_against_the_job(backend: str, says: str) -> None:
    """It runs cold in another worker, which does not warm up afterwards either."""
    jobs = [job(number, FINE, f"py:faulty:{backend}", seconds=0.5) for number in (1, 2)]
    records = run(jobs, quick(warm_ups=1))
    assert outcomes(records) == ["finished"] * 2
    assert records[1].warm_up.startswith(says)
    assert (records[1].worker, records[1].nth) == (2, 1)
    assert (records[2].worker, records[2].nth, records[2].warm_up) == (2, 2, "")


def test_memory_in_a_warm_up_is_limited() -> None:
    (record,) = run(
        [job(1, FINE, "py:faulty:HoardsInWarmUps")], quick(warm_ups=1, memory_mb=200)
    ).values()
    assert record.outcome == "finished"
    assert record.warm_up.startswith(("memout", "MemoryError"))


def test_what_a_warm_up_raises_is_noted() -> None:
    (record,) = run([job(1, FINE, "py:faulty:RaisesInWarmUps")], quick(warm_ups=1)).values()
    assert (record.outcome, record.worker) == ("finished", 1)
    assert record.warm_up == "ValueError: not this one"


def test_a_fault_in_the_warm_up_and_in_the_job_is_the_jobs() -> None:
    (record,) = run([job(1, FINE, "py:faulty:DiesAlways")], quick(warm_ups=1)).values()
    assert record.outcome == "crashed"
    assert "SIGSEGV" in record.error
    assert "SIGSEGV" in record.warm_up


def test_a_worker_that_warms_up_has_nothing_of_its_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that was sent before the warm-up was the instance for as long as that took."""
    sent: list[tuple[State, bytes]] = []
    send = WorkerProcess.send

    def note(worker: WorkerProcess, payload: bytes) -> None:
        sent.append((worker.state, payload))
        send(worker, payload)

    monkeypatch.setattr(WorkerProcess, "send", note)
    (record,) = run([job(1, FINE, "py:faulty:Remembers")], quick(warm_ups=1)).values()
    assert record.outcome == "finished"
    states = [state for state, _ in sent]
    assert states[-2:] == [State.WARMING, State.RUNNING]
    assert [FINE.encode() in payload for _, payload in sent] == [False] * (len(sent) - 1) + [True]


def test_a_repeat_goes_to_a_worker_that_has_not_seen_the_instance() -> None:
    """Also of a sequence; within a round workers serve many jobs."""
    jobs = [
        job(number, text, "py:faulty:Remembers", repeat=repeat)
        for number, (repeat, text) in enumerate(
            ((repeat, text) for repeat in (1, 2) for text in ("2 3 -", "2 4 -")), 1
        )
    ]
    records = run(jobs, quick())
    assert [record.worker for record in records.values()] == [1, 1, 2, 2]
    assert [record.statistics["seen"] for record in records.values()] == [1, 2] * 2
    mixed = run(sorted(jobs, key=lambda one: (one.text, one.repeat)), quick())  # an older store
    by_worker: dict[int, set[int]] = {}
    for one in jobs:
        by_worker.setdefault(mixed[one.number].worker, set()).add(one.repeat)
    assert {len(repeats) for repeats in by_worker.values()} == {1}


# --- limits --------------------------------------------------------------------------------


def has_cgroups() -> str:
    """Why control groups cannot be tested; empty when they can."""
    try:
        cgroups.find()
    except cgroups.NoGroups as error:
        return str(error)
    return ""


@pytest.fixture(params=["polled", "cgroup"])
def means(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if name == "cgroup" and has_cgroups():
        pytest.skip(f"no control groups: {has_cgroups()}")
    return name


def told(means: str) -> str:
    return cgroups.find().name if means == "cgroup" else means


@pytest.mark.parametrize("backend", ["Burns", "BurnsInChild"])
def test_the_cpu_time_of_the_whole_tree_is_limited(backend: str, means: str) -> None:
    records = run(between(backend, 60.0), quick(cpu_seconds=0.4, isolation=means))
    assert outcomes(records) == ["finished", "timeout", "finished"]
    assert records[2].error == "killed after the limit of 0.4 s of CPU time"
    assert (records[2].cpu_s or 0) >= 0.4
    assert records[2].isolation == f"wall time, CPU time 0.4 s {told(means)}"


@pytest.mark.parametrize(("backend", "mode"), [("Hoards", "isolated"), ("HoardsInChild", "pooled")])
def test_the_memory_of_the_whole_tree_is_limited(backend: str, mode: str, means: str) -> None:
    records = run(between(backend, 60.0), quick(memory_mb=200, isolation=means, mode=mode))
    assert outcomes(records) == ["finished", "memout", "finished"]
    assert records[2].peak_memory_mb
    assert records[2].stopped_by == "memory"
    assert records[2].isolation == f"wall time, memory 200 MB {told(means)}"


def test_memory_that_processes_share_counts_once(means: str) -> None:
    records = run(between("ForksIdlers", 2.0), quick(memory_mb=600, isolation=means))
    assert outcomes(records) == ["finished", "timeout", "finished"]
    assert 100 < (records[2].peak_memory_mb or 0) < 400  # eleven times a hundred, one by one


def test_an_address_space_limit_backs_polling_up() -> None:
    settings = quick(memory_mb=400, isolation="polled")
    record = run([job(1, FINE, f"py:{__name__}:TellsItsLimit")], settings)[1]
    assert 2048 + 400 < record.statistics["address_space_mb"] < 2048 + 5 * 400


class TellsItsLimit:
    """A backend that tells the limit on its address space."""

    def __new__(cls) -> object:  # type: ignore[misc] # the registry calls it to get a backend
        import resource

        from faulty import Remembers

        class Telling(Remembers):
            def solve(self, *arguments: object, **more: object) -> object:  # type: ignore[override]
                result = super().solve(*arguments, **more)  # type: ignore[arg-type]
                most = resource.getrlimit(resource.RLIMIT_AS)[0] / (1 << 20)
                result.statistics["address_space_mb"] = most
                return result

        return Telling()


def test_the_memory_of_a_job_is_told_apart_from_what_was_there() -> None:
    records = run(between("Touches"), quick())
    touched, before = records[2], records[1]
    if touched.memory_increment_mb is None:
        pytest.skip("this kernel does not let a process reset its peak")
    assert touched.baseline_memory_mb
    assert before.memory_increment_mb is not None
    assert 95 <= touched.memory_increment_mb <= 105
    assert before.memory_increment_mb < 50


def test_a_limit_below_what_the_backend_takes_to_load(means: str) -> None:
    number = 4 if means == "cgroup" else 1  # polling finds it in the job, and starts anew for each
    records = run(
        [job(n, FINE, "cpsat") for n in range(1, number + 1)], quick(memory_mb=40, isolation=means)
    )
    assert outcomes(records) == ["memout"] * number
    if means == "cgroup":
        assert "killed by the kernel above 40 MB" in records[1].error
        assert "not started again" in records[4].error


def test_rows_say_when_a_limit_could_not_be_kept() -> None:
    settings = quick(memory_mb=300, cpu_seconds=9, isolation="wall")
    text = "wall time, CPU time not limited, memory not limited"
    assert run([job(1, FINE)], settings)[1].isolation == text


def test_a_rung_that_cannot_be_had_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise cgroups.NoGroups("none are mounted")

    monkeypatch.setattr(cgroups, "find", refuse)
    with pytest.raises(ExperimentError, match="no control groups here: none are mounted"):
        quick(memory_mb=300, isolation="cgroup").chosen_isolation()
    weaker = quick(memory_mb=300)
    assert weaker.chosen_isolation().means == "polled"
    (warning,) = warnings(weaker)
    assert "none are mounted" in warning


# --- nothing escapes -----------------------------------------------------------------------


@linux_only
@pytest.mark.parametrize(
    ("backend", "outcome", "mode"),
    [
        ("Escapes", "timeout", "pooled"),
        ("Escapes", "timeout", "isolated"),
        ("EscapesAndAnswers", "finished", "pooled"),
        ("EscapesAndAnswers", "finished", "fresh"),
        ("EscapesAndLeaves", "crashed", "isolated"),
        ("EscapesAndLeaves", "crashed", "fresh"),
    ],
)
def test_what_a_job_leaves_behind_is_killed_with_it(
    backend: str, outcome: str, mode: str, children: Path
) -> None:
    survivors = []
    for record in supervise(between(backend, 1.5)[1:], quick(mode=mode)):
        if record is not None and record.job == 2:
            assert record.outcome == outcome
            assert record.left_behind == (1 if outcome == "finished" else 0)
        if record is not None and record.job == 3:  # the slot was free again: nothing was left
            survivors = [pid for pid in noted(children, 1) if is_alive(pid)]
            assert record.outcome == "finished"
    assert len(noted(children, 1)) == 1
    assert survivors == []


SESSION = """
import sys
sys.path[:0] = [{root!r}, {here!r}]
from harness_samples import job
from harness.supervise.settings import Settings, most_threads, warnings
from harness.supervise.supervisor import supervise
jobs = [job(n, "3 4 -", "py:faulty:Escapes", seconds=100) for n in (1, 2)]
for record in supervise(jobs, Settings(slots=2, mode={mode!r}, memory_mb=500)):
    pass
"""


@linux_only
@pytest.mark.parametrize("mode", ["pooled", "isolated"])
def test_nothing_outlives_a_supervisor_that_is_killed(mode: str, children: Path) -> None:
    program = SESSION.format(root=ROOT, here=HERE, mode=mode)
    supervisor = subprocess.Popen([sys.executable, "-c", program])
    escaped = noted(children, 2)
    below = [child.pid for child in psutil.Process(supervisor.pid).children(recursive=True)]
    assert set(escaped) < set(below)
    supervisor.kill()
    supervisor.wait()
    assert all_end(below)


@linux_only
@pytest.mark.parametrize("grouped", [False, True])
def test_a_reaper_that_is_killed_twice_costs_its_jobs_only(children: Path, grouped: bool) -> None:
    if grouped and has_cgroups():
        pytest.skip(f"no control groups: {has_cgroups()}")
    killed: list[int] = []
    times = 0
    records = {}
    jobs = [job(1, FAULT, "py:faulty:Escapes", seconds=60), job(2, FINE, "py:faulty:Slow")]
    for record in supervise(jobs, quick(memory_mb=500 if grouped else None)):
        if record is not None:
            records[record.job] = record
        elif times < 2 and children.exists() and children.read_text().count("\n") > times:
            reaper = the_reaper()
            killed += [child.pid for child in reaper.children(recursive=True)]
            reaper.kill()
            times += 1
    assert outcomes(records) == ["lost", "finished"]
    assert "the reaper of its worker was killed by SIGKILL" in records[1].error
    assert "for the second time" in records[1].error
    escaped = noted(children, 2)
    assert set(escaped) < set(killed)
    if not grouped:  # the price: its environment was empty, so no token showed the way to it
        for pid in escaped:
            os.kill(pid, signal.SIGKILL)
    assert all_end(killed)


@linux_only
@pytest.mark.parametrize("mode", ["pooled", "isolated", "fresh"])
def test_a_job_that_kills_its_reaper_costs_no_other(mode: str) -> None:
    jobs = [job(1, FAULT, "py:faulty:KillsItsReaper", seconds=60)]
    jobs += [job(number, FINE, "py:faulty:Slow") for number in range(2, 6)]
    before = {child.pid for child in psutil.Process().children(recursive=True)}
    records = run(jobs, quick(slots=3, mode=mode))
    assert outcomes(records) == ["lost"] + ["finished"] * 4
    assert records[1].attempt == 2
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before


@linux_only
def test_a_session_kills_what_one_with_the_same_token_left_behind() -> None:
    token = f"test-{os.getpid()}-{time.time_ns()}"
    words = [sys.executable, "-c", "import time; print(flush=True); time.sleep(120)"]
    environment = os.environ | {TOKEN: f"{token}.7"}
    left = subprocess.Popen(words, env=environment, stdout=subprocess.PIPE, start_new_session=True)
    other = subprocess.Popen(words, env=os.environ | {TOKEN: f"{token}7"}, stdout=subprocess.PIPE)
    for process in (left, other):
        assert process.stdout is not None
        process.stdout.readline()
    assert run([job(1, FINE)], quick(token=token))[1].outcome == "finished"
    assert left.wait(10) == -signal.SIGKILL
    assert other.poll() is None
    assert sweep(f"{token}7") == 1
    assert other.wait(10) == -signal.SIGKILL
    for process in (left, other):
        assert process.stdout is not None
        process.stdout.close()


def test_groups_are_removed_with_their_workers() -> None:
    if has_cgroups():
        pytest.skip(f"no control groups: {has_cgroups()}")
    token = f"test-{os.getpid()}-{time.time_ns()}"
    jobs = [job(number, FINE, "py:faulty:Segfault") for number in (1, 2)]
    run([*jobs, job(3, FAULT, "py:faulty:Segfault")], quick(token=token, memory_mb=500))
    assert not list(cgroups.find().memory.glob(f"concord-{token}-*"))


@linux_only
def test_a_worker_that_died_before_it_took_its_job_is_not_the_jobs_fault() -> None:
    def jobs() -> Iterator[Job]:
        yield job(1, FINE, "py:faulty:Remembers")
        reaper = the_reaper()
        (worker,) = reaper.children()
        worker.kill()  # and the next job is sent before the supervisor hears of it
        yield job(2, FINE, "py:faulty:Remembers")

    records = run(jobs(), quick())
    assert outcomes(records) == ["finished", "finished"]
    assert [records[number].worker for number in (1, 2)] == [1, 2]


# --- faults --------------------------------------------------------------------------------


def test_what_stops_itself_is_lost_the_second_time() -> None:
    records = run(between("StopsItself", 2.0), quick())
    assert outcomes(records) == ["finished", "lost", "finished"]
    assert "a signal stopped a process of it, for the second time" in records[2].error


@linux_only
def test_a_job_that_was_stopped_is_run_again_at_the_end_by_a_new_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STOPPED_ONCE", str(tmp_path / "note"))
    records = run(between("StopsOnce", 5.0), quick())
    assert outcomes(records) == ["finished"] * 3
    assert [records[number].attempt for number in (1, 2, 3)] == [1, 2, 1]
    assert [records[number].worker for number in (1, 2, 3)] == [1, 3, 2]
    assert records[2].hindered == STOPPED


@linux_only
def test_a_stopped_program_of_a_job_is_seen() -> None:
    record = run(between("ProgramIsStopped", 30.0)[1:2], quick())[2]
    assert (record.outcome, record.attempt) == ("lost", 2)
    assert record.error == f"{STOPPED}, for the second time"


# --- cores ---------------------------------------------------------------------------------


@linux_only
def test_slots_are_pinned_to_cores() -> None:
    jobs = [job(number, FINE, "py:faulty:Remembers") for number in (1, 2)]
    usable = sorted(os.sched_getaffinity(0))
    records = run(jobs, quick(pin=True))
    assert records[1].cores == ",".join(map(str, usable))
    assert records[1].statistics["cores"] == len(usable)
    one_each = Settings(slots=len(usable), pin=True).cores()
    assert one_each == [(core,) for core in usable]
    with pytest.raises(ExperimentError, match="cannot each have a core"):
        Settings(slots=len(usable) + 1, pin=True).cores()


def test_too_many_jobs_for_the_cores_are_warned_of() -> None:
    (warning,) = warnings(Settings(slots=100_000))
    assert "100000 jobs at a time on" in warning
    assert not list(warnings(Settings(slots=1)))
    (warning,) = warnings(Settings(slots=1), threads=100_000)
    assert "with 100000 threads each" in warning


@pytest.mark.parametrize(
    ("backends", "threads", "most"),
    [
        (["cpsat", "sat"], None, 1),
        (["cpsat", "sat"], 3, 3),
        (["cpsat", "cpsat:booleans,workers=4"], None, 4),
        (["cpsat:workers=4"], 2, 2),
        (["cpsat:workers=2", "sat"], 3, 3),
    ],
)
def test_the_threads_of_a_job_are_those_that_a_backend_is_told_to_use(
    backends: list[str], threads: int | None, most: int
) -> None:
    experiment = Experiment(
        name="sample", sets=["queens"], backends=list(backends), threads=threads
    )
    assert most_threads(experiment) == most


# --- where it works ------------------------------------------------------------------------


def test_it_works_in_a_script_without_a_main_guard(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        f"import sys; sys.path[:0] = [{ROOT!r}, {HERE!r}]\n"
        "from harness_samples import job\n"
        "from harness.supervise.supervisor import supervise, Settings\n"
        "for mode in ('pooled', 'isolated', 'fresh'):\n"
        "    for record in supervise([job(1, '2 3 -')], Settings(mode=mode)):\n"
        "        if record: print(record.mode, record.outcome)\n"
    )
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == [
        *("pooled", "finished"),
        *("isolated", "finished"),
        *("fresh", "finished"),
    ]


def _in_a_daemon(answers: multiprocessing.Queue[list[str]]) -> None:
    answers.put(outcomes(run([job(1, FINE)], quick(mode="isolated"))))


def test_it_works_in_a_process_that_may_have_no_children_by_multiprocessing() -> None:
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    process = context.Process(target=_in_a_daemon, args=(answers,), daemon=True)
    process.start()
    assert answers.get(timeout=60) == ["finished"]
    process.join(30)


def test_it_works_in_a_thread() -> None:
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as threads:
        records = threads.submit(run, between("Segfault"), quick()).result()
    assert outcomes(records) == ["finished", "crashed", "finished"]


def test_a_backend_of_the_script_itself_is_refused_with_advice() -> None:
    record = run([job(1, FINE, "py:__main__:Mine")], quick())[1]
    assert record.outcome == "error"
    assert "write it to a file beside, say mine.py, and name it py:mine:Mine" in record.error


def test_settings_without_sense_are_refused() -> None:
    with pytest.raises(ExperimentError, match="mode: 'cold' is unknown"):
        Settings(mode="cold")
    with pytest.raises(ExperimentError, match="serves one job only"):
        Settings(mode="fresh", warm_ups=1)
    with pytest.raises(ExperimentError, match="isolation: 'iron' is unknown"):
        Settings(memory_mb=1, isolation="iron").chosen_isolation()  # type: ignore[arg-type]
