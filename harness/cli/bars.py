"""How far work is: bars on a terminal, elsewhere a line every few seconds; always on stderr.

Text that comes from sets, solvers and servers is never taken for markup.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

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
) -> Generator[Item, None, None]:
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
    of = "" if total is None else f" of {total:,}"

    def step(now: int) -> _Step:
        elapsed = perf_counter() - begun
        rate = (now - done) / elapsed if elapsed > 0 else 0.0
        speed = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2f}/s"
        if total is not None and rate > 0:
            speed = f"{speed}, {format_duration((total - now) / rate)} left"
        return _Step(what, now, total, speed, f"{now:,}{of} {what}, {speed}")

    with _display(screen, _Step(what, done, total), MofNCompleteColumn(), hidden=hidden) as show:
        yield lambda now: show(lambda: step(now))


@contextmanager
def show_run(screen: Screen) -> Iterator[Callable[[RunProgress], None]]:
    """A function that shows how far a run is, for as long as the block lasts."""

    def step(now: RunProgress) -> _Step:
        speed, outcomes = run_speed(now), join_outcomes(now.counts)
        line = f"{now.done} of {plural(now.total, 'job')}, {speed}: {outcomes}"
        return _Step("jobs", now.done, now.total, f"{speed} {outcomes}", line)

    with _display(screen, _Step("jobs"), MofNCompleteColumn()) as show:
        yield lambda now: show(lambda: step(now))


@contextmanager
def show_downloads(screen: Screen) -> Iterator[Callable[[FetchProgress], None]]:
    """A function that shows how far each set is, for as long as the block lasts."""

    def step(now: FetchProgress) -> _Step:
        total = "" if now.total is None else f" of {decimal(now.total)}"
        note = "" if now.doing == "fetching" else now.doing
        line = f"{now.name}: {decimal(now.done)}{total}, {now.doing}"
        return _Step(now.name, now.done, now.total, note, line)

    routine = ("connecting", "fetching", "checking")
    columns = (DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn())
    with _display(screen, None, *columns) as show:
        yield lambda now: show(lambda: step(now), now.doing not in routine)


def join_outcomes(counts: dict[str, int]) -> str:
    """Outcomes that occurred, as ``finished 118, timeout 2``."""
    return ", ".join(f"{outcome} {number}" for outcome, number in counts.items() if number)


def run_speed(progress: RunProgress) -> str:
    """Jobs a second, and the time left as far as there is ground for an estimate."""
    left = "" if progress.left is None else f", {format_duration(progress.left)} left"
    return f"{progress.rate:.1f}/s{left}"


class _Step(NamedTuple):
    """How far a task is; ``note`` stands behind its bar, ``line`` in the place of a bar."""

    task: str
    done: int = 0
    total: int | None = None
    note: str = ""
    line: str = ""


class _Show(Protocol):
    """Shows a step, which is made only if it is to be seen; ``at_once`` if it cannot wait."""

    def __call__(self, make: Callable[[], _Step], at_once: bool = False) -> None: ...


@contextmanager
def _display(
    screen: Screen, first: _Step | None, *columns: ProgressColumn, hidden: bool = False
) -> Iterator[_Show]:
    """Standard output stays as it is: it may be a file that the results go to."""
    if screen.quiet or hidden:
        yield lambda make, at_once=False: None
    elif not screen.err.is_terminal:
        due = perf_counter() + LINE_SECONDS

        def tell(make: Callable[[], _Step], at_once: bool = False) -> None:
            nonlocal due
            if at_once or perf_counter() >= due:
                due = perf_counter() + LINE_SECONDS
                screen.note(make().line)

        yield tell
    else:
        with Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            *columns,
            _Note(),
            console=screen.err,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        ) as bar:
            tasks: dict[str, TaskID] = {}

            def draw(make: Callable[[], _Step], at_once: bool = False) -> None:
                name, done, total, note, _ = make()
                if name not in tasks:
                    tasks[name] = bar.add_task(name, total=None, note="")
                bar.update(tasks[name], total=total, completed=done, note=note)

            if first is not None:
                draw(lambda: first)
            yield draw


class _Note(ProgressColumn):
    """The text that a task carries, shown as it is."""

    def render(self, task: Task) -> Text:
        return Text(str(task.fields["note"]))
