"""Budgets: who is stopped, what is left out when time is up, and what a resumed run makes of it."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import pytest
from harness_samples import experiment, tiny_file

from harness.machine import this_machine
from harness.record import Record
from harness.report.run import load
from harness.runs import racing
from harness.runs.execution import Admit, estimate_remaining, execute_experiment
from harness.runs.racing import Ended, Race
from harness.store.store import Store
from harness.supervise.settings import Settings

FAST = Ended(True, False, 0.1)
SLOW = Ended(True, False, 3.0)
LATE = Ended(False, True, 5.0)


def run_race(
    ends: dict[str, list[Ended]], planned: int = 10, budget: float = 60, names: str = "cpsat sat"
) -> dict[str, str]:
    """Who is stopped once these jobs have ended, instance by instance."""
    race = Race(dict.fromkeys(names.split(), planned), budget)
    for number in range(max(map(len, ends.values()))):
        for backend, of in ends.items():
            if number < len(of):
                race.add(backend, ("set", str(number), "1", 1), of[number])
    return race.stopped


def test_who_is_twenty_times_behind_after_a_fifth_of_the_jobs_is_stopped() -> None:
    assert run_race({"cpsat": [FAST] * 3, "sat": [SLOW] * 3}) == {
        "sat": "stopped after 3 of 10 jobs: 30 times behind the fastest of the others"
    }


def test_fewer_jobs_or_a_smaller_ratio_stop_nobody() -> None:
    assert run_race({"cpsat": [FAST] * 2, "sat": [SLOW] * 2}) == {}
    assert run_race({"cpsat": [FAST] * 19, "sat": [SLOW] * 19}, 100) == {}
    assert run_race({"cpsat": [FAST] * 9, "sat": [Ended(True, False, 1.9)] * 9}) == {}


def test_who_would_soon_be_done_is_not_stopped() -> None:
    ends = {"cpsat": [FAST] * 5, "sat": [SLOW] * 5}
    assert run_race(ends, 6, budget=10**4) == {}
    assert list(run_race(ends, 6, budget=10)) == ["sat"]


def test_two_time_outs_where_another_solved_stop() -> None:
    cause = "2 time-outs where another solved"
    assert run_race({"cpsat": [FAST] * 2, "sat": [LATE] * 2}) == {
        "sat": f"stopped after 2 of 10 jobs: {cause}"
    }
    assert run_race({"sat": [LATE] * 2, "cpsat": [FAST] * 2}) == {
        "sat": f"stopped after 2 of 10 jobs: {cause}"
    }
    assert run_race({"cpsat": [LATE] * 9, "sat": [LATE] * 9}) == {}


def test_who_may_say_anything_stops_nobody() -> None:
    ends = {"py:mine:Fast": [FAST] * 5, "sat": [LATE] * 5}
    assert run_race(ends, names="py:mine:Fast sat") == {}
    assert run_race({**ends, "cpsat": [FAST] * 5}, names="py:mine:Fast sat cpsat") != {}


# --- in a run -------------------------------------------------------------------------------


class Clock:
    """Seconds that pass only when a job is run."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Pretends:
    """An executor whose jobs take ``seconds`` by backend, and at most ``most`` of them are run."""

    def __init__(self, clock: Clock, seconds: dict[str, float], most: int = 10**6) -> None:
        self.clock, self.seconds, self.most = clock, seconds, most
        self.ran: list[str] = []

    def check(self, settings: Settings) -> None:
        """Any settings will do."""

    def run(
        self, store: Store, settings: Settings, admit: Admit = iter
    ) -> Generator[Record | None, None, None]:
        store.add_machine(this_machine())
        for job in admit(store.read_pending()):
            if len(self.ran) == self.most:
                raise KeyboardInterrupt
            self.ran.append(job.backend)
            took = self.seconds[job.backend]
            self.clock.now += took
            yield Record(
                job=job.number, outcome="gave_up" if took > 50 else "finished", wall_s=took
            )


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(racing, "perf_counter", made)
    return made


def start(folder: Path, where: Pretends, budget: float, instances: int = 10) -> Path:
    path = tiny_file(folder, *(f"3 {n + 4} -" for n in range(instances)))
    asked = experiment(path, "propagation", "cpsat", budget=budget)
    return execute_experiment(asked, folder / "run", executor=where)


def count_outcomes(folder: Path) -> dict[tuple[str, str], int]:
    jobs = load(folder).jobs
    found = jobs.groupby(["backend", "outcome"], observed=True).size()
    return {(str(b), str(o)): int(n) for (b, o), n in found.items() if n}


def test_a_stopped_backend_has_records_that_say_so(tmp_path: Path, clock: Clock) -> None:
    where = Pretends(clock, {"propagation": 0.1, "cpsat": 3.0})
    folder = start(tmp_path, where, 60)
    assert count_outcomes(folder) == {
        ("propagation", "finished"): 10,
        ("cpsat", "finished"): 4,
        ("cpsat", "stopped"): 6,
    }
    run = load(folder)
    assert run.complete
    assert (run.reasons["reason"] == "not run: stopped after 4 of 10 jobs: 30 times behind the "
        "fastest of the others").any()  # fmt: skip


def test_the_end_of_the_budget_leaves_out_whole_instances(tmp_path: Path, clock: Clock) -> None:
    where = Pretends(clock, {"propagation": 1.0, "cpsat": 1.0})
    run = load(start(tmp_path, where, 7))
    assert len(where.ran) == 7
    assert run.complete
    assert set(run.jobs["outcome"]) == {"finished", "skipped"}
    assert set(run.summary["instances"]) == {3}  # the fourth was asked of one alone
    assert run.standings.unasked == 7
    assert run.headline.endswith("The budget had no time for 7 instances.")
    assert run.agreement["instances"].sum() <= 4


def test_the_last_progress_has_what_the_budget_left_out(tmp_path: Path, clock: Clock) -> None:
    where, heard = Pretends(clock, {"propagation": 1.0, "cpsat": 1.0}), []
    path = tiny_file(tmp_path, *(f"3 {n + 4} -" for n in range(5)))
    asked = experiment(path, "propagation", "cpsat", budget=3)
    execute_experiment(asked, tmp_path / "run", executor=where, on_progress=heard.append)
    assert (heard[-1].done, heard[-1].total) == (10, 10)


def test_a_resumed_run_has_what_is_left_of_the_budget(tmp_path: Path, clock: Clock) -> None:
    where = Pretends(clock, {"propagation": 1.0, "cpsat": 1.0}, most=5)
    with pytest.raises(KeyboardInterrupt):
        start(tmp_path, where, 7)
    folder = tmp_path / "run"
    assert estimate_remaining(None, folder).seconds == pytest.approx(2.0)
    again = Pretends(clock, where.seconds)
    execute_experiment(None, folder, resume=True, executor=again)
    assert len(again.ran) == 2
    assert load(folder).complete
    execute_experiment(None, folder, resume=True, executor=again)
    assert len(again.ran) == 2


def test_a_resumed_run_stops_whom_it_stopped(tmp_path: Path, clock: Clock) -> None:
    where = Pretends(clock, {"propagation": 0.1, "cpsat": 3.0}, most=8)
    with pytest.raises(KeyboardInterrupt):
        start(tmp_path, where, 60)
    again = Pretends(clock, where.seconds)
    folder = execute_experiment(None, tmp_path / "run", resume=True, executor=again)
    assert again.ran.count("cpsat") == 0
    assert count_outcomes(folder)["cpsat", "stopped"] == 6


def test_without_a_budget_nobody_is_stopped(tmp_path: Path, clock: Clock) -> None:
    where = Pretends(clock, {"propagation": 0.001, "cpsat": 40.0})
    path = tiny_file(tmp_path, *(f"3 {n + 4} -" for n in range(10)))
    asked = experiment(path, "propagation", "cpsat")
    folder = execute_experiment(asked, tmp_path / "run", executor=where)
    assert count_outcomes(folder)["cpsat", "finished"] == 10


def test_an_instance_without_any_time_is_shown_as_skipped(tmp_path: Path, clock: Clock) -> None:
    where = Pretends(clock, {"propagation": 9.0, "cpsat": 9.0})
    run = load(start(tmp_path, where, 7, instances=1))
    assert sorted(run.summary["skipped"]) == [0, 1]
    assert not [fault for fault in run.faults if "answered none" in fault]
