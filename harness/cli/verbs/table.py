"""`concord table`: the tables of a run."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer

from harness.cli.command import FINE, Json, RunName, Wide, as_records, verb, write_json
from harness.cli.run_and_report import print_run

JOB_COLUMNS = (
    *("job", "set", "instance", "backend", "repeat", "ask", "outcome", "status", "count"),
    *("verdict", "evidence", "wall_s"),
)
"""What is print_run of jobs where width matters; `export` has everything."""


class TableFormat(StrEnum):
    text = "text"
    markdown = "markdown"
    csv = "csv"
    latex = "latex"


class TableName(StrEnum):
    all = "all"
    summary = "summary"
    agreement = "agreement"
    timing = "timing"
    jobs = "jobs"


@verb(
    "concord table",
    "concord table mine --which jobs",
    "concord table results/reference/quickstart --format markdown",
)
def table(
    name: RunName = "latest",
    which: Annotated[
        TableName, typer.Option(help="Table to print; as CSV the summary unless another is named.")
    ] = TableName.all,
    form: Annotated[TableFormat, typer.Option("--format", help="Format of the tables.")] = (
        TableFormat.text
    ),
    wide: Wide = False,
    as_json: Json = False,
) -> int:
    """Print the tables of a run."""
    from harness.cli.screen import Screen
    from harness.report.run import load

    loaded = load(name)
    every = which is TableName.all
    if every and (as_json or form is TableFormat.text):
        return print_run(loaded, Screen(), as_json, wide)
    wanted = [which.value]
    if every:  # CSV is one table, so that a program can read it
        wanted = ["summary"] if form is TableFormat.csv else ["summary", "agreement", "timing"]
    frames = {key: getattr(loaded, key) for key in wanted}
    if as_json:
        return write_json({key: as_records(frame) for key, frame in frames.items()})
    from harness.report.table_text import FORMATS

    if "jobs" in frames and form is not TableFormat.csv and not wide:
        frames["jobs"] = frames["jobs"][list(JOB_COLUMNS)]
    sys.stdout.write("\n".join(FORMATS[form.value](frame) for frame in frames.values()))
    return FINE
