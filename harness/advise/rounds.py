"""A round as a run of its own: carried out until its time is up, then ranked as every run is.

The jobs are those of an ordinary experiment, which ``harness.runs`` carries out and the judge
validates; who is first is said by ``harness.report.tables``. A round that had to end early is
ranked by the instances that all candidates have ended, so that nobody gains by being late.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from backends.interface.registry import label
from harness.advise.deadline import TimeUp
from harness.advise.halving import Round, Standing
from harness.plan.experiment import Experiment
from harness.plan.reading import plan_comparison
from harness.record import FAULTS, REFUSALS
from harness.runs.execution import Interrupted, execute_experiment, validate_run
from harness.runs.progress import RunProgress
from harness.supervise.settings import settings_for
from puzzles.family import Instance

if TYPE_CHECKING:
    import pandas as pd

    from harness.report.run import Run

LEAVE = 0.2
"""Seconds that an idle worker has to leave by itself at the end of a round."""


UNTRIED = "not tried: the time was too short"


class Result(NamedTuple):
    """What came of a round: ``summary`` has a row for each candidate that was tried, by rank.

    ``times`` has the seconds of what was solved, by candidate and by the instance's place;
    ``worked`` the seconds of all jobs together, without starts.
    ``is_comparable``: there is an instance that all candidates have ended; ``compared`` is the
    number of these, and else of all of which a job has ended.
    """

    asked: Round
    run: Run
    summary: pd.DataFrame
    standings: tuple[Standing, ...]
    times: dict[tuple[str, int], float]
    worked: float
    is_comparable: bool
    compared: int

    @property
    def is_whole(self) -> bool:
        """Whether all jobs have ended."""
        return self.run.complete


def plan_experiment(asked: Round, instances: Mapping[str, Instance], **settings: Any) -> Experiment:
    """The experiment of a round, about some of the ``instances``, which have unique names.

    Jobs are listed by instance, not shuffled: where time ends the round early, most of the
    instances that were begun have been asked of all.
    """
    names = list(instances)
    chosen = {names[place]: instances[names[place]] for place in asked.places}
    return plan_comparison(
        chosen,
        list(asked.field),
        seconds=asked.limit,
        repeat=asked.repeats,
        order="listed",
        **settings,
    )


class Time(NamedTuple):
    """When a round is to end, on the clock ``perf_counter``: at ``until`` if it compares its
    candidates by then, since they have ended an instance each; at ``latest`` in any case."""

    until: float
    latest: float


class Ending(NamedTuple):
    """How a round ended: whether with all jobs, whether by Ctrl-C, when its last job had ended, and
    when it was stopped, before its workers were, on the clock ``perf_counter``."""

    is_whole: bool
    is_interrupted: bool
    last: float
    end: float


def carry_out(experiment: Experiment, folder: Path, time: Time) -> Ending:
    """Run a round in ``folder`` until its time is up.

    What is not whole is to be validated. A Ctrl-C before there is a run is raised again.
    """
    done, last = 0, perf_counter()
    end = last
    candidates = len(experiment.names())  # their jobs about the first instance come first

    def look_at_clock(progress: RunProgress) -> None:
        nonlocal done, last, end
        if progress.done > done:
            done, last = progress.done, perf_counter()
        end = perf_counter()
        is_over = end >= (time.until if done >= candidates else time.latest)
        if is_over and progress.done < progress.total:
            raise TimeUp

    settings = replace(settings_for(experiment), exit_seconds=LEAVE)
    try:
        execute_experiment(experiment, folder, on_progress=look_at_clock, settings=settings)
    except TimeUp:
        return Ending(False, False, last, end)
    except Interrupted:
        return Ending(False, True, last, end)
    return Ending(True, False, last, last)


def load_reports() -> None:
    """Import what results are read with: after a round this would take longer on a busy machine."""
    for name in ("run", "standings", "tables", "table_text", "sentences"):
        import_module(f"harness.report.{name}")


def read_result(
    folder: Path, names: Sequence[str], asked: Round, is_judged: bool = True
) -> Result | None:
    """What a round came to, None if no job has ended; ``names`` are those of all instances.

    Its answers are validated here where they are not ``is_judged``.
    """
    if not is_judged:
        validate_run(folder)
    from harness.report.run import load
    from harness.report.standings import find_standings
    from harness.report.tables import make_summary

    run = load(folder)
    if not run.ended:
        return None
    jobs = run.jobs
    is_whole = _find_comparable(jobs, len(asked.field))
    ended = jobs[is_whole] if is_whole.any() else jobs
    summary = make_summary(find_standings(ended, run.optima, run.names))
    summary["backend"] = _restore_names(summary["backend"], asked.field)
    return Result(
        asked,
        run,
        summary,
        _make_standings(summary, asked),
        _find_times(jobs, names, asked.field),
        float(jobs["elapsed_s"].sum()),
        bool(is_whole.any()),
        ended["instance"].nunique(),
    )


def _find_comparable(jobs: pd.DataFrame, candidates: int) -> pd.Series[bool]:
    """Which jobs are about instances that every candidate has ended."""
    by_instance = jobs.groupby(["set", "instance"], observed=True)["backend"]
    return by_instance.transform("nunique") == candidates


def _restore_names(called: Iterable[str], field: Sequence[str]) -> list[str]:
    """The candidates that tables call so: there some have short names."""
    names = {label(name): name for name in field}
    return [names[str(one)] for one in called]


def _make_standings(summary: pd.DataFrame, asked: Round) -> tuple[Standing, ...]:
    """The candidates in their order; of equal rank, in the order of the field."""
    from harness.report.table_text import list_rows

    rows = list_rows(summary)
    rows.sort(key=lambda row: (row["rank"], asked.field.index(row["backend"])))
    found = [
        Standing(
            str(row["backend"]),
            int(row["solved"]),
            int(row["instances"]),
            float(row["par2_s"]),
            float(row["to_best_percent"]),
            _find_fault(row),
            str(row["relative_note"]),
        )
        for row in rows
    ]
    tried = {one.name for one in found}
    untried = [
        Standing(name, 0, 0, float("inf"), fault=UNTRIED)
        for name in asked.field
        if name not in tried
    ]
    return (*found, *untried)


def _find_fault(row: Mapping[str, Any]) -> str:
    """Why a candidate is out whatever the others do; empty if nothing is wrong with it."""
    if row["disqualified"]:
        return f"wrong answer ({row['wrong']} of {row['instances']})"
    reason = f": {row['reason']}" if row["reason"] else ""
    if sum(row[word] for word in REFUSALS) == row["instances"]:
        return f"not for it{reason}"
    if sum(row[word] for word in FAULTS) == row["instances"]:
        return f"failed{reason}"
    return ""


def _find_times(
    jobs: pd.DataFrame, names: Sequence[str], field: Sequence[str]
) -> dict[tuple[str, int], float]:
    places = {name: place for place, name in enumerate(names)}
    ended = jobs[jobs["outcome"] == "finished"]
    return {
        (backend, places[str(name)]): float(seconds)
        for backend, name, seconds in zip(
            _restore_names(ended["backend"], field),
            ended["instance"],
            ended["wall_s"],
            strict=True,
        )
    }
