"""Work for several processes, with results in the order of the work; Ctrl-C ends it at once.

Each process has a pipe of its own and one work at a time. Ctrl-C is for the process that writes;
the others ignore it. This module uses no threads and no locks, so that nothing waits for anything
wherever Ctrl-C comes. A ``ProcessPoolExecutor`` has both, and since Python 3.12 the thread that
finds its processes ended may wait for itself for ever: it holds a lock, and takes it again if it is
the last to let go of the pool.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from traceback import format_exc
from typing import Any, Generic, TypeVar

from backends.interface.programs.leaving import leave_at_sigterm
from backends.signals import defer
from harness.supervise.processes import TOKEN, kill_tree, remove_folders
from modelling.errors import WorkerError

Work = TypeVar("Work")
Done = TypeVar("Done")


def do_in_order(
    jobs: int,
    prepare: Callable[[], Callable[[Work], Done]],
    works: Iterable[Work],
    ahead: int,
    describe: Callable[[Work], str],
) -> Generator[Done, None, None]:
    """What becomes of each work by the function that ``prepare`` gives, once in each process.

    ``works`` are read as they are needed, at most ``ahead`` of them are under way, and these are
    given up when the generator is closed, or this process receives SIGTERM. What a work
    raises is raised when its turn comes, and ``WorkerError`` when its process has died;
    ``describe`` says what it was at.
    """
    helpers: list[_Helper[Work, Done]] = []
    under_way: deque[_Task[Work, Done]] = deque()
    unread = iter(works)
    with leave_at_sigterm(), _end_with(helpers):
        while True:
            while under_way and under_way[0].is_done:
                yield under_way.popleft().result(describe)
            helper = next((one for one in helpers if one.is_idle), None)
            if len(under_way) < ahead and (helper or len(helpers) < jobs):
                for work in unread:
                    if helper is None:
                        helper = _Helper(prepare)
                        helpers.append(helper)
                    under_way.append(helper.begin(work))
                    break
                else:
                    ahead = 0  # all is read
            elif under_way:
                ready = wait([one.line for one in helpers if one.task is not None])
                for one in helpers:
                    if one.line in ready:
                        one.hear()
            else:
                return


@contextmanager
def _end_with(helpers: Sequence[_Helper[Work, Done]]) -> Iterator[None]:
    """End the helpers with the block: at once if it fails, or is given up."""
    try:
        yield
    except BaseException:
        with defer(signal.SIGINT, signal.SIGTERM):  # a second one leaves none of them running
            for helper in helpers:
                helper.kill()
        raise
    finally:
        for helper in helpers:
            helper.line.close()  # whoever has nothing more to hear leaves
        for helper in helpers:
            helper.process.join()


class _Task(Generic[Work, Done]):
    """A work, and once it ``is_done`` what became of it."""

    def __init__(self, work: Work) -> None:
        self.work = work
        self.is_done = self.is_lost = False
        self.done: Any = None
        self.error: Exception | None = None

    def end(self, done: Any, error: Exception | None) -> None:
        self.is_done, self.done, self.error = True, done, error

    def lose(self) -> None:
        self.is_done = self.is_lost = True

    def result(self, describe: Callable[[Work], str]) -> Done:
        if self.is_lost:
            raise WorkerError(
                f"a process died while it {describe(self.work)} (is there enough memory?); "
                "continue with fewer --jobs"
            )
        if self.error is not None:
            raise self.error
        done: Done = self.done
        return done


class _Helper(Generic[Work, Done]):
    """A process that does one work at a time."""

    def __init__(self, prepare: Callable[[], Callable[[Work], Done]]) -> None:
        spawn = multiprocessing.get_context("spawn")  # solvers may have started threads: no forks
        self.line, other = spawn.Pipe()
        self.task: _Task[Work, Done] | None = None
        self.is_gone = False
        self.process = spawn.Process(target=_serve, args=(prepare, other))
        self.process.start()
        other.close()  # so that the end of the process is the end of the line

    @property
    def is_idle(self) -> bool:
        return self.task is None and not self.is_gone

    def begin(self, work: Work) -> _Task[Work, Done]:
        """Have a work done."""
        self.task = task = _Task[Work, Done](work)
        try:
            self.line.send(work)
        except OSError:
            self._lose(task)
        return task

    def hear(self) -> None:
        """Take what has become of the task."""
        assert self.task is not None, "who has nothing to do has nothing to say"
        try:
            self.task.end(*self.line.recv())
        except (EOFError, OSError):
            self._lose(self.task)
        self.task = None

    def _lose(self, task: _Task[Work, Done]) -> None:
        self.task, self.is_gone = None, True
        task.lose()

    def kill(self) -> None:
        """End it, with the programs that it has started and their folders."""
        if self.process.pid is not None:
            if self.process.is_alive():  # else its number may be another's by now
                kill_tree(self.process.pid)
            remove_folders(os.environ.get(TOKEN, ""), self.process.pid)


def _serve(prepare: Callable[[], Callable[[Any], Any]], line: Connection) -> None:
    """Do what comes over the line, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    function = None
    while True:
        try:
            work = line.recv()
        except EOFError:
            return
        answer: tuple[Any, Exception | None]
        try:
            function = function or prepare()
            answer = function(work), None
        except Exception as error:
            error.add_note(format_exc())  # where it came from
            answer = None, error
        line.send(answer)
