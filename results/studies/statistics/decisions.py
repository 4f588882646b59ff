"""How often are equal solvers called different, and how often is a true difference found?

    python -m results.studies.statistics.decisions --out results/reference/statistics

In each simulation the ratios of two solvers on some instances are drawn, about the true one:

releases  what runs of the same release of a backend differ by, as in the committed ``gate``
normal    normal logarithms with the median standard deviation within families (``spreads``)
measured  what two backends of the committed ``families`` differ by, less the mean of the family

The first screen calls solvers different where the
interval of the ratio excludes 1; ``concord diff`` where the signed ranks agree, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import msgspec
import numpy as np

from harness.report.statistics.significance import SIGNIFICANT, compare_signed_ranks
from harness.statistics import binomial_tail, interval
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option
from results.studies.statistics.populations import (
    SPREAD,
    Floats,
    list_residuals,
    read_logs,
    read_releases,
)

SEED = 26
SIZES = (8, 40, 200)
RATIOS = (1.0, 1.2)
DRAWN = ("releases", "normal", "measured")
FAMILIES = 4
FOUND = ("releases", "normal")
MOST_FALSE = 0.05
LEAST_FOUND = 0.90
UNLIKELY = 0.01
"""A number that is drawn so seldom is not by chance."""


class Row(msgspec.Struct, frozen=True):
    """Of ``trials`` the first screen calls ``screen`` different, ``concord diff`` ``diff``, and the
    signed ranks alone would ``ranks``; ``spread`` is the standard deviation of the logarithms of
    the ratios."""

    ratios: str
    instances: int
    ratio: float
    spread: float
    trials: int
    screen: int
    diff: int
    ranks: int


def draw(kind: str, instances: int, generator: np.random.Generator) -> Floats:
    """Logarithms of ratios whose true mean is 0."""
    if kind == "normal":
        return generator.normal(0, SPREAD, instances)
    pairs = list_pairs(kind)
    apart = pairs[generator.integers(len(pairs))]
    drawn = generator.choice(apart - apart.mean(), instances)
    return np.asarray(drawn * generator.choice([-1, 1]))


@cache
def list_pairs(kind: str) -> list[Floats]:
    """The residuals of each pair that is drawn from."""
    if kind == "measured":
        return list_residuals(read_logs("families"))
    return [one for logs in read_releases("wall_s").values() for one in list_residuals(logs)]


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """Equal solvers, and one that is 20% slower, on few and many instances."""
    for kind, instances, ratio in product(DRAWN, SIZES, RATIOS):
        if (kind, instances, ratio) in known:
            continue
        generator = np.random.default_rng(SEED)
        screen = diff = ranks = 0
        spreads = []
        strata = [place % FAMILIES for place in range(instances)]
        for _ in range(chosen.trials):
            logs = np.log(ratio) + draw(kind, instances, generator)
            low, high = interval(np.exp(logs), strata)
            differ = not low <= 1 <= high
            rank = compare_signed_ranks(logs) < SIGNIFICANT
            screen, ranks, diff = screen + differ, ranks + rank, diff + (differ and rank)
            spreads.append(logs.std(ddof=1))
        spread = round(float(np.sqrt(np.mean(np.square(spreads)))), 2)
        yield Row(kind, instances, ratio, spread, chosen.trials, screen, diff, ranks)


def find_faults(rows: Sequence[Row]) -> list[str]:
    """Equal solvers too often called different by ``concord diff``, or by the first screen beyond
    the error of drawing; 20% over 200 instances with the spread of releases, or the median one
    within families, not found often enough."""
    return [
        f"{row.ratios}, {row.instances} instances, {row.ratio}: {row.screen} by the screen, "
        f"{row.diff} by concord diff"
        for row in rows
        if (row.ratio == 1 and row.diff > MOST_FALSE * row.trials)
        or (row.ratio == 1 and binomial_tail(row.screen, row.trials, MOST_FALSE) < UNLIKELY)
        or (
            row.ratio > 1
            and row.ratios in FOUND
            and row.instances == SIZES[-1]
            and row.diff < LEAST_FOUND * row.trials
        )
    ]


def report(rows: Sequence[Row], chosen: Options) -> str:
    """One line a kind of ratios, number of instances and true ratio."""
    return join_page(
        "# Equal and different solvers",
        f"How often two solvers are called different, by `{chosen.command}`.\n"
        "A true ratio of 1 should be called different in at most 5%. `releases` differ as runs of\n"
        "the same release do in `gate`; `normal` has the median spread within families of all\n"
        "pairs of backends in `families`, and `measured` the ratios of a pair that is drawn of\n"
        "these ([spreads](spreads.md)). The last column has the signed ranks alone.",
        list_table(
            "ratios | spread: | instances: | true ratio: | first screen: | `concord diff`: | "
            "ranks:",
            [
                f"{row.ratios} | {row.spread:.2f} | {row.instances} | {row.ratio:g} | "
                f"{row.screen / row.trials:.1%} | {row.diff / row.trials:.1%} | "
                f"{row.ranks / row.trials:.1%}"
                for row in rows
            ],
        ),
    )


STUDY = Study(
    name="statistics.decisions",
    about=__doc__ or "",
    row=Row,
    key=lambda row: (row.ratios, row.instances, row.ratio),
    measure=measure,
    report=report,
    faults=find_faults,
    place="statistics",
    options=(option("--trials", 2000, "simulations a row"),),
)

main = STUDY.main

if __name__ == "__main__":
    raise SystemExit(main())
