"""`concord export`: all jobs of a run, for other tools."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from harness.command import FINE, RunName, verb
from modelling.errors import InputError


class ExportFormat(StrEnum):
    csv = "csv"
    jsonl = "jsonl"
    parquet = "parquet"


@verb()
def export(
    name: RunName = "latest",
    form: Annotated[ExportFormat, typer.Option("--format", help="How to write it.")] = (
        ExportFormat.csv
    ),
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where; else standard output.")
    ] = None,
) -> int:
    """All jobs of a run, one row each, for other tools."""
    from harness.loading import load

    frame = load(name).jobs
    if form is ExportFormat.parquet:
        if out is None:
            raise InputError("parquet is binary: name a file with --out")
        try:
            flat = frame.assign(solutions=frame["solutions"].map(json.dumps))
            flat.to_parquet(out, index=False)
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
    if out is None:
        sys.stdout.write(text)
    else:
        out.write_text(text, encoding="utf-8")
    return FINE
