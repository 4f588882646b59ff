"""Whether runs endure: killed at random moments, a million jobs long, interrupted, spread on Dask.

    python -m results.studies.runs.endurance PART [--puzzles FILE]... [--out FILE] ...

    kills        a run whose supervisor is killed with -9 at random moments and resumed each time,
                 beside one that is left alone
    million      many jobs of a trivial backend: jobs a second, and the supervisor's memory
    interrupted  many puzzles on three backends, once stopped by Ctrl-C and once killed, beside a
                 straight run
    dask         two Dask workers, one of them killed with -9 in the middle, beside a run without

Two runs are *equal* when they have the same jobs with the same outcome, status, number of
solutions, digest and verdict; times differ, of course. Each part writes its figures under its name
into ``--out``, beside those of the other parts.

Words
-----
session     the life of one supervisor process, from its start to its end or kill
kept        records that were committed when a session was killed, and are there unchanged later
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

import msgspec
import psutil

from harness.plan.experiment import Experiment, SetChoice
from harness.plan.reading import dump
from harness.report.run import Run, load, run_experiment, save_reference
from harness.store.files import NAME
from harness.store.store import Store
from modelling.errors import InputError, StoreError
from results.studies.runner import write_json

QUICK = ("ladder:one_integer", "ladder:trail")
"""Backends that answer a 9x9 Sudoku within a few milliseconds."""

THREE = ("compiled", *QUICK)
TRIVIAL = "results.studies.runs.dispatch"
POLL_SECONDS = 0.5
MOST_WITH_NOTHING_TO_RUN = 3
"""Most sessions in a row that are killed while they only validate; the next is spared."""


# --- comparing -----------------------------------------------------------------------------------


def fingerprint(run: Run) -> str:
    """Equal for runs that are equal."""
    digest = blake2b(digest_size=16)
    for row in run.rows():
        job, record, verdict = row.job, row.record, row.verdict
        digest.update(
            msgspec.json.encode(
                (
                    *(job.number, job.set, job.instance, job.backend, job.repeat),
                    *(record.outcome, record.status, record.count, record.digest),
                    verdict,
                )
            )
        )
    return digest.hexdigest()


def agreement(run: Run) -> dict[str, Any]:
    """The sums of the agreement table."""
    table = run.agreement
    return {name: int(table[name].sum()) for name in table.columns if name not in ("set", "ask")}


# --- sessions ------------------------------------------------------------------------------------


def session(folder: Path, experiment: Path, *more: str) -> subprocess.Popen[bytes]:
    """A supervisor of its own that begins the run in ``folder``, or continues with it."""
    begun = (folder / NAME).is_file()
    words = ["--resume", str(folder)] if begun else [str(experiment), "--out", str(folder)]
    return subprocess.Popen(
        [sys.executable, "-m", "harness.cli.entry", "run", *words, "--quiet", "--json", *more],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def finish(process: subprocess.Popen[bytes]) -> None:
    """Wait for a session that nobody disturbs; raises when it failed."""
    _, errors = process.communicate()
    if process.returncode not in (0, 1):  # 1: a dispute or a wrong answer, which is no concern here
        raise AssertionError(f"the session ended with {process.returncode}: {errors.decode()}")


def committed(folder: Path) -> dict[int, str]:
    """When each job with a record ended; empty as long as there is no store."""
    try:
        store = Store.open(folder)
    except StoreError:
        return {}
    try:
        return {row.job.number: row.record.ended_at for row in store.read_rows(verdicts=False)}
    finally:
        store.close()


def ended(folder: Path) -> int:
    """How many records there are."""
    try:
        store = Store.open(folder)
    except StoreError:
        return 0
    try:
        return store.count("records")
    finally:
        store.close()


def write(experiment: Experiment, folder: Path) -> Path:
    """The experiment as a file."""
    path = folder / f"{experiment.name}.toml"
    path.write_text(dump(experiment), encoding="utf-8")
    return path


# --- kills ---------------------------------------------------------------------------------------


def kills(chosen: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Kill supervisors until ``--kills`` are dead; runs follow each other as they become complete.

    A session is killed at a moment drawn from its first ``--longest`` seconds, every other one
    counted from its first own record. Runs are pooled and isolated in turn.
    """
    choose = random.Random(chosen.seed)
    killed: list[int] = []
    kept = lost = again = amid = 0
    straight: dict[str, str] = {}
    fingerprints: list[bool] = []
    last: Run | None = None
    while sum(killed) < chosen.kills:
        mode = "isolated" if len(killed) % 2 else "pooled"
        experiment = puzzles_experiment("kills", chosen, QUICK)
        experiment.mode = mode  # type: ignore[assignment] # one of the modes
        if mode == "isolated":  # a fork for each job: a tenth of the jobs takes as long
            experiment.limit = max(1, (experiment.limit or 100) // 10)
        if mode not in straight:
            straight[mode] = fingerprint(run_experiment(experiment, folder / f"straight-{mode}"))
        target = folder / f"run-{len(killed)}"
        path = write(experiment, folder)
        total = load(folder / f"straight-{mode}").total
        before: dict[int, str] = {}
        over = 0
        killed.append(0)
        while True:
            process = session(target, path)
            over = over + 1 if len(before) == total else 0
            left_alone = sum(killed) >= chosen.kills or over > MOST_WITH_NOTHING_TO_RUN
            if sum(killed) % 2 and len(before) < total:  # every other one is amid its jobs
                wait_for_records(process, target, len(before))
            if left_alone or not killed_in_time(process, choose.uniform(0, chosen.longest)):
                finish(process)
            else:
                killed[-1] += 1
            now = committed(target)
            amid += process.returncode < 0 and len(now) > len(before)
            kept += len(before)
            lost += sum(job not in now for job in before)
            again += sum(now.get(job, moment) != moment for job, moment in before.items())
            before = now
            if process.returncode >= 0:
                break
        last = load(target)
        fingerprints.append(last.complete and fingerprint(last) == straight[mode])
        print(f"{sum(killed)} kills, run {len(killed)}: equal {fingerprints[-1]}", flush=True)
    if chosen.reference is not None and last is not None:
        save_reference(last, chosen.reference)
    return {
        "kills": sum(killed),
        "kills_of_sessions_that_had_run_jobs": amid,
        "sessions_last_at_most_s": chosen.longest,
        "runs": len(killed),
        "kills_by_run": killed,
        "jobs_by_run": [load(folder / f"run-{number}").total for number in range(len(killed))],
        "runs_equal_to_undisturbed": sum(fingerprints),
        "records_seen_again_after_a_kill": kept,
        "of_these_lost": lost,
        "of_these_changed": again,
    }


def wait_for_records(process: subprocess.Popen[bytes], folder: Path, known: int) -> None:
    """Wait until a session has committed records of its own, or has ended."""
    while process.poll() is None and ended(folder) <= known:
        sleep(0.05)


def killed_in_time(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Kill a session after ``seconds``; whether it had not ended by then."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return process.returncode < 0
    return False


# --- a million -----------------------------------------------------------------------------------


def million(chosen: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """``--jobs`` jobs of a backend that reads the answer off the instance."""
    instances = -(-chosen.jobs // chosen.repeat)
    path = folder / "digits.txt"
    with open(path, "w", encoding="utf-8") as file:
        for number in range(instances):
            file.write(f"{number:081d}\n")
    experiment = Experiment(
        name="million",
        sets=[SetChoice(str(path), family=f"py:{TRIVIAL}:Digits")],
        backends=[f"py:{TRIVIAL}:Reader"],
        repeat=chosen.repeat,
        jobs=chosen.slots,
        seconds=30,
    )
    target = folder / "run"
    process = session(target, write(experiment, folder))
    with watched(process.pid) as memory:
        phases = _phases(process, target)
    figures = {
        "jobs": load(target).ended,
        "instances": instances,
        "at_a_time": chosen.slots,
        **{f"{name}_s": round(end - start, 1) for name, start, end in phases},
    }
    for name, start, end in phases:
        seen = [mb for at, mb in memory if start <= at <= end]
        figures[f"{name}_memory_mb"] = [round(min(seen)), round(max(seen))] if seen else None
    run_s = next(end - start for name, start, end in phases if name == "jobs")
    figures["jobs_a_second"] = round(figures["jobs"] / run_s)
    figures["jobs_a_second_with_everything"] = round(
        figures["jobs"] / (phases[-1][2] - phases[0][1])
    )
    figures["peak_memory_mb"] = round(max(mb for _, mb in memory))
    figures["outcomes"] = _outcomes(target)
    figures["store_mb"] = round((target / NAME).stat().st_size / 2**20)
    return figures


def _phases(process: subprocess.Popen[bytes], folder: Path) -> list[tuple[str, float, float]]:
    """When the session took in the sets, ran the jobs, and validated, until it ended."""
    began = monotonic()
    while not (folder / NAME).is_file() and process.poll() is None:
        sleep(0.05)
    running = monotonic()
    total = load(folder).total
    while ended(folder) < total and process.poll() is None:
        sleep(POLL_SECONDS)
    validating = monotonic()
    finish(process)
    return [
        ("taking_in", began, running),
        ("jobs", running, validating),
        ("validation_and_tables", validating, monotonic()),
    ]


def _outcomes(folder: Path) -> dict[str, int]:
    store = Store.open(folder)
    try:
        return store.count_outcomes()
    finally:
        store.close()


@contextmanager
def watched(pid: int) -> Iterator[list[tuple[float, float]]]:
    """Moments and resident memory in MB of a process, four times a second, for as long."""
    seen: list[tuple[float, float]] = []
    over = threading.Event()

    def watch() -> None:
        process = psutil.Process(pid)
        while not over.wait(0.25):
            try:
                seen.append((monotonic(), process.memory_info().rss / 2**20))
            except psutil.NoSuchProcess:
                return

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


# --- interrupted ---------------------------------------------------------------------------------


def puzzles_experiment(
    name: str, chosen: argparse.Namespace, backends: Sequence[str]
) -> Experiment:
    """The first ``--number`` of the puzzles, spread over the files in their order."""
    if not chosen.puzzles:
        raise InputError(f"{name}: name files of 9x9 Sudoku with --puzzles")
    return Experiment(
        name=name,
        sets=list(chosen.puzzles),
        backends=list(backends),
        count=2,
        limit=chosen.number,
        jobs=chosen.slots,
        seconds=30,
    )


def interrupted(chosen: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """One run is stopped by Ctrl-C at a third and killed at two thirds; another is left alone."""
    path = write(puzzles_experiment("interrupted", chosen, THREE), folder)
    runs, seconds = [], []
    for name, stops in (("straight", ()), ("stopped", (signal.SIGINT, signal.SIGKILL))):
        target = folder / name
        started = monotonic()
        at: list[int] = []
        for number, stop in enumerate(stops, 1):
            process = session(target, path)
            _until(process, partial(_is_beyond, target, number / 3))
            process.send_signal(stop)
            process.communicate()
            at.append(ended(target))
        finish(session(target, path))
        seconds.append(round(monotonic() - started, 1))
        runs.append((load(target), at))
        print(f"{name}: {seconds[-1]} s, stopped at {at}", flush=True)
    (straight, _), (stopped, at) = runs
    return {
        "puzzles": straight.total // len(THREE),
        "puzzles_by_set": straight.agreement.set_index("set")["instances"].to_dict(),
        "backends": list(THREE),
        "jobs": straight.total,
        "stopped_after_jobs": at,
        "straight_s": seconds[0],
        "stopped_s": seconds[1],
        "records": [straight.ended, stopped.ended],
        "equal": fingerprint(straight) == fingerprint(stopped),
        "outcomes": _outcomes(straight.folder),
        "agreement": agreement(straight),
    }


def _until(process: subprocess.Popen[bytes], condition: Callable[[], bool]) -> None:
    while not condition():
        if process.poll() is not None:
            _, errors = process.communicate()
            raise AssertionError(f"the session ended before it was stopped: {errors.decode()}")
        sleep(POLL_SECONDS)


def _is_beyond(folder: Path, share: float) -> bool:
    if not (folder / NAME).is_file():
        return False
    store = Store.open(folder)
    try:
        return store.count("records") >= share * store.count("jobs")
    finally:
        store.close()


# --- Dask ----------------------------------------------------------------------------------------


def dask(chosen: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Two workers in processes of their own; one is killed when a third of the jobs is back."""
    experiment = puzzles_experiment("dask", chosen, QUICK)
    path = write(experiment, folder)
    straight = run_experiment(experiment, folder / "straight")
    with cluster(folder) as (address, workers):
        process = session(folder / "run", path, "--on", "dask", "--scheduler", address)
        _until(process, lambda: _is_beyond(folder / "run", 1 / 3))
        at = ended(folder / "run")
        os.kill(workers[0].pid, signal.SIGKILL)
        finish(process)
        alive = [worker.poll() is None for worker in workers]
    run = load(folder / "run")
    attempts = [row.record.attempt for row in run.rows()]
    return {
        "workers": len(workers),
        "workers_alive_at_the_end": sum(alive),
        "killed_after_jobs": at,
        "jobs": run.total,
        "records": run.ended,
        "records_of_attempt_2": attempts.count(2),
        "outcomes": _outcomes(run.folder),
        "equal": fingerprint(run) == fingerprint(straight),
    }


@contextmanager
def cluster(folder: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """A scheduler and two workers of one thread each, which nobody starts again."""
    described = folder / "scheduler.json"
    with ExitStack() as stack:

        def start(kind: str, *words: str) -> subprocess.Popen[bytes]:
            command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *words]
            process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        where = ("--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(described))
        start("scheduler", *where, "--no-dashboard")
        while not described.exists() or not described.read_text():
            sleep(0.1)
        address = json.loads(described.read_text())["address"]
        one = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        yield address, [start("worker", address, *one) for _ in range(2)]


# --- all -----------------------------------------------------------------------------------------

PARTS = {part.__name__: part for part in (kills, million, interrupted, dask)}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure one part, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="whether runs endure")
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--puzzles", action="append", metavar="FILE", help="9x9 Sudoku")
    parser.add_argument("--number", type=int, help="number of puzzles of each file")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--longest", type=float, default=4.0, help="seconds of a session")
    parser.add_argument("--jobs", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=4)
    parser.add_argument("--slots", type=int, default=2, help="jobs at a time")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--reference", type=Path, help="keep a killed run's records here")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(arguments)
    started = monotonic()
    with TemporaryDirectory() as folder:
        figures = PARTS[chosen.part](chosen, Path(folder))
    figures["seconds"] = round(monotonic() - started, 1)
    figures["load"] = [round(load, 1) for load in os.getloadavg()]
    print(msgspec.json.format(msgspec.json.encode(figures), indent=2).decode())
    if chosen.out is not None:
        known = json.loads(chosen.out.read_text()) if chosen.out.exists() else {}
        known[chosen.part] = figures
        write_json(chosen.out, known)


if __name__ == "__main__":
    main()
