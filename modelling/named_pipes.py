"""Named pipes in the place of files: opening one waits for its writer, perhaps without end."""

from __future__ import annotations

import os
import stat


def ensure_no_named_pipe(path: str | os.PathLike[str]) -> None:
    """Raise OSError for a named pipe, and for a path that cannot be looked at.

    A pipe that a shell makes (``<(command)``) has no name in a folder and has its writer already.
    """
    if not stat.S_ISFIFO(os.stat(path).st_mode):
        return
    real = os.path.realpath(path)
    if os.path.exists(real) and not real.startswith("/dev/fd/"):
        raise OSError(
            "it is a named pipe, which may wait for its writer without end; write what it holds "
            "to a file, and name that"
        )
