"""How far a download is: a bar on a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from rich.filesize import decimal
from rich.progress import (
    BarColumn,
    DownloadColumn,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.progress import Progress as Bar
from rich.text import Text

from harness.cli.screen import LINE_SECONDS, Screen
from puzzles.sets.fetch import Progress


@contextmanager
def downloads(screen: Screen) -> Iterator[Callable[[Progress], None] | None]:
    """A function that shows how far each set is, for as long as the block lasts."""
    if screen.quiet:
        yield None
    elif screen.err.is_terminal:
        with _bar(screen) as bar:
            tasks: dict[str, TaskID] = {}

            def show(progress: Progress) -> None:
                if progress.name not in tasks:
                    tasks[progress.name] = bar.add_task(
                        progress.name, total=progress.total, doing=""
                    )
                bar.update(
                    tasks[progress.name],
                    total=progress.total,
                    completed=progress.done,
                    doing="" if progress.doing == "fetching" else progress.doing,
                )

            yield show
    else:
        yield _lines(screen.note)


def _lines(note: Callable[[str], None]) -> Callable[[Progress], None]:
    due = perf_counter() + LINE_SECONDS
    routine = ("connecting", "fetching", "checking")

    def show(progress: Progress) -> None:
        nonlocal due
        if progress.doing not in routine or perf_counter() >= due:
            due = perf_counter() + LINE_SECONDS
            total = "" if progress.total is None else f" of {decimal(progress.total)}"
            note(f"{progress.name}: {decimal(progress.done)}{total}, {progress.doing}")

    return show


class _Doing(ProgressColumn):
    """What is done besides fetching, as it is: it may quote what a server said."""

    def render(self, task: Task) -> Text:
        return Text(str(task.fields["doing"]))


def _bar(screen: Screen) -> Bar:
    return Bar(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        _Doing(),
        console=screen.err,
        transient=True,
    )
