"""How often does a 95% interval of a ratio hold the true one?

    python -m results.studies.statistics.coverage --out results/reference/statistics

In each simulation instances are drawn from a population whose true ratio is known
(``populations``), ``harness.statistics.interval`` gets their ratios, and it is counted whether its
interval holds the truth. A limit cuts the longest 30% of all times off. What an interval is of is
then one of two things that the data have: the ratio where both solve within the limit, which the
tables show as ``to_first``, and the ratio of the seconds that are used until the limit, where a
time-out counts as the limit. The ratio without a limit is counted beside them: no interval of it is
claimed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import msgspec
import numpy as np

from harness.statistics import LEAST_FOR_INTERVAL, interval
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option
from results.studies.statistics.populations import KINDS, Floats, Population

SEED = 25
SIZES = (8, 40, 200)
CENSORED = (0.0, 0.3)
WHERE = ("both solved", "until the limit")
GOOD = 0.93, 0.97


class Row(msgspec.Struct, frozen=True):
    """Of ``trials`` intervals ``covered`` hold the true ratio; ``without_limit`` hold that of all
    times. ``refused`` more samples had too few ratios for an interval; ``width`` is the median of
    the upper end over the lower one."""

    population: str
    instances: int
    censored: float
    ratio: str
    trials: int
    covered: int
    without_limit: int
    refused: int
    width: float


def find_limit(population: Population, censored: float) -> float:
    """The logarithm of the limit over which this part of all times is."""
    if not censored:
        return np.inf
    return float(np.quantile(np.concatenate([part.ravel() for part in population]), 1 - censored))


def see(times: Floats, limit: float, where: str) -> Floats:
    """The logarithms of the ratios that are seen of these times within the limit."""
    seen = np.minimum(times, limit)
    ratios: Floats = seen[:, 0] - seen[:, 1]
    return ratios[(times < limit).all(axis=1)] if where == WHERE[0] else ratios


def share_instances(instances: int, families: int) -> list[int]:
    """Unequal sizes of families: the first has about half of the instances; none less than two."""
    if families == 1:
        return [instances]
    least = max(2, instances // (2 * families))
    return [instances - least * (families - 1), *[least] * (families - 1)]


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """Every population, number of instances and limit."""
    for kind, instances, censored in product(KINDS, SIZES, CENSORED):
        for where in WHERE if censored else WHERE[:1]:
            if (kind, instances, censored, where) not in known:
                yield simulate(kind, instances, censored, where, chosen.trials)


def simulate(kind: str, instances: int, censored: float, where: str, trials: int) -> Row:
    """Draw until there are this many intervals, and count those that hold the truth."""
    generator = np.random.default_rng(SEED)
    covered = without_limit = refused = done = 0
    widths = []
    population = KINDS[kind](generator)
    while done < trials:
        if kind.startswith("measured"):
            population = KINDS[kind](generator)
        limit = find_limit(population, censored)
        sizes = share_instances(instances, len(population))
        drawn = [
            part[generator.integers(0, len(part), size)]
            for part, size in zip(population, sizes, strict=True)
        ]
        seen = [see(part, limit, where) for part in drawn]
        ratios = np.concatenate(seen)
        if len(ratios) < LEAST_FOR_INTERVAL:
            refused += 1
            continue
        strata = [place for place, part in enumerate(seen) for _ in part]
        low, high = np.log(interval(np.exp(ratios), strata))
        truths = [see(part, limit, where).mean() if len(own) else 0.0
                  for part, own in zip(population, seen, strict=True)]  # fmt: skip
        wholes = [(part[:, 0] - part[:, 1]).mean() for part in population]
        weights = [len(own) / len(ratios) for own in seen]
        covered += bool(low <= np.dot(weights, truths) <= high)
        without_limit += bool(low <= np.dot(weights, wholes) <= high)
        widths.append(high - low)
        done += 1
    width = round(float(np.exp(np.median(widths))), 2)
    return Row(kind, instances, censored, where, trials, covered, without_limit, refused, width)


def find_faults(rows: Sequence[Row]) -> list[str]:
    """The rows outside of what is claimed."""
    return [
        f"{row.population}, {row.instances} instances, {row.censored:.0%} censored, {row.ratio}: "
        f"{row.covered / row.trials:.1%}"
        for row in rows
        if not GOOD[0] <= row.covered / row.trials <= GOOD[1]
    ]


def report(rows: Sequence[Row], chosen: Options) -> str:
    """One line a population, number of instances and limit."""
    return join_page(
        "# Coverage of the intervals of ratios",
        f"How often a 95% interval holds the true ratio, by `{chosen.command}`.\n"
        f"Refused are samples with fewer than {LEAST_FOR_INTERVAL} ratios. The last column is how\n"
        "many intervals hold the ratio without a limit, of which none is claimed.",
        list_table(
            "population | instances: | over the limit: | ratio | covered: | refused: | "
            "upper / lower: | without limit:",
            [
                f"{row.population} | {row.instances} | {row.censored:.0%} | {row.ratio} | "
                f"{row.covered / row.trials:.1%} | {row.refused} | {row.width:.2f} | "
                f"{row.without_limit / row.trials:.1%}"
                for row in rows
            ],
        ),
    )


STUDY = Study(
    name="statistics.coverage",
    about=__doc__ or "",
    row=Row,
    key=lambda row: (row.population, row.instances, row.censored, row.ratio),
    measure=measure,
    report=report,
    faults=find_faults,
    place="statistics",
    options=(option("--trials", 2000, "intervals a row"),),
)

main = STUDY.main

if __name__ == "__main__":
    raise SystemExit(main())
