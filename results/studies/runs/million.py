"""How long a run of a million jobs takes to load, to tabulate and to report, and how much memory.

``python -m results.studies.runs.million --out results/reference/million``. The run is made up: its
records are drawn with a seed and written by the store's own writer, so that it has every seal and
verdict that a run has. Each task is measured in a process of its own.

Words
-----
unmarked    without the mark that a run leaves when it ends (``harness.store.marks``): every record
            is examined and read
marked      with it
opened      the page in a headless Chromium, until its tables can be used; needs playwright
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import msgspec
import numpy as np

from backends.interface.api import Limits
from harness.job import Question
from harness.judge.validate import RULES
from harness.machine import this_machine
from harness.plan.expansion import PlannedJob
from harness.record import Record, Verdict, Version
from harness.store.files import NAME
from harness.store.marks import COLUMNS, DETAILS, MARK
from harness.store.store import Store
from puzzles.family import Instance
from puzzles.sets.reading import read_set
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

SETS = 10
BACKENDS = tuple(f"solver-{letter}" for letter in "abcdefghij")
REPEATS = 2
LIMIT = 10.0
SEED = 25

TABLE = ("-m", "concord", "table", "{run}")
REPORT = ("-m", "concord", "report", "{run}", "--out", "{folder}/report.html", "--force")
JOBS = ("-c", "import concord; print(len(concord.load('{run}').data.jobs))")
TASKS = {
    ("concord table", "unmarked"): TABLE,
    ("data.jobs", "unmarked"): JOBS,
    ("concord table", "marked"): TABLE,
    ("data.jobs", "marked"): JOBS,
    ("concord report", "marked"): REPORT,
}
"""What is measured, by its name and sight: what Python runs, ``-m`` or ``-c``."""

OPENED = "opened"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


class Measured(msgspec.Struct, frozen=True):
    """One task: its seconds of wall clock and of CPU, its peak of resident memory, and the size of
    the page that it wrote."""

    task: str
    sight: str
    jobs: int
    seconds: float
    cpu_s: float | None
    memory_mb: float | None
    page_mb: float | None


# --- the run ---------------------------------------------------------------------------------


def make_run(folder: Path, jobs: int) -> None:
    """Write a run of ``jobs`` jobs: ``SETS`` sets, ten backends, two repeats; 3% unsolved."""
    each = max(1, jobs // (SETS * len(BACKENDS) * REPEATS))
    asked, limits = Question(), Limits(seconds=LIMIT)
    places = product(range(1, REPEATS + 1), range(SETS * each), BACKENDS)
    planned = [
        PlannedJob(number, index, name, asked, limits, repeat)
        for number, (repeat, index, name) in enumerate(places, 1)
    ]
    versions = {name: Version(backend=name, solver=f"{name} 1.0") for name in BACKENDS}
    machine = this_machine()
    meta = {"total": str(len(planned))}
    store = Store.create(
        folder,
        None,
        _make_instances(each),
        planned,
        lambda: meta,
        lambda: _draw_records(planned, versions, machine.id),
    )
    with closing(store), store.writing():
        store.add_machine(machine)
        for version in versions.values():
            store.add_version(version)
        store.commit()
        store.set_verdicts(_judge(store), RULES)


def _make_instances(each: int) -> Iterator[Instance]:
    """Puzzles that ship, over and over, under names of their own."""
    texts = [entry.text for entry in read_set("sudoku") if isinstance(entry, Instance)]
    for number in range(SETS * each):
        name = f"item-{number % each}"
        yield Instance("sudoku", name, texts[number % len(texts)], set=f"set-{number // each}")


def _draw_records(
    planned: Sequence[PlannedJob], versions: dict[str, Version], machine: str
) -> Iterator[Record]:
    random = np.random.default_rng(SEED)
    speed = dict(zip(BACKENDS, np.geomspace(1, 30, len(BACKENDS)), strict=True))
    seconds = random.lognormal(-5, 1.5, len(planned))
    for job, drawn in zip(planned, seconds.tolist(), strict=True):
        wall = drawn * float(speed[job.backend])
        common = {
            "job": job.number,
            "backend_family": job.backend,
            "version": versions[job.backend].id,
            "machine": machine,
            "ended_at": f"2026-01-01T00:{job.number // 60 % 60:02}:{job.number % 60:02}Z",
            "isolation": "cgroup",
            "import_s": 0.2,
            "peak_memory_mb": 80 + wall,
        }
        if wall > LIMIT:
            error = "no answer within 10 s"
            yield Record(outcome="timeout", wall_s=LIMIT, elapsed_s=LIMIT, error=error, **common)
            continue
        phases = {"model": wall / 10, "encode": wall / 5, "load": wall / 20, "solve": wall * 0.65}
        yield Record(
            outcome="finished",
            status="SATISFIABLE",
            count=1,
            digest=f"{job.instance:032x}",
            solutions=((1, 2, 3, 4),),
            statistics={"nodes": job.number % 997, "failures": job.number % 89},
            phases=phases,
            wall_s=wall,
            cpu_s=wall,
            elapsed_s=wall * 1.001,
            instance_digest=f"{job.instance:016x}",
            **common,
        )


def _judge(store: Store) -> Iterator[Verdict]:
    for row in store.read_rows(verdicts=False):
        done = row.record.outcome == "finished"
        yield Verdict(
            job=row.job.number,
            verdict="verified" if done else "unverified",
            evidence="solution checked" if done else "",
            families=int(done),
            checked=int(done),
        )


# --- measuring -------------------------------------------------------------------------------


def measure(chosen: Options, known: Known) -> Iterator[Measured]:
    """Each task in the run of ``--run``, or in one that is made first."""
    with TemporaryDirectory() as scratch:
        folder = Path(scratch)
        run = chosen.run or folder / "run"
        if not run.is_dir():
            make_run(run, chosen.jobs)
        for (task, sight), words in TASKS.items():
            if (task, sight, chosen.jobs) in known:
                continue
            if sight == "unmarked":
                for name in (MARK, COLUMNS, DETAILS):
                    (run / name).unlink(missing_ok=True)
            elif not (run / MARK).is_file():
                _mark(run)
            _read_ahead(run / NAME)
            filled = [word.format(run=run, folder=folder) for word in words]
            yield _time(task, sight, chosen.jobs, filled, folder)
        yield from _open(folder / "report.html", chosen.jobs)


def _mark(run: Path) -> None:
    """Mark a run, in a process of its own: the memory that this one once had is counted as that of
    the processes that it starts."""
    code = (
        "import pathlib, harness.report.run; harness.report.run.load_and_write(pathlib.Path({!r}))"
    )
    subprocess.run([sys.executable, "-c", code.format(str(run))], check=True)


def _read_ahead(path: Path) -> None:
    """Have a file in memory, so that the disk is not measured."""
    with open(path, "rb") as file:
        while file.read(1 << 24):
            pass


def _open(page: Path, jobs: int) -> Iterator[Measured]:
    """The page in a browser, where there is one."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        browser = None
    if browser is None:
        print("not opened: needs playwright and the program chromium", file=sys.stderr)
        return
    with sync_playwright() as started:
        opened = started.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        visit = opened.new_page()
        begun = perf_counter()
        visit.goto(page.as_uri())
        visit.wait_for_function("document.documentElement.dataset.ready === 'yes'")
        seconds = perf_counter() - begun
        opened.close()
    size = round(page.stat().st_size / 1e6, 2)
    yield Measured("page", OPENED, jobs, round(seconds, 2), None, None, size)


def _time(task: str, sight: str, jobs: int, words: list[str], folder: Path) -> Measured:
    command = [sys.executable, *words]
    begun = perf_counter()
    with open(folder / "out", "wb") as out:
        child = subprocess.Popen(command, stdout=out, stdin=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
    seconds = perf_counter() - begun
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"{' '.join(command)} ended with status {child.returncode}")
    pages = [path.stat().st_size for path in folder.glob("*.html")]
    cpu = used.ru_utime + used.ru_stime
    memory = round(used.ru_maxrss / 1024, 1)
    size = round(sum(pages) / 1e6, 2) if pages else None
    return Measured(task, sight, jobs, round(seconds, 2), round(cpu, 2), memory, size)


def report(rows: Sequence[Measured], chosen: Options) -> str:
    """The table of the study."""
    body = [
        " | ".join(
            [
                *(row.task, row.sight, f"{row.jobs:,}", f"{row.seconds:.1f}"),
                *map(_write, (row.cpu_s, row.memory_mb, row.page_mb)),
            ]
        )
        for row in rows
    ]
    heads = "task | how | jobs: | seconds: | CPU s: | peak MB: | page MB:"
    return join_page("# A million jobs", f"`{chosen.command}`", list_table(heads, body))


def _write(figure: float | None) -> str:
    return "" if figure is None else f"{figure:.0f}" if figure >= 100 else f"{figure:.1f}"


def order(rows: Iterable[Measured]) -> list[Measured]:
    """In the order in which they are measured."""
    places = [*TASKS, ("page", OPENED)]
    return sorted(rows, key=lambda row: places.index((row.task, row.sight)))


STUDY = Study(
    name="runs.million",
    about=__doc__ or "",
    row=Measured,
    key=lambda row: (row.task, row.sight, row.jobs),
    measure=measure,
    report=report,
    order=order,
    options=(
        option("--jobs", 1_000_000, "how many jobs the run has"),
        option("--run", None, "folder of a run that was made before, or is to be kept", type=Path),
    ),
)

if __name__ == "__main__":
    sys.exit(STUDY.main())
