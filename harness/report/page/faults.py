"""What somebody should look at: wrong and disputed answers, and failures, each with its instance
drawn and the command that repeats it.

Every wrong or disputed answer is listed, up to ``MOST_ANSWERS``. Failures come by solver, outcome
and reason, since many have one cause; each group lists its jobs, up to ``MOST_JOBS``.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

from harness.record import FAILED, Row
from harness.report.jobs import shorten_reason
from harness.report.table_text import list_rows
from modelling.errors import ConcordError
from modelling.wording import plural
from puzzles.family import family, make_picture

if TYPE_CHECKING:
    from harness.report.run import Run

MOST_ANSWERS = 200
MOST_GROUPS = 60
MOST_JOBS = 40
LARGEST_PICTURE = 60_000
"""Characters of SVG: a larger picture nobody looks at."""
MOST_PICTURES = 40
"""Pictures on the page: more would make it large."""


@dataclass(frozen=True)
class Fault:
    """One answer, or a group of failures with one cause: its heading, what is known of it, its
    jobs, the first one's instance as SVG (empty where it is not drawn), and the command."""

    kind: str
    heading: str
    facts: Sequence[tuple[str, str]]
    jobs: Sequence[tuple[int, str, str]]
    left_out: int
    picture: str
    command: str


@dataclass
class Pictures:
    """Draws instances, each once, as many as the page has room for."""

    drawn: dict[tuple[str, str], str] = field(default_factory=dict)
    is_full: bool = False
    """Whether an instance was left out, since the page has no room for more."""

    def draw(self, kind: str, text: str) -> str:
        """The instance as SVG; empty where it cannot be drawn, or is too large."""
        key = kind, text
        if not text:
            return ""
        if key not in self.drawn and len(self.drawn) >= MOST_PICTURES:
            self.is_full = True
            return ""
        if key not in self.drawn:
            self.drawn[key] = ""
            with suppress(ConcordError, ImportError):
                shown = str(make_picture(family(kind), text))
                self.drawn[key] = shown if len(shown) <= LARGEST_PICTURE else ""
        return self.drawn[key]


def list_faults(run: Run, pictures: Pictures) -> tuple[list[Fault], int]:
    """The faults of a run, the worst first; and how many more there are."""
    bad, reasons = run.troubles, run.reasons
    groups = _group_failures(run, reasons)
    answers = bad.sort_values("verdict", ascending=False, kind="stable") if len(bad) else bad
    shown = answers.head(MOST_ANSWERS)
    numbers = {int(number) for _, listed, _ in groups for number in listed}
    numbers |= {int(number) for number in shown.get("job", ())}
    with run.open() as store:
        rows = {number: store.find_row(number) for number in sorted(numbers)}
    found = {number: row for number, row in rows.items() if row is not None}
    faults = [
        _describe_answer(run, found[int(row["job"])], str(row["evidence"]), pictures)
        for row in list_rows(shown)
        if int(row["job"]) in found
    ]
    faults += [_describe_failure(run, group, found, pictures) for group in groups]
    return faults, len(answers) - len(shown) + max(0, len(reasons) - len(groups))


def _describe_answer(run: Run, row: Row, evidence: str, pictures: Pictures) -> Fault:
    verdict, record, job = row.verdict, row.record, row.job
    facts = {
        "evidence": evidence,
        "the solver claims": f"{record.status}, {plural(record.count, 'solution')}",
        "objective": "" if record.objective is None else str(record.objective),
        "the rules object": verdict.rules if verdict else "",
        "the model objects": verdict.model if verdict else "",
    }
    return Fault(
        verdict.verdict if verdict else "unverified",
        f"{job.backend} on {job.set} {job.instance}",
        [(name, text) for name, text in facts.items() if text],
        [(job.number, job.set, job.instance)],
        0,
        pictures.draw(job.family, job.text),
        write_replay(run, job.number),
    )


Group = tuple[dict[str, Any], list[int], int]
"""A row of ``Run.reasons``, the first jobs that ended like it, and how many more there are."""


def _group_failures(run: Run, reasons: pd.DataFrame) -> list[Group]:
    if reasons.empty:
        return []
    jobs = run.standings.jobs
    failed = jobs[jobs["outcome"].isin(FAILED)]
    parts: dict[tuple[str, ...], list[int]] = {}
    for key, part in failed.groupby(["backend", "outcome", "error"], observed=True):
        backend, outcome, error = map(str, key)  # several errors may come to one reason
        place = backend, outcome, shorten_reason(error)
        parts.setdefault(place, []).extend(int(number) for number in part["job"].head(MOST_JOBS))
    found = []
    for row in list_rows(reasons.sort_values("jobs", ascending=False, kind="stable"))[:MOST_GROUPS]:
        numbers = sorted(parts.get((row["backend"], row["outcome"], row["reason"]), ()))[:MOST_JOBS]
        found.append((row, numbers, int(row["jobs"]) - len(numbers)))
    return found


def _describe_failure(run: Run, group: Group, rows: dict[int, Row], pictures: Pictures) -> Fault:
    reason, numbers, left_out = group
    jobs = [rows[number].job for number in numbers if number in rows]
    first = jobs[0] if jobs else None
    return Fault(
        str(reason["outcome"]),
        f"{reason['backend']}: {plural(int(reason['jobs']), 'job')} {reason['outcome']}",
        [("reason", str(reason["reason"]))] if reason["reason"] else [],
        [(job.number, job.set, job.instance) for job in jobs],
        left_out,
        pictures.draw(first.family, first.text) if first else "",
        write_replay(run, int(reason["first_job"])),
    )


def write_replay(run: Run, job: int) -> str:
    """The command that runs a job again, alone."""
    return f"concord replay {shlex.quote(str(run.folder))} {job}"
