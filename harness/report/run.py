"""A run and the tables that come of it: carried out, loaded, judged again, written.

``harness.runs`` makes, finds and reads runs; what it gives becomes a ``Run`` here. What needs
pandas is imported when it is asked for, so that a run can begin at once.
"""

from __future__ import annotations

from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.noise import Noise, measure_noise
from harness.plan.experiment import Experiment
from harness.runs.loading import RunData, load_run, write_reference
from modelling.errors import StoreError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from harness.report.standings import Standings

TABLES = "tables"


class Run(RunData):
    """A run with its DataFrames ``summary``, ``agreement``, ``timing``, ``reasons``, ``jobs``.

    ``rows()`` iterates over the same as typed values. Everything is worked out once, when it is
    asked for.
    """

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """One row a job that has ended."""
        from harness.report.jobs import list_jobs

        return list_jobs(self)

    @cached_property
    def _outline(self) -> pd.DataFrame:
        """The columns of ``jobs`` that the other tables are made of: a large run has many rows."""
        from harness.report.jobs import outline_jobs

        return self.jobs if "jobs" in self.__dict__ else outline_jobs(self)

    @cached_property
    def standings(self) -> Standings:
        """How each backend stands on each instance; what summary and timing are made of."""
        from harness.report.standings import find_standings

        return find_standings(self._outline)

    @cached_property
    def agreement(self) -> pd.DataFrame:
        """One row a set and question: instances by what became of them."""
        from harness.report.tables import make_agreement

        return make_agreement(self._outline)

    @cached_property
    def timing(self) -> pd.DataFrame:
        """One row a set, question and backend: fates, times, PAR-2, times the virtual best."""
        from harness.report.tables import make_timing

        return make_timing(self.standings)

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row a backend over all sets, in the order of ranking."""
        from harness.report.tables import make_summary

        return make_summary(self.standings)

    @cached_property
    def reasons(self) -> pd.DataFrame:
        """One row a backend, outcome and reason: why questions were not answered."""
        from harness.report.tables import list_reasons

        return list_reasons(self.standings)

    @property
    def disqualified(self) -> set[str]:
        """The backends with at least one wrong answer."""
        return self.standings.disqualified

    @cached_property
    def noise(self) -> Noise | None:
        """How noisy the machine was; None where nobody looked."""
        return measure_noise(self.probes)

    @property
    def headline(self) -> str:
        """Who won, and how many jobs have ended where some have not."""
        from harness.report.sentences import write_headline

        return write_headline(self.summary, self.ended, self.total)

    @property
    def faults(self) -> list[str]:
        """What is wrong with answers, by backend; empty where all is well."""
        from harness.report.sentences import find_faults

        return find_faults(self.summary, self.agreement, self.reasons)

    @property
    def footnotes(self) -> list[str]:
        """How it was measured and what the times are worth, one sentence each."""
        from harness.report.sentences import write_footnotes

        warm_ups = 0 if self.experiment is None else self.experiment.warm_ups
        return write_footnotes(self.standings, self.timing, warm_ups, self.noise)

    def plot(self, kind: str = "cactus", **more: Any) -> Figure:
        """A matplotlib Figure: ``cactus``, or ``scatter`` of backends ``x`` and ``y``."""
        from harness.report.plots import plot

        return plot(self.standings.instances, kind, **more)

    def _repr_html_(self) -> str:
        """Who won, and the summary, as a notebook shows them."""
        from harness.report.table_text import to_html
        from harness.report.tables import shorten_summary

        said, folder = escape(self.headline), escape(str(self.folder))
        table = to_html(shorten_summary(self.summary))
        return f"<p>{said}</p>{table}<p><small>{folder}</small></p>"

    def __repr__(self) -> str:
        return f"<Run {self.folder}: {self.ended} of {self.total} jobs>"


def load(name: Path | str = "latest") -> Run:
    """The run with this path or name (see ``find_run``), or the reference; also while it goes on.

    Records that have not been validated yet, or by other rules than today's, are validated here,
    and nothing is written.
    """
    return Run(**vars(load_run(name)))


def run_experiment(
    experiment: Experiment | None, folder: Path | str | None = None, **how: Any
) -> Run:
    """Carry an experiment out, write its tables, and return the run.

    ``how`` is what ``harness.runs.execution.execute_experiment`` takes.
    """
    from harness.runs.execution import execute_experiment

    return _load_and_write(execute_experiment(experiment, folder, **how))


def revalidate(folder: Path | str) -> Run:
    """Validate what a run has so far, and write its tables."""
    from harness.runs.execution import validate_run

    return _load_and_write(validate_run(folder))


def _load_and_write(folder: Path) -> Run:
    run = load(folder)
    write_tables(run, run.folder / TABLES)
    return run


def save_reference(run: Run, folder: Path | str, *, texts: bool = False) -> None:
    """Write what is committed of a run, tables included (``harness.runs.loading``)."""
    write_reference(run, folder, texts=texts)
    write_tables(run, Path(folder))


def write_tables(run: Run, folder: Path) -> None:
    """Write the tables as text and as CSV; below the times, what they are worth."""
    from harness.report.table_text import to_csv, to_text

    judging = [run.judging] if run.judging else []
    below = {"summary": [], "agreement": judging, "timing": run.footnotes}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, notes in below.items():
            frame = getattr(run, name)
            text = "\n".join([to_text(frame), *(f"{note}\n" for note in notes)])
            (folder / f"{name}.txt").write_text(text, encoding="utf-8")
            (folder / f"{name}.csv").write_text(to_csv(frame), encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error}") from error
