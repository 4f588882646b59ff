"""Is there an interval of the ratio that two solvers would have without a limit?

    python -m results.studies.statistics.without_limit --out results/reference/statistics

A limit cuts the longest 30% of all times off, as in ``coverage``. Two estimators that are not
confined to what was seen are tried:

normal      both logarithms of times are normal, with means of their own in each family, and cut off
            at the limit (Tobin, "Estimation of Relationships for Limited Dependent Variables",
            Econometrica 26, 1958); maximum likelihood, the error from the curvature at the maximum,
            Student's t
bounds      the median ratio, whatever what was cut off would have taken: order statistics of the
            bounds of all ratios, by the sign test (Conover, "Practical Nonparametric Statistics",
            1999, 3.2)

Neither is shown by Concord: docs/decisions/0043-intervals.md says why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product

import msgspec
import numpy as np
from scipy import optimize, special, stats

from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option
from results.studies.statistics.coverage import find_limit, share_instances
from results.studies.statistics.populations import KINDS, Floats, Population

SEED = 27
SIZES = (8, 40, 200)
CENSORED = 0.3
LEAST_EACH = 4
"""Seen times of each solver in each family that the normal distribution needs."""

Interval = tuple[float, float]


class Row(msgspec.Struct, frozen=True):
    """Of ``trials`` intervals ``covered`` hold the true ratio; ``unbounded`` of them have no end on
    one side or both, or could not be worked out. ``width`` is the median of the upper end over the
    lower one, None where that has no end."""

    estimator: str
    population: str
    instances: int
    trials: int
    covered: int
    unbounded: int
    width: float | None


# --- estimators ------------------------------------------------------------------------------


def fit_normal(parts: Sequence[Floats], limit: float) -> Interval:
    """The mean difference of normal logarithms that are cut off at ``limit``."""
    seen = [np.minimum(part, limit) for part in parts]
    if any((part < limit).sum(axis=0).min() < LEAST_EACH for part in seen):
        return -np.inf, np.inf
    weights = np.array([len(part) for part in seen]) / sum(map(len, seen))
    within = np.concatenate([part - part.mean(axis=0) for part in seen])
    scale = np.log(within.std(axis=0) + 0.1)
    start = np.concatenate([*(part.mean(axis=0) for part in seen), scale, [np.arctanh(0.5)]])

    def lose(guess: Floats) -> float:
        means = guess[: 2 * len(seen)].reshape(-1, 2)
        scales, slope = np.exp(guess[-3:-1]), float(np.tanh(guess[-1]))
        return -sum(
            map(_measure_likelihood, seen, means, *_repeat(len(seen), limit, scales, slope))
        )

    found = optimize.minimize(lose, start, method="BFGS")
    contrast = np.concatenate([np.outer(weights, [1, -1]).ravel(), np.zeros(3)])
    square = float(contrast @ np.linalg.pinv(find_curvature(lose, found.x)) @ contrast)
    if square <= 0:
        return -np.inf, np.inf
    middle = float(contrast @ found.x)
    freedom = sum(map(len, seen)) - len(seen)
    half = float(stats.t.ppf(0.975, freedom)) * np.sqrt(square)
    return middle - half, middle + half


def find_curvature(lose: Callable[[Floats], float], at: Floats, step: float = 1e-3) -> Floats:
    """The second derivatives of a function, by central differences."""
    steps = step * np.eye(len(at))
    found = np.empty((len(at), len(at)))
    for row, one in enumerate(steps):
        for column, other in enumerate(steps[: row + 1]):
            corners = lose(at + one + other), lose(at - one - other)
            rest = lose(at + one - other), lose(at - one + other)
            found[row, column] = found[column, row] = (sum(corners) - sum(rest)) / (4 * step**2)
    return found


def _repeat(number: int, *values: object) -> list[list[object]]:
    return [[value] * number for value in values]


def _measure_likelihood(
    seen: Floats, means: Floats, limit: float, scales: Floats, slope: float
) -> float:
    """The logarithm of the likelihood of one family."""
    z = (seen - means) / scales
    edge = (limit - means) / scales
    cut = seen >= limit
    rest = np.sqrt(max(1e-9, 1 - slope**2))
    both = ~cut.any(axis=1)
    total = float(
        _log_density(z[both, 0]).sum()
        + _log_density((z[both, 1] - slope * z[both, 0]) / rest).sum()
        - both.sum() * np.log(scales.prod() * rest)
    )
    for own, other in ((0, 1), (1, 0)):
        one = cut[:, other] & ~cut[:, own]
        total += float(
            _log_density(z[one, own]).sum()
            - one.sum() * np.log(scales[own])
            + special.log_ndtr((slope * z[one, own] - edge[other]) / rest).sum()
        )
    neither = int(cut.all(axis=1).sum())
    if neither:
        total += neither * float(np.log(max(_exceed_both(edge, slope, rest), 1e-300)))
    return total


_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(60)
FAR = 8.0
"""Standard deviations beyond which the normal distribution has nothing that counts."""


def _exceed_both(edge: Floats, slope: float, rest: float) -> float:
    """The probability that two standard normal variables with this correlation exceed ``edge``."""
    first = max(float(edge[0]), -FAR)
    half = (max(FAR, first + 1.0) - first) / 2
    at = first + half * (1 + _NODES)
    others = special.ndtr((slope * at - edge[1]) / rest)
    return float(half * (_WEIGHTS * np.exp(_log_density(at)) * others).sum())


def _log_density(z: Floats) -> Floats:
    """That of the standard normal distribution, without the cost of ``scipy.stats``."""
    return np.asarray(-0.5 * (z**2 + np.log(2 * np.pi)))


def bound_median(parts: Sequence[Floats], limit: float) -> Interval:
    """The median ratio, where what was cut off may have taken any time from the limit on."""
    times = np.concatenate(parts)
    ratios = np.minimum(times, limit) @ [1, -1]
    low = np.sort(np.where(times[:, 1] >= limit, -np.inf, ratios))
    high = np.sort(np.where(times[:, 0] >= limit, np.inf, ratios))
    place = int(stats.binom.ppf(0.025, len(ratios), 0.5))
    return (float(low[place - 1]), float(high[-place])) if place else (-np.inf, np.inf)


# --- truths ----------------------------------------------------------------------------------


def find_mean(population: Population, sizes: Sequence[int]) -> float:
    """The mean of the logarithms of all ratios, families by the sizes of their samples."""
    means = [(part[:, 0] - part[:, 1]).mean() for part in population]
    return float(np.average(means, weights=sizes))


def find_median(population: Population, sizes: Sequence[int]) -> float:
    """Their median."""
    ratios = np.concatenate([part[:, 0] - part[:, 1] for part in population])
    each = [
        np.full(len(part), size / len(part)) for part, size in zip(population, sizes, strict=True)
    ]
    order = np.argsort(ratios)
    reached = np.cumsum(np.concatenate(each)[order])
    return float(ratios[order][np.searchsorted(reached, reached[-1] / 2)])


Estimator = tuple[
    Callable[[Sequence[Floats], float], Interval], Callable[[Population, Sequence[int]], float]
]
ESTIMATORS: dict[str, Estimator] = {
    "normal": (fit_normal, find_mean),
    "bounds": (bound_median, find_median),
}


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """Every estimator, population and number of instances."""
    for estimator, kind, instances in product(ESTIMATORS, KINDS, SIZES):
        if (estimator, kind, instances) not in known:
            yield simulate(estimator, kind, instances, chosen.trials)


def simulate(estimator: str, kind: str, instances: int, trials: int) -> Row:
    """Draw samples, and count the intervals that hold the truth."""
    estimate, find_truth = ESTIMATORS[estimator]
    generator = np.random.default_rng(SEED)
    population = KINDS[kind](generator)
    covered = unbounded = 0
    widths = []
    for _ in range(trials):
        if kind.startswith("measured"):
            population = KINDS[kind](generator)
        limit = find_limit(population, CENSORED)
        sizes = share_instances(instances, len(population))
        parts = [
            part[generator.integers(0, len(part), size)]
            for part, size in zip(population, sizes, strict=True)
        ]
        low, high = estimate(parts, limit)
        covered += bool(low <= find_truth(population, sizes) <= high)
        unbounded += bool(np.isinf(high - low))
        widths.append(high - low)
    width = float(np.exp(np.median(widths)))
    shown = None if np.isinf(width) else round(width, 2)
    return Row(estimator, kind, instances, trials, covered, unbounded, shown)


def report(rows: Sequence[Row], chosen: Options) -> str:
    """One line an estimator, population and number of instances."""
    return join_page(
        "# The ratio without a limit",
        "How often an interval holds the ratio that two solvers would have without a limit, where\n"
        f"{CENSORED:.0%} of all times are over it, by `{chosen.command}`.\n"
        "`normal` is the geometric mean, if times are normal; `bounds` the median, whatever was\n"
        "cut off. Unbounded are intervals without an end on one side.",
        list_table(
            "estimator | population | instances: | samples: | covered: | unbounded: | "
            "upper / lower:",
            [
                f"{row.estimator} | {row.population} | {row.instances} | {row.trials} | "
                f"{row.covered / row.trials:.1%} | {row.unbounded / row.trials:.1%} | "
                f"{'-' if row.width is None else f'{row.width:.2f}'}"
                for row in rows
            ],
        ),
    )


STUDY = Study(
    name="statistics.without_limit",
    about=__doc__ or "",
    row=Row,
    key=lambda row: (row.estimator, row.population, row.instances),
    measure=measure,
    report=report,
    faults=lambda rows: [],
    place="statistics",
    options=(option("--trials", 500, "intervals a row"),),
)

main = STUDY.main

if __name__ == "__main__":
    raise SystemExit(main())
