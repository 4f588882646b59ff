"""A Dask scheduler and workers as processes of their own, to be killed, and a backend that does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
from faulty import Faulty

from backends.interface.api import Ask, Sink
from modelling.problem import Problem

HERE = Path(__file__).parent
MARK = "KILLED_ONCE"
"""Names the file that tells that a worker was killed already."""


@dataclass
class Cluster:
    """``address`` of the scheduler, its process, and those of the workers."""

    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]


@contextmanager
def cluster(folder: Path, workers: int, hidden: str = "") -> Iterator[Cluster]:
    """A scheduler and so many workers of one thread, without nannies that would revive them.

    None of them can import the module called ``hidden``.
    """
    if hidden:
        text = f"raise ModuleNotFoundError(\"No module named '{hidden}'\")\n"
        (folder / f"{hidden}.py").write_text(text)
    described = folder / "scheduler.json"
    with ExitStack() as stack:
        words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
        scheduler = _start(stack, folder, "scheduler", [*words, "--scheduler-file", str(described)])
        address = _address(described)
        running = [
            _start(
                stack,
                folder,
                "worker",
                [address, "--nthreads", "1", "--no-nanny", "--no-dashboard"],
            )
            for _ in range(workers)
        ]
        yield Cluster(address, scheduler, running)


def _start(stack: ExitStack, folder: Path, kind: str, words: list[str]) -> subprocess.Popen[bytes]:
    path = os.pathsep.join([str(folder), str(HERE), os.environ.get("PYTHONPATH", "")])
    with open(folder / f"{kind}.log", "ab") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words],
            env=os.environ | {"PYTHONPATH": path, MARK: str(folder / "killed")},
            stdout=log,
            stderr=log,
            cwd=folder,
        )
    stack.callback(process.wait)
    stack.callback(process.kill)
    return process


def _address(described: Path) -> str:
    for _ in range(600):
        if described.exists() and (text := described.read_text()):
            return str(json.loads(text)["address"])
        time.sleep(0.1)
    raise AssertionError("the Dask scheduler did not start")


class KillsWorker(Faulty):
    """Kills the Dask worker that it runs below; honest elsewhere."""

    name = "kills_worker"

    def fault(self, problem: Problem, ask: Ask, sink: Sink | None) -> Any:
        for process in psutil.Process().parents():
            if any("dask_worker" in word for word in process.cmdline()):
                process.kill()
                time.sleep(60)
        return None


class KillsWorkerOnce(KillsWorker):
    """Does so the first time only."""

    name = "kills_worker_once"

    def fault(self, problem: Problem, ask: Ask, sink: Sink | None) -> Any:
        mark = os.environ.get(MARK)
        if mark is None or Path(mark).exists():
            return None
        Path(mark).touch()
        return super().fault(problem, ask, sink)
