"""Releases of MiniZinc: which one is here, and what its compiler is told not to do."""

from __future__ import annotations

import re
import subprocess
from functools import cache

HALF_REIFIES: tuple[int, int, int] = (2, 8, 5)
"""From which release of MiniZinc on its compiler is trusted to half-reify. Those before, of which
2.6.4 was tried, forget a negation around a comparison of ``bool2int``, and say of an equality that
is to fail that it may (https://github.com/MiniZinc/libminizinc/issues/810 and 813)."""

_RELEASE = re.compile(r"version ([0-9]+(?:\.[0-9]+)*)")


def read_release(version: str) -> tuple[int, ...]:
    """A version as numbers."""
    return tuple(map(int, re.findall("[0-9]+", version)))


def list_flags(release: str) -> list[str]:
    """The flags by which a release of MiniZinc does not do what it gets wrong."""
    return ["--no-half-reifications"] if read_release(release) < HALF_REIFIES else []


@cache
def find_release(program: str) -> str:
    """The release that a program says it is; empty, and so taken for an old one, without one."""
    try:
        done = subprocess.run(
            [program, "--version"],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = _RELEASE.search(done.stdout)
    return found[1] if found else ""
