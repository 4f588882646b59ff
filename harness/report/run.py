"""A run and the tables that come of it: carried out, loaded, judged again, written.

``harness.runs`` makes, finds and reads runs, without pandas; what it gives becomes a ``Run`` here.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from harness.noise import Noise, measure_noise
from harness.plan.experiment import Experiment
from harness.report import kinds, plots, sentences, tables
from harness.report.jobs import SEARCH, list_jobs, list_searches, list_troubles, outline_jobs
from harness.report.optima import make_optima
from harness.report.standings import Standings, find_standings
from harness.report.table_text import to_csv, to_html, to_text
from harness.runs.loading import RunData, load_run, write_reference
from modelling.errors import StoreError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLES = "tables"


class Run(RunData):
    """A run with its DataFrames ``kinds``, ``summary``, ``agreement``, ``timing``, ``optima``,
    ``reasons`` and ``jobs``.

    ``rows()`` iterates over the same as typed values. Everything is worked out once, when it is
    asked for.
    """

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """One row a job that has ended."""
        return list_jobs(self)

    @cached_property
    def _outline(self) -> pd.DataFrame:
        """The columns of ``jobs`` that the other tables are made of: a large run has many rows."""
        return self.jobs if "jobs" in self.__dict__ else outline_jobs(self)

    @cached_property
    def standings(self) -> Standings:
        """The result of each backend on each instance: what summary and timing are made of."""
        return find_standings(self._outline, self.optima)

    @cached_property
    def searches(self) -> pd.DataFrame:
        """The jobs that were asked for an optimum, with all that they found on their way."""
        asks = self._outline["ask"].astype("category").cat.categories
        is_asked = any(str(ask).startswith("opti") for ask in asks)
        return list_searches(self) if is_asked else pd.DataFrame(columns=[*SEARCH, "checked"])

    @cached_property
    def optima(self) -> pd.DataFrame:
        """One row a search for an optimum: objective, bound, gap, seconds to the best solution."""
        return make_optima(self.searches)

    @cached_property
    def agreement(self) -> pd.DataFrame:
        """One row a set and question: instances by what became of them."""
        return tables.make_agreement(self._outline)

    @cached_property
    def timing(self) -> pd.DataFrame:
        """One row a set, question and backend: fates, times, PAR-2, times the virtual best."""
        return tables.make_timing(self.standings)

    @cached_property
    def kinds(self) -> pd.DataFrame:
        """One row a kind of problem and backend, in the order of ranking on each kind."""
        return kinds.make_kinds(self.standings)

    @cached_property
    def sizes(self) -> pd.DataFrame:
        """One row a kind, size and backend of the searches for an optimum."""
        return kinds.make_sizes(self.standings)

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row a backend over all sets, in the order of ranking."""
        return tables.make_summary(self.standings)

    @cached_property
    def reasons(self) -> pd.DataFrame:
        """One row a backend, outcome and reason: why questions were not answered."""
        return tables.list_reasons(self.standings)

    @cached_property
    def troubles(self) -> pd.DataFrame:
        """One row an answer that is wrong or disputed; read only where there are any."""
        suspects = self.agreement[["wrong", "disputed"]].to_numpy().sum()
        return list_troubles(self) if suspects or self.standings.stated else pd.DataFrame()

    @property
    def disqualified(self) -> set[str]:
        """The backends with at least one wrong answer."""
        return self.standings.disqualified

    @cached_property
    def noise(self) -> Noise | None:
        """How noisy the machine was; None where nobody looked."""
        return measure_noise(self.probes)

    @property
    def question(self) -> str:
        """What was asked."""
        return sentences.write_question(self.agreement)

    @property
    def headline(self) -> str:
        """Who won, and how many jobs have ended where some have not."""
        several = self.kinds["kind"].nunique() > 1
        which = kinds.write_which(self.kinds) if several else ""
        unasked = self.standings.unasked
        return sentences.write_headline(self.summary, self.ended, self.total, unasked, which)

    @property
    def faults(self) -> list[str]:
        """What is wrong with answers, by backend; empty where all is well."""
        stated, hindered = self.standings.stated, self.standings.hindered
        found = sentences.find_faults(self.summary, self.agreement, self.reasons, stated, hindered)
        return [*self.tamper, *found]

    @property
    def footnotes(self) -> list[str]:
        """How it was measured and what the times are worth, one sentence each."""
        warm_ups = 0 if self.experiment is None else self.experiment.warm_ups
        said = sentences.write_footnotes(self.standings, self.timing, warm_ups, self.noise)
        return [*self.trust, *sentences.describe_mixtures(self.mixtures), *said]

    @property
    def brief_footnotes(self) -> list[str]:
        """What a screen about one instance has room for: what is wrong, and whether it is noisy."""
        noisy = self.noise is not None and self.noise.noisy
        said = ["machine noisy: small differences mean little; --wide says more"] if noisy else []
        return [*self.trust, *sentences.describe_mixtures(self.mixtures), *said]

    @cached_property
    def mixtures(self) -> dict[str, dict[str, int]]:
        """Answers by the solver's version, of each backend that several versions answered for.

        That comes about where a run was resumed, or merged, after a solver or a program had
        changed. Records are read only where there is something to be counted.
        """
        solvers: dict[str, dict[str, str]] = {}
        for one in self.versions:
            solvers.setdefault(one.backend, {})[one.id] = one.solver
        mixed = [ids for ids in solvers.values() if len(set(ids.values())) > 1]
        if not mixed:
            return {}
        names = {number: solver for ids in mixed for number, solver in ids.items()}
        found: dict[str, Counter[str]] = {}
        for backend, version in zip(self.jobs["backend"], self.jobs["version"], strict=True):
            if version in names:
                found.setdefault(backend, Counter())[names[version]] += 1
        return {name: dict(sorted(of.items())) for name, of in found.items() if len(of) > 1}

    def plot(self, kind: str = "cactus", **more: Any) -> Figure:
        """A matplotlib Figure: ``cactus``, ``scatter`` of backends ``x`` and ``y``, or
        ``objective`` over time, of the first instances or of one ``instance``."""
        frame = self.searches if kind == "objective" else self.standings.instances
        return plots.plot(frame, kind, **more)

    def _repr_html_(self) -> str:
        """Who won, and the summary, as a notebook shows them."""
        said, folder = escape(self.headline), escape(str(self.folder))
        table = to_html(tables.shorten_summary(self.summary))
        return f"<p>{said}</p>{table}<p><small>{folder}</small></p>"

    def __repr__(self) -> str:
        return f"<Run {self.folder}: {self.ended} of {self.total} jobs>"


def load(name: Path | str = "latest") -> Run:
    """The run or reference, as ``harness.runs.loading.load_run`` reads it."""
    return Run(**vars(load_run(name)))


def run_experiment(
    experiment: Experiment | None, folder: Path | str | None = None, **how: Any
) -> Run:
    """Carry an experiment out, write its tables, and return the run.

    ``how`` is what ``harness.runs.execution.execute_experiment`` takes.
    """
    from harness.runs.execution import execute_experiment

    return load_and_write(execute_experiment(experiment, folder, **how))


def revalidate(folder: Path | str) -> Run:
    """Validate what a run has so far, and write its tables."""
    from harness.runs.execution import validate_run

    return load_and_write(validate_run(folder))


def load_and_write(folder: Path) -> Run:
    """The run in ``folder``, which has its tables from now on."""
    run = load(folder)
    write_tables(run, run.folder / TABLES)
    return run


def save_reference(run: Run, folder: Path | str, *, texts: bool = False) -> None:
    """Write what is committed of a run, tables included (``harness.runs.loading``)."""
    write_reference(run, folder, texts=texts)
    write_tables(run, Path(folder))


def write_tables(run: Run, folder: Path) -> None:
    """Write the tables as text and as CSV; below the times, what they are worth."""
    judging = [run.judging] if run.judging else []
    below = {"summary": [], "agreement": judging, "timing": run.footnotes}
    if len(run.optima):
        below["optima"] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, notes in below.items():
            frame = getattr(run, name)
            text = "\n".join([to_text(frame), *(f"{note}\n" for note in notes)])
            (folder / f"{name}.txt").write_text(text, encoding="utf-8")
            (folder / f"{name}.csv").write_text(to_csv(frame), encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error.strerror or error}") from error
