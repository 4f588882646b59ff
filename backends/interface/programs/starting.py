"""How a program is started: in a group of its own, with a temporary folder for its files; and why
one did not start, in words that say what to do.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
import tempfile
from collections.abc import Sequence

from backends.interface.programs.leaving import leave_at_sigterm
from modelling.errors import BackendUnavailable

SESSION = "CONCORD_SESSION"
"""Where the harness says to which of its sessions a process belongs."""


def start(words: Sequence[str], folder: str) -> subprocess.Popen[bytes]:
    """The program, which reads nothing. BackendUnavailable says why it cannot be run."""
    if os.name != "posix":
        raise BackendUnavailable(
            "a program can be run as a solver on Linux and macOS; on Windows use WSL, or a "
            "solver of `concord backends`"
        )
    try:
        return subprocess.Popen(
            list(words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environb | {b"TMPDIR": os.fsencode(folder)},  # bytes need no encoding twice
            bufsize=0,
            process_group=0,
        )
    except (OSError, ValueError) as error:
        raise BackendUnavailable(explain_start(words[0], error)) from error


class Folder(tempfile.TemporaryDirectory[str]):
    """A temporary folder for one call; a failure to remove it is not an error of the solver.

    By its name the harness removes it where this process is killed. Elsewhere nobody would, nor
    end the program: while the folder is there, SIGTERM raises ``SystemExit``, so that whoever has
    begun them ends them.
    """

    def __init__(self) -> None:
        session = os.environ.get(SESSION)
        self._signals = contextlib.ExitStack()
        if not session:
            self._signals.enter_context(leave_at_sigterm())
        whose = [word for word in (session, str(os.getpid())) if word]
        super().__init__(prefix=f"concord-{'-'.join(whose)}-", ignore_cleanup_errors=True)

    def cleanup(self) -> None:
        """Remove it; from now on SIGTERM does what it did before."""
        super().cleanup()
        self._signals.close()


def make_folder() -> Folder:
    """A temporary folder for one call."""
    return Folder()


def explain_start(program: str, error: Exception) -> str:
    """Why a program did not start, in words that say what to do."""
    if isinstance(error, FileNotFoundError):
        if os.path.exists(program):
            return (
                f"{program} cannot be run: the interpreter or loader that it asks for is missing "
                "(see its first line, `#!...`, or `file` and `ldd`)"
            )
        return f"{program} cannot be run: there is no such file"
    if isinstance(error, PermissionError):
        if os.path.isdir(program):
            return f"{program} cannot be run: it is a folder"
        return f"{program} cannot be run: it is not executable (chmod +x {shlex.quote(program)})"
    if isinstance(error, OSError) and error.errno == 8:  # ENOEXEC
        return (
            f"{program} cannot be run: it is made for another kind of machine, or is a script "
            "without a first line `#!...`"
        )
    return f"{program} cannot be run: {error}"
