"""A run and the tables that come of it.

``harness.runs`` makes, finds and reads runs; what it gives becomes a ``Run`` here.
"""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.noise import Noise, measure_noise
from harness.runs.loading import RunData, load_run

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from harness.judge.clocks import Hidden
    from harness.judge.first_sights import Gain


class Run(RunData):
    """A run with its DataFrames ``summary``, ``agreement``, ``timing``, ``reasons``, ``jobs``.

    ``rows()`` iterates over the same as typed values.
    """

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
        """How many questions each witness was asked, after the timed jobs."""
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

    def plot(self, kind: str = "cactus", **more: Any) -> Figure:
        """A matplotlib Figure: ``cactus``, or ``scatter`` of backends ``x`` and ``y``."""
        from harness.report import plots

        return plots.plot(self._outline, kind, **more)

    def _repr_html_(self) -> str:
        """Who won, and the summary, as a notebook shows them."""
        from harness.report.html import summarise

        return summarise(self.summary, self.ended, self.total, str(self.folder))

    def __repr__(self) -> str:
        return f"<Run {self.folder}: {self.ended} of {self.total} jobs>"


def load(name: Path | str = "latest") -> Run:
    """The run with this path or name (see ``find_run``), or the reference; also while it goes on.

    Records that have not been validated yet, or by other rules than today's, are validated here,
    and nothing is written.
    """
    return Run(**vars(load_run(name)))
