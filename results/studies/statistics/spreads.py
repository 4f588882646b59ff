"""How far apart are the ratios of two solvers, from instance to instance?

    python -m results.studies.statistics.spreads --out results/reference/statistics

The standard deviation of the logarithms of the ratios within families decides how many instances a
comparison needs. Here are those of all pairs of backends in committed runs, and of runs of the same
release of a backend. The other studies take theirs from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study
from results.studies.statistics.populations import (
    Floats,
    list_residuals,
    read_logs,
    read_releases,
)

REFERENCES = ("families", "quickstart", "agreement", "advise/run")
RELEASES = {"wall_s": "gate, same release, wall time", "cpu_s": "gate, same release, CPU time"}
PERCENTS = (10, 25, 50, 75, 90)
FAR = 1.2
"""The ratio of which it is said how many instances find it."""

DETECTED = (1.96 + 1.2816) ** 2
"""A difference is found at 5% in 90% of samples if its square is this many times that of its
standard error, by the normal distribution."""


class Row(msgspec.Struct, frozen=True):
    """The standard deviations of ``pairs`` within families, at ``PERCENTS``; ``hardness`` is that
    of the logarithms of one backend's seconds over all instances, ``tails`` the kurtosis of the
    ratios, which is 3 where they are normal: medians of all backends and pairs."""

    run: str
    pairs: int
    spreads: tuple[float, ...]
    hardness: float
    tails: float


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """Every committed run, and the two times of runs of the same release."""
    for reference in REFERENCES:
        logs = read_logs(reference)
        yield describe(reference, list_residuals(logs), float(logs.std().median()))
    for column, name in RELEASES.items():
        tables = read_releases(column).values()
        hardness = float(np.median([logs.std().median() for logs in tables]))
        yield describe(name, [one for logs in tables for one in list_residuals(logs)], hardness)


def describe(run: str, residuals: Sequence[Floats], hardness: float) -> Row:
    """The row of residuals of pairs."""
    squares = np.array([np.mean(one**2) for one in residuals])
    tails = [np.mean(one**4) / np.mean(one**2) ** 2 for one in residuals]
    found = np.round(np.percentile(np.sqrt(squares), PERCENTS), 3)
    return Row(
        run,
        len(residuals),
        tuple(map(float, found)),
        round(hardness, 2),
        round(float(np.median(tails)), 1),
    )


def count_needed(spread: float) -> int:
    """How many instances find a ratio of ``FAR`` in 90%, by Student's t at 5%."""
    return int(np.ceil(DETECTED * spread**2 / np.log(FAR) ** 2))


def report(rows: Sequence[Row], chosen: Options) -> str:
    """One line a run."""
    return join_page(
        "# Spread of ratios",
        "Standard deviations of the logarithms of ratios within families, of all pairs of\n"
        f"backends in committed runs, by `{chosen.command}`.\n"
        f"The last column is how many instances find a true ratio of {FAR} in 90%, at the median.\n"
        "Hardness is the standard deviation of one backend over all instances; tails are 3 where\n"
        "ratios are normal.",
        list_table(
            "run | pairs: | 10%: | 25%: | median: | 75%: | 90%: | hardness: | tails: | "
            f"instances for {FAR}:",
            [
                f"{row.run} | {row.pairs} | {' | '.join(f'{one:.2f}' for one in row.spreads)} | "
                f"{row.hardness:.2f} | {row.tails:.1f} | {count_needed(row.spreads[2])}"
                for row in rows
            ],
        ),
    )


STUDY = Study(
    name="statistics.spreads",
    about=__doc__ or "",
    row=Row,
    key=lambda row: row.run,
    measure=measure,
    report=report,
    faults=lambda rows: [],
    place="statistics",
)

main = STUDY.main

if __name__ == "__main__":
    raise SystemExit(main())
