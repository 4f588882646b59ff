"""What the page shows of each run, collected: sentences, sheets, charts, families, faults, and how
it was measured. Nothing here knows HTML.

Words
-----
part        a run on the page
panel       a table with its heading, and a sentence about it
size        of an instance as its family declares it, or the number of variables of its problem
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pandas as pd

from harness.plan.reading import dump
from harness.report.data import name_runs
from harness.report.page import charts
from harness.report.page.charts import Chart
from harness.report.page.comparisons import draw_growth, draw_mean_ranks, draw_ratios
from harness.report.page.faults import MOST_PICTURES, Fault, Pictures, list_faults
from harness.report.plots.points import list_times
from harness.report.presentation import CAPTIONS, SCREENS, Sheet, present
from harness.report.standings import INSTANCE, QUESTION
from harness.report.statistics.sizes import find_sizes, format_size
from harness.report.statistics_screen import COLUMNS, INTERVAL, NOTES
from harness.report.table_text import format_figure
from modelling.errors import InputError
from modelling.wording import plural

if TYPE_CHECKING:
    from harness.report.run import Run

MOST_ROWS = 600
"""Most rows of a table on the page."""

MOST_FAMILIES = 40
"""Most families that have a part of their own."""

MOST_STATED = 120
"""Most instances of a family whose problem is stated, to count its variables."""

TITLES = {"pairs": "Every two solvers", "ranks": "Mean ranks", "scaling": "Growth with size"}
"""The tables of statistics on the page, and their headings."""

MOST_SIZES = 8
"""Most rows of a table by size; more sizes are put together."""


@dataclass(frozen=True)
class Panel:
    """A table on the page."""

    title: str
    about: str
    sheet: Sheet


@dataclass(frozen=True)
class FamilyPart:
    """A family: its name, a sentence, tables by set and by size, and its plot."""

    name: str
    about: str
    panels: Sequence[Panel]
    charts: Sequence[Chart]


@dataclass(frozen=True)
class Part:
    """All that the page shows of a run."""

    name: str
    sentences: Sequence[str]
    alarms: Sequence[str]
    panels: Sequence[Panel]
    charts: Sequence[Chart]
    comparisons: Sequence[Panel]
    comparison_charts: Sequence[Chart]
    comparisons_left_out: str
    families: Sequence[FamilyPart]
    families_left_out: str
    faults: Sequence[Fault]
    faults_left_out: str
    details: Sequence[Panel]
    notes: Sequence[str]
    experiment: str
    folder: str


def collect(runs: Sequence[Run]) -> tuple[list[Part], str]:
    """The parts of the page, and why it has no plots (empty where it has)."""
    try:
        charts.require_altair()
        excuse = ""
    except InputError as error:
        excuse = str(error)
    pictures = Pictures()
    names = name_runs(runs)
    pairs = zip(names, runs, strict=True)
    return [collect_part(run, name, pictures, not excuse) for name, run in pairs], excuse


def collect_part(run: Run, name: str, pictures: Pictures, draws: bool) -> Part:
    """What the page shows of one run."""
    is_empty = run.summary.empty
    per = pd.DataFrame() if is_empty else run.named
    faults, left_out = ([], 0) if is_empty else list_faults(run, pictures)
    sized = pd.DataFrame() if is_empty else _find_sizes(per)
    compared = _Comparisons() if is_empty else _compare(run, per, sized, draws)
    return Part(
        name=name if run.experiment is None else run.experiment.name,
        sentences=[text for text in (run.question, run.headline, run.judging) if text],
        alarms=run.faults,
        panels=[] if is_empty else list(_list_panels(run)),
        charts=[] if is_empty or not draws else list(_draw(run, per)),
        comparisons=compared.panels,
        comparison_charts=compared.charts,
        comparisons_left_out=compared.left_out,
        families=[] if is_empty else list(_list_families(run, per, sized, draws)),
        families_left_out="" if is_empty else _say_families_left_out(per),
        faults=faults,
        faults_left_out=_say_faults_left_out(left_out, pictures),
        details=list(_list_details(run, per)),
        notes=run.footnotes,
        experiment="" if run.experiment is None else dump(run.experiment),
        folder=str(run.folder),
    )


def _list_panels(run: Run) -> Iterator[Panel]:
    yield Panel(
        "Solvers",
        CAPTIONS["summary"],
        present(run.summary, SCREENS["summary"]),
    )
    timing = run.timing.head(MOST_ROWS)
    yield Panel(
        "Sets",
        CAPTIONS["timing"] + _say_left_out(len(timing), len(run.timing)),
        present(timing, SCREENS["timing"]),
    )
    agreement = run.agreement.head(MOST_ROWS)
    yield Panel(
        "Agreement",
        CAPTIONS["agreement"] + _say_left_out(len(agreement), len(run.agreement)),
        present(agreement, SCREENS["agreement"]),
    )


def _begin(note: str) -> str:
    """A note as a sentence begins; a symbol such as p stays as it is."""
    return note if note[1] == ":" else note[0].upper() + note[1:]


def _say_left_out(shown: int, total: int) -> str:
    return f" {shown:,} of {total:,} rows are shown." if shown < total else ""


def _draw(run: Run, per: pd.DataFrame) -> Iterator[Chart]:
    yield from charts.draw_overview(per, _rank(run))
    if len(run.searches):
        yield from charts.draw_courses(run.searches, list(map(str, run.summary["backend"])))


def _rank(run: Run) -> pd.DataFrame:
    """The timing table, with the solvers in the order of the summary."""
    order = {str(name): place for place, name in enumerate(run.summary["backend"])}
    places = run.timing["backend"].astype(str).map(order)
    return run.timing.iloc[np.argsort(places.to_numpy(), kind="stable")]


# --- comparisons ---------------------------------------------------------------------------


@dataclass(frozen=True)
class _Comparisons:
    """Tests of every two solvers, ranks and growth; or why there are none."""

    panels: Sequence[Panel] = ()
    charts: Sequence[Chart] = ()
    left_out: str = ""


def _compare(run: Run, per: pd.DataFrame, sized: pd.DataFrame, draws: bool) -> _Comparisons:
    try:
        pairs, ranks = run.pairs(), run.ranks()
    except InputError as error:  # no scipy, or no instance that all were asked about
        return _Comparisons(left_out=f"Tests are left out: {error}.")
    try:
        growth = run.fit_growth(per, sized) if len(sized) else pd.DataFrame()
    except InputError:  # too few sizes: families have their tables by size
        growth = pd.DataFrame()
    tables = {"pairs": pairs, "ranks": ranks if len(ranks) > 1 else ranks.iloc[:0]}
    tables |= {"scaling": growth}
    panels = [
        Panel(
            TITLES[name],
            " ".join(f"{_begin(note)}." for note in NOTES[name] if note != INTERVAL)
            + _say_left_out(len(table.head(MOST_ROWS)), len(table)),
            present(table.head(MOST_ROWS), COLUMNS[name]),
        )
        for name, table in tables.items()
        if len(table)
    ]
    drawn = draws and len(pairs) > 0
    backends = [name for name in map(str, run.summary["backend"]) if name in set(ranks["backend"])]
    found = [draw_ratios(pairs, backends), draw_mean_ranks(ranks)] if drawn else []
    return _Comparisons(panels, found)


# --- families ------------------------------------------------------------------------------


def _list_families(
    run: Run, per: pd.DataFrame, all_sized: pd.DataFrame, draws: bool
) -> Iterator[FamilyPart]:
    order = [str(name) for name in run.summary["backend"]]
    for name, part in islice(per.groupby("family", observed=True), MOST_FAMILIES):
        sets = set(map(str, part["set"].unique()))
        of_sets = run.timing[run.timing["set"].isin(sets)]
        timing = of_sets.head(MOST_ROWS)
        number = len(part.drop_duplicates(INSTANCE))
        said = _say_left_out(len(timing), len(of_sets))
        sized = all_sized[all_sized["family"] == str(name)]
        if sized.empty and number > MOST_STATED and part["text"].fillna("").astype(bool).any():
            said += (
                f" A table by size is left out: {number:,} instances are more than {MOST_STATED}."
            )
        panels = [Panel("By set", said.strip(), present(timing, SCREENS["timing"]))]
        sizes = _tabulate_sizes(sized, order)
        if sizes is not None:
            panels.append(sizes)
        chart = [charts.draw_family(part, order, str(name))] if draws else []
        if draws and sized["size"].nunique() > 1:
            chart.append(draw_growth(sized, order, str(name)))
        about = f"{plural(number, 'instance')}{_name_leader(of_sets, len(sets))}"
        yield FamilyPart(str(name), about, panels, chart)


def _name_leader(timing: pd.DataFrame, sets: int) -> str:
    """Who is first, on how many of the sets."""
    first = timing[timing["rank"] == 1]["backend"].value_counts()
    if first.empty:
        return ""
    on = f" on {first.iloc[0]} of {plural(sets, 'set')}" if sets > 1 else ""
    return f"; {first.index[0]} is first{on}"


def _find_sizes(per: pd.DataFrame) -> pd.DataFrame:
    """``list_times`` with ``family``, ``size`` and ``unit``, of the instances that have a size."""
    try:
        found = find_sizes(per, most=MOST_STATED)
    except InputError:
        found = per.iloc[:0].assign(size=0.0, unit="")
    columns = {name: found[name] for name in ("size", "unit")}
    return list_times(found).assign(**columns, family=found["family"].astype(str))


def _tabulate_sizes(sized: pd.DataFrame, order: Sequence[str]) -> Panel | None:
    """The median of each solver by the size of the instances; None where all are of one size."""
    number = sized["size"].nunique()
    if number < 2:
        return None
    sizes, unit = sized["size"], str(sized["unit"].iloc[0])
    groups = sizes if number <= MOST_SIZES else pd.qcut(sizes, MOST_SIZES, duplicates="drop")
    rows = []
    for _, group in sized.groupby(groups, observed=True):
        ends = sorted({group["size"].min(), group["size"].max()})
        row: dict[str, Any] = {
            "size": "-".join(map(format_size, ends)),
            "instances": len(group.drop_duplicates(INSTANCE)),
        }
        for name, own in group.groupby("backend"):
            seconds = own["seconds"].where(own["solved"], np.inf)
            row[f"{name}_s"] = float(seconds.quantile(0.5, interpolation="higher"))
        rows.append(row)
    frame = pd.DataFrame(rows)
    times = [f"{name}_s" for name in order if f"{name}_s" in frame]
    about = f"The size counts {unit}. Medians; over: more than half were not solved."
    if number > MOST_SIZES:
        about += f" The {number} sizes are put together to {len(frame)} rows."
    return Panel("By size", about, present(frame, ["size", "instances", *times], alike=times))


def _say_families_left_out(per: pd.DataFrame) -> str:
    number = per["family"].nunique()
    shown = f"The first {MOST_FAMILIES} of {number:,} families are shown."
    return shown if number > MOST_FAMILIES else ""


def _say_faults_left_out(number: int, pictures: Pictures) -> str:
    said = [f"{number:,} more are not shown."] if number else []
    if pictures.is_full:
        said.append(f"{MOST_PICTURES} instances are drawn, and no more.")
    return " ".join(said)


# --- details -------------------------------------------------------------------------------


def _list_details(run: Run, per: pd.DataFrame) -> Iterator[Panel]:
    if len(per):
        yield _tabulate_instances(run, per)
    if len(run.optima):
        optima = run.optima.head(MOST_ROWS)
        about = "Each search for an optimum." + _say_left_out(len(optima), len(run.optima))
        yield Panel("Optima", about, present(optima, SCREENS["optima"]))
    if len(run.reasons):
        reasons = run.reasons.head(MOST_ROWS)
        about = "Why, and how often." + _say_left_out(len(reasons), len(run.reasons))
        yield Panel("Not answered", about, present(reasons, SCREENS["reasons"]))
    machines = pd.DataFrame(msgspec.to_builtins(run.machines))
    if len(machines):
        yield Panel("Machines", "", present(machines, list(machines.columns)))
    versions = pd.DataFrame(msgspec.to_builtins(run.versions))
    if len(versions):
        shown = ["backend", "solver", "family", "concord", "python"]
        yield Panel("Versions", "", present(versions.drop(columns="native"), shown))
    if run.noise is not None:
        figures = msgspec.to_builtins(run.noise)
        noise = pd.DataFrame([{name: _join_range(value) for name, value in figures.items()}])
        yield Panel("Noise", "How noisy the machine was.", present(noise, list(noise.columns)))


def _join_range(value: Any) -> Any:
    """The least and the greatest of a figure as a text; other figures as they are."""
    return " to ".join(map(format_figure, value)) if isinstance(value, tuple | list) else value


def _tabulate_instances(run: Run, per: pd.DataFrame) -> Panel:
    """A row an instance, a column a solver: those that somebody did not solve first, then the
    longest ones."""
    order = [str(name) for name in run.summary["backend"]]
    keys = [per[name] for name in INSTANCE]
    unsolved = (~per["solved"]).groupby(keys, observed=True, sort=False).sum()
    longest = per["wall_s"].groupby(keys, observed=True, sort=False).max()
    ranked = pd.DataFrame({"unsolved": unsolved, "longest": longest}).sort_values(
        ["unsolved", "longest"], ascending=False, kind="stable"
    )
    kept = ranked.head(MOST_ROWS).index
    part = per.set_index(INSTANCE).loc[kept].reset_index()
    part[QUESTION] = part[QUESTION].astype(str)
    part["seconds"] = part["wall_s"].where(part["solved"], np.inf)
    part["backend"] = part["backend"].astype(str)
    wide = part.pivot_table(
        index=[*INSTANCE, "family"],
        columns="backend",
        values="seconds",
        aggfunc="first",
        sort=False,
    )
    wide = wide[[name for name in order if name in wide]].rename(columns=lambda name: f"{name}_s")
    frame = wide.reset_index()[["set", "instance", "ask", "family", *wide.columns]]
    shown = [name for name in frame.columns if name != "family"]
    times = list(map(str, wide.columns))
    about = "Seconds of each solver. over: not solved. A dash: not asked."
    if len(ranked) > len(frame):
        about += (
            f" {len(frame):,} of {len(ranked):,} instances are shown: those that a solver did not "
            "solve, then those that took longest."
        )
    return Panel("Instances", about, present(frame, shown, alike=times))
