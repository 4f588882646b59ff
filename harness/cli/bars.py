"""How far work is: bars on a terminal, elsewhere a line every few seconds; always on stderr.

Text that comes from sets, solvers and servers is never taken for markup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from rich.filesize import decimal
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.text import Text

from harness.wording import format_duration, plural

if TYPE_CHECKING:
    from harness.cli.screen import Screen
    from harness.runs.progress import RunProgress
    from puzzles.sets.fetch import Progress as FetchProgress

LINE_SECONDS = 10.0
"""Without a terminal, progress is told so often."""

Item = TypeVar("Item")


def count_items(
    items: Iterable[Item], screen: Screen, what: str, total: int | None = None
) -> Iterator[Item]:
    """The items as they are taken, with progress shown between them; ``total`` if it is known."""
    with show_items(screen, what, total) as show:
        for number, item in enumerate(items, 1):
            yield item
            show(number)


@contextmanager
def show_items(
    screen: Screen, what: str, total: int | None = None, done: int = 0, hidden: bool = False
) -> Iterator[Callable[[int], None]]:
    """A function that is told how many items are done, and shows it unless ``hidden``.

    ``done`` of the ``total`` items were there before and count for no speed.
    """
    begun = perf_counter()

    def speed(now: int) -> str:
        elapsed = perf_counter() - begun
        rate = (now - done) / elapsed if elapsed > 0 else 0.0
        shown = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2f}/s"
        if total is None or rate <= 0:
            return shown
        return f"{shown}, {format_duration((total - now) / rate)} left"

    if screen.quiet or hidden:
        yield lambda now: None
    elif screen.err.is_terminal:
        with _bar(screen, MofNCompleteColumn()) as bar:
            task = bar.add_task(what, total=total, completed=done, note="")
            yield lambda now: bar.update(task, completed=now, note=speed(now))
    else:
        tell = _tell_rarely(screen)
        of = "" if total is None else f" of {total:,}"
        yield lambda now: tell(lambda: f"{now:,}{of} {what}, {speed(now)}")


@contextmanager
def show_run(screen: Screen) -> Iterator[Callable[[RunProgress], None] | None]:
    """A function that shows how far a run is, for as long as the block lasts."""
    if screen.quiet:
        yield None
    elif screen.err.is_terminal:
        with _bar(screen, MofNCompleteColumn()) as bar:
            task = bar.add_task("jobs", total=None, note="")

            def show(progress: RunProgress) -> None:
                note = f"{run_speed(progress)} {join_outcomes(progress.counts)}"
                bar.update(task, total=progress.total, completed=progress.done, note=note)

            yield show
    else:
        tell = _tell_rarely(screen)
        yield lambda progress: tell(
            lambda: (
                f"{progress.done} of {plural(progress.total, 'job')}, {run_speed(progress)}: "
                f"{join_outcomes(progress.counts)}"
            )
        )


@contextmanager
def show_downloads(screen: Screen) -> Iterator[Callable[[FetchProgress], None] | None]:
    """A function that shows how far each set is, for as long as the block lasts."""
    if screen.quiet:
        yield None
    elif screen.err.is_terminal:
        columns = (DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
        with _bar(screen, *columns) as bar:
            tasks: dict[str, TaskID] = {}

            def show(progress: FetchProgress) -> None:
                if progress.name not in tasks:
                    tasks[progress.name] = bar.add_task(progress.name, total=None, note="")
                note = "" if progress.doing == "fetching" else progress.doing
                task = tasks[progress.name]
                bar.update(task, total=progress.total, completed=progress.done, note=note)

            yield show
    else:
        tell = _tell_rarely(screen)
        routine = ("connecting", "fetching", "checking")

        def line(progress: FetchProgress) -> str:
            total = "" if progress.total is None else f" of {decimal(progress.total)}"
            return f"{progress.name}: {decimal(progress.done)}{total}, {progress.doing}"

        yield lambda progress: tell(lambda: line(progress), progress.doing not in routine)


def join_outcomes(counts: dict[str, int]) -> str:
    """Outcomes that occurred, as ``finished 118, timeout 2``."""
    return ", ".join(f"{outcome} {number}" for outcome, number in counts.items() if number)


def run_speed(progress: RunProgress) -> str:
    """Jobs a second, and the time left as far as there is ground for an estimate."""
    left = "" if progress.left is None else f", {format_duration(progress.left)} left"
    return f"{progress.rate:.1f}/s{left}"


def _tell_rarely(screen: Screen) -> Callable[..., None]:
    """A function that writes a line, if it has been silent for long or must write it ``now``."""
    due = perf_counter() + LINE_SECONDS

    def tell(line: Callable[[], str], now: bool = False) -> None:
        nonlocal due
        if now or perf_counter() >= due:
            due = perf_counter() + LINE_SECONDS
            screen.note(line())

    return tell


class _Note(ProgressColumn):
    """The text that a task carries, shown as it is."""

    def render(self, task: Task) -> Text:
        return Text(str(task.fields["note"]))


def _bar(screen: Screen, *columns: ProgressColumn) -> Progress:
    """Standard output stays as it is: it may be a file that the results go to."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        *columns,
        _Note(),
        console=screen.err,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
