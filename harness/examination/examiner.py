"""The process that loads a backend and asks it, check by check, as its watcher wants.

It sends a tuple for each thing that happens: ``("begun", "")``, then ``("loaded", what)`` or
``("broken", why)``; then for each check ``("excuse", why)``, or ``("asks", instance)`` before each
problem and ``("found", finding)`` after the drawn problems and after the puzzles. What the backend
prints goes to a pipe of its own.
"""

from __future__ import annotations

import os
import signal
import sys
from multiprocessing.connection import Connection
from typing import NamedTuple

from backends.conformance.suite import vocabulary
from backends.interface import registry
from backends.interface.api import Backend, load_ahead
from harness.examination.checks import CHECKS, Check, run_check
from harness.examination.problems import draw_problems, draw_puzzles
from harness.examination.watched import Watched, describe_error
from harness.supervise.processes import die_with_parent
from modelling.errors import ConcordError
from puzzles.family import Instance

GIGABYTES = 4
"""Addresses that the backend may use beyond those in use once it is loaded."""


class Order(NamedTuple):
    """What to examine: a backend's name, and how many problems are drawn from which seed.

    ``seconds`` is the time for the drawn problems of a check, and for its puzzles.
    """

    backend: str
    problems: int
    seed: int
    seconds: float


def serve(line: Connection, output: Connection, order: Order, parent: int) -> None:
    """Load the backend, then run the checks whose numbers come over the line, until its end."""
    die_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the watcher
    for descriptor in (1, 2):
        os.dup2(output.fileno(), descriptor)
    line.send(("begun", ""))
    try:
        backend = _load(order.backend)
    except ConcordError as error:
        line.send(("broken", str(error).partition("\n")[0]))
        return
    except BaseException as error:  # whatever the import of somebody's file raises
        line.send(("broken", f"{order.backend} raised {describe_error(error)}"))
        return
    _limit_memory()
    natives = len(backend.native)
    line.send(("loaded", f"{backend.name!s}, {natives} native constraint{'s' * (natives != 1)}"))
    watched = Watched(backend)

    def announce(instance: Instance) -> None:
        line.send(("asks", instance))

    lists = (
        draw_problems(order.problems, order.seed, vocabulary(backend)),
        draw_puzzles(order.seed),
    )
    while True:
        try:
            check: Check = CHECKS[line.recv()]
        except EOFError:
            return
        if excuse := check.excuse(backend):
            line.send(("excuse", excuse))
            continue
        for posed in lists:
            finding = run_check(check, watched, posed, announce, order.seconds)
            sys.stdout.flush()
            line.send(("found", finding))


def _load(name: str) -> Backend:
    backend = registry.get(name)
    for attribute in ("name", "native"):
        if callable(getattr(backend, attribute)):
            raise TypeError(f"{attribute} must be a value, and is a function")
    if not isinstance(backend.native, frozenset | set | tuple | list):
        raise TypeError(
            f"native must be a frozenset of types of constraints, not {backend.native!r}"
        )
    load_ahead(backend)
    return backend


def _limit_memory() -> None:
    """A backend that takes more and more memory gets a MemoryError before the machine suffers."""
    if not sys.platform.startswith("linux"):
        return
    import resource

    with open("/proc/self/statm", encoding="ascii") as file:
        in_use = int(file.read().split()[0]) * resource.getpagesize()
    most, hard = in_use + (GIGABYTES << 30), resource.getrlimit(resource.RLIMIT_AS)[1]
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_AS, (most, hard))
