"""A run: an experiment carried out, its folder, and the tables that come of it.

A run is a folder with ``store.sqlite`` (everything), ``experiment.toml`` and ``tables/``. A
*reference* is a run in the form that is committed: ``records.jsonl.gz``, ``machines.json``,
``experiment.toml`` and the tables; it reads back like a run.

Timing and judging are apart: ``execute`` first runs every job, then validates.
"""

from __future__ import annotations

import gzip
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import msgspec

from harness import experiment as experiments
from harness.calibration import Noise, Probe, noise
from harness.expansion import Expansion, Share
from harness.experiment import Experiment
from harness.in_turn import InTurn
from harness.machine import Machine, this_machine
from harness.record import OUTCOMES, Record, Row, Version
from harness.settings import settings_for, token_of, warnings
from harness.store import NAME, Store
from harness.supervisor import Settings, supervise
from harness.validate import validate
from modelling.errors import ExperimentError, PuzzleError, StoreError

if TYPE_CHECKING:
    import pandas as pd

RUNS = Path("results") / "runs"
RECORDS = "records.jsonl.gz"
MACHINES = "machines.json"
EXPERIMENT = "experiment.toml"
TABLES = "tables"

PROGRESS_SECONDS = 0.1
"""``on_progress`` is called at most so often."""


@dataclass(frozen=True)
class Progress:
    """How far a run is; ``left`` is an estimate in seconds, None as long as there is no ground.

    ``counts`` has every outcome; ``done`` and ``total`` include what an earlier session did.
    """

    total: int
    done: int
    counts: dict[str, int]
    elapsed: float
    left: float | None


class Interrupted(KeyboardInterrupt):
    """A run was stopped by Ctrl-C; what had finished is in ``folder``, and it can be resumed."""

    def __init__(self, folder: Path, done: int, total: int) -> None:
        super().__init__(f"stopped after {done} of {total} jobs; they are kept in {folder}")
        self.folder = folder
        self.done = done
        self.total = total


@dataclass(eq=False)
class Run:
    """What came out: the DataFrames ``jobs``, ``agreement`` and ``timing``, and where it lies.

    ``rows()`` iterates over the same as typed values. ``total`` counts the jobs of the run, those
    still to do included, ``ended`` those that have a record.
    """

    folder: Path
    experiment: Experiment | None
    total: int
    ended: int
    rows: Callable[[], Iterator[Row]]
    machines: list[Machine] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)
    versions: list[Version] = field(default_factory=list)
    bad_lines: list[PuzzleError] = field(default_factory=list)

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """One row a job that has ended."""
        from harness import tables

        return tables.jobs(self.rows())

    @cached_property
    def _outline(self) -> pd.DataFrame:
        """The columns of ``jobs`` that the other tables are made of: a large run has many rows."""
        from harness import tables

        return self.jobs if "jobs" in self.__dict__ else tables.outline(self.rows())

    @cached_property
    def agreement(self) -> pd.DataFrame:
        """One row a set and question: instances agreed, single, disputed, wrong, unsolved."""
        from harness import tables

        return tables.agreement(self._outline)

    @cached_property
    def timing(self) -> pd.DataFrame:
        """One row a set, question and backend: solved, times, PAR-2, relative speed."""
        from harness import tables

        return tables.timing(self._outline)

    @cached_property
    def noise(self) -> Noise | None:
        """How noisy the machine was; None where nobody looked."""
        return noise(self.probes)

    @property
    def complete(self) -> bool:
        """Whether every job has ended."""
        return self.ended == self.total

    def __repr__(self) -> str:
        return f"<Run {self.folder}: {self.ended} of {self.total} jobs>"


# --- carrying out --------------------------------------------------------------------------


def new_folder(name: str) -> Path:
    """Where a run called ``name`` goes by default: under results/runs, with the time in UTC."""
    stem = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{name}"
    folder, number = RUNS / stem, 1
    while folder.exists():
        number += 1
        folder = RUNS / f"{stem}-{number}"
    return folder


def execute(
    experiment: Experiment | None,
    folder: Path | str | None = None,
    *,
    on_progress: Callable[[Progress], None] | None = None,
    on_warning: Callable[[str], None] = lambda text: None,
    resume: bool = False,
    jobs: int | None = None,
    share: Share = Share(),
    engine: Engine | None = None,
    settings: Settings | None = None,
) -> Run:
    """Carry ``experiment`` out in ``folder`` (a new one by default), validate, write the tables.

    With ``resume`` the folder holds a run that was interrupted; only what is missing is run, and
    ``experiment`` may be None or must equal the one that was begun. So many ``jobs`` run at a time,
    by default as the experiment says; ``engine`` is where, by default on this machine.
    ``on_warning`` hears what makes figures worth less than they look. Ctrl-C and a polite kill
    (SIGTERM) end the run cleanly as ``Interrupted``.
    """
    if resume:
        if folder is None:
            raise StoreError("name the run that is to be resumed")
        store = Store.open(find(folder), write=True)
        experiment = _resumed(store, experiment)
    elif experiment is None:
        raise ExperimentError("there is no experiment to run")
    else:
        expansion = Expansion(experiment, share)
        store = Store.create(
            new_folder(experiment.name) if folder is None else Path(folder),
            experiment,
            expansion.entries(),
            expansion.jobs(),
            lambda: {"total": str(len(expansion)), "share": str(share)},
        )
    if settings is None:
        settings = settings_for(experiment)
    if jobs is not None:
        settings = replace(settings, slots=jobs)
    if engine is None:
        for text in warnings(settings, experiment.threads):
            on_warning(text)
    try:
        with store.writing():
            _carry_out(store, (engine or here)(store, settings), on_progress)
            _judge(store)
    finally:
        store.close()
    return _finished(store.folder)


def judge(folder: Path | str) -> Run:
    """Validate what a run has so far, and write its tables."""
    store = Store.open(find(folder), write=True)
    try:
        with store.writing():
            _judge(store)
    finally:
        store.close()
    return _finished(store.folder)


def _finished(folder: Path) -> Run:
    run = load(folder)
    write_tables(run, run.folder / TABLES)
    return run


def _resumed(store: Store, given: Experiment | None) -> Experiment:
    begun = store.experiment()
    if begun is None:
        raise StoreError(f"{store.folder} does not say which experiment it is")
    if given is None:
        return begun
    for name in Experiment.__struct_fields__:
        old, new = getattr(begun, name), getattr(given, name)
        if old != new and name not in ("jobs", "tags", "about"):
            raise StoreError(
                f"{store.folder} was begun with {name} = {old!r}, not {new!r}; "
                "resume it as it was, or start a new run"
            )
    return given


Engine = Callable[[Store, Settings], Iterator[Record | None]]
"""Runs what is pending in a store; yields records, and None at least every tick."""


def here(store: Store, settings: Settings) -> Iterator[Record | None]:
    """The engine that runs jobs on this machine."""
    machine = this_machine()
    store.add_machine(machine)
    reading = Store.open(store.folder)  # one of its own does not wait for commits
    jobs = InTurn(reading.pending())
    if not settings.token:  # what a killed supervisor of this run left behind is ended first
        settings = replace(settings, token=token_of(store.folder))
    records = supervise(jobs, settings, store.add_version, store.add_probe)
    try:
        for record in records:
            if record is not None:
                jobs.ended(record.job)
                record.machine = machine.id
            yield record
    finally:
        records.close()  # type: ignore[attr-defined] # a generator: this ends the workers
        reading.close()


def _carry_out(
    store: Store,
    records: Iterator[Record | None],
    on_progress: Callable[[Progress], None] | None,
) -> None:
    """Keep the records; each is committed, whatever ends this."""
    counter = _Counter(store, on_progress)
    try:
        with _interruptible() as interrupted:
            for record in records:
                if record is not None:
                    store.add(record)
                    counter.add(record.outcome)
                store.commit_when_due()
                counter.tell()
                if interrupted.is_set():
                    raise KeyboardInterrupt
    except KeyboardInterrupt:
        raise Interrupted(store.folder, counter.done, counter.total) from None
    finally:
        records.close()  # type: ignore[attr-defined] # a generator: this ends the engine
        store.commit()
    counter.tell(now=True)


def _judge(store: Store) -> None:
    """Validate every record; the verdicts are kept in the store."""
    try:
        store.set_verdicts(validate(store.rows(by_instance=True, verdicts=False)))
    except KeyboardInterrupt:  # every job is done; resuming validates
        done = store.number_of("records")
        raise Interrupted(store.folder, done, store.number_of("jobs")) from None


class _Counter:
    """Counts outcomes and reports progress."""

    def __init__(self, store: Store, report: Callable[[Progress], None] | None) -> None:
        self.total = store.number_of("jobs")
        self.counts: dict[str, int] = dict.fromkeys(OUTCOMES, 0) | store.outcomes()
        self.before = self.done = sum(self.counts.values())
        self._report = report
        self._started = perf_counter()
        self._next = 0.0

    def add(self, outcome: str) -> None:
        self.counts[outcome] += 1
        self.done += 1

    def tell(self, *, now: bool = False) -> None:
        elapsed = perf_counter() - self._started
        if self._report is None or (elapsed < self._next and not now):
            return
        self._next = elapsed + PROGRESS_SECONDS
        here = self.done - self.before
        left = elapsed / here * (self.total - self.done) if here else None
        self._report(Progress(self.total, self.done, dict(self.counts), elapsed, left))


@contextmanager
def _interruptible() -> Iterator[threading.Event]:
    """The first Ctrl-C or SIGTERM sets the event, so that nothing is cut in half; a second one
    raises KeyboardInterrupt."""
    event = threading.Event()

    def note(number: int, frame: object) -> None:
        if event.is_set():
            raise KeyboardInterrupt
        event.set()

    previous = {}
    if threading.current_thread() is threading.main_thread():
        previous = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    # None was installed by something other than Python; it could not be put back.
    previous = {number: handler for number, handler in previous.items() if handler is not None}
    for number in previous:
        signal.signal(number, note)
    try:
        yield event
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


# --- reading -------------------------------------------------------------------------------


def find(name: Path | str) -> Path:
    """The folder of a run: its path, its name under results/runs, or ``latest``."""
    given = Path(name)
    if _holds_run(given):
        return given
    runs = sorted(path for path in RUNS.glob("*") if _holds_run(path))
    if str(name) == "latest":
        if not runs:
            raise StoreError(f"there is no run under {RUNS}; make one with `concord compare`")
        return max(runs, key=_begun)
    if _holds_run(RUNS / given):
        return RUNS / given
    known = ", ".join(path.name for path in sorted(runs, key=_begun)[-5:]) or "none"
    kind = "is not a run" if given.exists() else "does not exist"
    raise StoreError(
        f"{name} {kind}: it has neither {NAME} nor {RECORDS}; the latest under {RUNS}: {known}"
    )


def _holds_run(folder: Path) -> bool:
    return (folder / NAME).is_file() or (folder / RECORDS).is_file()


def _begun(folder: Path) -> tuple[float, str]:
    """When a run was begun: its experiment is written first and never again."""
    mark = folder / EXPERIMENT
    return (mark if mark.exists() else folder).stat().st_mtime, folder.name


def load(folder: Path | str) -> Run:
    """The run in ``folder`` (see ``find``), or the reference; also while it goes on.

    Records that have not been validated yet are validated here, and nothing is written.
    """
    path = find(folder)
    return _from_store(path) if (path / NAME).is_file() else _from_reference(path)


def _from_store(folder: Path) -> Run:
    store = Store.open(folder)
    try:
        ended = store.number_of("records")
        judged = store.number_of("verdicts") == ended
        return Run(
            folder=folder,
            experiment=store.experiment(),
            total=store.number_of("jobs"),
            ended=ended,
            rows=lambda: _rows(folder, judged=judged),
            machines=store.machines(),
            probes=store.probes(),
            versions=store.versions(),
            bad_lines=store.bad_lines(),
        )
    finally:
        store.close()


def _rows(folder: Path, *, judged: bool) -> Iterator[Row]:
    store = Store.open(folder)
    try:
        if judged:
            yield from store.rows()
            return
        store.judge_aside(validate(store.rows(by_instance=True, verdicts=False)))
        for row in store.rows():
            if row.verdict is not None:  # else it has ended since
                yield row
    finally:
        store.close()


def _from_reference(folder: Path) -> Run:
    path = folder / MACHINES
    lists = ("machines", "probes", "versions", "bad_lines")
    described: dict[str, Any] = {"total": None} | {key: [] for key in lists}
    if path.is_file():
        described |= msgspec.json.decode(path.read_bytes())
    ended = sum(1 for _ in _reference_rows(folder))
    total = described["total"]
    return Run(
        folder=folder,
        # Read without the checks of a run to come: its backends may not be installed here.
        experiment=experiments.read(folder / EXPERIMENT)
        if (folder / EXPERIMENT).is_file()
        else None,
        total=ended if total is None else total,
        ended=ended,
        rows=lambda: _reference_rows(folder),
        machines=msgspec.convert(described["machines"], list[Machine]),
        probes=msgspec.convert(described["probes"], list[Probe]),
        versions=msgspec.convert(described["versions"], list[Version]),
        bad_lines=[PuzzleError(cause, place) for place, cause in described["bad_lines"]],
    )


def _reference_rows(folder: Path) -> Iterator[Row]:
    path = folder / RECORDS
    decode = msgspec.json.Decoder(Row).decode
    number = 0
    try:
        with gzip.open(path, "rb") as lines:
            for number, line in enumerate(lines, 1):  # noqa: B007 - read by the handler below
                yield decode(line)
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise StoreError(f"{path}: cannot be read behind line {number}: {error}") from error


# --- writing -------------------------------------------------------------------------------


def save_reference(run: Run, folder: Path | str, *, texts: bool = False) -> None:
    """Write what is committed of a run into ``folder``.

    The instances' texts are left out unless ``texts``, since sets may not be ours to publish;
    set, name and digest identify each.
    """
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
        with (
            open(target / RECORDS, "wb") as raw,
            # Neither name nor time goes into the header: equal records, equal bytes.
            gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as lines,
        ):
            for row in run.rows():
                if not texts:
                    row = _without_text(row)
                lines.write(msgspec.json.encode(row) + b"\n")
        described = {
            "total": run.total,
            "machines": run.machines,
            "probes": run.probes,
            "versions": run.versions,
            "bad_lines": [(error.place, error.cause) for error in run.bad_lines],
        }
        text = msgspec.json.format(msgspec.json.encode(described), indent=2)
        (target / MACHINES).write_bytes(text + b"\n")
        if run.experiment is not None:
            dumped = experiments.dump(run.experiment)
            (target / EXPERIMENT).write_text(dumped, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error}") from error
    write_tables(run, target)


def _without_text(row: Row) -> Row:
    job = msgspec.structs.replace(row.job, text="", source="")
    return msgspec.structs.replace(row, job=job)


def write_tables(run: Run, folder: Path) -> None:
    """Write agreement and timing as text and as CSV; below the times, how noisy the machine was."""
    from harness import table_text

    frames: Iterable[tuple[str, pd.DataFrame]] = (
        ("agreement", run.agreement),
        ("timing", run.timing),
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, frame in frames:
            (folder / f"{name}.txt").write_text(table_text.text(frame), encoding="utf-8")
            (folder / f"{name}.csv").write_text(table_text.csv(frame), encoding="utf-8")
        if run.noise is not None:
            with open(folder / "timing.txt", "a", encoding="utf-8") as file:
                file.write(f"\n{run.noise.text}\n")
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error}") from error
