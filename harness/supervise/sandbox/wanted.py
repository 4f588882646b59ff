"""What is wanted of the sandbox, and what this machine lacks of it: tried in a process apart."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

Sandbox = Literal["auto", "require", "off"]

IN_REACH = "in reach"
"""What the text about a sandbox has where something is missing."""

REMEDY = (
    "use --sandbox auto for what it has, or a machine with Linux 6.12 or later, Landlock and "
    "namespaces"
)

_ROOT = Path(__file__).parents[3]
_TRIAL = (
    "import sys; sys.path.append(sys.argv[1]); "
    "from harness.supervise.sandbox.measures import describe_all; print(describe_all(sys.argv[2]))"
)


@cache
def describe_missing() -> str:
    """What workers can reach on this machine in spite of the sandbox, and why; empty for nothing.

    It is tried in a new process: a fork of this one might have threads that hold locks.
    """
    with TemporaryDirectory(prefix="concord-sandbox-") as folder:
        words = [sys.executable, "-P", "-S", "-c", _TRIAL, str(_ROOT), folder]
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        return f"everything {IN_REACH} (the trial ended with exit status {done.returncode})"
    return ", ".join(part for part in done.stdout.strip().split("; ") if IN_REACH in part)
