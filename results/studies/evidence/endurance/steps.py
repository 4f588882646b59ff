"""The life of a store, disturbed at each of its steps: power cuts, and a full disk."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from harness.store.files import NAME
from modelling.errors import ConcordError
from results.studies.evidence.endurance.disk import Disk, write_files
from results.studies.evidence.endurance.faults import Faults, inject
from results.studies.evidence.endurance.lives import live, read_records, read_tables


@dataclass
class Trial:
    """One disturbance: the records that were committed, those of them that are lost, and whether
    the run ``ends`` with it, and its tables are equal; ``fault`` is what went wrong otherwise."""

    committed: int = 0
    lost: int = 0
    is_equal: bool = False
    fault: str = ""
    ends: bool = True


def cut_power(folder: Path, seed: int, every: int = 1, draws: int = 2) -> Iterator[Trial]:
    """Cut the power at each ``every``-th step, and look at as many ``draws`` of what it leaves."""
    folder = folder.resolve()
    steps, _ = _measure(folder / "undisturbed")
    tables = read_tables(folder / "undisturbed")
    for step in range(1, steps + 1, every):
        target = folder / "cut"
        disk, left = _empty(target), list[dict[str, bytes]]()
        draw = partial(_draw, disk, random.Random(f"{seed} {step}"), draws, left)
        committed, fault = _live_with(Faults(disk, cut=step, on_cut=draw), target)
        for files in left:
            shutil.rmtree(target)
            target.mkdir()
            write_files(files, target)
            yield _finish(target, committed, fault, tables)


def _draw(disk: Disk, choose: random.Random, number: int, left: list[dict[str, bytes]]) -> None:
    """Add what the disk may hold when the power goes, drawn as often as it is asked for."""
    left.extend(disk.draw(choose) for _ in range(number))


def fill_disk(folder: Path, every: int = 1) -> Iterator[Trial]:
    """Have each ``every``-th write be the first that finds no room; for some writes, or for good.

    For good, all that are after it fail until the store is opened again.
    """
    folder = folder.resolve()
    _, writes = _measure(folder / "undisturbed")
    tables = read_tables(folder / "undisturbed")
    for write in range(1, writes + 1, every):
        for length in (1, 10**9):
            target = folder / "full"
            committed, fault = _live_with(
                Faults(_empty(target), full=write, full_for=length), target
            )
            yield _finish(target, committed, fault, tables)


def _empty(folder: Path) -> Disk:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return Disk(folder)


def _measure(folder: Path) -> tuple[int, int]:
    """How many steps and writes a life has that nothing disturbs."""
    faults = Faults(_empty(folder))
    with inject(faults):
        live(folder, lambda numbers: None)
    return faults.steps, faults.writes


def _live_with(faults: Faults, folder: Path) -> tuple[set[int], str]:
    """What was committed before the fault, and what came of it that is not a clear error."""
    committed: set[int] = set()

    def note(numbers: Iterable[int]) -> None:
        if not faults.is_cut:
            committed.update(numbers)

    with inject(faults):
        try:
            live(folder, note)
        except ConcordError:
            pass
        except Exception as error:
            return committed, f"{type(error).__name__}: {error}"
    return committed, ""


def _finish(
    folder: Path, committed: set[int], fault: str, tables: dict[str, list[tuple[object, ...]]]
) -> Trial:
    """Look at the records that are there, and continue to the end."""
    trial = Trial(len(committed), fault=fault)
    try:
        had = (folder / NAME).is_file()
        trial.lost = len(committed - read_records(folder))
        live(folder, lambda numbers: None)
        trial.is_equal = read_tables(folder) == tables
    except Exception as error:
        trial.fault = trial.fault or f"{'continued' if had else 'anew'}: {error!r}"
    return trial
