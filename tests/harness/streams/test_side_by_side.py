"""Work for several processes: in order, lazily, and what becomes of it when one dies."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from itertools import count

import psutil
import pytest

from harness.streams.side_by_side import do_in_order
from modelling.errors import WorkerError

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
    message = r"a process died while it had [35] or one soon after .* with fewer --jobs"
    with pytest.raises(WorkerError, match=message):
        list(do_in_order(2, begin_to_die, (3, 5), 1, describe))


def test_an_error_of_the_work_is_raised():
    with pytest.raises(TypeError):
        list(do_in_order(1, partial(begin, None), range(1, 3), 2, describe))


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
