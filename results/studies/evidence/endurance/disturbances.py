"""What happens to whole runs: each function disturbs one, continues it, and yields trials.

A trial is a session that was disturbed; the last one of a run says whether its tables are equal to
those of a run that nothing has disturbed.
"""

from __future__ import annotations

import gzip
import os
import random
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from harness.plan.experiment import Experiment, SetChoice
from harness.report.run import run_experiment
from harness.store.files import NAME
from modelling.errors import ConcordError
from results.studies.evidence.endurance.process import CUT, Fate
from results.studies.evidence.endurance.runs import (
    Ended,
    Session,
    World,
    read_tables,
    use_config,
)
from results.studies.evidence.endurance.steps import Trial

STORES = Path(__file__).parent / "stores"
"""Stores of earlier schemas, as the releases of then have left them when they were interrupted."""


def _undisturbed(folder: Path) -> tuple[World, str]:
    world = World(folder / "undisturbed")
    if not (world.run / NAME).is_file():
        _require(world.live())
    return world, world.read_tables()


def _require(ended: Ended) -> None:
    if ended.status != 0:
        raise AssertionError(f"a session ended with {ended.status}: {ended.said[-2000:]}")


def _compare(world: World, before: dict[int, str], fault: str = "") -> Trial:
    """What became of the records that were noted, and of those that were seen before."""
    now, noted = world.read_records(), world.read_noted()
    lost = sum(number not in now for number in noted | set(before))
    changed = sum(now.get(number, moment) != moment for number, moment in before.items())
    if changed:
        fault = fault or f"{changed} records have changed"
    return Trial(len(noted | set(before)), lost, fault=fault, ends=False)


def _end(world: World, tables: str, trial: Trial) -> Trial:
    """The last trial of a run: its tables are compared."""
    found = world.read_tables()
    trial.ends, trial.is_equal = True, found == tables
    if not trial.is_equal:
        trial.fault = trial.fault or "tables differ"
    return trial


# --- kills ---------------------------------------------------------------------------------------


def kill(folder: Path, number: int, seed: int) -> Iterator[Trial]:
    """Kill sessions with SIGKILL until ``number`` are dead; run follows run as they are complete.

    Every other one is killed after its first record, the others in the time that a run takes. One
    in four takes its whole family along, workers and reaper.
    """
    began = monotonic()
    _, tables = _undisturbed(folder)
    seconds = monotonic() - began
    choose, dead, runs = random.Random(seed), 0, 0
    while dead < number:
        runs += 1
        world, before = World(folder / f"killed-{runs}"), dict[int, str]()
        while True:
            session = world.start()
            if choose.random() < 0.5:
                _wait_for_commit(world, session)
                sleep(choose.uniform(0, 0.4))
            else:
                session.wait(choose.uniform(0, seconds))
            if not session.is_over and dead < number:
                dead += 1
                _send(session, signal.SIGKILL, everyone=choose.random() < 0.25)
                session.wait()
                trial = _compare(world, before)
                before = world.read_records()
                yield trial
            else:
                _require(session.wait())
                yield _end(world, tables, _compare(world, before))
                break
        shutil.rmtree(world.folder)


def _wait_for_commit(world: World, session: Session) -> None:
    """Until a session has committed records of its own, or has ended."""
    size = world.note.stat().st_size if world.note.is_file() else 0
    while not session.is_over:
        if world.note.is_file() and world.note.stat().st_size > size:
            return
        sleep(0.02)


def _send(session: Session, number: int, everyone: bool) -> None:
    import psutil

    family = psutil.Process(session.pid).children(recursive=True) if everyone else []
    os.kill(session.pid, number)
    for process in family:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)


# --- power cuts ----------------------------------------------------------------------------------


def cut_power(folder: Path, number: int, seed: int) -> Iterator[Trial]:
    """Cut the power of sessions at a drawn step of their files, ``number`` times."""
    _, tables = _undisturbed(folder)
    counted = World(folder / "counted")
    _require(counted.live(Fate(world=str(counted.world))))
    steps = int(counted.note.read_text(encoding="utf-8"))
    choose, cuts, runs = random.Random(seed), 0, 0
    while cuts < number:
        runs += 1
        world, before = World(folder / f"cut-{runs}"), dict[int, str]()
        left = world.folder / "left"
        while cuts < number:
            fate = Fate(
                world=str(world.world),
                left=str(left),
                cut=choose.randint(1, steps),
                seed=choose.randrange(1 << 30),
            )
            ended = world.live(fate)
            if ended.status != CUT:
                _require(ended)
                break
            cuts += 1
            shutil.rmtree(world.world)
            shutil.move(left, world.world)
            trial = _compare(world, before)
            before = world.read_records()
            yield trial
        _require(world.live())
        yield _end(world, tables, _compare(world, before))
        shutil.rmtree(world.folder)


# --- full disks ----------------------------------------------------------------------------------


def fill_disk(folder: Path, sizes: range) -> Iterator[Trial]:
    """Runs on a disk of few kilobytes; then it is made larger. Needs rights to mount one."""
    _, tables = _undisturbed(folder)
    for size in sizes:
        world = World(folder / f"full-{size}")
        place = world.run
        place.mkdir(parents=True)
        _mount(place, f"size={size}k")
        try:
            ended = world.live()
            fault = ""
            is_clear = re.search("make room|whether the disk is full", ended.said)
            if ended.status != 0 and (not is_clear or "Traceback" in ended.said):
                fault = f"with {size} KB: {ended.said[-300:]}"
            trial = _compare(world, {}, fault)
            _mount(place, "remount,size=100m")
            _require(world.live())
            again = _end(world, tables, _compare(world, {}, fault))
            again.lost += trial.lost
            yield again
        finally:
            subprocess.run(["umount", str(place)], check=True)
            shutil.rmtree(world.folder)
        if ended.status == 0:
            return


def _mount(place: Path, options: str) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)], check=True)


def may_mount() -> bool:
    """Whether this process may mount a file system."""
    return os.name == "posix" and os.geteuid() == 0 and shutil.which("mount") is not None


# --- clocks --------------------------------------------------------------------------------------


def turn_clock(folder: Path, number: int, seed: int) -> Iterator[Trial]:
    """Set the clock of sessions by hours while they run; each run is stopped once and resumed."""
    _, tables = _undisturbed(folder)
    for trial in range(1, number + 1):
        world = World(folder / f"turned-{trial}")
        session = world.start(Fate(clock=True, seed=seed + trial), forked=False)
        _wait_for_commit(world, session)
        os.kill(session.pid, signal.SIGINT)
        session.wait()
        before = world.read_records()
        _require(world.live(Fate(clock=True, seed=seed - trial), forked=False))
        yield _end(world, tables, _compare(world, before))
        shutil.rmtree(world.folder)


# --- two at once ---------------------------------------------------------------------------------


def resume_twice(folder: Path, number: int, seed: int) -> Iterator[Trial]:
    """Kill a run and resume it twice at once: one does it, the other refuses clearly."""
    _, tables = _undisturbed(folder)
    choose = random.Random(seed)
    for trial in range(1, number + 1):
        world = World(folder / f"twice-{trial}")
        session = world.start()
        _wait_for_commit(world, session)
        os.kill(session.pid, signal.SIGKILL)
        session.wait()
        before = world.read_records()
        one = world.start()
        sleep(choose.choice((0.0, 0.0, 0.1, 0.3)))
        other = world.start()
        ended = [one.wait(), other.wait()]
        fault = _find_misbehaviour(ended)
        yield _end(world, tables, _compare(world, before, fault))
        shutil.rmtree(world.folder)


def _find_misbehaviour(ended: list[Ended]) -> str:
    """Who did neither its work nor refuse clearly."""
    for status, said in ended:
        is_refusal = status == 2 and "another process is" in said and "Traceback" not in said
        if status != 0 and not is_refusal:
            return f"status {status}: {said[-300:]}"
    return "" if any(one.status == 0 for one in ended) else "both refused"


# --- earlier releases ----------------------------------------------------------------------------


def continue_old(folder: Path) -> Iterator[Trial]:
    """Continue the stores of earlier schemas, and compare with a run of today."""
    config = folder / "config"
    with use_config(config):
        fresh = folder / "fresh"
        for path in sorted(STORES.glob("*.gz")):
            run = folder / path.name.partition(".")[0]
            run.mkdir(parents=True)
            (run / NAME).write_bytes(gzip.decompress(path.read_bytes()))
            world = World(folder / f"old-{run.name}")
            world.run = run
            kept = _read_times(run)
            if not fresh.exists():
                run_experiment(_plan_again(run), fresh)
            fault = ""
            try:
                run_experiment(None, run, resume=True)
            except ConcordError as error:
                fault = f"{run.name}: {error}"
            now = _read_times(run)
            lost = sum(now.get(number) != times for number, times in kept.items())
            tables = read_tables(run, config), read_tables(fresh, config)
            yield Trial(len(kept), lost, tables[0] == tables[1], fault)


def _read_times(run: Path) -> dict[int, tuple[object, ...]]:
    import sqlite3
    from contextlib import closing

    query = "SELECT job, outcome, count, digest, wall_s, ended_at FROM records"
    with closing(sqlite3.connect(run / NAME)) as connection:
        return {row[0]: row[1:] for row in connection.execute(query)}


def _plan_again(run: Path) -> Experiment:
    """The experiment of a store, with the texts of its instances."""
    from contextlib import closing

    from harness.store.store import Store

    with closing(Store.open(run)) as store:
        found = store.read_instances()
        begun = store.require_experiment()
    texts = {name: text for _, _, name, _, text in found}
    choice = SetChoice(found[0][1], texts=texts, family=found[0][3])
    return Experiment(
        name=begun.name, sets=[choice], backends=begun.backends, count=begun.count, seconds=60
    )
