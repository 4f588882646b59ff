"""A run: an experiment carried out, and the tables that come of it.

A run is a folder with ``store.sqlite`` (everything), ``experiment.toml`` and ``tables/``. A
*reference* (``harness.runs.reference``) is a run in the form that is committed; it reads back like
a run. ``harness.runs.executing`` makes runs, ``harness.runs.loading`` finds and reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.machine import Machine
from harness.noise import Noise, Probe, measure_noise
from harness.plan.experiment import Experiment
from harness.record import Row, Version
from modelling.errors import PuzzleError, StoreError

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from harness.judge.clocks import Hidden
    from harness.judge.first_sights import Gain


@dataclass(eq=False)
class Run:
    """What came out: the DataFrames ``summary``, ``agreement``, ``timing``, ``reasons``, ``jobs``.

    ``rows()`` iterates over the same as typed values. ``total`` counts the jobs of the run, those
    still to do included, ``ended`` those that have a record.
    """

    folder: Path
    experiment: Experiment | None
    total: int
    ended: int
    rows: Callable[[], Iterator[Row]]
    machines: list[Machine] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)
    versions: list[Version] = field(default_factory=list)
    bad_lines: list[PuzzleError] = field(default_factory=list)
    judging: str = ""
    """What to say of the rules by which answers were judged, if they were judged by others."""

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """One row a job that has ended."""
        from harness.report import tables

        return tables.jobs(self.rows())

    @cached_property
    def _outline(self) -> pd.DataFrame:
        """The columns of ``jobs`` that the other tables are made of: a large run has many rows."""
        from harness.report import tables

        return self.jobs if "jobs" in self.__dict__ else tables.outline(self.rows())

    @cached_property
    def agreement(self) -> pd.DataFrame:
        """One row a set and question: instances by what became of them."""
        from harness.report import tables

        return tables.agreement(self._outline)

    @cached_property
    def timing(self) -> pd.DataFrame:
        """One row a set, question and backend: fates, times, PAR-2, times the virtual best."""
        from harness.report.rankings import timing

        return timing(self._outline)

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row a backend over all sets, in the order of ranking."""
        from harness.report.rankings import summary

        return summary(self._outline)

    @cached_property
    def reasons(self) -> pd.DataFrame:
        """One row a backend, outcome and reason: why questions were not answered."""
        from harness.report import tables

        return tables.reasons(self._outline)

    @cached_property
    def gains(self) -> dict[str, Gain]:
        """What each backend gains by later sights of its instances; empty without repeats."""
        from harness.report import standings

        return standings.gains(self._outline)

    @cached_property
    def hidden(self) -> dict[str, Hidden]:
        """The backends that tell less time than passed by the supervisor's clock."""
        from harness.report import standings

        return standings.hidden(self._outline)

    @property
    def failed_warm_ups(self) -> dict[str, int]:
        """How many jobs of each backend ran cold, or went on, since their warm-up failed."""
        from harness.report import tables

        return tables.count_failed_warm_ups(self._outline)

    @property
    def asked_of_witnesses(self) -> dict[str, int]:
        """How many questions each witness was asked, behind the timed jobs."""
        from harness.report import tables

        return tables.count_asked_witnesses(self._outline)

    @cached_property
    def disqualified(self) -> set[str]:
        """The backends with at least one wrong answer."""
        from harness.report import standings

        return standings.disqualified(self._outline)

    @cached_property
    def noise(self) -> Noise | None:
        """How noisy the machine was; None where nobody looked."""
        return measure_noise(self.probes)

    @property
    def complete(self) -> bool:
        """Whether every job has ended."""
        return self.ended == self.total

    def plot(self, kind: str = "cactus", **more: Any) -> Figure:
        """A matplotlib Figure: ``cactus``, or ``scatter`` of backends ``x`` and ``y``."""
        from harness.report import plots

        return plots.plot(self._outline, kind, **more)

    def _repr_html_(self) -> str:
        """Who won, and the summary, as a notebook shows them."""
        from harness.report.html import run_as_html

        return run_as_html(self)

    def __repr__(self) -> str:
        return f"<Run {self.folder}: {self.ended} of {self.total} jobs>"


def write_tables(run: Run, folder: Path) -> None:
    """Write the tables as text and as CSV; below the times, what they are worth."""
    from harness.report import table_text
    from harness.report.sentences import footnotes

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
