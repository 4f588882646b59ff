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

from harness.job import Job
from harness.judge.validate import RULES, in_words_of_today
from harness.machine import Machine
from harness.noise import Probe
from harness.plan import experiment as experiments
from harness.record import Record, Row, Verdict, Version
from harness.report.run import Run, write_tables
from harness.store.store import EXPERIMENT
from modelling.errors import PuzzleError, StoreError

_EARLIER = (
    "This reference was judged by rules {0}, not by those of this version ({1}): its verdicts "
    "stand as they were, in the words of today."
)

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
            "rules": RULES,
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
    described: dict[str, Any] = {"total": None, "rules": 1} | {key: [] for key in lists}
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
        judging="" if described["rules"] == RULES else _EARLIER.format(described["rules"], RULES),
    )


class _Line(msgspec.Struct):
    """A row whose verdict may be in the words of earlier rules."""

    job: Job
    record: Record
    verdict: dict[str, Any] | None = None


def _row(line: _Line) -> Row:
    verdict = line.verdict
    if verdict is None:
        return Row(job=line.job, record=line.record)
    verdict["verdict"] = in_words_of_today(str(verdict["verdict"]), line.job.backend)
    return Row(job=line.job, record=line.record, verdict=msgspec.convert(verdict, Verdict))


def _rows(folder: Path) -> Iterator[Row]:
    path = folder / RECORDS
    decode = msgspec.json.Decoder(_Line).decode
    number = 0
    try:
        with gzip.open(path, "rb") as lines:
            for number, line in enumerate(lines, 1):  # noqa: B007 - read by the handler below
                yield _row(decode(line))
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise StoreError(f"{path}: cannot be read behind line {number}: {error}") from error
