"""Releases of MiniZinc: which one is installed, and which flags its compiler needs."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from functools import cache

HALF_REIFIES: tuple[int, int, int] = (2, 8, 5)
"""The first release of MiniZinc whose compiler is trusted to half-reify.

Earlier ones, of which 2.6.4 was tried, forget a negation around a comparison of ``bool2int``, and
do not require an equality to fail that must (https://github.com/MiniZinc/libminizinc/issues/810 and
813)."""

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
        done = run([program, "--version"])
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = _RELEASE.search(done.stdout.decode("utf-8", "replace"))
    return found[1] if found else ""


def run(command: Sequence[str], seconds: float = 10) -> subprocess.CompletedProcess[bytes]:
    """Run a command to its end and return what it wrote."""
    return subprocess.run(
        command, capture_output=True, stdin=subprocess.DEVNULL, timeout=seconds, check=False
    )
