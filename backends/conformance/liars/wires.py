"""Words on the wire: a worker that speaks to the supervisor past the code that does so for it."""

from __future__ import annotations

import json
import os
import sys
from time import sleep
from typing import Any

from backends.conformance.liars.liar import Liar
from backends.interface.api import Ask, Limits, Result
from modelling.problem import Problem


def find_local(name: str) -> Any:
    """What a function that has called us names so; None where none does."""
    frame = sys._getframe()
    while frame is not None:
        if name in frame.f_locals:
            return frame.f_locals[name]
        frame = frame.f_back  # type: ignore[assignment]
    return None


def channels() -> Any:
    """The module that writes and reads frames."""
    return sys.modules["harness.supervise.channels"]


def write(data: bytes) -> None:
    """Write bytes to the supervisor."""
    os.write(find_local("answers"), data)


def send(words: Any) -> None:
    """Write a frame to the supervisor."""
    write(channels().frame(json.dumps(words).encode()))


class WritesTheWire(Liar):
    """Sends a record of its own, with a false answer that took no time, before the real one."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        false = [value + 1 for value in result.solutions[0]]
        send(
            {
                "job": find_local("job").number,
                "outcome": "finished",
                "count": 1,
                "status": "SATISFIABLE",
                "stopped_by": "enough",
                "digest": result.digest,
                "solutions": [false],
                "wall_s": 1e-6,
                "instance_digest": problem.digest,
            }
        )
        return result


class AsksForTheTimeOfAProof(Liar):
    """Says that its answer is there and its proof is checked, so that no limit is kept any more."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        send(["proof", 80_000.0])
        sleep(0.2)
        return result


class AnswersInAChild(Liar):
    """Has a child that answers what its worker is asked next, falsely and in no time."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        number = find_local("job").number
        if os.fork() == 0:
            sleep(0.1)
            for job in range(number + 1, number + 7):
                send({"job": job, "outcome": "finished", "wall_s": 1e-6, "count": 0,
                      "status": "UNSATISFIABLE", "stopped_by": "exhausted"})  # fmt: skip
            os._exit(0)
        sleep(0.05)
        return result


class BoastsOnTheBoard(Liar):
    """Notes a million solutions on the board that outlives it, and is killed at its limit."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        board, job = find_local("board"), find_local("job")
        count = board.counter(job.number, 1)
        count(tuple(value + 1 for value in result.solutions[0]))
        board._cells[1] = 1_000_000
        os.kill(os.getpid(), 9)
        return result
