"""Runs carried out, or validated again, with their tables written beside them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.plan.experiment import Experiment
from harness.report import table_text
from harness.report.run import Run, load
from harness.report.sentences import footnotes
from harness.runs.loading import write_reference
from modelling.errors import StoreError

if TYPE_CHECKING:
    import pandas as pd

TABLES = "tables"


def run_experiment(
    experiment: Experiment | None, folder: Path | str | None = None, **how: Any
) -> Run:
    """Carry an experiment out, write its tables, and return the run.

    ``how`` is what ``harness.runs.execution.execute_experiment`` takes.
    """
    from harness.runs.execution import execute_experiment

    return _reported(execute_experiment(experiment, folder, **how))


def revalidate(folder: Path | str) -> Run:
    """Validate what a run has so far, and write its tables."""
    from harness.runs.execution import validate_run

    return _reported(validate_run(folder))


def _reported(folder: Path) -> Run:
    run = load(folder)
    write_tables(run, run.folder / TABLES)
    return run


def save_reference(run: Run, folder: Path | str, *, texts: bool = False) -> None:
    """Write what is committed of a run, tables included (``harness.runs.loading``)."""
    write_reference(run, folder, texts=texts)
    write_tables(run, Path(folder))


def write_tables(run: Run, folder: Path) -> None:
    """Write the tables as text and as CSV; below the times, what they are worth."""
    frames: Iterable[tuple[str, pd.DataFrame]] = (
        ("summary", run.summary),
        ("agreement", run.agreement),
        ("timing", run.timing),
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, frame in frames:
            (folder / f"{name}.txt").write_text(table_text.to_text(frame), encoding="utf-8")
            (folder / f"{name}.csv").write_text(table_text.to_csv(frame), encoding="utf-8")
        if run.judging:
            with open(folder / "agreement.txt", "a", encoding="utf-8") as file:
                file.write(f"\n{run.judging}\n")
        notes = footnotes(run)
        if notes:
            with open(folder / "timing.txt", "a", encoding="utf-8") as file:
                file.write("".join(f"\n{text}\n" for text in notes))
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error}") from error
