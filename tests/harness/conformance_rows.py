"""The table at the end of a run of pytest: which backends the shared suite has examined.

Tests of the suite record the name under ``CONFORMANCE``. A backend that is not installed has a row
that says what to install, one that this selection of tests leaves out a row that says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

CONFORMANCE = "conformance"


def find_rows(reports: Iterable[Any], shipped: Sequence[str]) -> list[tuple[str, str, str]]:
    """Backend, problems, and seconds or what hindered it; empty if nothing was examined."""
    rows: dict[str, tuple[str, str, str]] = {}
    for report in reports:
        # a file that could not be collected has no properties
        asked = dict(getattr(report, "user_properties", ())).get(CONFORMANCE)
        if asked is None or report.when == "teardown":
            continue
        name, problems = asked
        if report.skipped:
            reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
            rows[name] = (name, "-", str(reason).removeprefix("Skipped: "))
        elif report.failed:
            rows[name] = (name, str(problems), f"FAILED after {report.duration:.1f} s")
        elif report.when == "call":
            rows[name] = (name, str(problems), f"{report.duration:.1f} s")
    examined = {name.partition(":")[0] for name in rows}
    left = [name for name in shipped if name not in examined] if rows else []
    return [*rows.values(), *((name, "-", "not among the tests of this run") for name in left)]


def draw_table(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    """The rows as lines, under a head."""
    table = [("backend", "problems", "seconds, or why not"), *rows]
    first, second = (max(len(row[column]) for row in table) for column in (0, 1))
    return [f"{name:{first}}  {number:>{second}}  {said}" for name, number, said in table]
