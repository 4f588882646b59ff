"""A run in the form that is committed: written, and read back like a run.

A folder with ``records.jsonl.gz``, ``machines.json`` (also versions, bad lines, and how noisy it
was), ``experiment.toml`` and the tables.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from harness import experiment as experiments
from harness.calibration import Probe
from harness.machine import Machine
from harness.record import Row, Version
from harness.run import Run, write_tables
from harness.store import EXPERIMENT
from modelling.errors import PuzzleError, StoreError

RECORDS = "records.jsonl.gz"
MACHINES = "machines.json"


def save_reference(run: Run, folder: Path | str, *, texts: bool = False) -> None:
    """Write what is committed of a run into ``folder``.

    The instances' texts are left out unless ``texts``, since sets may not be ours to publish;
    set, name and digest identify each.
    """
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
        with (
            open(target / RECORDS, "wb") as raw,
            # Neither name nor time goes into the header: equal records, equal bytes.
            gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as lines,
        ):
            for row in run.rows():
                if not texts:
                    row = _without_text(row)
                lines.write(msgspec.json.encode(row) + b"\n")
        described = {
            "total": run.total,
            "machines": run.machines,
            "probes": run.probes,
            "versions": run.versions,
            "bad_lines": [(error.place, error.cause) for error in run.bad_lines],
        }
        text = msgspec.json.format(msgspec.json.encode(described), indent=2)
        (target / MACHINES).write_bytes(text + b"\n")
        if run.experiment is not None:
            dumped = experiments.dump(run.experiment)
            (target / EXPERIMENT).write_text(dumped, encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error}") from error
    write_tables(run, target)


def _without_text(row: Row) -> Row:
    job = msgspec.structs.replace(row.job, text="", source="")
    return msgspec.structs.replace(row, job=job)


def read_reference(folder: Path) -> Run:
    path = folder / MACHINES
    lists = ("machines", "probes", "versions", "bad_lines")
    described: dict[str, Any] = {"total": None} | {key: [] for key in lists}
    if path.is_file():
        described |= msgspec.json.decode(path.read_bytes())
    ended = sum(1 for _ in _rows(folder))
    total = described["total"]
    return Run(
        folder=folder,
        # Read without the checks of a run to come: its backends may not be installed here.
        experiment=experiments.read(folder / EXPERIMENT)
        if (folder / EXPERIMENT).is_file()
        else None,
        total=ended if total is None else total,
        ended=ended,
        rows=lambda: _rows(folder),
        machines=msgspec.convert(described["machines"], list[Machine]),
        probes=msgspec.convert(described["probes"], list[Probe]),
        versions=msgspec.convert(described["versions"], list[Version]),
        bad_lines=[PuzzleError(cause, place) for place, cause in described["bad_lines"]],
    )


def _rows(folder: Path) -> Iterator[Row]:
    path = folder / RECORDS
    decode = msgspec.json.Decoder(Row).decode
    number = 0
    try:
        with gzip.open(path, "rb") as lines:
            for number, line in enumerate(lines, 1):  # noqa: B007 - read by the handler below
                yield decode(line)
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise StoreError(f"{path}: cannot be read behind line {number}: {error}") from error
