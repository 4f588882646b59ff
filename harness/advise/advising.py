"""From sets and seconds to advice: reads the instances, chooses candidates, runs the tournament."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from harness.advise.advice import TOML, Advice, Ended, Event
from harness.advise.candidates import choose_field
from harness.advise.halving import NOTHING, Standing
from harness.advise.reading import SOURCE, expand, read_instances
from harness.advise.rounds import Result, load_reports
from harness.advise.sizes import measure_sizes
from harness.advise.tournament import Tournament
from harness.noise import take_probe
from harness.plan.experiment import Experiment
from harness.plan.reading import dump
from harness.runs.loading import make_folder
from modelling.errors import BackendUnavailable, InputError, StoreError
from modelling.wording import plural
from puzzles.sets.toml_positions import Source

LEAST_SECONDS = 5.0
"""Workers must start and answers be judged in less."""

CHOOSING = 0.2
"""The part of the time after which no more candidates are looked at."""

SIZING = 0.05
"""The part of the time that finding out the sizes of instances may take."""

LEAST_CPU = 0.2
"""Seconds of CPU time of this process by which it can be said how busy the machine is."""

LEAST_LIMIT = 1.0
"""The limit of a job in the experiment that repeats the comparison is this at the least."""


def advise(
    sets: Any,
    candidates: Any = None,
    *,
    seconds: float = 60.0,
    count: int | str | None = None,
    jobs: int = 1,
    out: Path | str | None = None,
    begun: float | None = None,
    on_event: Callable[[Event], None] = lambda event: None,
    on_fault: Callable[[str], None] = lambda text: None,
    source: Source = SOURCE,
) -> Advice:
    """Which solver for the instances of ``sets``, within ``seconds`` from ``begun``.

    ``sets`` and ``count`` are as for a comparison; ``candidates`` are by default those that are
    installed and take the problem. ``on_fault`` hears of lines that cannot be read, and
    ``on_event`` of each round. Raises InputError for too few seconds, and ExperimentError for what
    no experiment could have.
    """
    used = process_time() if begun is None else 0.0
    begun = perf_counter() if begun is None else begun
    if seconds < LEAST_SECONDS:
        raise InputError(
            f"{seconds:g} seconds are too few: workers must start, and answers must be checked; "
            f"give {LEAST_SECONDS:g} at least"
        )
    settings: dict[str, Any] = {"count": count}
    expansion = expand(sets, candidates, source, **settings)
    whole = expansion.experiment
    instances, faults = read_instances(expansion)
    for fault in faults:
        on_fault(str(fault))
    named = whole.names() if candidates else None
    chosen, missing = choose_field(instances.values(), named, begun + CHOOSING * seconds)
    if not chosen:
        causes = "; ".join(f"{one.name}: {one.why}" for one in missing)
        raise BackendUnavailable(f"no candidate can be used here: {causes}")
    if missing:
        on_event(Ended(0, missing, chosen))
    folder = _make_folder(out)
    load_reports()
    sizes = measure_sizes(instances.values(), perf_counter() + SIZING * seconds)
    # A core is shared with what else runs, if that is known: with others as many times as long.
    own = (perf_counter() - begun) / max(process_time() - used, LEAST_CPU)
    slowdown = max(own, 1.0 + (take_probe("before").others or 0.0))
    tournament = Tournament(
        instances,
        chosen,
        seconds,
        folder,
        sizes,
        begun=begun,
        slowdown=slowdown,
        on_event=on_event,
        jobs=jobs,
        **settings,
    )
    tournament.out += missing
    tournament.run()
    return _conclude(tournament, whole)


def _make_folder(out: Path | str | None) -> Path:
    if out is None:
        return make_folder("advise")
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        taken = any(folder.iterdir())
    except OSError as error:
        raise StoreError(f"{folder} cannot be made: {error.strerror or error}") from error
    if taken:
        raise StoreError(f"{folder} is not empty; choose another folder")
    return folder


def _conclude(tournament: Tournament, whole: Experiment) -> Advice:
    """The advice of a tournament that is over."""
    from harness.report.table_text import list_rows

    result = _choose_evidence(tournament.results)
    standings: tuple[Standing, ...] = () if result is None else result.standings
    fit = [one for one in standings if not one.fault and (one.solved or one.to_best < NOTHING)]
    solver, runner_up = (*(one.name for one in fit[:2]), "", "")[:2]
    ratio = low = high = float("nan")
    if runner_up and result is not None:
        row = next(row for row in list_rows(result.summary) if row["backend"] == runner_up)
        ratio, low, high = (row[f"to_first{end}"] for end in ("", "_low", "_high"))
    experiment = None
    if solver and result is not None:
        experiment = _plan_repeat(whole, [name for name in (solver, runner_up) if name], result)
        _write(tournament.folder / TOML, dump(experiment))
    return Advice(
        solver=solver,
        runner_up=runner_up,
        evidence=_write_evidence(tournament, result),
        ratio=ratio,
        low=low,
        high=high,
        standings=standings,
        excluded=tuple(tournament.out),
        asked=0 if result is None else result.compared,
        instances=len(tournament.instances),
        limit=float("nan") if result is None else result.asked.limit,
        seconds=tournament.elapsed,
        given=tournament.seconds,
        interrupted=tournament.is_interrupted,
        folder=tournament.folder,
        experiment=experiment,
        run=None if result is None else result.run,
    )


def _choose_evidence(results: Sequence[Result]) -> Result | None:
    """The last round that compares its candidates; of finals the last whole one, if there is any.

    Without either, the last round.
    """
    said = [one for one in results if one.is_comparable]
    finals = [one for one in said if one.is_whole and one.asked.is_final]
    chosen = finals or said or results
    return chosen[-1] if chosen else None


def _write_evidence(tournament: Tournament, result: Result | None) -> str:
    from harness.report.sentences import write_headline

    if result is None:
        return f"no round came to an end within {plural(round(tournament.elapsed), 'second')}"
    total = len(result.summary)
    return write_headline(result.summary, total, total)


def _plan_repeat(whole: Experiment, names: list[str], result: Result) -> Experiment:
    """What compares the best two on all instances, with the limit that they had."""
    limit = max(LEAST_LIMIT, float(f"{result.asked.limit:.2g}"))
    return Experiment(
        name="advice",
        sets=whole.sets,
        backends=names,
        count=whole.count,
        seconds=limit,
        repeat=result.asked.repeats,
        warm_ups=1,
    )


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror or error}") from error
