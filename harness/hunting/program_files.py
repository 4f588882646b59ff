"""The file that a solver's program reads, and how it is called: what a report has where the solver
is a program.

The backend is asked once more, here, and the start of the program is watched. So file and command
are those of the backend, in whatever format it writes.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from backends.interface import registry
from backends.interface.driver import Driver
from backends.interface.programs import process
from harness.hunting.findings import Finding
from modelling.errors import Unsupported

RECORD_SECONDS = 10.0
STEM = "bug"
NO_PROGRAM = "it has no writer, and starts no program"

COMMENT = re.compile(r"[cd%](\s|$)")
"""The beginning of a line that has no answer, in what solvers of competitions print."""


@dataclass(frozen=True)
class ProgramCall:
    """The first start of a program: ``files`` by name, and the ``words`` of the command."""

    files: dict[str, bytes]
    words: tuple[str, ...]

    @property
    def command(self) -> str:
        """The command line, with the program by its name."""
        return shlex.join((os.path.basename(self.words[0]), *self.words[1:]))

    def write(self, folder: Path) -> None:
        """Write the files."""
        for name, data in self.files.items():
            (folder / name).write_bytes(data)

    def run(self, folder: Path, seconds: float = RECORD_SECONDS) -> str:
        """What the program prints in a folder with the files."""
        try:
            done = subprocess.run(
                self.words, cwd=folder, capture_output=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            return f"(nothing within {seconds:g} s)"
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        return "\n".join(line for line in said.splitlines() if not COMMENT.match(line))


def record_program(finding: Finding) -> ProgramCall:
    """The call of the program; raises Unsupported where the backend starts none."""
    head, _, options = registry.split(finding.backend)
    backend = registry.get(f"{head}:{options}" if options else head)
    if not isinstance(backend, Driver) or not hasattr(backend.solver, "program"):
        raise Unsupported(
            finding.backend, "a script", NO_PROGRAM
        )  # it is not asked in this process
    limits = replace(finding.limits, seconds=finding.limits.seconds or RECORD_SECONDS)
    calls: list[ProgramCall] = []
    with _watch_starts(calls):
        try:
            backend.solve(finding.problem, finding.question.ask(), limits)
        except Exception:  # the fault itself, perhaps; the start was seen all the same
            if not calls:
                raise
    if not calls:
        raise Unsupported(finding.backend, "a script", NO_PROGRAM)
    return calls[0]


@contextmanager
def _watch_starts(calls: list[ProgramCall]) -> Iterator[None]:
    start = process.__dict__["start"]

    def watched(words: Sequence[str], folder: str) -> Any:
        if not calls:
            calls.append(_read_call(words, Path(folder)))
        return start(words, folder)

    process.__dict__["start"] = watched
    try:
        yield
    finally:
        process.__dict__["start"] = start


def _read_call(words: Sequence[str], folder: Path) -> ProgramCall:
    """The files of the folder under short names, and the words with these."""
    files, shorter = {}, {}
    for path in sorted(folder.iterdir()):
        if path.is_file():
            name = f"{STEM}{path.suffix}"
            files[name] = path.read_bytes()
            shorter[str(path)] = name
    called = [words[0]]
    for word in words[1:]:
        for long, short in shorter.items():
            word = word.replace(long, short)
        called.append(word)
    return ProgramCall(files, tuple(called))
