"""Gains by later sights of an instance: found where answers are kept, not where times vary."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from harness_samples import QUICK, experiment, job, list_jobs, outline_jobs, row, tiny_file

from harness.judge.times import find_gains
from harness.record import Row, Verdict
from harness.report.run import run_experiment
from harness.report.standings import find_standings
from harness.report.tables import make_timing

pytestmark = pytest.mark.once


def noisy(instances: int, repeats: int, seed: int, scale: float = 0.2) -> list[list[float]]:
    """Times of an honest backend, each instance as long as it is, with noise of a log-normal."""
    chance = random.Random(seed)
    lengths = [chance.lognormvariate(-5, 2) for _ in range(instances)]
    return [[s * chance.lognormvariate(0, scale) for _ in range(repeats)] for s in lengths]


def kept(times: list[list[float]], factor: float = 0.02) -> list[list[float]]:
    return [[first, *(factor * first for _ in later)] for first, *later in times]


def test_a_backend_that_keeps_answers_is_found() -> None:
    times = {"honest": noisy(20, 3, 1), "other": noisy(20, 3, 2), "keeps": kept(noisy(20, 3, 3))}
    found = find_gains(times)
    assert {name for name, gain in found.items() if gain.is_systematic} == {"keeps"}
    gain = found["keeps"]
    assert gain.ratio == pytest.approx(0.02)
    assert (gain.instances, gain.longest) == (20, 20)
    assert gain.chance == pytest.approx(3.0**-20)


def test_two_that_keep_answers_do_not_excuse_each_other_beside_an_honest_one() -> None:
    times = {"honest": noisy(9, 2, 1), "one": kept(noisy(9, 2, 2)), "two": kept(noisy(9, 2, 3))}
    assert {name for name, gain in find_gains(times).items() if gain.is_systematic} == {
        "one",
        "two",
    }
    assert find_gains({"alone": kept(noisy(9, 2, 2))})["alone"].is_systematic


def test_honest_backends_are_seldom_suspected() -> None:
    """Whatever the number of instances and repeats, and though times vary by half."""
    suspected = asked = 0
    for seed in range(300):
        for instances, repeats in ((3, 2), (5, 2), (5, 5), (30, 3)):
            times = {str(k): noisy(instances, repeats, 10 * seed + k, 0.5) for k in range(3)}
            found = find_gains(times)
            asked += len(found)
            suspected += sum(gain.is_systematic for gain in found.values())
    assert asked == 3600
    assert suspected <= 36


def test_a_machine_that_was_slow_at_first_is_no_gain() -> None:
    times = {str(k): [[3 * s[0], *s[1:]] for s in noisy(20, 4, k)] for k in range(3)}
    found = find_gains(times)
    assert all(gain.ratio < 0.5 for gain in found.values())
    assert not any(gain.is_systematic for gain in found.values())


def test_a_cold_first_job_of_each_worker_is_no_gain() -> None:
    """It falls upon another instance in each round."""
    times = noisy(20, 3, 1)
    for repeat, instance in enumerate((7, 2, 13)):
        times[instance][repeat] += 2.0
    assert not find_gains({"cold": times, "other": noisy(20, 3, 2)})["cold"].is_systematic


def test_too_little_is_no_ground_for_suspicion() -> None:
    assert find_gains({"once": [[1.0], [2.0]]}) == {}
    assert find_gains({}) == {}
    assert not find_gains({"twice": kept(noisy(4, 2, 1))})["twice"].is_systematic
    assert find_gains({"twice": kept(noisy(5, 2, 1))})["twice"].is_systematic
    assert find_gains({"five": kept(noisy(2, 5, 1))})["five"].is_systematic
    many = find_gains({"many": noisy(20_000, 2, 1), "other": noisy(20_000, 2, 2)})
    assert 0.01 < many["many"].chance < 0.99


def judged(number: int, text: str, backend: str, repeat: int, seconds: float) -> Row:
    one = row(job(number, text, backend, repeat=repeat), status="SATISFIABLE", wall_s=seconds)
    found = Verdict(job=number, verdict="verified")
    return Row(job=one.job, record=one.record, verdict=found)


def spread(times: list[list[float]]) -> float:
    """The spread of a backend that took so long at the repeats of each instance."""
    rows = [
        judged(number, f"3 4 {n}", "a", repeat, seconds)
        for n, repeats in enumerate(times)
        for number, (repeat, seconds) in enumerate(enumerate(repeats, 1), 10 * n)
    ]
    return float(make_timing(find_standings(list_jobs(rows)))["spread"].iloc[0])


def test_the_spread_of_repeats() -> None:
    assert spread([[1.0, 1.1, 1.2], [2.0, 2.0, 2.0], [1.0, 1.0, 4.0]]) == 1.0
    assert spread([[1.0, 2.0, 4.0]]) == 2.0
    assert spread([[1.0, 2.0, 8.0], [5.0]]) == 2.0
    assert spread([[1.0, 3.0], [5.0]]) == pytest.approx((2 + 1.5) / 2)
    assert pd.isna(spread([[1.0], [2.0]]))


def test_only_first_sights_of_a_backend_that_keeps_answers_are_ranked() -> None:
    rows = [
        judged(number, f"3 4 {n}", backend, repeat, seconds[repeat - 1])
        for number, (repeat, n, (backend, seconds)) in enumerate(
            (
                (repeat, n, each)
                for repeat in (1, 2, 3)
                for n in range(6)
                for each in (("honest", (0.2, 0.21, 0.2)), ("keeps", (0.5, 0.001, 0.001)))
            ),
            1,
        )
    ]
    for frame in (list_jobs(rows), outline_jobs(rows)):
        standings = find_standings(frame)
        per = standings.instances.groupby("backend", observed=True)["wall_s"].max()
        assert per.to_dict() == {"honest": 0.2, "keeps": 0.5}
        assert [name for name, gain in standings.gains.items() if gain.is_systematic] == ["keeps"]
        assert list(make_timing(standings)["backend"]) == ["honest", "keeps"]
        assert find_standings(frame[: len(rows) // 3]).gains == {}


@pytest.mark.once
def test_answers_that_are_kept_in_memory_or_on_disk_gain_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In memory, for no worker sees an instance twice; on disk, for only first sights count."""
    monkeypatch.setenv("KEPT_ANSWERS", str(tmp_path / "kept"))
    path = tiny_file(tmp_path, *(f"3 {n} -" for n in range(4, 10)))
    backends = ["py:faulty:KeepsInMemory", "py:faulty:KeepsOnDisk", "py:faulty:Slow"]
    run = run_experiment(experiment(path, *backends, repeat=3), tmp_path / "run", settings=QUICK)
    gained = run.standings.gains
    assert [name for name, gain in gained.items() if gain.is_systematic] == [backends[1]]
    assert run.timing.set_index("backend")["median_s"].min() >= 0.1


def test_the_foot_of_the_tables_says_how_it_was_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEPT_ANSWERS", str(tmp_path / "kept"))
    # So many that the honest ones' first times are not all the longest by chance.
    path = tiny_file(tmp_path, *(f"3 {n} -" for n in range(4, 12)))
    backends = ["propagation", "py:faulty:KeepsOnDisk", "py:faulty:RaisesInWarmUps"]
    chosen = experiment(path, *backends, repeat=2, warm_ups=1)
    run = run_experiment(chosen, tmp_path / "run", settings=replace(QUICK, warm_ups=1))
    warm, repeats, *late, noise = run.footnotes  # on a busy machine an honest one may be late too
    (kept,) = [text for text in late if text.startswith("py:faulty:KeepsOnDisk")]
    assert repeats.startswith("repeats: the time of an instance is their median")
    assert warm == (
        "one warm-up per worker, on a small problem that is none of the instances, not measured; a "
        "backend that keeps encodings builds them at the first instance of a structure, within its "
        "time (phase encode); warm-ups that failed, by backend: py:faulty:RaisesInWarmUps 2"
    )
    assert re.match(r"py:faulty:KeepsOnDisk: later repeats take 0\.[0-6]", kept)
    assert "(8 of 8 instances took longest at first)" in kept
    assert kept.endswith("so only the first repeat counts")
    assert noise.startswith("machine ")
    below = (run.folder / "tables" / "timing.txt").read_text()
    assert all(f"\n{text}\n" in below for text in (warm, kept, noise))


def test_without_repeats_warm_ups_and_witnesses_there_is_nothing_to_say(tmp_path: Path) -> None:
    chosen = experiment(tiny_file(tmp_path, "3 4 -"), "brute_force")
    run = run_experiment(chosen, tmp_path / "run", settings=QUICK)
    assert [text.partition(" ")[0] for text in run.footnotes] == ["machine"]
