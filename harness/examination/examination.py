"""A backend is examined in a process of its own, which is watched, and ended where it hangs.

The check at which it hung or died gets no points, and the next one a new process.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from signal import Signals
from time import perf_counter
from typing import Any

from harness.examination.checks import CHECKS, LOADING, Check, Finding
from harness.examination.examiner import Order, serve
from harness.examination.names import resolve_name
from harness.supervise.processes import kill_tree
from modelling.wording import plural
from puzzles.family import Instance

START_SECONDS = 60.0
"""What the process gets to begin, and a backend that ships to be imported and made."""

LEAST_LOADING = 10.0
"""What somebody's class gets at least to be imported and made, in seconds."""

AFTER_HANG = 0.25
LEAST_AFTER_HANG = 1.0
"""Once a solver has hung, it gets this share of the limit for an answer, but so much at least."""

CHECK_SECONDS = 15.0
"""For this long a check tries drawn problems, and puzzles, if they are answered slowly."""

LISTS = 2
"""The lists of problems of a check: drawn ones, and puzzles."""

SAFE_PATH = "PYTHONSAFEPATH"

LONGEST_OUTPUT = 300
CHUNK = 1 << 16


@dataclass(frozen=True)
class Mark:
    """What a check gave: ``points`` of ``most``, 0 of 0 where it is not for the backend.

    ``said`` is one line: the problems that it answered, the fault, or the excuse. ``wrong`` is how
    many problems failed of those ``tried``. ``failed`` are the smallest drawn problem and the
    smallest puzzle of those, as far as they are known.
    """

    check: str
    points: int
    most: int
    said: str
    tried: int = 0
    wrong: int = 0
    failed: tuple[Instance, ...] = ()

    @property
    def is_full(self) -> bool:
        return self.points == self.most


def examine(
    name: str, *, problems: int = 150, seed: int = 0, seconds: float = 10.0
) -> Iterator[Mark]:
    """Examine the backend called ``name``; the mark of each check, as soon as it is done.

    ``problems`` are drawn from ``seed``, and each question must be answered within ``seconds``.
    Raises what ``resolve_name`` raises.
    """
    order = Order(resolve_name(name), problems, seed, CHECK_SECONDS)
    with _begin(order, seconds) as process:
        loaded = process.load()
        yield loaded
        for number, check in enumerate(CHECKS):
            if loaded.is_full:
                yield process.mark(number, check)
            else:
                yield Mark(check.name, 0, check.points, "not tried: it does not load")
        if process.printed:
            yield Mark("prints nothing", 0, 0, process.describe_output())


class _Process:
    """The examiner's process, begun again where it has ended."""

    def __init__(self, order: Order, seconds: float) -> None:
        self._order, self._seconds = order, seconds
        self._has_hung = False
        self.printed = 0  # bytes, in all
        self._start()

    def _start(self) -> None:
        spawn = multiprocessing.get_context("spawn")
        self._line, line = spawn.Pipe()
        self._output, output = spawn.Pipe(duplex=False)
        self._process = spawn.Process(target=serve, args=(line, output, self._order, os.getpid()))
        with _hide_folder():
            self._process.start()
        line.close()
        output.close()
        self._last, self._is_loaded = b"", False

    def load(self) -> Mark:
        """The mark for loading."""
        is_own = self._order.backend.startswith("py:")
        limit = max(self._seconds, LEAST_LOADING) if is_own else START_SECONDS
        said, text = self._receive(START_SECONDS)
        if said == "begun":
            said, text = self._receive(limit)
        if said == "loaded":
            self._is_loaded = True
            return Mark(LOADING.name, LOADING.points, LOADING.points, text)
        if said == "late":
            text = f"it did not load within {limit:g} s"
        return Mark(LOADING.name, 0, LOADING.points, text)

    def mark(self, number: int, check: Check) -> Mark:
        """The mark for a check."""
        if not self._is_loaded:
            self._start()
            loaded = self.load()
            if not self._is_loaded:
                return Mark(check.name, 0, check.points, loaded.said)
        asked, is_ended = None, False
        found: list[Finding] = []
        with suppress(OSError):  # it has died meanwhile: that is received
            self._line.send(number)
        while len(found) < LISTS:
            event, value = self._receive(self._seconds)
            if event == "asks":
                asked = value
            elif event == "found":
                found.append(value)
            elif event == "excuse":
                return Mark(check.name, 0, 0, f"not for it: {value}")
            else:
                text = value
                if event == "late":
                    text = f"no answer within {self._seconds:g} s"
                    self._shorten_limit()
                found.append(Finding(1, 1, text, asked))
                is_ended = True
                self._is_loaded = False
                self.close()
                break
        return judge_findings(check, found, is_ended)

    def _shorten_limit(self) -> None:
        if not self._has_hung:
            self._has_hung = True
            shorter = max(AFTER_HANG * self._seconds, LEAST_AFTER_HANG)
            self._seconds = min(self._seconds, shorter)

    def _receive(self, seconds: float) -> tuple[str, Any]:
        """What the process sends next; ``late`` or ``ended`` where nothing comes."""
        until = perf_counter() + seconds
        while (left := until - perf_counter()) > 0:
            for ready in wait([self._line, *self._open_output()], left):
                if ready is self._line:
                    try:
                        return self._line.recv()  # type: ignore[no-any-return]
                    except (EOFError, OSError):
                        return "ended", self._describe_end()
                self._drain()
        return "late", ""

    def _open_output(self) -> list[Connection]:
        return [] if self._output.closed else [self._output]

    def _drain(self) -> None:
        printed = os.read(self._output.fileno(), CHUNK)
        self._last = (self._last + printed)[-LONGEST_OUTPUT:]
        self.printed += len(printed)
        if not printed:
            self._output.close()

    def _describe_end(self) -> str:
        self._process.join(1)
        while self._open_output() and self._output.poll():
            self._drain()
        code = self._process.exitcode
        how = f"with exit status {code}" if code is None or code >= 0 else f"by {_name(-code)}"
        words = self._find_last_line()
        return f"it ended the process {how}" + (f"; it printed last: {words}" if words else "")

    def describe_output(self) -> str:
        """How much it has printed, which nobody reads, and the end of that."""
        words = self._find_last_line()
        end = f", at last: {words}" if words else ""
        return f"no fault, but it printed {plural(self.printed, 'byte')}{end}"

    def _find_last_line(self) -> str:
        lines = self._last.decode("utf-8", "replace").splitlines()
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    def close(self) -> None:
        """End it, with the programs that it has started."""
        self._line.close()
        if not self._output.closed:
            self._output.close()
        if self._process.pid is not None and self._process.is_alive():
            kill_tree(self._process.pid)
        self._process.join()


@contextmanager
def _hide_folder() -> Iterator[None]:
    """A Python that begins here does not look for its own library in the user's folder."""
    before = os.environ.get(SAFE_PATH)
    os.environ[SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[SAFE_PATH]
        else:
            os.environ[SAFE_PATH] = before


@contextmanager
def _begin(order: Order, seconds: float) -> Iterator[_Process]:
    process = _Process(order, seconds)
    try:
        yield process
    finally:
        process.close()


def _name(number: int) -> str:
    try:
        return Signals(number).name
    except ValueError:
        return f"signal {number}"


def judge_findings(check: Check, findings: list[Finding], is_ended: bool) -> Mark:
    """The mark for what was found with the drawn problems and with the puzzles.

    Points are in proportion to the right answers, rounded down; there are none where the process
    was ended, since nobody knows what it would have answered then.
    """
    tried = sum(finding.tried for finding in findings)
    failing = [finding for finding in findings if finding.fault]
    if failing:
        failed = tuple(one.instance for one in failing if one.instance is not None)
        wrong = sum(finding.failed for finding in findings)
        points = 0 if is_ended else check.points * (tried - wrong) // tried
        return Mark(check.name, points, check.points, failing[0].fault, tried, wrong, failed)
    if not tried:
        return Mark(check.name, 0, check.points, "it accepts no problem of this check")
    cut = ", and the time is over" if any(finding.is_cut for finding in findings) else ""
    said = f"{plural(tried, 'problem')}{cut}"
    return Mark(check.name, check.points, check.points, said, tried)
