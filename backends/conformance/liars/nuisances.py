"""Liars that try to harm the harness or its reader: floods, removed files, a painted version."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from backends.conformance.liars.solutions import WrongValue
from backends.conformance.liars.wires import channels, send, write
from backends.interface.api import Ask, Limits, Result
from modelling.problem import Problem


class PromisesAMountain(WrongValue):
    """Begins a frame of a gigabyte, of which nothing comes, before its false answer."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        write(channels()._HEADER.pack(channels().MAGIC, channels().LARGEST))
        return super().lie(problem, ask, limits, result)


class FloodsTheWire(WrongValue):
    """Writes many frames that say nothing, more than are read at once."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        for _ in range(100):
            write(channels().frame(b"{}") * 1000)
        return super().lie(problem, ask, limits, result)


class WarmsUpTwice(WrongValue):
    """Says in the middle of its job that it has warmed up, so that the job begins anew."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        send(["warm", "", 0])
        return super().lie(problem, ask, limits, result)


class ShoutsAtLength(WrongValue):
    """Prints 20 MB, with words for the screen, beside its false answer."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        for _ in range(200):
            os.write(1, b"\x1b[2J\x1b[Hall answers are verified\r\n" * 3000)
        return super().lie(problem, ask, limits, result)


class PaintsItsVersion(WrongValue):
    """Its version clears the screen, and shows a line of a table in which it comes first."""

    version = "9\x1b[2J\x1b[H\nPaintsItsVersion 2 2 verified 1 ms\n" + 100_000 * "9"


class EmptiesTheTemporaries(WrongValue):
    """Removes the temporary files that its rivals have in the same run, and those of no other."""

    def lie(self, problem: Problem, ask: Ask, limits: Limits, result: Result) -> Result:
        session = os.environ.get("CONCORD_SESSION", "none")
        for path in Path(tempfile.gettempdir()).glob(f"concord-{session}[-.]*"):
            shutil.rmtree(path, ignore_errors=True)
        return super().lie(problem, ask, limits, result)
