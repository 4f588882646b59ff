"""`concord table`, `plot`, `report` and `export`: what came out of a run."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli import options
from harness.cli.command import verb
from harness.cli.screen import Screen
from harness.cli.verbs.experiments import print_run
from modelling.errors import InputError

if TYPE_CHECKING:
    from pandas import DataFrame

    from harness.report.run import Run

JOB_COLUMNS = (
    *("job", "set", "instance", "backend", "repeat", "ask", "outcome", "status", "count"),
    *("verdict", "evidence", "wall_s"),
)
"""Columns of jobs in a text, where width matters; `export` has everything."""

PAGE = "report.html"
PAGES = (".html", ".htm")

SIZE = "Column of the jobs with sizes, `variables` or `name` (default: declared sizes); for"


TableFormat = StrEnum("TableFormat", ["text", "markdown", "csv", "latex", "html"])
STATISTICS = ("scores", "pairs", "ranks", "quantiles", "scaling")
"""Tables that are made when they are asked for; docs/statistics.md has their columns."""

TableName = StrEnum(
    "TableName",
    "all kinds sizes summary agreement timing optima jobs scores pairs ranks quantiles scaling",
)
ExportFormat = StrEnum("ExportFormat", ["csv", "jsonl", "parquet"])


@verb(
    "concord table",
    "concord table mine --which jobs",
    "concord table mine --which summary --format latex --columns backend,par2_s",
    "concord table mine --which scaling --size stat_n_vars",
)
def table(
    name: str = options.LATEST,
    which: TableName = options.value(
        TableName.all,
        "TABLE",
        "Table to print (summary, agreement, timing, optima, jobs, scores, pairs, ranks, "
        "quantiles, scaling); as CSV all is the summary.",
        "--which",
    ),
    form: TableFormat = options.flag("--format", "Format of the tables.", TableFormat.text),
    columns: str | None = options.value(
        None, "NAMES", "Columns to print, with commas in between; needs --which."
    ),
    size: str | None = options.value(None, "COLUMN", f"{SIZE} --which scaling."),
    caption: str | None = options.value(
        None, "TEXT", "Caption of the table in LaTeX, with the label tab:TABLE; needs --which."
    ),
    wide: bool = options.WIDE,
    as_json: bool = options.JSON,
) -> int:
    """Print the tables of a run.

    LaTeX (booktabs), Markdown and HTML have the columns of the screen, with units and intervals,
    the best value in bold; --wide has all columns. Several tables in LaTeX have captions and
    labels (tab:summary, tab:agreement, tab:timing). CSV has all columns and plain numbers.
    """
    from harness.report.presentation import choose_columns
    from harness.report.run import load

    if columns is not None and (which is TableName.all or as_json):
        raise InputError("--columns needs the table: name it with --which, and leave --json out")
    if size is not None and which is not TableName.scaling:
        raise InputError("--size is for --which scaling")
    every = which is TableName.all
    if caption is not None and (form is not TableFormat.latex or every or as_json):
        raise InputError("--caption is for one table in LaTeX: add --format latex and --which")
    screen, run = Screen(), load(name)
    if every and (as_json or form is TableFormat.text):
        return print_run(run, screen, as_json, wide)
    wanted = [which.value]
    if every:  # CSV is one table, so that a program can read it
        wanted = ["summary"] if form is TableFormat.csv else ["summary", "agreement", "timing"]
    frames = {key: _make_table(run, key, size) for key in wanted}
    screen.report_faults(run.tamper)
    if as_json:
        screen.json(frames)
        return screen.status
    chosen = choose_columns(frames[which.value], columns) if columns is not None else []
    if form in (TableFormat.csv, TableFormat.text):
        _print_plain(screen, frames, form, chosen, wide)
    else:
        _print_sheets(frames, form, chosen, wide, caption)
    return screen.status


def _print_plain(
    screen: Screen, frames: dict[str, DataFrame], form: TableFormat, chosen: list[str], wide: bool
) -> None:
    """Tables as a program reads them, or as they fit a terminal."""
    from harness.report.statistics_screen import lay_out_statistics
    from harness.report.table_text import fold, to_csv, to_text
    from harness.report.terminal import KEYS

    if form is TableFormat.text and not wide and not chosen and {*frames} <= {*STATISTICS}:
        for key, frame in frames.items():
            screen.section("", lay_out_statistics(key, frame, screen.width))
        return
    if chosen:
        frames = {key: frame[chosen] for key, frame in frames.items()}
    elif "jobs" in frames and form is TableFormat.text and not wide:
        frames["jobs"] = frames["jobs"][list(JOB_COLUMNS)]
    if form is TableFormat.text and screen.out.is_terminal:
        for key, frame in frames.items():
            screen.section("", fold(frame, screen.width, 1 if chosen else KEYS[key]))
        return
    write = to_csv if form is TableFormat.csv else to_text
    sys.stdout.write("\n".join(map(write, frames.values())))


def _print_sheets(
    frames: dict[str, DataFrame],
    form: TableFormat,
    chosen: list[str],
    wide: bool,
    caption: str | None,
) -> None:
    """Tables as people read them in a paper or on a page."""
    from harness.report.presentation import CAPTIONS, FORMS, SCREENS, present, to_latex

    texts = []
    for key, frame in frames.items():
        sheet = present(frame, SCREENS.get(key, tuple(frame.columns)), chosen)
        sheet = sheet if wide else sheet.narrow()
        if form is TableFormat.latex:
            said = CAPTIONS.get(key, "") if len(frames) > 1 else caption or ""
            texts.append(to_latex(sheet, said, f"tab:{key}"))
        else:
            texts.append(FORMS[form.value](sheet))
    sys.stdout.write("\n".join(texts))


def _make_table(run: Run, name: str, size: str | None) -> DataFrame:
    if name == "scaling":
        return run.scaling(size) if size else run.scaling()
    made = getattr(run, name)
    found: DataFrame = made() if name in STATISTICS else made
    return found


@verb(
    "concord plot",
    "concord plot mine profile --out profile.pdf",
    "concord plot mine objective --instance uniform-14",
    "concord plot mine scatter -b cpsat -b sat --out pair.svg",
    "concord plot mine critical-difference --out ranks.pdf",
    "concord plot queens.jsonl tree",
)
def plot(
    name: str = options.LATEST,
    kind: str = options.argument("cactus", "KIND", "What to draw; see above."),
    instance: str | None = options.value(
        None, "NAME", "Instance whose objective is drawn (default: the six that took longest)."
    ),
    size: str | None = options.value(None, "COLUMN", f"{SIZE} scaling."),
    backends: list[str] | None = options.backend("Backend of a scatter plot; two are needed."),
    out: Path | None = options.file("Image to write (default: KIND.png in the folder of the run)."),
    force: bool = options.FORCE,
) -> int:
    """Draw a plot of a run.

    KIND is one of: cactus, instances solved by time; ecdf, the same with time across; scatter, two
    backends; profile, the performance profile; box, times by family; phases, what the time is
    spent on; objective, solutions and bounds over time; scaling, times by size; wins and
    agreement, each pair of backends; ladder, backends from slowest to fastest; critical-difference,
    mean ranks and which of them differ. The ending of the file gives its format: .png, .svg or
    .pdf. With tree, RUN is a file with a search tree instead (propagation:trace=FILE), and the
    image is .svg.
    """
    from harness.cli.output_file import replace_output
    from harness.report.plots import find_kind, write_figure
    from harness.report.run import load

    if kind == "tree":
        return _draw_tree(Path(name), out, force)
    find_kind(kind)
    run = load(name)
    more: dict[str, str] = {}
    if kind == "scatter":
        from harness.report.plots.times import ensure_backends

        ensure_backends(run.jobs, backends or [])
        if len(backends or []) != 2:
            raise InputError("a scatter plot compares two backends: name both with --backend")
        more = dict(zip("xy", backends or [], strict=True))
    elif backends:
        raise InputError("--backend is for a scatter plot")
    if kind == "objective":
        more = {"instance": instance or ""}
    elif instance:
        raise InputError("--instance is for the plot objective")
    if size is not None and kind != "scaling":
        raise InputError("--size is for the plot scaling")
    more |= {} if size is None else {"size": size}
    figure = run.plot(kind, **more)
    path = run.folder / f"{kind}.png" if out is None else out
    form = path.suffix.removeprefix(".") or "png"
    if form not in (known := figure.canvas.get_supported_filetypes()):
        raise InputError(f"no image is written as .{form} (these are: {', '.join(known)})")
    with replace_output(path, force or out is None) as part, part.open("wb") as file:
        write_figure(figure, file, form)
    screen = Screen()
    screen.line(str(path))
    return screen.report_faults(run.tamper)


def _draw_tree(trace: Path, out: Path | None, force: bool) -> int:
    """Draw a search tree that a solver wrote."""
    from harness.cli.output_file import replace_output
    from puzzles.drawing.search_trees import read_trace

    tree = read_trace(trace)
    path = out or trace.with_suffix(".svg")
    if path.suffix != ".svg":
        raise InputError(
            f"a search tree is drawn as .svg, not {path.suffix or 'without an ending'}"
        )
    with replace_output(path, force or out is None) as part:
        tree.save(part)
    screen = Screen()
    screen.line(str(path))
    screen.line(repr(tree))
    return 0


@verb(
    "concord report results/reference/quickstart --out quickstart.html",
    "concord report before after --out both.html",
)
def report(
    names: list[str] | None = options.argument(
        None, "RUN", "Folders or names of runs (default: latest)."
    ),
    out: Path | None = options.file(
        f"HTML file to write (default: {PAGE} in the folder of the first run)."
    ),
    force: bool = options.FORCE,
) -> int:
    """Write runs as one HTML page.

    The page needs no other file and no network. It has the answer in words, tables that sort and
    filter, plots that name instances, a part for each family, and what went wrong, with the
    command that repeats it.
    """
    from harness.cli.output_file import check_output, open_output
    from harness.report.page import make_page
    from harness.report.run import load

    if out is not None:
        check_output(out, PAGES, force)
    runs = [load(name) for name in names or ["latest"]]
    path = runs[0].folder / PAGE if out is None else out
    with open_output(path, force) as stream:
        stream.write(make_page(runs))
    screen = Screen()
    screen.line(str(path))
    return screen.report_faults([fault for run in runs for fault in run.tamper])


@verb(
    "concord export > jobs.csv",
    "concord export latest --format jsonl --out jobs.jsonl",
    "concord export mine --format parquet --out jobs.parquet --force",
)
def export(
    name: str = options.LATEST,
    form: ExportFormat = options.flag("--format", "Format of the rows.", ExportFormat.csv),
    out: Path | None = options.OUT_FILE,
    force: bool = options.FORCE,
) -> int:
    """Write all jobs of a run, one row each, for other tools.

    Parquet has integers of 64 bits: a column with a larger one is written as text.
    """
    from harness.cli.output_file import open_output, replace_output
    from harness.report.run import load
    from harness.report.table_text import to_csv

    run = load(name)
    frame, status = run.jobs, Screen().report_faults(run.tamper)
    if form is not ExportFormat.parquet:
        with open_output(out, force) as stream:
            if form is ExportFormat.csv:
                stream.write(to_csv(frame))
            else:
                frame.to_json(stream, orient="records", lines=True)
        return status
    if out is None:
        raise InputError("parquet is binary: name a file with --out")
    try:
        lists = ("solutions", "incumbents")
        flat = frame.assign(**{name: frame[name].map(json.dumps) for name in lists})
        for name in flat.columns[[kind.kind == "O" for kind in flat.dtypes]]:
            if any(isinstance(n, int) and not -(2**63) <= n < 2**63 for n in flat[name]):
                flat[name] = flat[name].map(str, na_action="ignore")
        with replace_output(out, force) as part, part.open("wb") as file:
            flat.to_parquet(file, index=False)
    except ImportError as error:
        raise InputError("parquet needs pyarrow: pip install 'solver-concord[parquet]'") from error
    return status
