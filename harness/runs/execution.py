"""Experiments carried out: every job is run, then every answer is validated.

Timing and judging are apart: nothing is validated while jobs are timed. Witnesses are asked after
that, and what they answer is validated with the rest.

Words
-----
sequence    the jobs of a backend with ``reuse=solver``, which keeps its solver from job to job.
            What each takes depends on those before it, so they run in one fixed order, no two at a
            time, and their records say with ``nth`` how many jobs the solver has had. After a kill,
            or in a resumed run, a new solver continues, and ``nth`` begins again at 1
"""

from __future__ import annotations

import signal
from collections import defaultdict, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from math import inf
from pathlib import Path
from typing import Protocol

from msgspec import structs

from backends.interface.registry import keeps_state
from backends.signals import defer
from harness.environments.making import make_missing
from harness.job import Job
from harness.judge.validate import RULES, validate
from harness.machine import this_machine
from harness.noise import BestProbe, Probe
from harness.plan.expansion import Expansion, Share, Totals, longest_duration, longest_job
from harness.plan.experiment import Experiment
from harness.record import Record
from harness.runs.loading import find_run, make_folder
from harness.runs.progress import Counter, RunProgress
from harness.runs.racing import Budget
from harness.store.store import Store
from harness.supervise.sandbox.wanted import Sandbox
from harness.supervise.settings import (
    Settings,
    hide_store,
    most_threads,
    settings_for,
    token_of,
    warnings,
)
from harness.supervise.supervisor import supervise
from modelling.errors import ExperimentError, InstanceError, StoreError

MOST_HELD = 1000
"""Most jobs that are held back; then no more are looked at."""


class Interrupted(KeyboardInterrupt):
    """A run was stopped by Ctrl-C; what had finished is in ``folder``, and it can be resumed."""

    def __init__(self, folder: Path, done: int, total: int) -> None:
        super().__init__(f"stopped after {done} of {total} jobs; they are kept in {folder}")
        self.folder = folder
        self.done = done
        self.total = total


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
    sandbox: Sandbox = "auto",
    provide: Callable[[Sequence[str]], object] = make_missing,
) -> Path:
    """Carry ``experiment`` out in ``folder`` (a new one by default) and validate; the run's folder.

    With ``resume`` the folder holds a run that was interrupted; only what is missing is run, and
    ``experiment`` may be None or must equal the one that was begun. ``jobs`` run at a time,
    by default as the experiment says; ``executor`` is where, by default this machine. What cannot
    work is refused before a folder is made. ``provide`` gets the names of the backends and makes
    the environments of those at a release that are not there; by default it refuses to make any.
    ``sandbox`` says whether workers are kept from the store, rivals and the network: where the
    machine can, or else nothing runs, or not at all (``auto``, ``require``, ``off``).
    ``on_warning`` hears what makes figures worth less than they look. Ctrl-C and a polite kill
    (SIGTERM) end the run cleanly as ``Interrupted``.
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
        settings = settings or settings_for(experiment, sandbox)
        if jobs is not None:
            settings = replace(settings, slots=jobs)
        where = executor or LocalExecutor()
        where.check(settings)  # before the folder is made, which would be in the way
        provide([*experiment.names(), *experiment.witnesses()])
        if executor is None:
            for text in warnings(settings, most_threads(experiment)):
                on_warning(text)
        if not resume:
            store = stack.enter_context(closing(_create_store(expansion, folder)))
            for fault in expansion.answers.list_unmatched():
                on_warning(str(fault))
        store.on_busy = on_warning
        with _report_interrupt(store), store.writing():
            seconds = experiment.budget
            budget = None if seconds is None else Budget(store, seconds)
            _carry_out_and_mend(store, where, settings, on_progress, budget)
            _validate(store)
            _ask_witnesses(store, experiment, where, settings, on_progress, budget)
    return store.folder


def estimate(experiment: Experiment, share: Share = Share()) -> tuple[Totals, list[InstanceError]]:
    """What running ``experiment`` would take, and the lines of the input that cannot be read."""
    expansion = Expansion(experiment, share)
    bad = [item for item in expansion.instances() if isinstance(item, InstanceError)]
    return expansion.totals(), bad


def estimate_remaining(
    experiment: Experiment | None, folder: Path | str, jobs: int | None = None
) -> Totals:
    """What resuming a run would run, with ``jobs`` at a time; StoreError as resuming would."""
    with closing(Store.open(find_run(folder))) as store:
        begun = _find_experiment(store, experiment)
        seconds: dict[str, float] = defaultdict(float)
        number, longest, left = 0, 0.0, inf
        if begun.budget is not None:
            left = max(0.0, begun.budget - store.read_spent())
        for job in store.read_pending():
            number += 1
            most = longest_job(job.limits.seconds, begun.warm_ups)
            seconds[job.backend] += most
            longest = max(longest, most)
    return Totals(number, min(left, longest_duration(seconds, longest, jobs or begun.jobs)))


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
            expansion.records,
        )
    except BaseException:
        if folder is None:
            with suppress(OSError):  # it is not empty
                chosen.rmdir()
        raise


def _find_experiment(store: Store, given: Experiment | None) -> Experiment:
    begun = store.require_experiment()
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


def _carry_out_and_mend(
    store: Store,
    where: Executor,
    settings: Settings,
    on_progress: Callable[[RunProgress], None] | None,
    budget: Budget | None,
) -> None:
    """Run what is pending, as far as the budget goes.

    What another program did to the records meanwhile is run again, one backend at a time: who runs
    alone when records are changed is named, and not run any more.
    """
    _carry_out(store, where, settings, on_progress, budget)
    if not store.mend():
        return
    while pending := store.list_pending_backends():
        with store.of_backend(pending[0]):
            _carry_out(store, where, settings, on_progress, budget)
            if store.mend():
                store.note_fault(f"{pending[0]}: records were changed while it ran alone")
                _give_up(store)
        if store.list_pending_backends() == pending:  # it has not run: nothing would change
            return


def _give_up(store: Store) -> None:
    """Leave the pending jobs without an answer."""
    text = "its records, or those of others, were changed while it ran alone; it is not run again"
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    for job in list(store.read_pending()):
        store.add(Record(job=job.number, outcome="lost", error=text, ended_at=now))
    store.commit()


def _carry_out(
    store: Store,
    where: Executor,
    settings: Settings,
    on_progress: Callable[[RunProgress], None] | None,
    budget: Budget | None,
) -> None:
    total = sum(store.count_planned().values())
    counter = Counter(total, store.count_outcomes(), on_progress, budget)
    records = where.run(store, settings, admit_all if budget is None else budget.admit)
    try:
        with defer(signal.SIGINT, signal.SIGTERM) as interrupted:
            for record in records:
                if record is not None:
                    store.add(record)
                    counter.add(record.outcome)
                    if budget is not None:
                        budget.add(record)
                if budget is not None and budget.left <= 0:
                    break
                store.commit_when_due()
                counter.report()
                if interrupted.is_set():
                    raise KeyboardInterrupt
    finally:
        try:
            records.close()  # this ends the executor
        finally:
            if budget is not None:
                budget.note()
            store.commit()
    for record in () if budget is None else budget.list_unrun():
        store.add(record)  # it waits for mend(), which commits
        counter.add(record.outcome)
    counter.report(now=True)


def _ask_witnesses(
    store: Store,
    experiment: Experiment,
    where: Executor,
    settings: Settings,
    on_progress: Callable[[RunProgress], None] | None,
    budget: Budget | None,
) -> None:
    """Ask one witness after the other about what is still unwitnessed; nothing is timed.

    A share asks none, since another one may hold the answer: its merged run does when it is
    resumed.
    """
    if not store.is_whole:
        return
    untimed = replace(settings, warm_ups=0, probe_seconds=0.0)
    for place, name in enumerate(experiment.witnesses(), 1):
        if store.add_witness_jobs(name, place):
            _carry_out_and_mend(store, where, untimed, on_progress, budget)
            _validate(store)


def _validate(store: Store) -> None:
    store.set_verdicts(validate(store.read_rows(by_instance=True, verdicts=False)), RULES)


@contextmanager
def _report_interrupt(store: Store) -> Iterator[None]:
    """Ctrl-C, and a second one amid the tidying up, is raised as ``Interrupted``.

    Also while every job is done and answers are validated: resuming validates.
    """
    try:
        yield
    except KeyboardInterrupt:
        done, total = (sum(n.values()) for n in (store.count_outcomes(), store.count_planned()))
        raise Interrupted(store.folder, done, total) from None


# --- where jobs run ------------------------------------------------------------------------


Admit = Callable[[Iterable[Job]], Iterator[Job]]
"""The jobs that are still to be run when their turn comes."""


def admit_all(jobs: Iterable[Job]) -> Iterator[Job]:
    """Without a budget: all jobs."""
    return iter(jobs)


class Executor(Protocol):
    """Where jobs run."""

    def check(self, settings: Settings) -> None:
        """Raises ConcordError if nothing can run with these settings; asked before all else."""

    def run(
        self, store: Store, settings: Settings, admit: Admit = admit_all
    ) -> Generator[Record | None, None, None]:
        """Run what is pending in a store; yields records, and None at least every tick."""


class LocalExecutor:
    """Runs jobs on this machine."""

    def check(self, settings: Settings) -> None:
        settings.check()

    def run(
        self, store: Store, settings: Settings, admit: Admit = admit_all
    ) -> Generator[Record | None, None, None]:
        machine = this_machine()
        store.add_machine(machine)
        jobs = SequencedJobs(admit(store.read_pending()))
        if not settings.token:  # what a killed supervisor of this run left behind is ended first
            settings = replace(settings, token=token_of(store.folder))
        settings = hide_store(settings, store.folder)
        best = BestProbe(machine.id)

        def note(probe: Probe) -> None:
            own = 0 if probe.when == "before" else settings.slots * settings.threads
            best_s = best.update(probe.wall_s)
            store.add_probe(structs.replace(probe, machine=machine.id, best_s=best_s, own=own))

        on_probe, faults = note if settings.probe_seconds else None, list[str]()
        try:
            running = supervise(jobs, settings, store.add_version, on_probe, faults.append)
            with closing(running) as records:
                for record in records:
                    if record is not None:
                        jobs.ended(record.job)
                    yield record
                    while faults:  # at once: a kill must not leave it out
                        store.note_fault(faults.pop(0))
        finally:
            for fault in faults:
                store.note_fault(fault)


class SequencedJobs(Iterator[Job]):
    """An iterator over ``jobs`` that ends for the time being when each job left must wait.

    It is asked again once ``ended`` reports the job that was waited for.
    """

    def __init__(self, jobs: Iterable[Job]) -> None:
        self._jobs = iter(jobs)
        self._held: deque[Job] = deque()
        self._running: dict[str, int] = {}

    def __next__(self) -> Job:
        """The next job that may run; those that were held back come first."""
        for job in self._held:
            if job.backend not in self._running:
                self._held.remove(job)
                return self._give(job)
        while len(self._held) < MOST_HELD:
            job = next(self._jobs)
            if job.backend not in self._running:
                return self._give(job)
            self._held.append(job)
        raise StopIteration

    def _give(self, job: Job) -> Job:
        if keeps_state(job.backend):
            self._running[job.backend] = job.number
        return job

    def ended(self, number: int) -> None:
        """The job with this number has its record."""
        for backend, running in self._running.items():
            if running == number:
                del self._running[backend]
                return
