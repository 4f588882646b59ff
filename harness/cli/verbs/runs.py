"""`concord runs` and `concord watch`: which runs there are, and how far each is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from time import sleep
from typing import TYPE_CHECKING, Annotated, Any

import typer

from harness.cli.command import FINE, Json, RunName, seconds_above_0, verb, write_json

if TYPE_CHECKING:
    from harness.runs.progress import Look

LEAST_REST = 10
"""Between two looks pass so many times the seconds that one takes: a large run is left alone."""


@verb("concord runs", "concord runs --json")
def runs(as_json: Json = False) -> int:
    """List the runs under ./results/runs, the latest last.

    A run is complete, running, or unfinished: then `concord run --resume` continues it.
    """
    from harness.cli.bars import join_outcomes
    from harness.cli.screen import Screen
    from harness.report.sentences import FAULTS
    from harness.runs.loading import RUNS
    from harness.runs.progress import list_runs

    found = [
        asdict(run)
        | {
            "begun": run.begun.isoformat(timespec="seconds"),
            "faults": {word: run.counts[word] for word in FAULTS if run.counts.get(word)},
        }
        for run in list_runs()
    ]
    if as_json:
        return write_json(found)
    import pandas as pd

    screen = Screen()
    if not found:
        screen.note(f"There is no run under {RUNS}; `concord compare` makes one.")
        return FINE
    rows = [
        {
            "run": run["name"],
            "begun (UTC)": run["begun"][:16].replace("T", " "),
            "jobs": f"{run['ended']} of {run['jobs']}",
            "state": run["state"],
            "faults": join_outcomes(run["faults"]),
        }
        for run in found
    ]
    screen.table(pd.DataFrame(rows))
    return FINE


@verb("concord watch", "concord watch mine --once", "concord watch mine --seconds 5 --json")
def watch(
    name: RunName = "latest",
    once: Annotated[bool, typer.Option("--once", help="Print the state once and exit.")] = False,
    seconds: Annotated[
        float,
        typer.Option(parser=seconds_above_0, metavar="T", help="Seconds between two refreshes."),
    ] = 1.0,
    as_json: Json = False,
) -> int:
    """Show how far a run is until it is complete.

    Ctrl-C ends the watching and leaves the run as it is. Without a terminal, or with --json, one
    table or one line of JSON is printed at each refresh.
    """
    from harness.runs.loading import find_run
    from harness.runs.progress import look

    folder = find_run(name)
    with _choose_display(as_json) as show:
        while True:
            seen = look(folder)
            show(seen)
            if once or seen.complete:
                return FINE
            sleep(max(seconds, LEAST_REST * seen.looked_s))


@contextmanager
def _choose_display(as_json: bool) -> Iterator[Callable[[Look], object]]:
    """A function that shows a look: in place on a terminal, else one below the other."""
    from harness.cli.screen import Screen, draw_table

    screen = Screen()
    if as_json:
        yield _write_line
    elif not screen.out.is_terminal:
        yield lambda seen: screen.table(_frame(seen), _headline(seen))
    else:
        from rich.console import Group
        from rich.live import Live
        from rich.text import Text

        with Live(console=screen.out, auto_refresh=False) as live:
            yield lambda seen: live.update(
                Group(Text(_headline(seen)), draw_table(_frame(seen))), refresh=True
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

    from harness.cli.bars import join_outcomes

    return pd.DataFrame(
        [
            asdict(standing) | {"outcomes": join_outcomes(standing.outcomes)}
            for standing in seen.standings
        ]
    )


def _write_line(seen: Look) -> None:
    facts = asdict(seen) | {"folder": str(seen.folder), "complete": seen.complete}
    sys.stdout.write(json.dumps(facts) + "\n")
    sys.stdout.flush()
