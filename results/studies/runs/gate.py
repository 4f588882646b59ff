"""Does the gate of ``concord diff`` fail on a release that is 1.3 times slower, and not on itself?

    python -m results.studies.runs.gate --out results/reference/gate [--apart RUN ...] [--mixed RUN]

The times are real: runs of the same experiment one after the other (``--apart``), and one run with
ten repeats of each job (``--mixed``). They are kept in ``times.csv.gz`` beside the table, from
which the study repeats without the runs. The slower release is the same times multiplied.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd

from harness.report.differences import Side, compare_sides, list_faults
from harness.report.run import load
from harness.report.standings import INSTANCE
from modelling.errors import InputError
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

TRIALS = 20
GATE = 1.2
FACTORS = (1.0, 1.3)
CLOCKS = ("wall", "cpu")
SEED = 25
TIMES = "times.csv.gz"
KEPT = ["run", *INSTANCE, "family", "backend", "repeat", "wall_s", "cpu_s"]
MIXED = "mixed"
KEY = [*INSTANCE, "family", "backend"]


class Row(msgspec.Struct, frozen=True):
    """How often the gate failed: in ``failed`` of ``trials``; ``least`` and ``most`` are the ratios
    that it saw."""

    design: str
    clock: str
    backend: str
    factor: float
    trials: int
    failed: int
    least: float
    most: float


def read_times(chosen: Options) -> pd.DataFrame:
    """The times of the runs that are named, which are kept; else those that were kept."""
    path = Path(chosen.out or ".") / TIMES
    runs = [(f"apart {place}", run) for place, run in enumerate(chosen.apart, 1)]
    runs += [(MIXED, chosen.mixed)] if chosen.mixed else []
    if not runs:
        if not path.exists():
            raise InputError(f"{path} does not exist: name runs with --apart and --mixed")
        return pd.read_csv(path, dtype={"ask": str, "instance": str})
    jobs = [load(run).jobs.assign(run=name) for name, run in runs]
    kept = pd.concat(jobs, ignore_index=True)
    kept = kept[(kept["role"] == "timed") & (kept["outcome"] == "finished")][KEPT]
    if chosen.out is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        text = io.BytesIO()
        with gzip.GzipFile("", "wb", fileobj=text, mtime=0) as file:  # equal times, equal bytes
            file.write(kept.to_csv(index=False, float_format="%.6f").encode())
        path.write_bytes(text.getvalue())
    return kept


def take_medians(times: pd.DataFrame, clock: str) -> pd.Series[float]:
    """The median of the repeats of each instance."""
    found: pd.Series[float] = times.groupby(KEY)[f"{clock}_s"].median()
    return found


def make_side(medians: pd.Series[float], factor: float = 1.0) -> Side:
    """A run in which every instance was solved in ``factor`` times its median."""
    seconds = (medians * factor).rename("seconds")
    answers = seconds.reset_index()
    return Side(
        answers.assign(
            wall_s=answers["seconds"],
            fate="verified",
            solved=True,
            limit_s=np.inf,
            digest="",
            answer="",
        )
    )


Pair = tuple[Any, Any]
"""The medians of a base and a new run."""

Draw = Callable[[pd.DataFrame, str], Iterator[Pair]]
"""Draws pairs from times, by a clock."""


def draw_apart(times: pd.DataFrame, clock: str) -> Iterator[Pair]:
    """Each ordered pair of the runs that were made one after the other is one trial."""
    names = sorted(set(times["run"]) - {MIXED})
    medians = {name: take_medians(times[times["run"] == name], clock) for name in names}
    for one, other in permutations(names, 2):
        yield medians[one], medians[other]


def draw_resampled(times: pd.DataFrame, clock: str) -> Iterator[Pair]:
    """In each trial an instance gets the change of one that is drawn from the first two runs.

    The base and the new run are exchanged in every other trial.
    """
    names = sorted(set(times["run"]) - {MIXED})[:2]
    if len(names) < 2:
        return
    one, other = (take_medians(times[times["run"] == name], clock) for name in names)
    noise = (other / one).dropna()
    base = one[noise.index]
    generator = np.random.default_rng(SEED)
    for trial in range(TRIALS):
        sign = 1 if trial % 2 else -1
        drawn = generator.choice(np.log(noise.to_numpy()), len(noise))
        yield base, base * np.exp(sign * drawn)


def draw_mixed(times: pd.DataFrame, clock: str) -> Iterator[Pair]:
    """In each trial the base and the new run are two halves of the repeats of one run.

    It is as if both releases had been in that run, whose jobs are mixed.
    """
    own = times[times["run"] == MIXED].reset_index(drop=True)
    generator = np.random.default_rng(SEED)
    for _ in range(TRIALS if len(own) else 0):
        order = own.assign(place=generator.random(len(own))).groupby(KEY)["place"].rank()
        half = own.groupby(KEY)["repeat"].transform("size") / 2
        yield take_medians(own[order <= half], clock), take_medians(own[order > half], clock)


DESIGNS = {"apart": draw_apart, "resampled": draw_resampled, "mixed": draw_mixed}


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """Every design, clock, backend and factor."""
    times = read_times(chosen)
    for (design, draw), clock, backend in product(
        DESIGNS.items(), CLOCKS, sorted(set(times["backend"]))
    ):
        own = times[times["backend"] == backend]
        pairs = list(draw(own, clock))
        for factor in FACTORS:
            if (design, clock, backend, factor) not in known and pairs:
                yield try_gate(design, clock, backend, factor, pairs)


def try_gate(design: str, clock: str, backend: str, factor: float, pairs: Sequence[Pair]) -> Row:
    """How often the gate fails where the new run takes ``factor`` times as long."""
    failed, ratios = 0, []
    for one, other in pairs:
        found = compare_sides(make_side(one), make_side(other, factor))
        failed += bool(list_faults(found, GATE, True))
        ratios.append(float(found.backends["ratio"].iloc[0]))
    least, most = round(min(ratios), 3), round(max(ratios), 3)
    return Row(design, clock, backend, factor, len(pairs), failed, least, most)


def report(rows: Sequence[Row], chosen: Options) -> str:
    """One line a design, clock and backend."""
    by_key: dict[tuple[str, str, str], dict[float, Row]] = {}
    for row in rows:
        by_key.setdefault((row.design, row.clock, row.backend), {})[row.factor] = row
    lines = []
    for key, found in by_key.items():
        if len(found) < len(FACTORS):  # a study that is under way
            continue
        same, slower = (found[factor] for factor in FACTORS)
        ratios = f"{same.least:.2f} to {same.most:.2f}"
        failed = (f"{row.failed} of {row.trials}" for row in (same, slower))
        lines.append(" | ".join([*key, ratios, *failed]))
    return join_page(
        "# The gate of `concord diff`",
        f"How often `--fail-slower {GATE} --fail-worse` fails on the same release, and on one\n"
        f"that is {FACTORS[1]} times slower, by `{chosen.command}`.\nThe experiment is "
        "`experiment.toml`; the ratios are those between runs of the same release.",
        list_table(
            f"design | time | backend | ratios | fails on itself: | fails at {FACTORS[1]} x:", lines
        ),
        [f"- `{name}`: {' '.join((draw.__doc__ or '').split())}" for name, draw in DESIGNS.items()],
    )


STUDY = Study(
    name="runs.gate",
    about=__doc__ or "",
    row=Row,
    key=lambda row: (row.design, row.clock, row.backend, row.factor),
    measure=measure,
    report=report,
    options=(
        option("--apart", [], "run of the experiment; several, made one after the other"),
        option("--mixed", "", "run of the experiment with ten repeats"),
    ),
)

if __name__ == "__main__":
    raise SystemExit(STUDY.main())
