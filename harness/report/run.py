"""A run and the tables that come of it: carried out, loaded, judged again, written.

``harness.runs`` makes, finds and reads runs, without pandas; what it gives becomes a ``Run`` here.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from backends.interface.registry import label, split_label
from harness.noise import Noise, measure_noise
from harness.plan.experiment import Experiment
from harness.report import kinds, plots, sentences, tables
from harness.report.data import Data, find_obstacles, write_details
from harness.report.data.columns import read_columns, write_columns
from harness.report.jobs import (
    OUTLINE,
    SEARCH,
    list_jobs,
    list_searches,
    list_troubles,
    outline_jobs,
)
from harness.report.optima import make_optima
from harness.report.standings import Standings, find_standings
from harness.report.statistics.grid import Grid, make_grid
from harness.report.statistics.pairs import make_pairs
from harness.report.statistics.ranks import make_ranks
from harness.report.statistics.scaling import make_scaling
from harness.report.statistics.sizes import DECLARED, find_sizes
from harness.report.statistics.tables import make_quantiles, make_scores
from harness.report.table_text import to_csv, to_html, to_text
from harness.runs.loading import RunData, load_run, mark_store, write_reference
from harness.store.marks import COLUMNS
from modelling.errors import InputError, StoreError
from modelling.wording import plural

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLES = "tables"


class Run(RunData):
    """A run with its DataFrames ``kinds``, ``summary``, ``agreement``, ``timing``, ``optima``,
    ``reasons`` and ``jobs``.

    Its methods ``scores``, ``quantiles``, ``pairs``, ``ranks`` and ``scaling`` make tables of
    statistics; most need scipy. ``rows()`` iterates over the jobs as typed values. The DataFrames
    are worked out once, when they are asked for.
    """

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """One row a job that has ended."""
        return list_jobs(self)

    @cached_property
    def _outline(self) -> pd.DataFrame:
        """The columns of ``jobs`` that the other tables are made of: a large run has many rows."""
        if "jobs" in self.__dict__:
            return self.jobs
        if self.is_marked:
            with suppress(OSError, ValueError, KeyError):  # a column may be new
                return read_columns(self.folder / COLUMNS)[list(OUTLINE)]
        return outline_jobs(self)

    @cached_property
    def standings(self) -> Standings:
        """The result of each backend on each instance: what summary and timing are made of."""
        return find_standings(self._outline, self.optima, self.names)

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
        return kinds.make_sizes(self.standings, self._measure_searches)

    def _measure_searches(self, searches: pd.DataFrame) -> pd.DataFrame:
        """Rows of ``standings.instances`` with the sizes that their families declare."""
        with suppress(InputError):
            return find_sizes(self._name(searches), most=0)
        return searches.iloc[:0]

    @cached_property
    def summary(self) -> pd.DataFrame:
        """One row a backend over all sets, in the order of ranking."""
        return tables.make_summary(self.standings, self.timing)

    @cached_property
    def reasons(self) -> pd.DataFrame:
        """One row a backend, outcome and reason: why questions were not answered."""
        return tables.list_reasons(self.standings)

    @cached_property
    def _grid(self) -> Grid:
        """The times of all backends on all instances: what the statistics are made of."""
        return make_grid(self.standings, self.optima, list(self.summary["backend"]))

    def scores(self) -> pd.DataFrame:
        """One row a backend: PAR-k, shifted mean, contributions, scores of competitions."""
        return make_scores(self._grid, self.optima)

    def quantiles(self) -> pd.DataFrame:
        """One row a backend: seconds within which parts of the instances are solved."""
        return make_quantiles(self._grid)

    def pairs(self) -> pd.DataFrame:
        """One row a pair of backends: wins, ratios with intervals, signed ranks."""
        return make_pairs(self._grid)

    def ranks(self) -> pd.DataFrame:
        """One row a backend: mean rank, critical difference, stability of the ranking."""
        return make_ranks(self._grid)

    def scaling(self, size: str = DECLARED) -> pd.DataFrame:
        """One row a set and backend: how its times grow with the size of instances.

        See ``size_instances`` for ``size``.
        """
        return self.fit_growth(self.named, self.size_instances(size))

    def fit_growth(self, named: pd.DataFrame, sized: pd.DataFrame) -> pd.DataFrame:
        """``scaling`` of instances with their names, ``named``, and with their sizes."""
        standings = replace(self.standings, instances=named)
        return make_scaling(make_grid(standings, self.optima, list(self.summary["backend"])), sized)

    def size_instances(self, size: str = DECLARED) -> pd.DataFrame:
        """``named`` with the ``size`` of each instance that has one, and its ``unit``.

        ``size`` is ``declared``, by the family or the model, or where neither does, the number of
        variables; ``variables``, that number; ``name``, the number that the name ends in, whatever
        it counts; or a column of ``jobs``.
        """
        return find_sizes(self.named, size, lambda: self.jobs)

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
        unasked, weakest = self.standings.unasked, self.standings.weakest
        return sentences.write_headline(
            self.summary, self.ended, self.total, unasked, which, weakest
        )

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
        mixtures = sentences.describe_mixtures(self.mixtures)
        return [*self.trust, *self.short_names, *mixtures, *said]

    @property
    def short_names(self) -> list[str]:
        """What the short names of backends mean, as one sentence; none without them."""
        sentence = "; ".join(f"{short} is {plain}" for short, plain in self.names.items())
        return [sentence] if sentence else []

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of the backends that tables call by a short one, by that."""
        asked = self.experiment
        names = [] if asked is None else [*asked.names(), *asked.witnesses()]
        return {short: plain for short, plain in map(split_label, names) if short}

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
            solvers.setdefault(label(one.backend), {})[one.id] = one.solver
        mixed = [ids for ids in solvers.values() if len(set(ids.values())) > 1]
        if not mixed:
            return {}
        names = {number: solver for ids in mixed for number, solver in ids.items()}
        found: dict[str, Counter[str]] = {}
        for backend, version in zip(self.jobs["backend"], self.jobs["version"], strict=True):
            if version in names:
                found.setdefault(backend, Counter())[names[version]] += 1
        return {name: dict(sorted(of.items())) for name, of in found.items() if len(of) > 1}

    @cached_property
    def data(self) -> Data:
        """The run as tidy tables: jobs, instances, verdicts, incumbents, solutions, machines,
        versions."""
        return Data([self])

    @cached_property
    def named(self) -> pd.DataFrame:
        """``standings.instances`` with each instance's name, ``family`` and ``text``.

        A reference has no texts but those that its experiment writes out.
        """
        return self._name(self.standings.instances)

    def _name(self, per: pd.DataFrame) -> pd.DataFrame:
        """Rows of ``standings.instances`` with name, ``family`` and ``text`` of the instance."""
        per = per.copy(deep=False)
        written = {} if self.experiment is None else self.experiment.texts()
        with self.open() as store:
            known = [
                (number, where, name, kind, text or written.get((where, name), ""))
                for number, where, name, kind, text in store.read_instances()
            ]
        table = pd.DataFrame(known, columns=["number", "set", "instance", "family", "text"])
        if pd.api.types.is_numeric_dtype(per["instance"]):  # as the outline has them
            numbers = per["instance"]
            about = table.set_index("number").reindex(numbers)
            names = ("instance", "family", "text")
            return per.assign(**{name: about[name].to_numpy() for name in names})
        per[["set", "instance"]] = per[["set", "instance"]].astype(str)
        return per.merge(table.drop(columns="number"), on=["set", "instance"], how="left")

    def plot(self, kind: str = "cactus", **more: Any) -> Figure:
        """A matplotlib Figure of one of the kinds in ``harness.report.plots.KINDS``.

        ``scatter`` takes the backends ``x`` and ``y``, ``objective`` an ``instance``, ``scaling`` a
        ``size`` as ``size_instances`` does.
        """
        return plots.plot(self, kind, **more)

    def _repr_html_(self) -> str:
        """Who won, and the summary, as a notebook shows them."""
        said, folder = escape(self.headline), escape(str(self.folder))
        table = to_html(tables.shorten_summary(self.summary))
        return f"<p>{said}</p>{table}<p><small>{folder}</small></p>"

    def __str__(self) -> str:
        """Who won, how much has ended, and where it is, as ``print`` shows it."""
        return f"{self.headline}\n{self.ended} of {plural(self.total, 'job')}, in {self.folder}"

    def __repr__(self) -> str:
        return f"<Run {self.folder}: {self.ended} of {self.total} jobs>"


def load(name: Path | str = "latest") -> Run:
    """The run or reference, as ``harness.runs.loading.load_run`` reads it."""
    return Run(**vars(load_run(name)))


@dataclass(frozen=True)
class Runs:
    """Several runs, which are read together and never compared without a word.

    ``data`` has their tidy tables, with a column ``run``; iterating gives each ``Run``.
    """

    runs: tuple[Run, ...]

    @cached_property
    def data(self) -> Data:
        """The tidy tables of all runs."""
        return Data(self.runs)

    @property
    def notes(self) -> list[str]:
        """What must not be compared: times of different machines, different releases."""
        return find_obstacles(self.runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self.runs)

    def __len__(self) -> int:
        return len(self.runs)

    def __repr__(self) -> str:
        return "\n".join([*map(repr, self.runs), *self.notes])


def load_all(names: Sequence[Path | str]) -> Runs:
    """The runs of these names, each as ``load`` reads it; warns of what must not be compared."""
    runs = Runs(tuple(map(load, names)))
    for note in runs.notes:
        warnings.warn(note, stacklevel=3)
    return runs


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
    mark_store(run, partial(write_columns, run._outline), partial(write_details, run))
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
