"""`concord diff`: what changed from one run to another, and a gate for releases."""

from __future__ import annotations

import math
from enum import StrEnum
from pathlib import Path
from typing import Any

import typer

from harness.cli import options
from harness.cli.command import verb
from harness.cli.screen import Screen

DiffFormat = StrEnum("DiffFormat", ["text", "markdown", "json"])
DiffClock = StrEnum("DiffClock", ["wall", "cpu"])


def parse_factor(text: str) -> float:
    """How many times slower a backend may be."""
    try:
        factor = float(text)
    except ValueError:
        factor = math.nan
    if not 1 <= factor < math.inf:
        raise typer.BadParameter(f"must be a number of at least 1, as 1.2, not {text!r}")
    return factor


@verb(
    "concord diff before after",
    "concord diff before latest --fail-slower 1.2 --fail-worse",
    "concord diff before after --format markdown --out summary.md",
    "concord diff latest latest --pair cpsat@9.14 cpsat@9.15  # one run of both",
)
def diff(
    base: str = options.argument(..., "BASE", options.A_RUN),
    new: str = options.argument(..., "NEW", options.A_RUN),
    backends: list[str] | None = options.backend(
        "Backend to compare (default: all that both runs have); may be given several times."
    ),
    pair: tuple[str, str] | None = options.value(
        None, "BASE NEW", "Backend of BASE and the one of NEW that takes its place.", "--pair"
    ),
    clock: DiffClock = options.flag(
        "--time", "Time to compare: by wall clock, or of the CPU.", DiffClock.wall
    ),
    fail_slower: float | None = options.value(
        None,
        "FACTOR",
        "Exit with status 1 if a backend is slower by more than FACTOR.",
        parser=parse_factor,
    ),
    fail_worse: bool = options.flag("--fail-worse", "Exit with status 1 if a verdict got worse."),
    form: DiffFormat = options.flag("--format", "Format of the output.", DiffFormat.text),
    wide: bool = options.WIDE,
    as_json: bool = options.JSON,
    out: Path | None = options.OUT_FILE,
    force: bool = options.FORCE,
) -> int:
    """Compare two runs: what got faster, slower or worse.

    Times are compared instance by instance, where both runs solved it. A backend is slower than
    FACTOR if the ratio of the times is above FACTOR, its 95% interval is above 1, and so says the
    sign-flip test. Solved instances that took more than half of the limit and then time out, or
    the other way round, are shown as borderline, and do not fail.
    """
    from harness.cli.output_file import open_output
    from harness.report.differences import compare_sides, list_faults, list_unclear, take_side
    from harness.report.run import load

    screen = Screen()
    runs = load(base), load(new)
    names = {one: one for one in backends or []} | dict([pair] if pair else [])
    sides = [take_side(run, "cpu" if clock is DiffClock.cpu else "wall") for run in runs]
    found = compare_sides(sides[0], sides[1], names or None)
    faults = list_faults(found, fail_slower, fail_worse)
    form = DiffFormat.json if as_json else form
    if out is None and form is DiffFormat.text:
        from harness.report.differences.text import lay_out_differences

        for heading, lines in lay_out_differences(found, screen.width, wide):
            screen.section(heading, lines)
    else:
        with open_output(out, force) as stream:
            stream.write(_write(found, faults, form, wide))
    for doubt in list_unclear(found, fail_slower) if fail_slower is not None else ():
        screen.note(doubt)
    screen.report_faults([*runs[0].tamper, *runs[1].tamper])
    return screen.report_faults(faults)


def _write(found: Any, faults: list[str], form: DiffFormat, wide: bool) -> str:
    """The differences in a format, as a file has them."""
    from harness.report.differences.text import lay_out_differences, write_json, write_markdown

    if form is DiffFormat.json:
        return write_json(found, faults)
    if form is DiffFormat.markdown:
        return write_markdown(found, faults, wide)
    sections = lay_out_differences(found, 80, wide)
    return "\n\n".join("\n".join(filter(None, [head, *lines])) for head, lines in sections) + "\n"
