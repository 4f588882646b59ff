"""What a run ends with on the screen: who won, the summary, agreement, timing, and why not.

Every line fits the width, and no number is broken over lines; with ``wide`` the tables of the run
are shown whole instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from backends.interface.registry import known_family
from harness.cli.screen import Screen, plural
from harness.record import Row
from harness.report import table_text
from harness.report.feet import feet
from harness.report.headline import headline
from harness.report.labels import wrap
from harness.report.narrow import Section, agreement_table, summary_table, timing_table

if TYPE_CHECKING:
    from harness.report.run import Run

MOST_TROUBLES = 12
"""So many reasons, and so many answers to look at, are shown."""

MOST_LINES = 3
"""A reason is cut behind so many lines; `export` has it in full."""


def show(run: Run, screen: Screen, wide: bool = False) -> None:
    """Print the closing tables of ``run``."""
    for heading, lines in sections(run, screen.width, wide):
        screen.section(heading, lines)
    for text in feet(run):
        for line in wrap(text, screen.width):
            screen.note(line)


def sections(run: Run, width: int, wide: bool = False) -> list[Section]:
    """All that is shown of a run, in order."""
    said = [run.judging, headline(run.summary), _unknown(run)]
    found: list[Section] = [("", [line for text in said if text for line in wrap(text, width)])]
    if wide:
        for name in ("summary", "agreement", "timing"):
            found.append((name.capitalize(), table_text.text(getattr(run, name)).splitlines()))
    elif len(run.summary):
        found.append(summary_table(run.summary, width))
        found.append(agreement_table(run.agreement, run.summary, width))
        found.append(timing_table(run.timing, run.summary, width))
    below = [("Not answered", _reasons(run, width)), ("Answers to look at", _troubles(run, width))]
    return found + [(heading, lines) for heading, lines in below if lines]


def _unknown(run: Run) -> str:
    """Whose word does not make an answer agreed."""
    unknown = [name for name in run.summary["backend"] if known_family(name) is None]
    if not unknown:
        return ""
    return f"Of no known family, so that their agreement counts for nothing: {', '.join(unknown)}."


def _reasons(run: Run, width: int) -> list[str]:
    """One item a backend, outcome and reason, with the number of jobs."""
    rows = table_text.as_rows(run.reasons)
    lines: list[str] = []
    for row in rows[:MOST_TROUBLES]:
        why = f": {row['reason']}" if row["reason"] else ""
        said = f"{row['backend']}: {row['jobs']} {row['outcome']} (first: job {row['first_job']})"
        lines += _item(f"{said}{why}", width)
    if len(rows) > MOST_TROUBLES:
        lines += _more(plural(len(rows) - MOST_TROUBLES, "more reason"), run)
    return lines


def _troubles(run: Run, width: int) -> list[str]:
    """The answers that somebody should look at: those that are wrong or disputed."""
    if not run.summary[["wrong", "disputed"]].to_numpy().sum():
        return []
    lines: list[str] = []
    number = 0
    for row in run.rows():
        if row.verdict is not None and row.verdict.verdict in ("wrong", "disputed"):
            number += 1
            if number <= MOST_TROUBLES:
                lines += _item(_trouble(row), width)
    if number > MOST_TROUBLES:
        lines += _more(plural(number - MOST_TROUBLES, "more answer"), run)
    return lines


def _more(what: str, run: Run) -> list[str]:
    """What else there is, and the command that shows it: one line, that it can be copied."""
    return [f"... and {what}:", f"  concord table {run.folder} --which jobs"]


def _trouble(row: Row) -> str:
    job, verdict = row.job, row.verdict
    assert verdict is not None
    said = ", ".join(filter(None, (verdict.verdict, verdict.evidence)))
    return f"{job.backend} on {job.set} {job.instance} (job {job.number}): {said}"


def _item(text: str, width: int) -> list[str]:
    lines = wrap(table_text.shown(text), width - 4, indent="  ")
    return lines if len(lines) <= MOST_LINES else [*lines[: MOST_LINES - 1], f"{lines[2]} ..."]
