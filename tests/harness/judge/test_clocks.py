"""Times that a backend tells beside the supervisor's clock: forged ones count for nothing."""

from __future__ import annotations

import random

import pandas as pd
import pytest
from harness_samples import job, list_jobs, make_run
from msgspec import structs

from harness.judge.times import find_hidden_time
from harness.record import Record, Row, Verdict
from harness.report.run import Run
from harness.report.standings import find_standings

OWN = "py:mine:Solver"

Pairs = list[tuple[float, float]]

Times = dict[str, Pairs]
"""For each backend and instance the seconds that it tells, and those that passed."""


def run_of(times: Times) -> Run:
    rows: list[Row] = []
    for backend, pairs in times.items():
        for place, (told, passed) in enumerate(pairs):
            number = len(rows) + 1
            asked = job(number, str(place), backend, seconds=10.0)
            record = Record(job=number, outcome="finished", wall_s=told, elapsed_s=passed)
            verdict = Verdict(job=number, verdict="verified", families=2)
            rows.append(Row(job=asked, record=record, verdict=verdict))
    return make_run(rows)


def honest(took: float, number: int = 8, seed: int = 0, unseen: float = 0.0003) -> Pairs:
    chance = random.Random(seed)
    return [(took, took + unseen * chance.lognormvariate(0, 0.3)) for _ in range(number)]


def forged(took: float, number: int = 8) -> Pairs:
    return [(1e-6, passed) for _, passed in honest(took, number, 9)]


def test_a_forged_time_is_replaced_by_that_of_the_supervisor() -> None:
    run = run_of({"sat": honest(0.003, seed=1), "cpsat": honest(0.002, seed=2), OWN: forged(0.05)})
    assert list(run.standings.hidden) == [OWN]
    assert list(run.summary["backend"]) == ["cpsat", "sat", OWN]
    assert run.summary["median_s"].iloc[2] == pytest.approx(0.0503, rel=0.01)
    assert run.summary["wins"].tolist() == [8, 0, 0]
    (said,) = [text for text in run.footnotes if text.startswith(OWN)]
    assert "harness's clock" in said


@pytest.mark.once
def test_honest_backends_are_not_suspected() -> None:
    """Though they are quick beside the way there and back, and the way is longer for one."""
    for seed in range(40):
        times: Times = {
            "sat": honest(0.003, seed=seed),
            "cpsat": honest(0.002, seed=seed + 1000, unseen=0.0005),
            OWN: honest(0.0001, seed=seed + 2000, unseen=0.0005),
        }
        assert not run_of(times).standings.hidden


@pytest.mark.once
def test_a_quick_and_honest_backend_is_seldom_suspected_on_a_busy_machine() -> None:
    """Though the way there and back is half as long again for it, and varies by an order."""
    suspected, found = 0, 0
    for seed in range(100):
        chance = random.Random(seed)
        told = {"sat": 0.003, OWN: 0.0001}
        way = [(name, k, chance.lognormvariate(-8, 1.2)) for name in told for k in range(8)]
        jobs = pd.DataFrame(way, columns=["backend", "instance", "unseen"])
        jobs["unseen"] *= jobs["backend"].map({"sat": 1.0, OWN: 1.5})
        for tells, passes in ((told, told), (told | {OWN: 1e-6}, told | {OWN: 0.01})):
            jobs["wall_s"] = jobs["backend"].map(tells)
            jobs["elapsed_s"] = jobs["backend"].map(passes) + jobs["unseen"]
            hidden = find_hidden_time(jobs, ["instance"])
            suspected += tells is passes and bool(hidden)
            found += tells is not passes and bool(hidden)
    assert suspected <= 100 * 0.05
    assert found == 100


def test_few_instances_suffice_where_much_is_hidden_and_known_families_are_not_asked() -> None:
    for number in (1, 4, 5):
        rivals = {"sat": honest(0.003, number), OWN: forged(0.05, number)}
        assert list(run_of(rivals).standings.hidden) == [OWN]
        assert list(run_of(rivals).summary["backend"]) == ["sat", OWN]
    assert not run_of({"sat": honest(0.003, 4), OWN: forged(0.005, 4)}).standings.hidden
    assert not run_of({"sat": honest(0.003), "cpsat": forged(0.05)}).standings.hidden


def test_time_is_hidden_from_no_one_where_all_are_of_no_known_family() -> None:
    other = "py:mine:Other"
    run = run_of({OWN: forged(0.05, 3), other: honest(0.03, 3)})
    assert list(run.standings.hidden) == [OWN]
    assert list(run.summary["backend"]) == [other, OWN]


def test_of_honest_backends_alone_none_is_suspected() -> None:
    """Though checking their answers takes longer than they do, and no known family shows that."""
    times = {OWN: honest(0.02, 4, 1, unseen=0.05), "py:mine:Other": honest(0.02, 4, 1, unseen=0.06)}
    assert not run_of(times).standings.hidden


def test_one_instance_of_many_suffices() -> None:
    pairs = [*honest(0.02, 7, 3), (0.02, 0.06)]
    run = run_of({"sat": honest(0.03), OWN: pairs})
    assert run.standings.hidden[OWN].instances == 1
    assert "harness's clock" in "".join(run.footnotes)


def test_records_without_the_supervisors_clock_are_taken_as_they_are() -> None:
    run = run_of({"sat": honest(0.003), OWN: [(1e-6, 0.0)] * 8})
    assert not run.standings.hidden
    assert run.summary["backend"].iloc[0] == OWN


def test_the_tables_of_all_columns_and_of_few_agree() -> None:
    run = run_of({"sat": honest(0.003), OWN: forged(0.05)})
    assert find_standings(list_jobs(run.rows())).hidden == run.standings.hidden


def test_rows_of_kept_solvers_say_what_they_are() -> None:
    name = "sat:reuse=solver"
    (said,) = [text for text in run_of({name: honest(0.001)}).footnotes if "lives on" in text]
    assert said.startswith(name)
    assert not run_of({"sat": honest(0.001)}).footnotes


def test_the_spread_of_repeats_is_a_column_and_is_told() -> None:
    rows = list(run_of({"sat": [(1.0, 1.1), (3.0, 3.1)]}).rows())
    again = [
        Row(
            job=structs.replace(row.job, number=row.job.number + 2, repeat=2),
            record=structs.replace(
                row.record, job=row.job.number + 2, wall_s=1.1 * row.record.wall_s
            ),
            verdict=Verdict(job=row.job.number + 2, verdict="verified", families=2),
        )
        for row in rows
    ]
    run = make_run([*rows, *again])
    assert run.timing["spread"].tolist() == [pytest.approx(1.05, abs=0.002)]
    (said,) = [text for text in run.footnotes if text.startswith("repeats")]
    assert "5% from it" in said
