"""A solver's program in a process of its own: its lines one after the other, its end in any case.

The process leads a group of its own, reads nothing, and has a temporary folder for its files. One
line of standard output at a time is kept, and the end of standard error. Shortly before its
deadline the group gets SIGTERM, so that it may still print the best that it has. When the time is
over or nothing more is wanted (``close``), the group is killed with all its descendants. A line
that does not end is an error: a program may print as much as it likes, but not all at once.

The harness holds the worker and all that it starts to their limits besides, and removes what a
worker leaves behind that was killed (``harness.supervise``).

Words
-----
grace       the seconds between SIGTERM and SIGKILL; they lie within the limit
"""

from __future__ import annotations

import contextlib
import os
import selectors
import shlex
from collections.abc import Iterator, Sequence
from time import perf_counter
from typing import NoReturn

from backends.interface.api import Deadline
from backends.interface.programs.output_tail import OutputTail, decode
from backends.interface.programs.starting import start
from backends.interface.programs.tree import LOOK_SECONDS, Tree
from modelling.errors import ProgramFailed

CHUNK = 1 << 16
LONGEST_LINE = 1 << 28
"""A longer line is an error: a solution of a million variables takes some ten million signs."""

MOST_GRACE, GRACE = 0.5, 0.1
"""The grace in seconds at most, and as a part of the time that there is."""

MOST_MARGIN, MARGIN = 0.05, 0.05
"""The same of the time between being killed and the deadline: the answer is to be in time."""

EXIT_SECONDS = 0.2
"""How long output is waited for that somebody else holds open when the program has ended."""


class Process:
    """A running program; a context manager, which ends it.

    ``folder`` is for its temporary files; it works where Concord does. ``asked_to_end`` says that
    its time was over; ``status`` is its exit status once it has ended by itself, negative for a
    signal.
    """

    def __init__(self, words: Sequence[str], folder: str, deadline: Deadline) -> None:
        self.words = tuple(words)
        self.asked_to_end = False
        self.status: int | None = None
        left = deadline.left
        left = float("inf") if left is None else left - min(MOST_MARGIN, MARGIN * left)
        self._kill_at = perf_counter() + left
        self._end_at = self._kill_at - min(MOST_GRACE, GRACE * left)
        self._output_tail = OutputTail()
        self._rest: list[bytes] = []
        self.cut = False
        self._closed = False
        self._popen = start(words, folder)
        self._tree = Tree(self._popen)

    def __enter__(self) -> Process:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    # --- its output ---

    def lines(self, comment: bytes = b"") -> Iterator[str]:
        """All lines of standard output, without their ends.

        Those that begin with the sign ``comment`` are passed over: of these there may be millions.
        A last line that is not ended is given too; ``cut`` is true then.
        """
        length = 0
        for chunk in self._chunks():
            first, *others = chunk.split(b"\n")
            self._rest.append(first)
            length += len(first)
            if length > LONGEST_LINE:
                self.fail(f"it printed a line of more than {LONGEST_LINE:,} bytes")
            if others:
                *lines, rest = others
                lines = [b"".join(self._rest), *lines]
                self._output_tail.add_lines(lines)
                if comment:
                    lines = [line for line in lines if line[:1] != comment]
                if lines:  # decoded together, which takes half as long as line by line
                    yield from [line.rstrip("\r") for line in decode(b"\n".join(lines)).split("\n")]
                self._rest, length = [rest], len(rest)
        if any(self._rest):
            self.cut = True
            line = b"".join(self._rest)
            self._output_tail.add_lines([line])
            yield decode(line)

    def _chunks(self) -> Iterator[bytes]:
        """What comes from standard output, until that is closed, or the program has ended."""
        assert self._popen.stdout is not None
        assert self._popen.stderr is not None
        stdout, stderr = self._popen.stdout.fileno(), self._popen.stderr.fileno()
        with contextlib.ExitStack() as stack:
            selector = stack.enter_context(selectors.DefaultSelector())
            for number in (stdout, stderr):
                os.set_blocking(number, False)
                selector.register(number, selectors.EVENT_READ)
            ended = self._tree.watch(stack)
            if ended is not None:
                selector.register(ended, selectors.EVENT_READ)
            last = float("inf")
            while len(selector.get_map()) > (ended is not None):
                now = perf_counter()
                if now >= last:
                    return
                self._keep_time(now)
                if now >= self._kill_at:
                    return
                if last == float("inf") and self._tree.has_ended():
                    self._tree.kill_group()
                    last = now + EXIT_SECONDS
                    if ended is not None:
                        selector.unregister(ended)
                        ended = None
                wait = min(last, self._kill_at if self.asked_to_end else self._end_at) - now
                if ended is None:
                    wait = min(wait, LOOK_SECONDS)
                for key, _ in selector.select(None if wait == float("inf") else max(0.0, wait)):
                    if key.fd == ended:
                        continue
                    data = _read(key.fd)
                    if data is None:
                        continue
                    if not data:
                        selector.unregister(key.fd)
                    elif key.fd == stderr:
                        self._output_tail.add_errors(data)
                    else:
                        yield data

    # --- its end ---

    def end_within(self, seconds: float) -> None:
        """Kill it in ``seconds``, or earlier; what it does until then is not needed."""
        self._kill_at = self._end_at = min(self._kill_at, perf_counter() + seconds)

    def wait(self) -> None:
        """Wait until it has ended, at most until its time is over; its output is closed."""
        while self._popen.returncode is None and not self._tree.has_ended():
            now = perf_counter()
            self._keep_time(now)
            if now >= self._kill_at:
                return
            self._tree.wait((self._kill_at if self.asked_to_end else self._end_at) - now)
        self.close()

    def _keep_time(self, now: float) -> None:
        if now >= self._kill_at:
            self.asked_to_end = True
            self._tree.kill()
        elif now >= self._end_at and not self.asked_to_end:
            self.asked_to_end = True
            self._tree.ask_to_end()

    def close(self) -> None:
        """End it, with all that it has started; done once."""
        if self._closed:
            return
        self._closed = True
        self.status = self._tree.end()
        for pipe in (self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                pipe.close()

    def fail(self, cause: str) -> NoReturn:
        """Raise ProgramFailed, with the command, how it ended, and the end of its stderr."""
        ending = self._output_tail.describe_end(self.status)
        raise ProgramFailed(f"{shlex.join(self.words)}: {cause}{ending}")


def _read(descriptor: int) -> bytes | None:
    """What is there; empty at the end, None if there is nothing yet."""
    try:
        return os.read(descriptor, CHUNK)
    except BlockingIOError:
        return None
