"""A worker process: loads one backend, then answers jobs until its pipe is closed.

Started by ``harness.supervise.reaper`` with three descriptors: requests come in on the first,
answers go out on the second, the third is the scoreboard. Standard output and standard error belong
to the solver, and never carry an answer. A worker loads one backend only: there are solvers that
break each other's import (ortools 9.15 and highspy 1.15). ``harness.supervise.answering``
says what it does with a job.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import perf_counter
from typing import NoReturn

import msgspec

from backends.interface import registry
from backends.interface.api import Backend, family_of, is_complete, load_ahead
from backends.interface.encoding_cache import allow_memory
from backends.interface.registry import known_family
from harness.job import Job
from harness.record import Version
from harness.supervise.answering import (
    LONGEST_ERROR,
    LONGEST_TEXT,
    Families,
    answer,
    format_last_traceback,
    import_family,
    make_failed_record,
)
from harness.supervise.channels import CHUNK, Frames, frame
from harness.supervise.processes import (
    CLEAN,
    LINUX,
    MB,
    JobMeter,
    die_with_parent,
    has_children,
)
from harness.supervise.protocol import Greeting, ProofCheck, Scoreboard, Start, WarmUp, number_of
from harness.supervise.sandbox.afterwards import Afterwards
from harness.supervise.warming import make_anew, warm_up
from modelling.errors import ConcordError


@dataclass
class Loaded:
    """A backend, None if it cannot be used, its greeting, and the families imported so far."""

    backend: Backend | None
    greeting: Greeting
    families: Families = field(default_factory=dict)

    def prepare_fork(self, family: str) -> None:
        """Import ``family``, and see to it that a fork is safe: be of no use where it is not."""
        if self.backend is None:
            return
        import_family(self.families, family)
        others = []
        for thread in os.listdir("/proc/self/task") if LINUX else ():
            if int(thread) != os.getpid():
                with open(f"/proc/self/task/{thread}/comm", encoding="utf-8") as file:
                    others.append(file.read().strip())
        if others:
            error = (
                f"mode isolated: loading {self.greeting.version.backend} has started threads "
                f"({', '.join(others)}), and forking beside threads is not safe; "
                "use mode fresh or pooled for it"
            )
            self.backend, self.greeting = None, msgspec.structs.replace(self.greeting, error=error)

    def serve_forked(self, requests: int, answers: int, board: int, parent: int) -> int:
        """Serve as a fork of the process ``parent``, which has loaded this; the exit status."""
        die_with_parent(parent)
        _ignore_interrupts()
        serve(requests, answers, Scoreboard(board), self)
        return 1


def load(name: str) -> Loaded:
    """The backend called ``name``, if it can be loaded."""
    started = perf_counter()
    version = Version(backend=name)
    try:
        if name.startswith("py:__"):  # the caller's own __main__, say
            from harness.plan.checking import ensure_importable

            ensure_importable(name, "a backend")
        backend = registry.get(name)
        load_ahead(backend)
        version = msgspec.structs.replace(
            version,
            canonical=str(backend.name)[:LONGEST_TEXT],
            family=family_of(backend)[:LONGEST_TEXT],
            complete=is_complete(backend),
            solver=str(getattr(backend, "version", ""))[:LONGEST_TEXT],
            native=tuple(sorted(kind.__name__ for kind in backend.native)),
        )
    except ConcordError as error:
        return Loaded(None, Greeting(version=version, error=str(error)[-LONGEST_ERROR:]))
    except Exception:  # a backend's import may raise anything; the greeting carries the traceback
        return Loaded(None, Greeting(version=version, error=format_last_traceback()))
    return Loaded(backend, Greeting(version=version, import_s=perf_counter() - started))


def main() -> None:
    """Serve on the descriptors that end the command line."""
    requests, answers, board, parent = (int(word) for word in sys.argv[-4:])
    for descriptor in (requests, answers, board):
        os.set_inheritable(descriptor, False)
    die_with_parent(parent)
    _ignore_interrupts()
    serve(requests, answers, Scoreboard(board))
    sys.exit(CLEAN if not has_children() else 1)


def _ignore_interrupts() -> None:
    """The caller decides about Ctrl-C, which a session of its own keeps away; and what a backend
    does for it in a notebook would count in its times."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def serve(requests: int, answers: int, board: Scoreboard, loaded: Loaded | None = None) -> None:
    """Greet, then answer jobs one by one until ``requests`` is closed."""
    payloads = receive(requests)
    first = next(payloads, None)
    if first is None:
        return
    start = msgspec.json.decode(first, type=Start)
    if loaded is None:
        sys.path[:] = start.path
        loaded = load(start.backend)
    backend, families = loaded.backend, loaded.families
    send(answers, msgspec.json.encode(loaded.greeting))
    if backend is None:
        return
    if start.memory_mb is not None:
        allow_memory(start.memory_mb)
    if start.headroom_mb is not None:
        limit_address_space(start.headroom_mb)
    own, meter, afterwards = os.getpid(), JobMeter(), Afterwards()
    decode = msgspec.json.Decoder(Job | str).decode
    encoder = msgspec.json.Encoder(enc_hook=number_of)
    tell_check = None  # of others than those that ship no proof counts
    if known_family(start.backend) is not None:
        tell_check = lambda seconds: send(answers, encoder.encode(ProofCheck(seconds)))  # noqa: E731
    for payload in payloads:
        if payload.startswith(b"["):
            told = warm_up(backend, msgspec.json.decode(payload, type=WarmUp))
            if os.getpid() != own:
                os._exit(0)
            backend = make_anew(start.backend)
            told = msgspec.structs.replace(told, left_behind=afterwards.look()[0])
            send(answers, msgspec.json.encode(told))
            continue
        job = decode(payload)
        if isinstance(job, str):
            import_family(families, job)
            send(answers, payload)
            continue
        record = answer(backend, job, board, meter, families, tell_check=tell_check)
        if os.getpid() != own:  # a child that the backend forked has come back as if it were us
            os._exit(0)
        record.left_behind, charged_s = afterwards.look()
        if record.cpu_s is not None:
            record.cpu_s += charged_s
        try:
            reply = encoder.encode(record)
        except (TypeError, ValueError, OverflowError) as error:
            reply = encoder.encode(
                make_failed_record(job.number, f"the answer cannot be sent: {error}")
            )
        send(answers, reply)
        if start.once:
            _leave(record.left_behind)


def _leave(left_behind: int) -> NoReturn:
    """End at once, without tidying up an interpreter that nobody needs again."""
    sys.stdout.flush()
    sys.stderr.flush()
    ctypes.CDLL(None).fflush(None)  # what a solver has printed
    os._exit(1 if left_behind else CLEAN)


def limit_address_space(headroom_mb: float) -> None:
    """Let the addresses in use grow by so much and no more; a limit that is there stays there."""
    with open("/proc/self/statm", encoding="ascii") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    there = (limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY)
    most = min([used + int(headroom_mb * MB), *there])
    resource.setrlimit(resource.RLIMIT_AS, (most, hard))


def receive(descriptor: int) -> Iterator[bytes]:
    """The payloads that arrive, until the other side closes the pipe."""
    frames = Frames()
    while data := os.read(descriptor, CHUNK):
        yield from frames.feed(data)


def send(descriptor: int, payload: bytes) -> None:
    """Write one frame."""
    rest = memoryview(frame(payload))
    while rest:
        rest = rest[os.write(descriptor, rest) :]
