"""Why questions were not answered: each distinct reason of a backend once, with its count."""

from __future__ import annotations

import pandas as pd

from harness.report.standings import timed

LONGEST = 200
"""Characters that are kept of what a backend said."""

KEYS = ["backend", "outcome", "reason"]
COLUMNS = [*KEYS, "jobs", "first_job"]


def short(error: str) -> str:
    """What an error comes to, as much of it as can be taken in at a glance.

    Of a traceback the last line; of anything else all lines, as one.
    """
    said = error.strip()
    line = said.rpartition("\n")[2] if said.startswith("Traceback") else said
    line = " ".join(line.split())
    return line if len(line) <= LONGEST else f"{line[:LONGEST]} ..."


def reasons(jobs: pd.DataFrame) -> pd.DataFrame:
    """One row a backend, outcome and reason: in how many jobs, and the first of them.

    The commonest of a backend comes first.
    """
    jobs = timed(jobs)
    failed = jobs[jobs["outcome"].astype(str) != "finished"]
    found = pd.DataFrame(
        {
            "backend": failed["backend"].astype(str),
            "outcome": failed["outcome"].astype(str),
            "reason": [short(error) for error in failed["error"]],
            "job": failed["job"],
        }
    )
    counted = found.groupby(KEYS, as_index=False).agg(
        jobs=("job", "size"), first_job=("job", "min")
    )
    return counted.sort_values(
        ["backend", "jobs", "outcome", "reason"], ascending=[True, False, True, True]
    ).reset_index(drop=True)[COLUMNS]
