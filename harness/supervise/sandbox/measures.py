"""Which measures this kernel has: each is tried in a child, which then knows of the ones before it.

Their order is that in which they are entered: mounts first, which Landlock forbids afterwards.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from typing import NamedTuple

from harness.supervise import hiding
from harness.supervise.sandbox.kernel import LINUX, libc
from harness.supervise.sandbox.network import filter_of, refuse_network
from harness.supervise.sandbox.shared_memory import own_shared_memory
from harness.supervise.sandbox.sight import see_own_processes
from harness.supervise.sandbox.signals import refuse_signals


class Measure(NamedTuple):
    """What a worker is kept from, and how; ``mounts`` says that it takes mounts of its own."""

    what: str
    held: str
    enter: Callable[[], None]
    mounts: bool = False


MEASURES = {
    one.what: one
    for one in (
        Measure("shared memory", "own shared memory", own_shared_memory, mounts=True),
        Measure("processes", "processes unseen", see_own_processes, mounts=True),
        Measure("signals", "signals refused", refuse_signals),
        Measure("network", "network refused", refuse_network),
    )
}

WHOLE = ("shared memory", "signals", "network")
"""Those that ``require`` asks for, beside a hidden store. That others are not seen is a comfort:
no worker can look into them in any case."""


class Found(NamedTuple):
    """The measures that can be had, by name, and why each other one cannot."""

    held: tuple[str, ...]
    missing: dict[str, str]

    @property
    def parts(self) -> list[str]:
        """What is in force, and what is not though it should be."""
        missing = self.missing.items()
        held = [MEASURES[what].held for what in self.held]
        return [*held, *(f"{what} in reach ({why})" for what, why in missing if what in WHOLE)]

    @property
    def text(self) -> str:
        """The same, for the record."""
        return ", ".join(self.parts)


def find_measures(folders: Sequence[str] = ()) -> Found:
    """Those that work here, tried in a child of this process; ``folders`` are hidden first."""
    if not LINUX:
        return Found((), dict.fromkeys(WHOLE, "not Linux"))
    prepare()
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(reader)
            os.write(writer, "\n".join(_try_all(folders)).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        said = file.read().decode(errors="replace").split("\n")
    os.waitpid(child, 0)
    if len(said) != len(MEASURES):
        return Found((), dict.fromkeys(MEASURES, "the trial ended early"))
    pairs = list(zip(MEASURES, said, strict=True))
    held = tuple(what for what, why in pairs if not why)
    return Found(held, {what: why for what, why in pairs if why})


def prepare() -> None:
    """Load what each worker needs to enter its sandbox; those that are forked from here have it."""
    libc()
    filter_of(platform.machine())


def describe_all(folder: str) -> str:
    """What is in force here, and what not, where ``folder`` is to be hidden, between ``; ``."""
    store = hiding.describe(*hiding.find_means([folder]))
    return "; ".join([store, *find_measures([folder]).parts])


def _try_all(folders: Sequence[str]) -> list[str]:
    """Why each measure does not work; empty where it does."""
    mounts = _try(lambda: hiding.hide(folders))
    said = []
    for one in MEASURES.values():
        if one.what == "signals":
            _try(hiding.keep_apart)
        said.append(mounts if one.mounts and mounts else _try(one.enter))
    return said


def _try(action: Callable[[], None]) -> str:
    try:
        action()
    except (OSError, AttributeError) as error:
        return " ".join(str(error).split()) or type(error).__name__
    return ""


def enter(names: Sequence[str], mounts: bool) -> None:
    """Enter those of these measures that take mounts of one's own, or those that do not."""
    for name in names:
        if MEASURES[name].mounts == mounts:
            MEASURES[name].enter()
