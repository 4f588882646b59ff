"""Refuses what may never end when it is read: named pipes and devices."""

from __future__ import annotations

import os
import stat

TERMINALS = ("/dev/tty", "/dev/pts/", "/dev/null")
"""Prefixes of the devices that do end."""


def ensure_file_ends(path: str | os.PathLike[str]) -> None:
    """Raise OSError for a named pipe, a device, and a path that cannot be looked at.

    A pipe that a shell makes (``<(command)``) has no name in a folder and has its writer already.
    """
    mode, real = os.stat(path).st_mode, os.path.realpath(path)
    if stat.S_ISFIFO(mode) and os.path.exists(real) and not real.startswith("/dev/fd/"):
        what = "a named pipe, which may wait for its writer without end"
    elif stat.S_ISCHR(mode) and not real.startswith(TERMINALS):
        what = "a device, which may have no end"
    else:
        return
    raise OSError(f"it is {what}; write what it holds to a file, and name that")
