"""The reaper: a small process between the supervisor and its workers that lets none escape.

Words
-----
fork server a reaper that has loaded a backend and whose workers are forks of itself
orphan      here: a child of the reaper that it did not start; a worker started it, and has ended

The reaper is the subreaper of all workers. Whatever a worker starts is below the worker as long as
that lives, since a worker is a subreaper too, and below the reaper afterwards: neither ``setsid``
nor a double fork nor a deaf ear for signals gets a process out of that tree. The end of the
supervisor, however it came about, closes the control socket; the reaper then kills all that is
below it, removes the control groups, and leaves. It has one thread, so that forking is safe.

On the control socket frames of JSON travel. To the reaper::

    {"load": backend or "", "path": [...], "hide": [folder...], "why": text,
     "sandbox": word}      first, once; the folders are hidden from workers
            (``harness.supervise.hiding``), text says why not all; the word is auto, require, off,
            or empty for no more than that (``harness.supervise.sandbox``)
    {"start": number, "join": [file...], "limit": [[file, bytes, must]...], "cores": [core...],
     "family": name, "python": interpreter, "source": folder with the packages of Concord}
            with four descriptors: requests, answers, output, scoreboard; a fork server imports the
            puzzle family once, rather than each of its forks
    {"kill": number}

and from it::

    {"event": "ready", "isolation": text}        the backend is loaded, or there is none to load;
            the text says what workers are kept away from
    {"event": "started", "worker": number, "pid": pid,
     "inherited_mb": memory that it shares with the fork server}
    {"event": "failed", "worker": number, "error": text}
            it could not be started, and nothing is left of it
    {"event": "stopped", "worker": number}       a signal has stopped it, however briefly
    {"event": "ended", "worker": number, "status": exit status, negative for a signal}
    {"event": "gone", "worker": number}          and nothing that it started is left
"""

from __future__ import annotations

import contextlib
import gc
import os
import select
import signal
import socket
import sys
from time import monotonic, sleep
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from harness.supervise import hiding
from harness.supervise.channels import Control, Message
from harness.supervise.processes import (
    CLEAN,
    LINUX,
    MB,
    TOKEN,
    die_with_parent,
    find_children,
    kill,
    kill_group,
    look_at,
    remove_folders,
    signal_at_parents_end,
    tree,
    tree_of,
)
from harness.supervise.sandbox import measures

if TYPE_CHECKING:
    from harness.supervise.worker import Loaded

_KILLING_SECONDS = 0.003
_SWEEP_SECONDS = 0.25
_LAST_SECONDS = 30.0
_DESCRIPTORS = 4

_BOOT = (
    "import sys; sys.path.append(sys.argv[1]); from harness.supervise.worker import main; main()"
)


def main() -> None:
    """Start and reap workers for the supervisor at the other end of the socket that is named last
    but one on the command line."""
    descriptor, parent = (int(word) for word in sys.argv[-2:])
    os.set_inheritable(descriptor, False)
    die_with_parent(parent)  # for as long as a library loads, and we do not listen
    control = Control(socket.socket(fileno=descriptor))
    messages: list[Message] = []
    is_there = True
    while is_there and not messages:
        select.select([descriptor], [], [])
        messages, is_there = control.receive()
    if is_there:
        first, *others = messages
        loaded, seclusion = None, Seclusion.find(first)
        if first["load"]:
            seclusion = seclusion.enter_whole()  # what a backend does while it loads is done here
            sys.path[:] = first["path"]
            from harness.supervise.worker import load

            loaded = load(first["load"])
            gc.collect()
            gc.freeze()  # what is loaded is not looked through, and so not copied, in every fork
        Reaper(control, parent, loaded, seclusion).run(others)


class Seclusion(NamedTuple):
    """What workers are kept away from: folders that are hidden, processes of others, and what
    ``measures`` name; ``mounted`` where those that take mounts are in force."""

    hidden: tuple[str, ...] = ()
    apart: bool = False
    text: str = ""
    measures: tuple[str, ...] = ()
    mounted: bool = False

    @classmethod
    def find(cls, message: Message) -> Seclusion:
        """The best that this machine allows, tried once."""
        folders, why, wanted = message["hide"], message["why"], message["sandbox"]
        if wanted == "off":
            return cls(text="sandbox off")
        if not folders and not why and not wanted:
            return cls()
        hidden, apart, refusal = hiding.find_means(folders)
        text = hiding.describe(hidden and not why, apart, "; ".join(filter(None, (why, refusal))))
        held = measures.find_measures(folders) if wanted else measures.Found((), {})
        text = ", ".join(filter(None, (text, held.text)))
        return cls(tuple(folders) if hidden else (), apart, text, held.held)

    def enter(self) -> None:
        """Keep this process away from them; OSError if that does not work any more."""
        if self.hidden or (self.measures and not self.mounted):
            hiding.hide(self.hidden)
        if not self.mounted:
            measures.enter(self.measures, mounts=True)
        if self.apart and "signals" not in self.measures:  # whose ruleset keeps it apart as well
            hiding.keep_apart()
        measures.enter(self.measures, mounts=False)

    def enter_whole(self) -> Seclusion:
        """The same for a fork server, before it loads a backend: what is left to its forks."""
        self.enter()
        # A fork has no network already; what it is kept apart from are its siblings, too.
        left = tuple(name for name in self.measures if name != "network")
        return self._replace(hidden=(), mounted=True, measures=left)


class Reaper:
    """Workers by process id; ``run`` returns when the supervisor is gone and all is cleared up."""

    def __init__(
        self, control: Control, parent: int, loaded: Loaded | None, seclusion: Seclusion
    ) -> None:
        self._control = control
        self._seclusion = seclusion
        self._parent = parent
        self._loaded = loaded
        self._own = os.getpid()
        self._alive: dict[int, int] = {}
        self._killing: set[int] = set()
        self._leaving: set[int] = set()
        self._folders: dict[int, set[str]] = {}
        self._untidy: dict[int, int] = {}
        self._sweep_at: float | None = None
        # What loading started, such as a library's helper, is not an orphan of a worker.
        self._own_helpers = set(find_children().get(self._own, ())) if loaded else set()
        self._wakes = self._wake, wake = os.pipe()
        for end in self._wakes:
            os.set_blocking(end, False)
        for number in (signal.SIGCHLD, signal.SIGTERM):
            signal.signal(number, lambda *_: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal_at_parents_end(signal.SIGTERM)
        self._poll = select.poll()
        for descriptor in (control.connection.fileno(), self._wake):
            self._poll.register(descriptor, select.POLLIN)

    def run(self, messages: list[Message]) -> None:
        """Serve until the supervisor is gone; these ``messages`` of it have come already."""
        is_there = True
        try:
            self._control.send({"event": "ready", "isolation": self._seclusion.text})
            while is_there and os.getppid() == self._parent:
                for message in messages:
                    if "start" in message:
                        self._start(message)
                    else:
                        self._kill(message["kill"])
                self._reap()
                if self._killing or self._leaving or self._seconds_to_sweep() == 0:
                    self._sweep()
                is_at_it = self._killing or self._leaving
                wait = _KILLING_SECONDS if is_at_it else self._seconds_to_sweep()
                messages = []
                for descriptor, _ in self._poll.poll(None if wait is None else 1e3 * wait):
                    if descriptor == self._wake:
                        os.read(self._wake, 4096)
                    else:
                        messages, is_there = self._control.receive()
        except ConnectionError:  # it went while we spoke
            pass
        finally:
            self._end_all()

    def _seconds_to_sweep(self) -> float | None:
        return None if self._sweep_at is None else max(0.0, self._sweep_at - monotonic())

    # --- starting --------------------------------------------------------------------------

    def _start(self, message: Message) -> None:
        descriptors = self._control.descriptors[:_DESCRIPTORS]
        del self._control.descriptors[:_DESCRIPTORS]
        inherited = 0.0
        if self._loaded is not None:
            self._loaded.prepare_fork(message["family"])
            seen = look_at(self._own)
            inherited = 0.0 if seen is None else seen.resident_mb
        number = message["start"]
        try:
            pid = os.fork()
            if pid == 0:
                self._be_worker(message, descriptors, inherited)
        except OSError as error:  # no more processes, or no memory
            self._report("failed", number, error=str(error))
            return
        finally:
            for descriptor in descriptors:
                os.close(descriptor)
        self._alive[pid] = number
        self._folders[number] = {os.path.dirname(path) for path in message["join"]}
        self._report("started", number, pid=pid, inherited_mb=inherited)

    def _be_worker(self, message: Message, descriptors: list[int], inherited: float) -> NoReturn:
        status = 70
        try:
            os.setsid()
            requests, answers, output, board = descriptors
            for standard in (1, 2):
                os.dup2(output, standard)
            signal.set_wakeup_fd(-1)
            for number in (signal.SIGCHLD, signal.SIGTERM):
                signal.signal(number, signal.SIG_DFL)
            signal_at_parents_end(0)
            for path in message["join"]:
                _write(path, 0)
            for path, most, must in message["limit"]:
                # What is shared with the fork server counts there, and is taken off here.
                least = most - int(inherited * MB) if most > 1 else most
                with contextlib.nullcontext() if must else contextlib.suppress(OSError):
                    _write(path, max(1, least))
            if message["cores"]:
                os.sched_setaffinity(0, message["cores"])
            self._seclusion.enter()
            if self._loaded is None:
                for descriptor in (requests, answers, board):
                    os.set_inheritable(descriptor, True)
                python = message["python"]
                words = [python, "-P", "-X", "faulthandler", "-c", _BOOT, message["source"]]
                words += map(str, (requests, answers, board, self._own))
                os.execv(python, words)
            own = self._control.connection.fileno(), *self._control.descriptors, *self._wakes
            for other in (*own, output):
                os.close(other)
            status = self._loaded.serve_forked(requests, answers, board, self._own)
        except BaseException:  # nothing may get back into the reaper's own loop
            import traceback  # not in every reaper

            traceback.print_exc()
        finally:
            with contextlib.suppress(Exception):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(status)

    # --- ending ----------------------------------------------------------------------------

    def _reap(self) -> None:
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG | os.WUNTRACED)
            except ChildProcessError:  # no children at all: nothing can be left of any worker
                self._report_all_gone()
                self._sweep_at = None
                return
            if pid == 0:
                return
            if os.WIFSTOPPED(status):
                if pid in self._alive:
                    self._report("stopped", self._alive[pid])
                continue
            number = self._alive.pop(pid, None)
            if number is None:
                continue
            code = os.waitstatus_to_exitcode(status)
            self._report("ended", number, status=code)
            kill_group(pid)
            if code == CLEAN and number not in self._killing:  # but look by and by, all the same
                self._report_gone(number)
                self._sweep_at = self._sweep_at or monotonic() + _SWEEP_SECONDS
            else:
                self._leaving.add(number)
                self._untidy[number] = pid
            self._killing.discard(number)

    def _kill(self, number: int) -> None:
        for pid, known in self._alive.items():
            if known == number:
                self._killing.add(number)
                if not LINUX:  # its orphans will not come to us
                    kill(tree_of(pid))
                kill_group(pid)

    def _sweep(self) -> None:
        self._sweep_at = None
        children = find_children()
        known = self._alive.keys() | self._own_helpers
        orphans = [pid for pid in children.get(self._own, ()) if pid not in known]
        doomed = [pid for pid, number in self._alive.items() if number in self._killing]
        kill(tree(orphans + doomed, children))
        if not orphans:
            if self._leaving and self._alive:  # one may have forked while we looked; look again
                self._sweep_at = monotonic() + _SWEEP_SECONDS
            self._report_all_gone()

    def _report_all_gone(self) -> None:
        while self._leaving:
            self._report_gone(self._leaving.pop())

    def _report_gone(self, number: int) -> None:
        del self._folders[number]
        pid = self._untidy.pop(number, None)
        if pid is not None:
            remove_folders(os.environ.get(TOKEN, ""), pid)
        self._report("gone", number)

    def _report(self, event: str, number: int, **details: float | str) -> None:
        self._control.send({"event": event, "worker": number, **details})

    def _end_all(self) -> None:
        """Kill everything below, until nothing is there any more, and remove the groups."""
        until = monotonic() + _LAST_SECONDS
        while monotonic() < until:
            kill(tree_of(self._own)[1:])
            try:
                while os.waitpid(-1, os.WNOHANG) != (0, 0):
                    pass
            except ChildProcessError:
                break
            sleep(0.002)
        for folder in set().union(*self._folders.values()):
            with contextlib.suppress(OSError):
                os.rmdir(folder)


def _write(path: str, number: int) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(str(number))
