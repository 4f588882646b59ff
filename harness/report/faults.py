"""What makes the exit status of a comparison 1: answers that are wrong, and backends that fail.

A refusal with its reason is no fault: a backend may say that a problem is not for it. Nor is a
timeout, unless the backend answered nothing at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from harness.cli.screen import plural
from harness.report.table_text import as_rows

if TYPE_CHECKING:
    from harness.report.run import Run

FAULTS = ("wrong", "disputed", "error", "crashed", "lost")
"""One of these is one too many."""

ANSWERS = ("verified", "unwitnessed", "unverified", "disputed", "wrong")
REFUSALS = ("refused", "unsupported")


def faults(run: Run) -> list[str]:
    """What is wrong with the answers of each backend; nothing where all is well."""
    silent = {
        (row["backend"], row["outcome"])
        for row in as_rows(run.reasons)
        if row["outcome"] in REFUSALS and not row["reason"]
    }
    found = [text for row in as_rows(run.summary) for text in _of(row, silent)]
    contradicted = int(run.agreement[["disputed", "wrong"]].to_numpy().sum())
    if contradicted and not found:  # by a witness, whose own answers are not ranked
        found.append(f"{plural(contradicted, 'instance')} disputed, or answered wrong by a witness")
    return found


def _of(row: dict[str, Any], silent: set[tuple[str, str]]) -> list[str]:
    """The faults of one backend, a row of the summary; in ``silent`` it refused without a word."""
    name, asked = row["backend"], row["instances"] - sum(row[word] for word in REFUSALS)
    found = [
        f"{name}: {row[word]} of {plural(row['instances'], 'instance')} {word}"
        for word in FAULTS
        if row[word]
    ]
    if asked and not found and not sum(row[word] for word in ANSWERS):
        found.append(f"{name}: it answered none of {plural(asked, 'instance')}")
    found += [f"{name}: {word} without a reason" for word in REFUSALS if (name, word) in silent]
    return found
