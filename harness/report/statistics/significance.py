"""Tests of whether backends differ, and by how much.

Differences of times are those of their logarithms; ranks are from 1, the fastest.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from harness.report.statistics.grid import Floats
from harness.report.statistics.libraries import load_stats

SIGNIFICANT = 0.05
"""A corrected probability from which on a difference may be chance."""


def compare_signed_ranks(logs: Floats) -> float:
    """The two-sided probability of differences as far from 0 as these, if 0 is their middle.

    The signed-rank test of Wilcoxon, "Individual Comparisons by Ranking Methods", Biometrics
    Bulletin 1, 1945; zeros are dropped. 1 where all are zero. Raises InputError without scipy.
    """
    stats, differing = load_stats(), logs[logs != 0]
    return float(stats.wilcoxon(differing).pvalue) if len(differing) else 1.0


def correct_by_holm(chances: Sequence[float]) -> list[float]:
    """The probabilities corrected for their number, nan left out.

    Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scandinavian Journal of
    Statistics 6, 1979.
    """
    known = sorted((p, place) for place, p in enumerate(chances) if not np.isnan(p))
    corrected, least = list(chances), 0.0
    for rank, (p, place) in enumerate(known):
        least = max(least, min(1.0, p * (len(known) - rank)))
        corrected[place] = least
    return corrected


def measure_effect(logs: Floats) -> float:
    """The matched-pairs rank-biserial correlation, from -1 to 1: the ranks of positive differences
    less those of negative ones, as a part of all; 0 where nothing differs.

    Kerby, "The Simple Difference Formula", Comprehensive Psychology 3, 2014.
    """
    differing = logs[logs != 0]
    if not len(differing):
        return 0.0
    ranks = load_stats().rankdata(np.abs(differing))
    return float((ranks * np.sign(differing)).sum() / ranks.sum())


def rank_rows(values: Floats) -> Floats:
    """The rank of each value in its row, the least first, equal ones with their mean rank."""
    return np.asarray(load_stats().rankdata(values, axis=1))


def compare_all_ranks(values: Floats) -> float:
    """The probability of mean ranks as different as these, if all columns are alike.

    Friedman, "The Use of Ranks to Avoid the Assumption of Normality", Journal of the American
    Statistical Association 32, 1937. nan of fewer than three columns or two rows; 1 where all
    values are equal.
    """
    if values.shape[1] < 3 or len(values) < 2:
        return np.nan
    ranks = rank_rows(values)
    if (ranks == ranks[:, :1]).all():
        return 1.0
    return float(load_stats().friedmanchisquare(*ranks.T).pvalue)


def find_critical_difference(backends: int, instances: int, alpha: float = SIGNIFICANT) -> float:
    """The least difference of two mean ranks that is significant, by Nemenyi's test.

    q_alpha sqrt(k (k + 1) / (6 N)), q_alpha the quantile of the studentised range over sqrt(2).
    Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", Journal of Machine
    Learning Research 7, 2006, 3.2.2. nan of fewer than two backends.
    """
    if backends < 2 or not instances:
        return np.nan
    q = load_stats().studentized_range.ppf(1 - alpha, backends, np.inf) / np.sqrt(2)
    return float(q * np.sqrt(backends * (backends + 1) / (6 * instances)))


def join_alike(means: Floats, critical: float, p: float = np.nan) -> list[tuple[int, int]]:
    """The groups of ascending mean ranks that are not distinguished, by their first and last place.

    A group is as large as can be with R_last - R_first < CD, and has two members or more: the bars
    of a critical-difference diagram (Demšar 2006, figure 1). All are one group where ``p``, that of
    Friedman's test, is not significant.
    """
    if p >= SIGNIFICANT:
        return [(0, len(means) - 1)] if len(means) > 1 else []
    lasts = [int(np.searchsorted(means, mean + critical, side="left")) - 1 for mean in means]
    pairs = [(first, last) for first, last in enumerate(lasts) if last > first]
    return [(first, last) for first, last in pairs if not first or lasts[first - 1] < last]
