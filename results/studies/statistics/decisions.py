"""How often are equal solvers called different, and how often is a true difference found?

    python -m results.studies.statistics.decisions --out results/reference/statistics

In each simulation the ratios of two solvers on some instances are drawn, about the true one:

releases  what runs of the same release of a backend differ by, as in the committed ``gate``
normal    normal logarithms with the median standard deviation within families (``spreads``)
measured  what two backends of the committed ``families`` differ by, less the mean of the family

Equal solvers are exchangeable: on each instance chance decides which of the two is which (``each
instance``). Beside them are solvers that are equal on the mean alone (``the mean``): of a skewed
distribution the one is then faster on most instances, and slower by more on the others.

Solvers are called different where ``harness.report.statistics.equality`` says so, and so on the
first screen and, of one backend, by ``concord diff``: where the interval of the ratio excludes 1,
and the sign-flip test agrees. Rates over 5% are measured again, with ``--again`` simulations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product

import msgspec
import numpy as np

from harness.report.statistics.equality import LEVEL, find_chance, name_difference
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
EACH, MEAN = "each instance", "the mean"
CASES = ((1.0, EACH), (1.0, MEAN), (1.2, MEAN))
"""True ratios, and in what the solvers are equal but for them."""

DRAWN = ("releases", "normal", "measured")
FAMILIES = 4
FOUND = ("releases", "normal")
MOST_FALSE = 0.05
LEAST_FOUND = 0.90
UNLIKELY = 0.01
"""A number that is drawn so seldom is not by chance."""


class Row(msgspec.Struct, frozen=True):
    """Of ``trials`` ``different`` are called so; ``interval`` is how many the interval alone would.
    ``spread`` is the standard deviation of the logarithms of the ratios."""

    ratios: str
    instances: int
    ratio: float
    equal: str
    spread: float
    trials: int
    different: int
    interval: int


def draw(kind: str, instances: int, equal: str, generator: np.random.Generator) -> Floats:
    """Logarithms of ratios whose true mean is 0, ``equal`` on each instance or on the mean."""
    logs = _draw(kind, instances, generator)
    return np.asarray(logs * generator.choice([-1, 1], instances if equal == EACH else 1))


def _draw(kind: str, instances: int, generator: np.random.Generator) -> Floats:
    if kind == "normal":
        return generator.normal(0, SPREAD, instances)
    pairs = list_pairs(kind)
    apart = pairs[generator.integers(len(pairs))]
    return np.asarray(generator.choice(apart - apart.mean(), instances))


@cache
def list_pairs(kind: str) -> list[Floats]:
    """The residuals of each pair that is drawn from."""
    if kind == "measured":
        return list_residuals(read_logs("families"))
    return [one for logs in read_releases("wall_s").values() for one in list_residuals(logs)]


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """Equal solvers, and one that is 20% slower, on few and many instances."""
    for kind, instances, (ratio, equal) in product(DRAWN, SIZES, CASES):
        if (kind, instances, ratio, equal) in known:
            continue
        row = simulate(kind, instances, ratio, equal, chosen.trials)
        if ratio == 1 and row.different > MOST_FALSE * row.trials:
            row = simulate(kind, instances, ratio, equal, max(chosen.trials, chosen.again))
        yield row


def simulate(kind: str, instances: int, ratio: float, equal: str, trials: int) -> Row:
    """Count in how many trials two solvers are called different."""
    generator = np.random.default_rng(SEED)
    different = excluded = 0
    spreads = []
    strata = [place % FAMILIES for place in range(instances)]
    for _ in range(trials):
        logs = np.log(ratio) + draw(kind, instances, equal, generator)
        low, high = interval(np.exp(logs), strata)
        if not low <= 1 <= high:  # else the test changes nothing
            excluded += 1
            different += name_difference(low, high, find_chance(logs, strata)) not in LEVEL
        spreads.append(logs.std(ddof=1))
    spread = round(float(np.sqrt(np.mean(np.square(spreads)))), 2)
    return Row(kind, instances, ratio, equal, spread, trials, different, excluded)


def find_faults(rows: Sequence[Row]) -> list[str]:
    """Solvers that are equal on each instance called different in more than 5%, or those equal on
    the mean beyond the error of drawing; 20% over 200 instances with the spread of releases, or the
    median one within families, not found often enough."""
    return [
        f"{row.ratios}, {row.instances} instances, {row.ratio}, equal on {row.equal}: "
        f"{row.different} of {row.trials} called different"
        for row in rows
        if (row.ratio == 1 and row.equal == EACH and row.different > MOST_FALSE * row.trials)
        or (row.ratio == 1 and binomial_tail(row.different, row.trials, MOST_FALSE) < UNLIKELY)
        or (
            row.ratio > 1
            and row.ratios in FOUND
            and row.instances == SIZES[-1]
            and row.different < LEAST_FOUND * row.trials
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
        "these ([spreads](spreads.md)). Equal on *each instance* are solvers of which chance\n"
        "decides for each instance which is which; on *the mean* those whose mean ratio is 1.\n"
        "The last column has what the interval would say alone.",
        list_table(
            "ratios | spread: | instances: | true ratio: | equal on | samples: | "
            "called different: | interval alone:",
            [
                f"{row.ratios} | {row.spread:.2f} | {row.instances} | {row.ratio:g} | "
                f"{row.equal if row.ratio == 1 else '-'} | {row.trials:,} | "
                f"{row.different / row.trials:.2%} | {row.interval / row.trials:.2%}"
                for row in rows
            ],
        ),
    )


STUDY = Study(
    name="statistics.decisions",
    about=__doc__ or "",
    row=Row,
    key=lambda row: (row.ratios, row.instances, row.ratio, row.equal),
    measure=measure,
    report=report,
    faults=find_faults,
    place="statistics",
    options=(
        option("--trials", 2000, "simulations a row"),
        option("--again", 200_000, "simulations of a row over 5%%"),
    ),
)

main = STUDY.main

if __name__ == "__main__":
    raise SystemExit(main())
