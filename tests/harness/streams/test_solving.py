"""``concord solve``: what goes wrong with one puzzle costs its own line alone; a polite kill."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from harness.streams.solving import SolveRequest, solve

ROOT = Path(__file__).parents[3]

PUZZLE = "1234341.....4321"
SOLVED = "1234341221434321"

FRAGILE = """
from dataclasses import replace
from backends.propagation import make
from modelling.errors import BackendUnavailable, ProgramFailed

class Fragile:
    name, family, native = "fragile", "fragile", frozenset()

    def __init__(self):
        self.honest = make("")
        self.calls = 0

    def accepts(self, problem):
        return self.honest.accepts(problem)

    def solve(self, *asked):
        self.calls += 1
        if self.calls == 2:
            raise ProgramFailed("it ended without an answer")
        if self.calls == 3:
            raise BackendUnavailable("it is no longer there")
        found = self.honest.solve(*asked)
        if self.calls == 4:
            wrong = tuple(tuple(v % 4 + 1 for v in values) for values in found.solutions)
            return replace(found, solutions=wrong)
        return found
"""


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_fails_on_one_puzzle_answers_the_others(tmp_path, monkeypatch, jobs):
    (tmp_path / "fragile.py").write_text(FRAGILE, encoding="utf-8")
    (tmp_path / "some.txt").write_text(f"{PUZZLE}\n" * 6, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "fragile", raising=False)
    answers = list(solve("some.txt", None, SolveRequest("py:fragile:Fragile"), jobs))
    told = [line for answer in answers for line in answer.lines]
    assert told == [SOLVED, "# error", "# error", "# error", SOLVED, SOLVED]
    troubles = [answer.trouble for answer in answers if answer.trouble]
    assert troubles[0] == "some.txt:2: it ended without an answer"
    assert troubles[1] == "some.txt:3: it is no longer there"
    assert troubles[2].startswith("some.txt:4: fragile answered wrongly: ")
    assert len(troubles) == 3


DEAF = """
import os, pathlib, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
pathlib.Path("began").touch()
time.sleep(300)
"""


@pytest.mark.once
@pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM ends a process of Windows at once")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_polite_kill_ends_the_program_and_removes_its_folder(tmp_path, jobs):
    """Though the program itself is deaf to it."""
    (tmp_path / "deaf.py").write_text(DEAF, encoding="utf-8")
    (tmp_path / "temporary").mkdir()
    words = [sys.executable, "-m", "concord", "solve", "-", "--family", "sudoku", "--jobs", jobs]
    words += ["--backend", "command:dimacs:{python} deaf.py {file}"]
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    environment = os.environ | {"TMPDIR": str(tmp_path / "temporary"), "PYTHONPATH": paths}
    with subprocess.Popen(
        words,
        cwd=tmp_path,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        process.stdin.write(f"{PUZZLE}\n" * 3)
        process.stdin.close()
        process.stdin = None
        _wait_for((tmp_path / "began").exists)
        children = psutil.Process(process.pid).children(recursive=True)
        assert list((tmp_path / "temporary").iterdir())
        process.terminate()
        _, stderr = process.communicate(timeout=120)
    assert process.returncode == 128 + signal.SIGTERM, stderr
    assert stderr == ""
    assert len(children) >= 2
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive
    assert not list((tmp_path / "temporary").iterdir())


def _wait_for(condition):
    until = time.monotonic() + 60
    while not condition() and time.monotonic() < until:
        time.sleep(0.01)
