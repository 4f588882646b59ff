"""Scores by the rules of competitions: the MiniZinc Challenge, and XCSP3. The score of the SAT
competitions is PAR-2 (``scores.measure_par``).

Arrays have the shape (instances, backends). In each of them a backend with a wrong answer is not
ranked at all; ``grid`` has none.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from harness.report.statistics.grid import Floats, Grid

Bools = npt.NDArray[np.bool_]


def score_minizinc(found: Bools, proven: Bools, quality: Floats, used: Floats) -> Floats:
    """The points of each backend on each instance by the rules of the MiniZinc Challenge.

    A Borda count: for each other backend, 1 if the answer is better, 0 if it is worse, and where
    they are equal the other's part of the time of both, t' / (t + t'), or 1/2 if both took no
    time. Without an answer it is always 0. An answer is better if it is ``proven`` (complete) and
    the other is not, or if its ``quality`` is higher. ``found`` says where there is an answer,
    ``used`` has the seconds, up to the limit. Rules of 2013,
    https://www.minizinc.org/challenge/2013/rules/, section "Scoring Procedure".
    """
    points = np.zeros(found.shape)
    for own in range(found.shape[1]):
        for other in range(found.shape[1]):
            if own != other:
                points[:, own] += _compare(found, proven, quality, used, own, other)
    return points


def _compare(
    found: Bools, proven: Bools, quality: Floats, used: Floats, own: int, other: int
) -> Floats:
    both = used[:, own] + used[:, other]
    with np.errstate(invalid="ignore", divide="ignore"):
        part = np.where(both > 0, used[:, other] / both, 0.5)
    part = np.where(np.isnan(part), 0.5, part)  # two without a limit
    surer = proven[:, own].astype(int) - proven[:, other]
    better = np.where(surer != 0, surer, np.sign(quality[:, own] - quality[:, other]))
    point = np.where(better > 0, 1.0, np.where(better < 0, 0.0, part))
    point = np.where(found[:, other], point, 1.0)
    return np.where(found[:, own], point, 0.0)


def score_borda(grid: Grid) -> Floats:
    """The sum over all instances of the points of the MiniZinc Challenge."""
    found = grid.solved | ~np.isnan(grid.quality)
    quality = np.nan_to_num(grid.quality)
    return np.asarray(score_minizinc(found, grid.solved, quality, grid.used).sum(axis=0))


def score_xcsp3(grid: Grid) -> Floats:
    """The points of each backend, as the XCSP3 competitions count them.

    1 for each instance that it solves. A search for an optimum that it does not prove counts where
    its answer is as good as the best of all: 1 if nobody proves that, 1/2 if another does. This is
    the score #Opt + #BB1 + #BB2 / 2, and that of satisfaction problems, in the analyser of the
    competition's results, https://github.com/xcsp3team/results-analyzer, help on COP instances.
    """
    proven = grid.solved.any(axis=1, keepdims=True)
    unproven = np.where(proven, 0.5, 1.0) * _reach_best(grid)
    return np.asarray(np.where(grid.solved, 1.0, unproven).sum(axis=0))


def count_best_known(grid: Grid) -> Floats:
    """On how many instances each backend has an answer as good as the best of all.

    The ranking of the XCSP3 competition of 2019 from the point of view of incomplete solvers;
    that of complete ones is the number of solved instances, and the total time among equals
    (http://www.cril.univ-artois.fr/XCSP19/results/ranking.php?idev=100).
    """
    return np.asarray((_reach_best(grid) | grid.solved).sum(axis=0), dtype=float)


def _reach_best(grid: Grid) -> Bools:
    """Where a search for an optimum has an answer as good as the best of all."""
    known = np.where(np.isnan(grid.quality), -np.inf, grid.quality)
    best = known.max(axis=1, keepdims=True, initial=-np.inf)
    return np.asarray((known == best) & np.isfinite(known))
