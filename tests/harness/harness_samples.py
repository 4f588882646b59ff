"""Jobs, rows and experiments that the harness tests share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from time import perf_counter, sleep
from typing import Any

import pandas as pd
import psutil

from backends.interface.api import Backend, Limits
from harness.job import Job, Question
from harness.plan.experiment import Experiment
from harness.record import Record, Row
from harness.report import jobs
from harness.report.run import Run
from harness.store.store import Store
from harness.supervise.answering import Clock, answer
from harness.supervise.processes import JobMeter
from harness.supervise.protocol import Scoreboard
from harness.supervise.settings import Settings
from modelling.errors import InstanceError

TINY = "py:tiny_family:Tiny"

QUICK = Settings(exit_seconds=0.5, tick=0.02)
"""How tests run experiments."""

UNSEALED = """
DROP TABLE IF EXISTS seals;
DELETE FROM meta WHERE key LIKE 'account%';
UPDATE meta SET value = '7' WHERE key = 'schema' AND value > '7';
"""
"""Makes a store one from before records were sealed, which tests may change by hand."""


def job(
    number: int = 1,
    text: str = "3 4 -",
    backend: str = "brute_force",
    question: Question = Question(),
    seconds: float | None = 10.0,
    repeat: int = 1,
) -> Job:
    """A job on the tiny family."""
    return Job(
        number=number,
        set="tiny",
        instance=text,
        family=TINY,
        text=text,
        backend=backend,
        question=question,
        limits=Limits(seconds),
        repeat=repeat,
    )


FAULT, FINE = "3 4 -", "2 3 -"
"""Instances on which the backends of ``faulty`` show their fault, and on which they do not."""


def between(backend: str, seconds: float = 20.0, question: Question = Question()) -> list[Job]:
    """A job that works, one that shows the fault, and one that works again."""
    return [
        job(number, text, f"py:faulty:{backend}", question, seconds)
        for number, text in enumerate((FINE, FAULT, FINE), 1)
    ]


def row(job: Job, **record: Any) -> Row:
    """A row with the given answer."""
    return Row(job=job, record=Record(job=job.number, **({"outcome": "finished"} | record)))


def make_run(rows: Sequence[Row]) -> Run:
    """A run in which nothing has run."""
    folder = Path("made-up")
    return Run(folder, None, len(rows), len(rows), lambda: closing(Store.hold(folder, rows)))


def list_jobs(rows: Iterable[Row]) -> pd.DataFrame:
    """The table of all jobs in ``rows``."""
    with closing(Store.hold(Path(), rows)) as store:
        return jobs.list_jobs(store)


def outline_jobs(rows: Iterable[Row]) -> pd.DataFrame:
    """What the other tables are made of."""
    with closing(Store.hold(Path(), rows)) as store:
        return jobs.outline_jobs(store)


def read_columns() -> dict[str, dict[str, tuple[str, str]]]:
    """What ``docs/columns.md`` says: for each table and column its unit and its meaning."""
    document = Path(__file__).parents[2] / "docs" / "columns.md"
    found: dict[str, dict[str, tuple[str, str]]] = {}
    for line in document.read_text(encoding="utf-8").splitlines():
        if line.startswith("## run."):
            found[line.removeprefix("## run.")] = {}
        elif line.startswith("| `"):
            column, unit, meaning = (cell.strip() for cell in line.strip("|").split("|"))
            table = found[list(found)[-1]]
            assert column.strip("`") not in table
            table[column.strip("`")] = unit, meaning
    return found


def answered(backend: Backend, job: Job, board: Scoreboard, clock: Clock = perf_counter) -> Record:
    """What a worker makes of ``job``, in this process, by that clock."""
    meter = JobMeter()
    try:
        return answer(backend, job, board, meter, {}, clock=clock)
    finally:
        meter.close()


def the_reaper() -> psutil.Process:
    """The one living reaper that this process has started.

    For a moment after it was started a process has no command line, by which it is known.
    """
    for _ in range(1000):
        reapers = [child for child in psutil.Process().children() if _is_reaper(child)]
        if reapers:
            break
        sleep(0.01)
    (reaper,) = reapers
    return reaper


def _is_reaper(process: psutil.Process) -> bool:
    try:
        return any("harness.supervise.reaper" in word for word in process.cmdline())
    except psutil.NoSuchProcess:  # or a ZombieProcess: killed, and not yet asked how it ended
        return False


def tiny_file(folder: Path, *lines: str) -> str:
    """A file of tiny instances."""
    path = folder / "tiny.txt"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def expand(chosen: Experiment) -> tuple[list[Job], list[InstanceError]]:
    """All jobs in their order of execution, and the lines that could not be read."""
    from harness.plan.expansion import Expansion

    expansion = Expansion(chosen)
    found = list(expansion.instances())
    instances = [item for item in found if not isinstance(item, InstanceError)]
    jobs = []
    for planned in expansion.jobs():
        one = instances[planned.instance]
        asked = (planned.backend, planned.question, planned.limits, planned.repeat, one.source)
        jobs.append(Job(planned.number, one.set, one.name, one.family, one.text, *asked))
    return jobs, [item for item in found if isinstance(item, InstanceError)]


def experiment(path: str, *backends: str, **more: Any) -> Experiment:
    """An experiment on a file of tiny instances."""
    from harness.plan.experiment import SetChoice

    settings: dict[str, Any] = {"name": "sample", "seconds": 10.0} | more
    return Experiment(sets=[SetChoice(path, family=TINY)], backends=list(backends), **settings)
