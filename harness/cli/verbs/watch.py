"""`concord watch`: a live table of a run while it goes on."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import sleep
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.command import FINE, Json, RunName, seconds_above_0, verb

if TYPE_CHECKING:
    from harness.runs.progress import Look

LEAST_REST = 10
"""Between two looks pass so many times the seconds that one takes: a large run is left alone."""


@verb("concord watch", "concord watch mine --once", "concord watch mine --seconds 5 --json")
def watch(
    name: RunName = "latest",
    once: Annotated[bool, typer.Option("--once", help="Print the state once and exit.")] = False,
    seconds: Annotated[
        float, typer.Option(parser=seconds_above_0, metavar="T", help="Seconds between two looks.")
    ] = 1.0,
    as_json: Json = False,
) -> int:
    """Show how far a run is until it is complete.

    Ctrl-C ends the watching and leaves the run as it is. Without a terminal, or with --json, one
    table or one line of JSON is printed at each look.
    """
    from harness.runs.loading import find_run
    from harness.runs.progress import look

    folder = find_run(name)
    with _showing(as_json) as show:
        while True:
            seen = look(folder)
            show(seen)
            if once or seen.complete:
                return FINE
            sleep(max(seconds, LEAST_REST * seen.looked_s))


@contextmanager
def _showing(as_json: bool) -> Iterator[Callable[[Look], object]]:
    """A function that shows a look: in place on a terminal, else one below the other."""
    from harness.cli.screen import Screen, drawn

    screen = Screen()
    if as_json:
        yield _write
    elif not screen.out.is_terminal:
        yield lambda seen: screen.table(_frame(seen), _headline(seen))
    else:
        from rich.console import Group
        from rich.live import Live
        from rich.text import Text

        with Live(console=screen.out, auto_refresh=False) as live:
            yield lambda seen: live.update(
                Group(Text(_headline(seen)), drawn(_frame(seen))), refresh=True
            )


def _headline(seen: Look) -> str:
    share = f"{seen.ended} of {seen.jobs} jobs have ended"
    if seen.total > seen.jobs:
        share += f" (the experiment has {seen.total})"
    if seen.seconds_ago is None or seen.complete:
        return f"{seen.folder}: {share}"
    return f"{seen.folder}: {share}, the last one {seen.seconds_ago:.0f} s ago"


def _frame(seen: Look) -> Any:
    import pandas as pd

    from harness.cli.screen import counted

    rows = [
        {
            "backend": standing.backend,
            "jobs": standing.jobs,
            "ended": standing.ended,
            "outcomes": counted(standing.outcomes),
            "mean_s": standing.mean_s,
            "max_s": standing.max_s,
        }
        for standing in seen.standings
    ]
    return pd.DataFrame(rows)


def _write(seen: Look) -> None:
    from dataclasses import asdict

    told = asdict(seen) | {"folder": str(seen.folder), "complete": seen.complete}
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()
