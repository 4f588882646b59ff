"""What burns on after an answer is ended and charged; what only waits is left alone."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import process_time, sleep

import pytest
from harness_samples import experiment, tiny_file

from harness.report.run import run_experiment
from harness.supervise.processes import look_at
from harness.supervise.sandbox.afterwards import Afterwards

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="threads are listed in /proc")

BURNS = """
from threading import Thread
from backends.conformance.liars.liar import Liar

def burn():
    while True:
        pass

class Burns(Liar):
    def lie(self, problem, ask, limits, result):
        Thread(target=burn, daemon=True).start()
        return result
"""


def start(action: Callable[[], object]) -> None:
    threading.Thread(target=action, daemon=True).start()


def count_others() -> int:
    """The processes that other tests have left below this one."""
    return Afterwards().look()[0]


def test_a_thread_that_waits_is_left_alone() -> None:
    afterwards, waits = Afterwards(), threading.Event()
    start(waits.wait)
    assert afterwards.look()[0] == count_others()
    waits.set()


def test_a_thread_that_burns_is_counted_and_charged() -> None:
    afterwards, is_over = Afterwards(), threading.Event()

    def burn() -> None:
        until = process_time() + 30
        while not is_over.is_set() and process_time() < until:
            pass

    start(burn)
    number, seconds = afterwards.look()
    is_over.set()
    assert number == 1 + count_others()
    assert seconds > 0  # how much depends on what else runs


def test_a_process_that_is_left_is_charged() -> None:
    afterwards = Afterwards()
    code = "while True: pass"
    with subprocess.Popen([sys.executable, "-S", "-c", code]) as left:
        while (seen := look_at(left.pid)) is not None and not seen.cpu_s:
            sleep(0.02)
        number, seconds = afterwards.look()
        left.kill()
    assert number >= 1
    assert seconds > 0


def test_a_worker_with_a_burning_thread_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path
    (folder / "burns.py").write_text(BURNS)
    monkeypatch.syspath_prepend(str(folder))
    chosen = experiment(tiny_file(folder, "3 4 -", "3 5 -"), "py:burns:Burns", warm_ups=0)
    run = run_experiment(chosen, folder / "run")
    records = [row.record for row in run.rows()]
    assert [record.outcome for record in records] == ["finished", "finished"]
    assert [record.left_behind for record in records] == [1, 1]
    assert len({record.worker for record in records}) == 2
    assert all((record.cpu_s or 0) > 0 for record in records)


LEAVES = """
import subprocess, sys
from pathlib import Path
from backends.conformance.liars.liar import Liar

class Leaves(Liar):
    def lie(self, problem, ask, limits, result):
        code = "while True: pass"
        left = subprocess.Popen([sys.executable, "-S", "-c", code], start_new_session=True)
        with open(Path(__file__).with_name("left"), "a") as file:
            print(left.pid, file=file)
        return result
"""


def test_a_process_that_burns_is_ended_with_its_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path
    (folder / "leaves.py").write_text(LEAVES)
    monkeypatch.syspath_prepend(str(folder))
    chosen = experiment(tiny_file(folder, "3 4 -"), "py:leaves:Leaves", warm_ups=0)
    (record,) = [row.record for row in run_experiment(chosen, folder / "run").rows()]
    assert (record.outcome, record.left_behind) == ("finished", 1)
    assert (record.cpu_s or 0) > 0
    (pid,) = map(int, (folder / "left").read_text().split())
    seen = look_at(pid)
    assert seen is None or seen.is_zombie
