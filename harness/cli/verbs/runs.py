"""`concord runs`, `watch`, `replay` and `merge`: runs as a whole, and one job of a run again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, Any

from harness.cli import options
from harness.cli.bars import join_outcomes
from harness.cli.command import FINE, TROUBLE, verb
from harness.cli.screen import Screen, draw_table
from modelling.wording import plural

if TYPE_CHECKING:
    from harness.job import Question
    from harness.runs.progress import RunStatus

LEAST_REST = 10
"""The least pause between two looks, as a multiple of the time that one takes. So looks disturb a
large run little."""


@verb("concord runs", "concord runs --json")
def runs(as_json: bool = options.JSON) -> int:
    """List the runs under ./results/runs, the latest last.

    A run is complete, running, or unfinished: then `concord run --resume` continues it.
    """
    from harness.record import FAULTS
    from harness.runs.loading import RUNS
    from harness.runs.progress import list_runs

    screen = Screen()
    found = [
        asdict(run)
        | {
            "begun": run.begun.isoformat(timespec="seconds"),
            "faults": {word: run.counts[word] for word in FAULTS if run.counts.get(word)},
        }
        for run in list_runs()
    ]
    if as_json:
        return screen.json(found)
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
    screen.table(rows)
    return FINE


@verb("concord watch", "concord watch mine --once", "concord watch mine --seconds 5 --json")
def watch(
    name: str = options.LATEST,
    once: bool = options.flag("--once", "Print the state once and exit."),
    seconds: float = options.seconds(1.0, "Seconds between two refreshes."),
    as_json: bool = options.JSON,
) -> int:
    """Show how far a run is until it is complete.

    Ctrl-C stops watching; the run continues. Without a terminal, or with --json, one
    table or one line of JSON is printed at each refresh.
    """
    from harness.runs.loading import find_run
    from harness.runs.progress import look

    folder = find_run(name)
    with _choose_display(Screen(), as_json) as show:
        while True:
            seen = look(folder)
            show(seen)
            if once or seen.complete:
                return FINE
            sleep(max(seconds, LEAST_REST * seen.looked_s))


@contextmanager
def _choose_display(screen: Screen, as_json: bool) -> Iterator[Callable[[RunStatus], object]]:
    """A function that shows a look: in place on a terminal, else one below the other."""
    if as_json:
        yield lambda seen: print(
            json.dumps(asdict(seen) | {"folder": str(seen.folder), "complete": seen.complete}),
            flush=True,
        )
    elif not screen.out.is_terminal:
        yield lambda seen: screen.table(_make_table(seen), _write_headline(seen))
    else:
        from rich.console import Group
        from rich.live import Live
        from rich.text import Text

        with Live(console=screen.out, auto_refresh=False) as live:
            yield lambda seen: live.update(
                Group(Text(_write_headline(seen)), draw_table(_make_table(seen))), refresh=True
            )


def _write_headline(seen: RunStatus) -> str:
    share = f"{seen.ended} of {seen.jobs} jobs have ended"
    if seen.total > seen.jobs:
        share += f" (the experiment has {seen.total})"
    if seen.seconds_ago is None or seen.complete:
        return f"{seen.folder}: {share}"
    return f"{seen.folder}: {share}, the last one {seen.seconds_ago:.0f} s ago"


def _make_table(seen: RunStatus) -> list[dict[str, Any]]:

    return [asdict(one) | {"outcomes": join_outcomes(one.outcomes)} for one in seen.standings]


@verb("concord replay latest 17", "concord replay mine 17 --json")
def replay(
    name: str = options.argument(..., "RUN", options.A_RUN),
    row: int = options.argument(..., "ROW", "Number of the job.", min=1),
    quiet: bool = options.QUIET,
    as_json: bool = options.JSON,
) -> int:
    """Run one job of a run again, alone, and compare.

    The instance, question, backend, options, limits and seed are the same. The exit status is 1 if
    the outcome, status, number of solutions, digest, objective or bound differ.
    """
    from msgspec import to_builtins

    from harness.report.table_text import wrap
    from harness.runs.loading import load_run
    from harness.runs.replaying import COMPARED
    from harness.runs.replaying import replay as again

    screen = Screen(quiet)
    done = again(load_run(name), row)
    screen.status = FINE if done.same else TROUBLE
    if as_json:
        return screen.json({"same": done.same, **to_builtins(done)})
    pairs: list[dict[str, Any]] = [
        {
            "": name.replace("_memory", ""),
            "recorded": getattr(done.recorded, name),
            "again": getattr(done.again, name),
        }
        for name in (*COMPARED, "wall_s", "cpu_s", "peak_memory_mb", "error")
    ]
    job = done.job
    asked = _describe(job.question)
    title = f"Job {job.number}: {job.set} {job.instance}, {job.backend}; asked for: {asked}"
    for line in wrap(title, screen.width):
        screen.line(line)
    screen.table([pair for pair in pairs if pair["recorded"] or pair["again"]])
    for difference in done.differences:
        screen.hang("", difference)
    screen.line("The result is the same." if done.same else "The result is different.")
    for note in done.notes:
        screen.note(note)
    return screen.status


def _describe(question: Question) -> str:
    """What a job was asked for."""
    if not question.optimum:
        return "all solutions" if question.limit is None else plural(question.limit, "solution")
    if question.limit == 1:
        return "the best solution"
    return "all best solutions" if question.limit is None else f"{question.limit} best solutions"


@verb("concord merge parts/1 parts/2 --out whole", "concord merge parts/* --out whole --quiet")
def merge(
    names: list[str] = options.argument(..., "RUN", "Runs of one experiment, or shares of it."),
    out: Path = options.folder(..., "Folder of the merged run; it must not hold a run."),
    quiet: bool = options.QUIET,
    as_json: bool = options.JSON,
) -> int:
    """Merge runs of one experiment, or its shares, into one.

    It validates the answers and prints the tables. A job that two runs have alike is taken once.
    Where two runs differ, the record that tells more is accepted (any before lost), then the one
    that ended first. The exit status is 1 if that happened, or if jobs are missing or have not
    ended.
    """
    from harness.cli.verbs.experiments import print_run
    from harness.report.run import revalidate
    from harness.runs.merging import MOST_DESCRIBED
    from harness.runs.merging import merge as merge_runs

    screen = Screen(quiet)
    merged = merge_runs(names, out)
    print_run(revalidate(out), screen, as_json)
    screen.report_faults(merged.described)
    if merged.conflicts > MOST_DESCRIBED:
        screen.complain(f"... and {merged.conflicts - MOST_DESCRIBED} more jobs with two records")
    if merged.again:
        screen.note(f"{merged.again} records were in two runs, alike; each was taken once")
    screen.note(f"{merged.records} of {merged.total} jobs of the experiment have ended")
    if merged.jobs < merged.total:
        shares = f"; missing shares: {', '.join(merged.missing)}" if merged.missing else ""
        missing = merged.total - merged.jobs
        screen.report_fault(f"{missing} jobs are in none of these runs{shares}")
    if merged.records < merged.jobs:
        left = merged.jobs - merged.records
        remedy = f"continue with: concord run --resume {out}"
        screen.report_fault(f"{left} jobs have not ended; {remedy}")
    screen.note(f"run: {out}")
    return screen.status
