"""Runs pytest again and again in processes that need not import the libraries first.

    python nursery.py

A line of JSON from standard input asks for one run: ``{"arguments": [...], "output": FILE,
"seconds": S, "each": E, "environment": {...}}``. A copy of this process runs pytest with the
arguments, in a session of its own; its exit status comes back as a line, or -1 when the seconds
were over, or those of the processor that one test may take (0: as many as it does). It imports
libraries beforehand, and nothing of the project.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import resource
import select
import signal
import sys
import time
import types
from hashlib import blake2b
from pathlib import Path
from typing import Any

LIBRARIES = (
    *("pytest", "_pytest.assertion.rewrite", "hypothesis", "numpy", "pandas", "msgspec", "psutil"),
    *("typer", "rich.table", "rich.progress", "httpx", "ortools.sat.python.cp_model"),
    *("pysat.solvers", "pysat.card", "constraint", "numba"),
)
MOST_MEMORY = 6 << 30
"""Bytes: a mutant that allocates without end fails, and leaves the machine to others."""
COMPILED_INTO_ALL = ("cache.py", "endings.py", "simd.py")


def keep_machine_code_by_file() -> None:
    """Compile again only what a changed file is part of; the project compiles all of it again."""
    cache: Any = importlib.import_module("backends.machine_code")
    folder = Path(str(cache.__file__)).parent / "sudoku_kernel"
    begin = cache.SourcesCache.__init__

    def begin_by_file(self: object, function: types.FunctionType, digest: str) -> None:
        names = (Path(function.__code__.co_filename).name, *COMPILED_INTO_ALL)
        content = b"".join((folder / name).read_bytes() for name in names)
        begin(self, function, blake2b(content, digest_size=4).hexdigest())

    cache.SourcesCache.__init__ = begin_by_file


class Limit:
    """Ends the process where one test takes too many seconds of the processor."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds

    def pytest_runtest_logstart(self) -> None:
        """Start the clock anew."""
        signal.setitimer(signal.ITIMER_PROF, self.seconds)


def run(arguments: list[str], output: str, each: float, environment: dict[str, str]) -> int:
    """In the copy: pytest with its output in a file."""
    os.setsid()
    _, most = resource.getrlimit(resource.RLIMIT_DATA)
    room = MOST_MEMORY if most == resource.RLIM_INFINITY else min(most, MOST_MEMORY)
    resource.setrlimit(resource.RLIMIT_DATA, (room, room))
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    written = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for old, new in ((nothing, 0), (written, 1), (written, 2)):
        os.dup2(old, new)
    sys.argv = ["pytest", *arguments]
    if any("compiled" in argument for argument in arguments):
        keep_machine_code_by_file()
    import pytest

    status = int(pytest.main(arguments, plugins=[Limit(each)]))
    sys.stdout.flush()
    sys.stderr.flush()
    return status


def serve(
    arguments: list[str],
    output: str,
    seconds: float,
    each: float,
    environment: dict[str, str],
) -> int:
    """Exit status of a run, -1 when it took longer."""
    child = os.fork()
    if not child:
        status = 70
        try:
            status = run(arguments, output, each, environment)
        except SystemExit as ended:
            status = ended.code if isinstance(ended.code, int) else 1
        finally:
            os._exit(status)
    opened = os.pidfd_open(child)
    try:
        if not select.select([opened], [], [], max(0.0, seconds))[0]:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return -1
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        with contextlib.suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # what the tests of a mutant left behind
        if status == -signal.SIGPROF:
            return -1
        return status if status >= 0 else 128 - status
    finally:
        os.close(opened)


def main() -> None:
    for name in LIBRARIES:
        importlib.import_module(name)
    sys.path.insert(0, os.getcwd())
    print(json.dumps({"ready": time.time()}), flush=True)
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps(serve(**asked)), flush=True)


if __name__ == "__main__":
    main()
