"""What a library is called by, written down in a process of its own where the calls may end it."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from harness.hunting.findings import Finding
from harness.hunting.scripts.recording import Unwritable
from harness.hunting.scripts.task import Native, Task
from modelling.errors import Unsupported

WRITERS = (
    *("choco", "clingo", "cpsat", "highs", "pumpkin", "python_constraint", "sat", "scip"),
    *("toulbar2", "z3"),
)
"""The backends whose libraries a script can be written for, each by the module of its name."""

SECONDS = 60.0
"""What the process may take."""

ROOT = Path(__file__).parents[3]
COMMAND = "import sys; sys.path.append(sys.argv[1]); from harness.hunting.scripts.apart import main"


def write_native(task: Task) -> Native:
    """The words of the solver. Raises Unsupported where there are none."""
    backend = task.finding.backend
    if task.head not in WRITERS:
        raise Unsupported(backend, "a script", "no writer knows its library")
    try:
        native: Native = import_module(f"{__package__}.libraries.{task.head}").write(task)
    except Unwritable as error:
        raise Unsupported(backend, "a script", str(error)) from error
    return native


def write_apart(finding: Finding) -> Native:
    """The words of a solver that ends its process: up to the call that does, if one of them does.

    Raises Unsupported where nothing was written down.
    """
    with TemporaryDirectory() as folder:
        finding.write(Path(folder))
        notes = Path(folder) / "notes"
        words = [sys.executable, "-P", "-c", f"{COMMAND}; main()", str(ROOT), folder, str(notes)]
        subprocess.run(words, capture_output=True, timeout=SECONDS, check=False)
        lines = notes.read_bytes().splitlines() if notes.exists() else []
    if not lines:
        raise Unsupported(finding.backend, "a script", "its library ends the process at once")
    return msgspec.json.decode(lines[-1], type=Native)


def main() -> None:
    """Write down the words for the finding in a folder, a line before each call and at the end."""
    _, _, folder, path = sys.argv
    with Path(path).open("ab", buffering=0) as notes:

        def note(native: Native) -> None:
            notes.write(msgspec.json.encode(native) + b"\n")

        note(write_native(Task(Finding.read(Path(folder)), note)))
