"""The machine of a run, as far as it explains timings: processor, cores, memory, system."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from hashlib import blake2b

import msgspec
import psutil


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """One machine; ``usable`` is how many logical cores this process may run on."""

    processor: str
    architecture: str
    cores: int
    logical_cores: int
    usable: int
    memory_mb: int
    system: str
    python: str

    @property
    def id(self) -> str:
        """16 hexadecimal digits; equal machines, equal ids."""
        return blake2b(msgspec.json.encode(self), digest_size=8).hexdigest()


def this_machine() -> Machine:
    """The machine that this process runs on."""
    logical = psutil.cpu_count() or 1
    affinity = getattr(os, "sched_getaffinity", None)
    return Machine(
        processor=_read_processor(),
        architecture=platform.machine(),
        cores=psutil.cpu_count(logical=False) or logical,
        logical_cores=logical,
        usable=len(affinity(0)) if affinity else logical,
        memory_mb=psutil.virtual_memory().total >> 20,
        system=f"{platform.system()} {platform.release()}",
        python=describe_python(),
    )


def describe_python() -> str:
    """The interpreter and its version, as in "CPython 3.11.7"."""
    return f"{platform.python_implementation()} {platform.python_version()}"


def _read_processor() -> str:
    """The processor's marketing name, or what the platform module knows."""
    try:
        if sys.platform == "linux":
            with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
                for line in file:
                    key, _, value = line.partition(":")
                    if key.strip() == "model name":
                        return value.strip()
        elif sys.platform == "darwin":
            words = ["sysctl", "-n", "machdep.cpu.brand_string"]
            return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return platform.processor()
    return platform.processor()
