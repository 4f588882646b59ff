"""Experiments carried out: every job is run, then every answer is validated.

Timing and judging are apart: nothing is validated while jobs are timed. Witnesses are asked behind
that, and what they answer is validated with the rest.
"""

from __future__ import annotations

import signal
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from msgspec import structs

from harness.interrupts import defer
from harness.judge.validate import RULES, validate
from harness.plan.expansion import Expansion, Share, Totals, longest_duration, longest_job
from harness.plan.experiment import Experiment
from harness.record import Record
from harness.runs.executor import Executor, LocalExecutor
from harness.runs.loading import RUNS, find_run
from harness.runs.progress import Counter, RunProgress
from harness.store.store import Store
from harness.supervise.settings import Settings, most_threads, settings_for, warnings
from modelling.errors import ExperimentError, PuzzleError, StoreError


class Interrupted(KeyboardInterrupt):
    """A run was stopped by Ctrl-C; what had finished is in ``folder``, and it can be resumed."""

    def __init__(self, folder: Path, done: int, total: int) -> None:
        super().__init__(f"stopped after {done} of {total} jobs; they are kept in {folder}")
        self.folder = folder
        self.done = done
        self.total = total


def make_folder(name: str) -> Path:
    """A new folder for a run called ``name``: under results/runs, with the time in UTC.

    It is there, so that no other run takes the same. Raises StoreError if none can be made.
    """
    stem = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{name}"
    folder, number = RUNS / stem, 1
    while True:
        try:
            folder.mkdir(parents=True)
            return folder
        except FileExistsError:
            number += 1
            folder = RUNS / f"{stem}-{number}"
        except OSError as error:
            raise StoreError(
                f"{folder} cannot be made: {error}; choose another folder with --out "
                "(in Python: out=)"
            ) from error


def execute_experiment(
    experiment: Experiment | None,
    folder: Path | str | None = None,
    *,
    on_progress: Callable[[RunProgress], None] | None = None,
    on_warning: Callable[[str], None] = lambda text: None,
    resume: bool = False,
    jobs: int | None = None,
    share: Share = Share(),
    executor: Executor | None = None,
    settings: Settings | None = None,
) -> Path:
    """Carry ``experiment`` out in ``folder`` (a new one by default) and validate; the run's folder.

    With ``resume`` the folder holds a run that was interrupted; only what is missing is run, and
    ``experiment`` may be None or must equal the one that was begun. So many ``jobs`` run at a time,
    by default as the experiment says; ``executor`` is where, by default this machine. What cannot
    work is refused before a folder is made. ``on_warning`` hears what makes figures worth less than
    they look. Ctrl-C and a polite kill (SIGTERM) end the run cleanly as ``Interrupted``.
    """
    with ExitStack() as stack:
        if resume:
            if folder is None:
                raise StoreError("name the run that is to be resumed")
            store = stack.enter_context(closing(Store.open(find_run(folder), write=True)))
            experiment = _find_experiment(store, experiment)
        elif experiment is None:
            raise ExperimentError("there is no experiment to run")
        else:
            expansion = Expansion(experiment, share)
            experiment = expansion.experiment
        if settings is None:
            settings = settings_for(experiment)
        if jobs is not None:
            settings = replace(settings, slots=jobs)
        where = executor or LocalExecutor()
        where.check(settings)  # while there is no folder yet, which would be in the way
        if executor is None:
            for text in warnings(settings, most_threads(experiment)):
                on_warning(text)
        if not resume:
            store = stack.enter_context(closing(_create_store(expansion, folder)))
        with _report_interrupt(store), store.writing():
            _carry_out(store, where.run(store, settings), on_progress)
            _validate(store)
            _ask_witnesses(store, experiment, where, settings, on_progress)
    return store.folder


def estimate(experiment: Experiment, share: Share = Share()) -> tuple[Totals, list[PuzzleError]]:
    """What running ``experiment`` would take, and the lines of the input that cannot be read."""
    expansion = Expansion(experiment, share)
    bad = [item for item in expansion.instances() if isinstance(item, PuzzleError)]
    return expansion.totals(), bad


def estimate_remaining(
    experiment: Experiment | None, folder: Path | str, jobs: int | None = None
) -> Totals:
    """What resuming the run in ``folder`` would run, so many ``jobs`` at a time.

    Nothing is written. Raises StoreError as resuming would.
    """
    with closing(Store.open(find_run(folder))) as store:
        begun = _find_experiment(store, experiment)
        seconds: dict[str, float] = defaultdict(float)
        number, longest = 0, 0.0
        for job in store.read_pending():
            number += 1
            most = longest_job(job.limits.seconds, begun.warm_ups)
            seconds[job.backend] += most
            longest = max(longest, most)
    return Totals(number, longest_duration(seconds, longest, jobs or begun.jobs))


def validate_run(folder: Path | str) -> Path:
    """Validate what a run has so far; its folder."""
    with (
        closing(Store.open(find_run(folder), write=True)) as store,
        _report_interrupt(store),
        store.writing(),
    ):
        _validate(store)
    return store.folder


def _create_store(expansion: Expansion, folder: Path | str | None) -> Store:
    chosen = make_folder(expansion.experiment.name) if folder is None else Path(folder)
    try:
        return Store.create(
            chosen,
            expansion.experiment,
            expansion.instances(),
            expansion.jobs(),
            lambda: {"total": str(len(expansion)), "share": str(expansion.share)},
        )
    except BaseException:
        if folder is None:
            with suppress(OSError):  # it is not empty
                chosen.rmdir()
        raise


def _find_experiment(store: Store, given: Experiment | None) -> Experiment:
    begun = store.experiment()
    if begun is None:
        raise StoreError(f"{store.folder} has no experiment description")
    if given is None:
        return begun
    if begun.digest == given.digest:
        return given
    name = next(
        name
        for name in Experiment.__struct_fields__
        if structs.replace(begun, **{name: getattr(given, name)}).digest != begun.digest
    )
    raise StoreError(
        f"{store.folder} was begun with {name} = {getattr(begun, name)!r}, not "
        f"{getattr(given, name)!r}; resume it as it was, or start a new run"
    )


def _carry_out(
    store: Store,
    records: Iterator[Record | None],
    on_progress: Callable[[RunProgress], None] | None,
) -> None:
    """Keep the records; each is committed, whatever ends this."""
    counter = Counter(store.count("jobs"), store.outcomes(), on_progress)
    try:
        with defer(signal.SIGINT, signal.SIGTERM) as interrupted:
            for record in records:
                if record is not None:
                    store.add(record)
                    counter.add(record.outcome)
                store.commit_when_due()
                counter.report()
                if interrupted.is_set():
                    raise KeyboardInterrupt
    finally:
        try:
            records.close()  # type: ignore[attr-defined] # a generator: this ends the executor
        finally:
            store.commit()
    counter.report(now=True)


def _ask_witnesses(
    store: Store,
    experiment: Experiment,
    where: Executor,
    settings: Settings,
    on_progress: Callable[[RunProgress], None] | None,
) -> None:
    """Ask one witness after the other about what still stands unwitnessed; nothing is timed.

    A share asks none, since another one may hold the answer: its merged run does when it is
    resumed.
    """
    if not store.is_whole:
        return
    untimed = replace(settings, warm_ups=0, probe_seconds=0.0)
    for place, name in enumerate(experiment.witnesses(), 1):
        if store.add_witness_jobs(name, place):
            _carry_out(store, where.run(store, untimed), on_progress)
            _validate(store)


def _validate(store: Store) -> None:
    """Validate every record; the verdicts are kept in the store."""
    store.set_verdicts(validate(store.rows(by_instance=True, verdicts=False)), RULES)


@contextmanager
def _report_interrupt(store: Store) -> Iterator[None]:
    """Ctrl-C, and a second one amid the tidying up, is told as ``Interrupted``.

    Also while every job is done and answers are validated: resuming validates.
    """
    try:
        yield
    except KeyboardInterrupt:
        done, total = store.count("records"), store.count("jobs")
        raise Interrupted(store.folder, done, total) from None
