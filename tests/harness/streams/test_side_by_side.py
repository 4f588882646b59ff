"""Work for several processes: in order, lazily, and what becomes of it when one dies."""

import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from functools import partial
from itertools import count

import psutil
import pytest

from backends.interface.programs.starting import make_folder
from harness.streams.side_by_side import do_in_order
from modelling.errors import WorkerError

pytestmark = pytest.mark.once  # each test starts several processes

SLOW = """
import os, time
from backends.interface.api import Accepted

class Slow:
    name, family, native = "slow", "slow", frozenset()

    def accepts(self, problem):
        return Accepted()

    def solve(self, problem, ask=None, limits=None, sink=None):
        open(f"began-{os.getpid()}", "w").close()
        time.sleep(300)
"""


def begin(factor):
    def multiply(number):
        time.sleep(0.05 if number % 3 == 0 else 0)
        return factor * number

    return multiply


def begin_slowly(seconds):
    def measure(text):
        time.sleep(seconds)
        return len(text)

    return measure


def begin_to_die():
    return os._exit


def describe(number):
    return f"had {number}"


def test_results_come_in_order_and_work_is_read_as_it_is_needed():
    read = []
    works = (read.append(k) or k for k in count())
    with closing(do_in_order(2, partial(begin, 10), works, 4, describe)) as results:
        assert [next(results) for _ in range(9)] == [10 * k for k in range(9)]
    assert len(read) <= 9 + 4


def test_all_that_was_submitted_is_given():
    assert list(do_in_order(2, partial(begin, 2), range(3), 8, describe)) == [0, 2, 4]


def test_a_process_that_dies_is_told():
    message = r"a process died while it had 3 .* with fewer --jobs"
    with pytest.raises(WorkerError, match=message):
        list(do_in_order(2, begin_to_die, (3, 5), 1, describe))


def begin_to_die_of_three():
    return lambda number: os._exit(1) if number == 3 else number


def test_what_came_before_the_one_that_died_is_given():
    results = do_in_order(2, begin_to_die_of_three, range(9), 4, describe)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(WorkerError, match="while it had 3 "):
        next(results)


def test_an_error_of_the_work_waits_for_its_turn_and_says_where_it_was():
    results = do_in_order(2, partial(begin, 10), (1, 3, None, 4), 4, describe)
    assert [next(results), next(results)] == [10, 30]
    with pytest.raises(TypeError) as raised:
        next(results)
    assert "in multiply" in raised.value.__notes__[0]


def test_large_works_that_are_given_up_hold_nothing():
    before = set(psutil.Process().children())
    works = ("many" * 1_000_000 for _ in range(9))
    with closing(do_in_order(2, partial(begin_slowly, 1), works, 4, describe)) as results:
        assert next(results) == 4_000_000
    assert set(psutil.Process().children()) <= before


def prepare_to_run_a_program():
    """A program that sleeps, and a file in the folder of its own."""

    def run(number):
        with make_folder() as folder, open(os.path.join(folder, "it"), "w") as file:
            file.write(folder)
            file.flush()
            if number:
                subprocess.run(["sleep", "300"], check=False)
            return os.getpid()

    return run


def test_what_is_given_up_leaves_no_program_and_no_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)  # to be looked for again, as the others do
    with closing(do_in_order(2, prepare_to_run_a_program, (0, 1, 1), 4, describe)) as results:
        next(results)
        while not (children := [c for c in descendants() if c.name() == "sleep"]):
            time.sleep(0.01)
        assert list(tmp_path.iterdir())
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive
    assert not list(tmp_path.iterdir())


def descendants():
    return psutil.Process().children(recursive=True)


def test_ctrl_c_ends_solve_at_once_and_leaves_no_process(tmp_path):
    (tmp_path / "slow.py").write_text(SLOW, encoding="utf-8")
    words = [sys.executable, "-m", "concord", "solve", "sudoku"]
    words += ["--backend", "py:slow:Slow", "--jobs", "2"]
    with subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        for _ in range(6000):
            if list(tmp_path.glob("began-*")):
                break
            time.sleep(0.01)
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=120)
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    assert children
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive
