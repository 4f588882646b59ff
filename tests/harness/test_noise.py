"""What probes of a machine say about its noise, and the best probe that is kept of each."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from harness.noise import BestProbe, Noise, Probe, measure_noise, take_probe


def seen(when: str, wall_s: float, **more: float | str) -> Probe:
    return Probe(when=when, at="", wall_s=wall_s, cpu_s=wall_s, **more)  # type: ignore[arg-type]


def test_the_noise_of_a_quiet_machine() -> None:
    told = measure_noise(
        [seen("before", 0.010), *[seen("during", 0.0101)] * 8, seen("after", 0.010)]
    )
    assert told is not None
    assert not told.noisy
    assert told.text == "machine quiet: 10 probes of 10.0 ms, 90th percentile +1%, worst +1%"


def test_the_noise_of_a_shared_machine() -> None:
    probes = [
        seen("before", 0.010, load=0.5, steal_s=10.0, total_s=1000.0, mhz=2000.0),
        seen("during", 0.015, load=3.0, steal_s=15.0, total_s=1050.0, mhz=2500.0),
        seen("after", 0.011, load=2.0, steal_s=15.0, total_s=1100.0, mhz=2400.0),
    ]
    told = measure_noise(probes)
    assert told is not None
    assert told.noisy
    assert told.worst == pytest.approx(1.5)
    assert told.text.startswith("machine noisy: 3 probes of 10.0 ms")
    assert "load 0.5 to 3.0; steal 5.0%; 2000 to 2500 MHz" in told.text
    assert measure_noise([]) is None


def test_machines_are_not_measured_by_each_other() -> None:
    slow, fast = [seen("before", 0.020, machine="a")] * 5, [seen("before", 0.010, machine="b")] * 5
    told = measure_noise([*slow, *fast])
    assert told is not None
    assert not told.noisy
    assert told.text.startswith("worst of 2 machines quiet: 5 probes of")


def test_the_worst_of_several_machines_is_told() -> None:
    noisy = [seen("before", 0.020, machine="b"), seen("after", 0.030, machine="b")]
    quiet = [seen(when, 0.010, machine="a") for when in ("before", "during", "after")]
    for probes in ([*quiet, *noisy], [*noisy, *quiet]):
        told = measure_noise(probes)
        assert told is not None
        assert told.text.startswith("worst of 2 machines noisy: 2 probes of 20.0 ms")


def test_steal_is_of_one_session() -> None:
    """Two machines just like each other have one id; a machine starts anew with other counts."""
    probes = [
        seen("before", 0.010, steal_s=0.0, total_s=1000.0),
        seen("after", 0.010, steal_s=0.5, total_s=1100.0),
        seen("before", 0.010, steal_s=900.0, total_s=2000.0),
        seen("after", 0.010, steal_s=900.5, total_s=2100.0),
    ]
    told = measure_noise(probes)
    assert told is not None
    assert told.steal == pytest.approx(0.005)


def test_a_probe_of_this_machine() -> None:
    told = take_probe("during")
    assert told.wall_s > 0
    assert told.cpu_s > 0
    assert measure_noise([told]) is not None


def test_a_machine_that_is_slow_all_the_time_is_noisy() -> None:
    """Its probes are alike; beside the best that it ever had they are not."""
    told = measure_noise([seen("before", 0.010, best_s=0.006), *[seen("during", 0.010)] * 8])
    assert told is not None
    assert told.slowdown == 1.0
    assert told.setback == pytest.approx(0.010 / 0.006)
    assert told.reasons == ["all probes took 67% longer than its best ever, or more"]
    assert "small differences between times mean little; end what else runs here" in told.text
    better = measure_noise(
        [seen("before", 0.006, best_s=0.006), seen("after", 0.0062, best_s=0.006)]
    )
    assert better is not None
    assert (better.noisy, better.setback) == (False, 1.0)


def test_load_apart_from_the_runs_own_jobs_is_noise() -> None:
    def of(load: float, own: int) -> Noise:
        at_rest = seen("before", 0.010, load=max(0.0, load - own), cores=2)
        told = measure_noise([at_rest, *[seen("during", 0.010, load=load, cores=2, own=own)] * 3])
        assert told is not None
        return told

    assert of(5.0, 1).reasons == ["others loaded each core with 2.0"]
    assert of(5.0, 4).reasons == []
    assert of(2.0, 2).others == 0.0
    assert of(1.0, 2).others == 0.0
    before = measure_noise([seen("before", 0.010, load=9.0), seen("after", 0.010, load=9.0)])
    assert before is not None
    assert before.others is None  # a store from before does not say how many cores


def test_the_best_probe_is_kept_for_each_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path))
    first = BestProbe("a")
    assert [first.update(s) for s in (0.010, 0.012, 0.008)] == [0.010, 0.010, 0.008]
    assert BestProbe("a").update(0.009) == 0.008
    assert BestProbe("b").update(0.009) == 0.009
    meanwhile = BestProbe("a")
    assert meanwhile.update(0.0085) == 0.008
    assert first.update(0.007) == 0.007
    assert meanwhile.update(0.0075) == 0.007  # read anew before it is written
    assert sorted(path.name for path in (tmp_path / "probes").iterdir()) == ["a", "b"]


@pytest.mark.parametrize("text", ["", "nan", "inf", "-1", "0", "1e-9", "0.00", "x" * 9, "\udcff"])
def test_a_damaged_best_probe_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path))
    (tmp_path / "probes").mkdir()
    (tmp_path / "probes" / "a").write_bytes(text.encode(errors="surrogateescape"))
    assert BestProbe("a").update(0.010) == 0.010
    assert BestProbe("a").update(0.020) == 0.010


def test_a_cache_that_cannot_be_written_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "probes").write_text("a file where the folder should be")
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path))
    one = BestProbe("a")
    assert [one.update(s) for s in (0.010, 0.020, 0.009)] == [0.010, 0.010, 0.009]
    monkeypatch.setattr("os.replace", lambda *paths: (_ for _ in ()).throw(OSError("no")))
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path / "other"))
    assert BestProbe("a").update(0.010) == 0.010
    assert list((tmp_path / "other" / "probes").iterdir()) == []


def test_processes_that_race_leave_one_whole_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path))
    code = (
        "import sys; from harness.noise import BestProbe\n"
        "for k in range(200): BestProbe('a').update((300 - k) / 10000 + int(sys.argv[1]) / 1e6)"
    )
    racing = [subprocess.Popen([sys.executable, "-c", code, str(n)]) for n in range(3)]
    assert [process.wait() for process in racing] == [0, 0, 0]
    (left,) = (tmp_path / "probes").iterdir()
    assert 0.0101 <= float(left.read_text()) <= 0.03
