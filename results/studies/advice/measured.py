"""All candidates about all questions: what the virtual best solver is taken from.

The limit is one of CPU time, so that the figures do not depend on what else the machine does; that
of wall clock is only there for who waits without computing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pandas as pd

from harness.advise.features import FEATURES, measure_features
from harness.advise.neighbours import Example, Examples
from harness.plan.experiment import Experiment
from harness.record import SOLVED
from harness.report.run import Run, load
from harness.runs.loading import RECORDS
from harness.store.files import NAME
from puzzles.family import family
from results.studies.advice.instances import list_sets
from results.studies.experiments import continue_run

ASKED = ("cpsat", "choco", "pumpkin", "sat", "propagation", "clingo", "minizinc", "highs")
"""The backends of the run."""

NAMES = {"minizinc": "minizinc:gecode"}
"""The whole names of those that are a way to several solvers."""

CANDIDATES = tuple(NAMES.get(name, name) for name in ASKED)
LIMIT = 3.0
"""Seconds of CPU time for a job."""

WAIT = 600.0
"""Seconds of wall clock for a job."""

ABOUT = "every candidate of the study of advice on three instances of each of its families"


def plan_experiment() -> Experiment:
    """The experiment of the study."""
    return Experiment(
        name="advice",
        about=ABOUT,
        sets=list_sets(),
        backends=list(ASKED),
        seconds=WAIT,
        cpu_seconds=LIMIT,
        warm_ups=1,
        jobs=2,
    )


def measure(folder: Path) -> Run:
    """Carry the experiment out, or what is missing of it in ``folder``.

    A folder in which it is whole may also be a reference, such as the one of this study.
    """
    experiment = plan_experiment()
    if (folder / NAME).is_file() or (folder / RECORDS).is_file():
        run = load(folder)  # without the lock, which another call may hold
        if (
            run.complete
            and run.experiment is not None
            and run.experiment.digest == experiment.digest
        ):
            return run
    return continue_run(experiment, folder)


def list_penalised(run: Run) -> pd.DataFrame:
    """PAR-2 in seconds of CPU time: a row for each family and instance, a column a candidate.

    A solution without proof, a refusal and a failure count as twice the limit; so does an answer
    of a candidate that has a wrong one.
    """
    jobs = run.jobs
    solved = jobs["verdict"].isin(SOLVED) & (jobs["outcome"] == "finished")
    solved &= ~jobs["backend"].isin(list(run.disqualified))
    seconds = jobs["cpu_s"].where(solved, 2 * LIMIT)
    return jobs.assign(seconds=seconds).pivot_table(
        index=["family", "instance"], columns="backend", values="seconds", observed=True
    )


def make_examples(run: Run) -> Examples:
    """The instances of the run with their features, and the seconds of each candidate."""
    seconds: dict[Any, dict[Any, float]] = list_penalised(run).to_dict("index")
    found = []
    for one in list_sets():
        for name, text in (one.texts or {}).items():
            features = measure_features(family(str(one.family)).problem(text))
            row = seconds[one.family, name]
            times = {NAMES.get(key, key): float(f"{value:.4g}") for key, value in row.items()}
            rounded = tuple(float(f"{value:.5g}") for value in features)
            found.append(Example(str(one.family), name, rounded, times))
    return Examples(
        f"PAR-2 in seconds of CPU time, limit {LIMIT:g} s; python -m results.studies.advice",
        FEATURES,
        tuple(found),
    )


def write_examples(found: Examples) -> str:
    """The examples as JSON, one a line."""
    head = {"about": found.about, "features": found.features}
    lines = ",\n".join(msgspec.json.encode(one).decode() for one in found.examples)
    return f'{msgspec.json.encode(head).decode()[:-1]},"examples":[\n{lines}\n]}}\n'
