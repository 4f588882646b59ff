"""`concord export`: all jobs of a run, for other tools."""

from __future__ import annotations

import json
from enum import StrEnum
from typing import Annotated

import typer

from harness.cli.command import FINE, Force, OutFile, RunName, verb
from modelling.errors import InputError


class ExportFormat(StrEnum):
    csv = "csv"
    jsonl = "jsonl"
    parquet = "parquet"


@verb(
    "concord export > jobs.csv",
    "concord export latest --format jsonl --out jobs.jsonl",
    "concord export mine --format parquet --out jobs.parquet --force",
)
def export(
    name: RunName = "latest",
    form: Annotated[ExportFormat, typer.Option("--format", help="Format of the rows.")] = (
        ExportFormat.csv
    ),
    out: OutFile = None,
    force: Force = False,
) -> int:
    """Write all jobs of a run, one row each, for other tools."""
    from harness.cli.output_file import open_output, replace_when_whole
    from harness.report.run import load

    frame = load(name).jobs
    if form is ExportFormat.parquet:
        if out is None:
            raise InputError("parquet is binary: name a file with --out")
        try:
            flat = frame.assign(solutions=frame["solutions"].map(json.dumps))
            with replace_when_whole(out, force) as part, part.open("wb") as file:
                flat.to_parquet(file, index=False)
        except ImportError as error:
            raise InputError(
                "parquet needs pyarrow: pip install 'solver-concord[parquet]'"
            ) from error
        return FINE
    text = (
        frame.to_csv(index=False)
        if form is ExportFormat.csv
        else frame.to_json(orient="records", lines=True)
    )
    with open_output(out, force) as stream:
        stream.write(text)
    return FINE
