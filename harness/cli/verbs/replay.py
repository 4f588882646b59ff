"""`concord replay`: one record of a run again, alone."""

from __future__ import annotations

from typing import Annotated

import typer

from harness.cli.command import FINE, TROUBLE, Json, Quiet, RunName, verb, write_json


@verb("concord replay latest 17", "concord replay mine 17 --json")
def replay(
    name: RunName,
    row: Annotated[int, typer.Argument(min=1, metavar="ROW", help="Number of the job.")],
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Run one job of a run again, alone, and compare.

    The instance, question, backend, options, limits and seed are the same. The exit status is 1 if
    the outcome, status, number of solutions, digest, objective or bound differ.
    """
    from harness.cli.screen import Screen
    from harness.report.run import load
    from harness.runs.replaying import replay as again

    screen = Screen(quiet)
    done = again(load(name), row)
    status = FINE if done.same else TROUBLE
    if as_json:
        from msgspec import to_builtins

        shown = {"same": done.same, "differences": done.differences, "notes": done.notes}
        records = {"recorded": to_builtins(done.recorded), "again": to_builtins(done.again)}
        write_json({**shown, "job": to_builtins(done.job), **records})
        return status
    import pandas as pd

    from harness.runs.replaying import COMPARED

    names = (*COMPARED, "wall_s", "cpu_s", "peak_memory_mb", "error")
    rows = [
        {"": name, "recorded": getattr(done.recorded, name), "again": getattr(done.again, name)}
        for name in names
    ]
    rows = [row for row in rows if row["recorded"] or row["again"]]
    job = done.job
    title = f"Job {job.number}: {job.set} {job.instance}, {job.backend}, ask {job.question.text}"
    screen.table(pd.DataFrame(rows, dtype=object), title)
    for difference in done.differences:
        screen.line(difference)
    screen.line("The result is the same." if done.same else "The result is different.")
    for note in done.notes:
        screen.note(note)
    return status
