"""`concord merge`: runs of one experiment become one run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from harness.cli.command import FINE, TROUBLE, Json, Quiet, named_path, verb
from harness.cli.run_and_report import print_run


@verb("concord merge parts/1 parts/2 --out whole", "concord merge parts/* --out whole --quiet")
def merge(
    names: Annotated[
        list[str], typer.Argument(metavar="RUN", help="Runs of one experiment, or shares of it.")
    ],
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            parser=named_path,
            metavar="DIR",
            help="Folder of the merged run; it must not hold a run.",
        ),
    ],
    quiet: Quiet = False,
    as_json: Json = False,
) -> int:
    """Merge runs of one experiment, or its shares, into one.

    It validates the answers and prints the tables. A job that two runs have alike is taken once.
    Where two runs differ, the record that tells more is accepted (any before lost), then the one
    that ended first. The exit status is 1 if that happened, or if jobs are missing or have not
    ended.
    """
    from harness.cli.screen import Screen
    from harness.report.run import revalidate
    from harness.runs.merging import MOST_DESCRIBED
    from harness.runs.merging import merge as merged_run

    screen = Screen(quiet)
    merged = merged_run(names, out)
    status = print_run(revalidate(out), screen, as_json)
    for text in merged.described:
        screen.complain(text)
    if merged.conflicts > MOST_DESCRIBED:
        screen.complain(f"... and {merged.conflicts - MOST_DESCRIBED} more jobs with two records")
    if merged.again:
        screen.note(f"{merged.again} records were in two runs, alike; each was taken once")
    screen.note(f"{merged.records} of {merged.total} jobs of the experiment have ended")
    if merged.jobs < merged.total:
        shares = f"; missing shares: {', '.join(merged.missing)}" if merged.missing else ""
        screen.complain(f"{merged.total - merged.jobs} jobs are in none of these runs{shares}")
    if merged.records < merged.jobs:
        left = merged.jobs - merged.records
        screen.complain(f"{left} jobs have not ended; continue with: concord run --resume {out}")
    screen.note(f"run: {out}")
    return max(status, FINE if merged.complete and not merged.conflicts else TROUBLE)
