"""`concord table`, `plot`, `report` and `export`: what came out of a run."""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path

from harness.cli import options
from harness.cli.command import verb
from harness.cli.screen import Screen
from harness.cli.verbs.experiments import print_run
from modelling.errors import InputError

JOB_COLUMNS = (
    *("job", "set", "instance", "backend", "repeat", "ask", "outcome", "status", "count"),
    *("verdict", "evidence", "wall_s"),
)
"""What is shown of jobs where width matters; `export` has everything."""

PAGE = "report.html"


TableFormat = StrEnum("TableFormat", ["text", "markdown", "csv", "latex"])
TableName = StrEnum(
    "TableName", ["all", "kinds", "sizes", "summary", "agreement", "timing", "optima", "jobs"]
)
PlotKind = StrEnum("PlotKind", ["cactus", "scatter", "objective"])
ExportFormat = StrEnum("ExportFormat", ["csv", "jsonl", "parquet"])


@verb(
    "concord table",
    "concord table mine --which jobs",
    "concord table results/reference/quickstart --format markdown",
)
def table(
    name: str = options.LATEST,
    which: TableName = options.flag(
        "--which", "Table to print; as CSV only the summary unless another is named.", TableName.all
    ),
    form: TableFormat = options.flag("--format", "Format of the tables.", TableFormat.text),
    wide: bool = options.WIDE,
    as_json: bool = options.JSON,
) -> int:
    """Print the tables of a run."""
    from harness.report.run import load
    from harness.report.table_text import FORMATS, fold
    from harness.report.terminal import KEYS

    screen, run = Screen(), load(name)
    every = which is TableName.all
    if every and (as_json or form is TableFormat.text):
        return print_run(run, screen, as_json, wide)
    wanted = [which.value]
    if every:  # CSV is one table, so that a program can read it
        wanted = ["summary"] if form is TableFormat.csv else ["summary", "agreement", "timing"]
    frames = {key: getattr(run, key) for key in wanted}
    screen.report_faults(run.tamper)
    if as_json:
        screen.json(frames)
        return screen.status
    if "jobs" in frames and form is not TableFormat.csv and not wide:
        frames["jobs"] = frames["jobs"][list(JOB_COLUMNS)]
    if form is TableFormat.text and screen.out.is_terminal:
        for key, frame in frames.items():
            screen.section("", fold(frame, screen.width, KEYS[key]))
        return screen.status
    sys.stdout.write("\n".join(FORMATS[form.value](frame) for frame in frames.values()))
    return screen.status


@verb(
    "concord plot",
    "concord plot mine --kind objective --instance uniform-14",
    "concord plot mine --kind scatter -b cpsat -b sat --out pair.svg",
)
def plot(
    name: str = options.LATEST,
    kind: PlotKind = options.flag(
        "--kind",
        "Solved instances by time (cactus), two backends (scatter), or objectives over time.",
        PlotKind.cactus,
    ),
    instance: str | None = options.value(
        None, "NAME", "Instance whose objective is drawn (default: the first six)."
    ),
    backends: list[str] | None = options.backend("Backend of a scatter plot; two are needed."),
    out: Path | None = options.file("Image to write (default: KIND.png in the folder of the run)."),
    force: bool = options.FORCE,
) -> int:
    """Draw a plot of a run.

    Objectives over time are drawn for runs that asked for an optimum: solutions as whole lines,
    proven bounds as dashed ones, a star where the optimum was proven. The ending of the file tells
    its format, as .png or .svg.
    """
    from harness.cli.output_file import replace_output
    from harness.report.run import load

    run = load(name)
    more: dict[str, str] = {}
    if kind is PlotKind.scatter:
        if len(backends or []) != 2:
            raise InputError("a scatter plot compares two backends: name both with --backend")
        more = dict(zip("xy", backends or [], strict=True))
    elif backends:
        raise InputError("--backend is for a scatter plot")
    if kind is PlotKind.objective:
        more = {"instance": instance or ""}
    elif instance:
        raise InputError("--instance is for --kind objective")
    figure = run.plot(kind.value, **more)
    path = run.folder / f"{kind.value}.png" if out is None else out
    form = path.suffix.removeprefix(".") or "png"
    if form not in (known := figure.canvas.get_supported_filetypes()):
        raise InputError(f"no image is written as .{form} (these are: {', '.join(known)})")
    with replace_output(path, force or out is None) as part, part.open("wb") as file:
        figure.savefig(file, format=form, dpi=150)
    screen = Screen()
    screen.line(str(path))
    return screen.report_faults(run.tamper)


@verb("concord report", "concord report results/reference/quickstart --out quickstart.html")
def report(
    name: str = options.LATEST,
    out: Path | None = options.file(
        f"HTML file to write (default: {PAGE} in the folder of the run)."
    ),
    force: bool = options.FORCE,
) -> int:
    """Write a run as one HTML page.

    The page holds the summary, agreement, timing, plots (if matplotlib is installed), and how the
    run was measured. It needs no other file and no network.
    """
    from harness.cli.output_file import open_output
    from harness.report.page import make_page
    from harness.report.run import load

    run = load(name)
    path = run.folder / PAGE if out is None else out
    with open_output(path, force) as stream:
        stream.write(make_page(run))
    screen = Screen()
    screen.line(str(path))
    return screen.report_faults(run.tamper)


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
