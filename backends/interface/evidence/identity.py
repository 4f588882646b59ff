"""Which solver a program is, by what it says of itself.

Anybody can call a file ``fzn-gecode``. So a program whose file has the name of a solver is asked
for its version, or for its help (``Family.says``), and is taken for the solver only if it prints
what that one prints. A program that was made to deceive can print it too: whoever runs it has put
it there. One with another name is asked nothing, since it may not expect such arguments.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache

from backends.interface.evidence.families import FAMILIES, rows_of_program

SECONDS = 5.0
"""A program that does not answer so soon says nothing."""

MOST_CHARACTERS = 100_000


def identify(program: str) -> frozenset[str]:
    """The names of the families that ``program``, a path or a name on the PATH, says to be of.

    Empty for one that is not there, whose file's name no family has, or that says nothing of it.
    """
    import shutil  # not at the start of every worker

    called = frozenset(row.name for row in rows_of_program(program))
    path = shutil.which(os.path.expanduser(program))
    if not called or path is None:
        return frozenset()
    path = os.path.abspath(path)
    state = os.stat(path)
    return _ask(path, called, (state.st_mtime_ns, state.st_size, state.st_ino))


@lru_cache(maxsize=256)
def _ask(path: str, called: frozenset[str], state: tuple[int, int, int]) -> frozenset[str]:
    """``state`` tells one file at this path from another."""
    rows = [row for row in FAMILIES if row.name in called]
    return frozenset(
        row.name
        for row in rows
        for argument, pattern in row.says
        if re.search(pattern, _listen(path, argument), re.MULTILINE)
    )


def _listen(path: str, argument: str) -> str:
    """What it prints; nothing where it cannot be started, or does not end in time."""
    import subprocess  # not at the start of every worker

    try:
        done = subprocess.run(
            [path, argument],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout[:MOST_CHARACTERS].decode(errors="replace")
