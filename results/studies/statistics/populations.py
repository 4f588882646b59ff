"""Populations of pairs of times, from which samples are drawn whose true ratio is known.

A population has families; a family has members, each with the logarithms of the seconds of two
solvers. ``normal`` ones are made: hardness with a standard deviation of ``HARDNESS``, ratios with
one of ``SPREAD``, which are those of the committed run of all families (``spreads``). The others
are times of committed runs, of two backends that are drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd

from harness.report.run import load
from harness.report.standings import INSTANCE, QUESTION

Floats = npt.NDArray[np.float64]
Population = list[Floats]
"""An array of shape (members, 2) for each family: logarithms of seconds."""

SPREAD = 0.76
HARDNESS = 1.0
MEMBERS = 4000
RATIO = np.log(1.5)
LEAST_FREEDOM = 20
FEWEST = 80
"""Instances that both backends of a pair from a run have solved."""


def make_normal(families: int, generator: np.random.Generator, slope: float = 0.0) -> Population:
    """Normal logarithms; families differ in their ratios, and with ``slope`` in their spread,
    from ``exp(-slope)`` to ``exp(slope)`` times ``SPREAD``."""
    made = []
    for place in np.linspace(-1, 1, families) if families > 1 else [0.0]:
        hardness = generator.normal(0, HARDNESS, MEMBERS)
        spread = SPREAD * np.exp(slope * place)
        ratio = generator.normal(RATIO + place, spread, MEMBERS)
        made.append(np.column_stack([hardness + ratio / 2, hardness - ratio / 2]))
    return made


@cache
def read_logs(reference: str) -> pd.DataFrame:
    """Logarithms of the seconds of a committed run, nan where unsolved: a row an instance, a column
    a backend."""
    found = load(f"results/reference/{reference}").standings.instances
    found = found[found["solved"] & ~found["disqualified"]]
    table = found.pivot_table(index=INSTANCE, columns="backend", values="wall_s", observed=True)
    return table.transform(np.log)


@cache
def read_releases(column: str) -> dict[str, pd.DataFrame]:
    """Logarithms of the median seconds of each instance in runs of the same release that were made
    one after the other (``results/reference/gate``), by backend: a column a run."""
    times = pd.read_csv("results/reference/gate/times.csv.gz")
    times = times[times["run"].str.startswith("apart")]
    medians = times.groupby(["backend", *INSTANCE, "run"])[column].median().transform(np.log)
    return {str(name): part.unstack("run") for name, part in medians.groupby(level=0)}


def list_residuals(logs: pd.DataFrame) -> list[Floats]:
    """For each pair of columns the logarithms of their ratios, less the mean of the family.

    They are multiplied by sqrt(m / (m - 1)) in a family of m, so that their variance is that within
    families without bias; an instance alone in its family has none. Pairs with fewer than
    ``LEAST_FREEDOM`` degrees of freedom are left out.
    """
    found = []
    for one, other in combinations(logs.columns, 2):
        ratios = (logs[one] - logs[other]).dropna()
        families = ratios.groupby(level=QUESTION, observed=True)
        members = families.transform("size")
        apart = (ratios - families.transform("mean")) * np.sqrt(members / (members - 1).clip(1))
        kept = members > 1
        freedom = kept.sum() - (families.size() > 1).sum()
        if freedom >= LEAST_FREEDOM:
            found.append(apart[kept].to_numpy())
    return found


@cache
def read_times(reference: str, by_question: bool) -> tuple[Floats, ...]:
    """Logarithms of the seconds of a committed run, of shape (instances, backends), by set and
    question or all together."""
    whole = read_logs(reference).dropna(axis=1, thresh=FEWEST).dropna()
    if not by_question:
        return (whole.to_numpy(),)
    return tuple(part.to_numpy() for _, part in whole.groupby(level=QUESTION, observed=True))


def draw_measured(reference: str, by_question: bool, generator: np.random.Generator) -> Population:
    """The times of two backends of a committed run."""
    times = read_times(reference, by_question)
    pair = generator.choice(times[0].shape[1], 2, replace=False)
    return [family[:, pair] for family in times]


KINDS: dict[str, Callable[[np.random.Generator], Population]] = {
    "normal, one family": lambda generator: make_normal(1, generator),
    "normal, four families": lambda generator: make_normal(4, generator),
    "normal, four families of unequal spread": lambda generator: make_normal(4, generator, 0.5),
    "measured, `families` as one": lambda generator: draw_measured("families", False, generator),
    "measured, `agreement`, four sets": lambda generator: draw_measured(
        "agreement", True, generator
    ),
}
"""How a population is made or drawn, by name."""
