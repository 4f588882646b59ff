"""Does the score of the MiniZinc Challenge come out as it was published?

    python -m results.studies.statistics.challenge --out results/reference/statistics

``minizinc_challenge_2013`` beside the table has the answers of the 28 entries of 2013 to the 100
instances (status, milliseconds, objective) and the published points of the entries in each class,
both from https://www.minizinc.org/challenge/2013/results/ (public/challenge/2013/results.json in
github.com/MiniZinc/minizinc.github.io, commit 87b207a0ca02e95baca06aedaf436665d6379e83). Published
are points of each entry against each other one on each instance, with six decimals; those of a
class are their sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import pandas as pd

from harness.report.statistics.competitions import score_minizinc
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study

DATA = Path(__file__).parents[2] / "reference" / "statistics" / "minizinc_challenge_2013"
TOLERANCE = 0.002
"""Points; the published ones are sums of up to 2,700 that were rounded to six decimals."""


class Row(msgspec.Struct, frozen=True):
    """The points of an entry in a class."""

    group: str
    solver: str
    published: float
    computed: float


def score(answers: pd.DataFrame, solvers: Sequence[str]) -> pd.Series[float]:
    """The points of entries that are compared with one another alone."""
    own = answers[answers["solver"].isin(list(solvers))]
    signs = own["kind"].map({"MIN": -1.0, "MAX": 1.0, "SAT": 0.0})
    own = own.assign(
        quality=(own["objective"].fillna(0.0) * signs),
        proven=(own["status"] != "S") & (own["kind"] != "SAT"),
        found=True,
    )
    wide = {
        name: own.pivot(index=["problem", "instance"], columns="solver", values=name)
        .reindex(columns=list(solvers))
        .to_numpy()
        for name in ("found", "proven", "quality", "milliseconds")
    }
    found = pd.notna(wide["found"])
    proven = np.where(found, wide["proven"], False).astype(bool)
    quality = np.where(found, wide["quality"], 0.0).astype(float)
    used = np.where(found, wide["milliseconds"], 0.0).astype(float)
    points = score_minizinc(found, proven, quality, used).sum(axis=0)
    return pd.Series(points, index=list(solvers))


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """Every entry in every class that it took part in."""
    answers = pd.read_csv(DATA / "answers.csv.gz", dtype={"instance": str})
    published = pd.read_csv(DATA / "points.csv")
    for group, part in published.groupby("class", sort=False):
        computed = score(answers, list(part["solver"]))
        for solver, points in zip(part["solver"], part["points"], strict=True):
            yield Row(str(group), solver, points, round(float(computed[solver]), 3))


def find_faults(rows: Sequence[Row]) -> list[str]:
    """The entries whose points differ."""
    return [
        f"{row.group}, {row.solver}: {row.published} published, {row.computed} computed"
        for row in rows
        if abs(row.published - row.computed) > TOLERANCE
    ]


def report(rows: Sequence[Row], chosen: Options) -> str:
    """One line an entry and class, by points."""
    return join_page(
        "# The MiniZinc Challenge 2013, scored again",
        f"Points as published and as `harness.report.statistics.competitions` computes them, by\n"
        f"`{chosen.command}`.\nThe answers and the published points are from "
        "https://www.minizinc.org/challenge/2013/results/.\n"
        f"{len(rows) - len(find_faults(rows))} of {len(rows)} are equal within {TOLERANCE}.",
        list_table(
            "class | entry | published: | computed:",
            [
                f"{row.group} | {row.solver} | {row.published:.3f} | {row.computed:.3f}"
                for row in sorted(rows, key=lambda row: (row.group, -row.published))
            ],
        ),
    )


STUDY = Study(
    name="statistics.challenge",
    about=__doc__ or "",
    row=Row,
    key=lambda row: (row.group, row.solver),
    measure=measure,
    report=report,
    faults=find_faults,
    place="statistics",
)

main = STUDY.main

if __name__ == "__main__":
    raise SystemExit(main())
