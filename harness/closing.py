"""What a run ends with on the screen: agreement, timing by set, and the jobs to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backends.registry import known_family
from harness.feet import feet
from harness.record import Row
from harness.screen import Screen, plural

if TYPE_CHECKING:
    import pandas as pd

    from harness.run import Run

MOST_TROUBLES = 20
LONGEST_ERROR = 200
"""Characters that are shown of what a backend said."""


def show(run: Run, screen: Screen) -> None:
    """Print the closing tables of ``run``."""
    if run.judging:
        screen.line(run.judging)
    screen.table(run.agreement, "Agreement: instances by what became of them")
    for (name, ask), group in run.timing.groupby(["set", "ask"], sort=False):
        many = int(group["instances"].max())
        unit, rows = in_unit(group.drop(columns=["set", "ask", "instances"]))
        screen.table(
            rows, f"Timing in {unit}: {name}, {asked(str(ask))}, {plural(many, 'instance')}"
        )
    for line in standing(run):
        screen.line(line)
    for text in feet(run):
        screen.note(text)
    for trouble in troubles(run):
        screen.line(trouble)


def standing(run: Run) -> list[str]:
    """How the backends are ranked, and which of them cannot stand among the others."""
    names = dict.fromkeys(run.timing["backend"])
    unknown = [name for name in names if known_family(name) is None]
    lines = (
        ["Ranked by verified answers, then by unwitnessed ones, then by PAR-2."] if names else []
    )
    if run.disqualified:
        listed = ", ".join(sorted(run.disqualified))
        lines.append(f"Disqualified by a wrong answer, and so ranked last: {listed}.")
    if unknown:
        listed = ", ".join(unknown)
        lines.append(f"Of no known family, so that their agreement counts for nothing: {listed}.")
    return lines


def is_clean(run: Run) -> bool:
    """Whether there is neither a dispute nor a wrong answer, outweighed or not.

    What fell short where ask and result met is a wrong answer, too.
    """
    agreement = run.agreement
    return not len(agreement) or not (agreement["disputed"].sum() + agreement["wrong"].sum())


def in_unit(rows: pd.DataFrame) -> tuple[str, pd.DataFrame]:
    """Times under a second are easier to read in milliseconds."""
    times = [column for column in rows.columns if column.endswith("_s")]
    if not rows["max_s"].max() < 1:
        return "seconds", rows
    scaled = rows.assign(**{column: 1000 * rows[column] for column in times})
    return "milliseconds", scaled.rename(columns={c: c.removesuffix("_s") + "_ms" for c in times})


def asked(ask: str) -> str:
    """The question in words."""
    words = {"1": "first solution", "all": "all solutions"}
    return words.get(ask, f"up to {ask} solutions" if ask.isdigit() else ask)


def troubles(run: Run) -> list[str]:
    """The jobs that somebody should look at: wrong, disputed, and those that failed."""
    lines: list[str] = []
    number = 0
    for row in run.rows():
        if _is_trouble(row):
            number += 1
            if number <= MOST_TROUBLES:
                lines.append(_trouble(row))
    if number > MOST_TROUBLES:
        more = number - MOST_TROUBLES
        lines.append(f"... and {more} more: concord table {run.folder} --which jobs")
    return lines


def _is_trouble(row: Row) -> bool:
    failed = row.record.outcome in ("crashed", "error", "lost")
    return failed or (row.verdict is not None and row.verdict.verdict in ("wrong", "disputed"))


def _cut(text: str) -> str:
    """As much of a message as can be taken in at a glance; `export` has it in full."""
    return text if len(text) <= LONGEST_ERROR else f"{text[:LONGEST_ERROR]} ..."


def _trouble(row: Row) -> str:
    from harness.table_text import shown

    job, record, verdict = row.job, row.record, row.verdict
    said = [record.outcome]
    if verdict and verdict.evidence:
        said += [verdict.verdict, verdict.evidence]
    else:
        said += [_cut(line) for line in record.error.strip().splitlines()[-1:]]
    return shown(f"{job.set} {job.instance}, {job.backend}: {', '.join(filter(None, said))}")
