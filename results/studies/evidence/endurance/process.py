"""``concord`` in a process to which something happens.

    python -m results.studies.evidence.endurance.process '{"note": "FILE", ...}' run ...

The first argument is a ``Fate`` as JSON, the others are those of ``concord``.

Commits follow each other as fast as they can, so that a fault meets more of them.
"""

from __future__ import annotations

import datetime
import json
import os
import random
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import msgspec

CUT = 137
"""Exit status after a power cut: nobody hears it."""

HOURS = (-24, -5, -1, 0, 1, 5, 24)


class Fate(msgspec.Struct, frozen=True):
    """What happens to the process.

    ``note``   a file that gets, in a line for each commit, the jobs with a record
    ``cut``    the power goes at this step of the files below ``world``; ``left`` is the folder for
               what the disk then holds. With ``cut`` 0 the file ``note`` gets the number of steps
    ``seed``   of what is drawn
    ``clock``  the clock is set by hours, back and forward, again and again
    """

    note: str = ""
    world: str = ""
    left: str = ""
    cut: int = 0
    seed: int = 0
    clock: bool = False


def run_command(words: list[str]) -> int:
    """Run the command; its exit status."""
    fate = msgspec.json.decode(words[0], type=Fate)
    if fate.clock:
        turn_clock(random.Random(fate.seed))
    from harness.cli import entry  # after the clock was replaced
    from harness.store import store

    store.COMMIT_SECONDS = 0.01
    sys.argv = ["concord", *words[1:]]
    status = 0
    with ExitStack() as stack:
        if fate.note:
            note_commits(store.Store, Path(fate.note))
        faults = prepare(fate, stack) if fate.world else None
        try:
            entry.main()
        except SystemExit as error:
            status = error.code if isinstance(error.code, int) else int(error.code is not None)
    if faults is not None and not fate.cut:
        Path(fate.note).write_text(str(faults.steps), encoding="utf-8")
    return status


def note_commits(kind: Any, path: Path) -> None:
    """Have each commit of records noted, once it is on the disk."""
    commit = kind._commit

    def noted(store: Any) -> None:
        commit(store)
        found = store._connection.execute("SELECT job FROM records ORDER BY job").fetchall()
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps([number for (number,) in found]) + "\n")

    kind._commit = noted


def prepare(fate: Fate, stack: ExitStack) -> Any:
    """Put the layer below the files of the world."""
    from results.studies.evidence.endurance.disk import Disk, write_files
    from results.studies.evidence.endurance.faults import Faults, inject

    disk = Disk(Path(fate.world))
    faults = Faults(disk, cut=fate.cut)

    def end() -> None:
        write_files(disk.draw(random.Random(fate.seed)), Path(fate.left))
        os._exit(CUT)

    faults.on_cut = end
    stack.enter_context(inject(faults))
    return faults


def turn_clock(choose: random.Random) -> None:
    """Have the clock of this process set by hours every tenth time that it is read."""
    offset, real = [0.0], (time.time, datetime.datetime)

    def tell() -> float:
        if choose.random() < 0.1:
            offset[0] = 3600.0 * choose.choice(HOURS)
        return real[0]() + offset[0]

    class Turned(type):
        def __instancecheck__(cls, value: object) -> bool:
            return isinstance(value, real[1])

    class Moment(real[1], metaclass=Turned):  # type: ignore[misc, valid-type]
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return real[1].fromtimestamp(tell(), tz)

    time.time = tell
    datetime.datetime = Moment  # type: ignore[misc]


if __name__ == "__main__":
    raise SystemExit(run_command(sys.argv[1:]))
