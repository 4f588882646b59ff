"""How far work is: bars on a terminal, elsewhere a line every few seconds; always on stderr.

Text that comes from sets, solvers and servers is never taken for markup.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from modelling.wording import format_duration, plural

if TYPE_CHECKING:
    from harness.cli.screen import Screen
    from harness.hunting.fuzzing.hunt import Progress as HuntProgress
    from harness.runs.progress import RunProgress
    from puzzles.sets.fetch import Progress as FetchProgress

LINE_SECONDS = 10.0
"""Seconds between two lines of progress without a terminal."""

MOST_SAID = 40
"""Number of characters of what a tool says that are shown after its bar."""

Item = TypeVar("Item")
Now = TypeVar("Now")


class _Step(NamedTuple):
    """How far a task is; ``note`` follows its bar, ``line`` replaces a bar."""

    task: str
    done: int = 0
    total: int | None = None
    note: str = ""
    line: str = ""


def count_items(
    items: Iterable[Item], screen: Screen, what: str, total: int | None = None
) -> Generator[Item, None, None]:
    """The items as they are taken, with progress shown between them; ``total`` if it is known."""
    with show_items(screen, what, total) as show:
        for number, item in enumerate(items, 1):
            yield item
            show(number)


def show_items(
    screen: Screen,
    what: str,
    total: int | None = None,
    done: int = 0,
    hidden: bool = False,
    timed: bool = True,
) -> AbstractContextManager[Callable[[int], None]]:
    """A function that is given how many items are done, and shows it unless ``hidden``.

    ``done`` of the ``total`` items were there before and count for no speed. Items that take very
    different times are not ``timed``.
    """
    begun = perf_counter()
    of = "" if total is None else f" of {total:,}"

    def step(now: int) -> _Step:
        if not timed:
            return _Step(what, now, total, "", f"{now:,}{of} {what}")
        elapsed = perf_counter() - begun
        rate = (now - done) / elapsed if elapsed > 0 else 0.0
        speed = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2f}/s"
        if total is not None and rate > 0:
            speed = f"{speed}, {format_duration((total - now) / rate)} left"
        return _Step(what, now, total, speed, f"{now:,}{of} {what}, {speed}")

    return _display(screen, step, _Step(what, done, total), hidden=hidden)


def show_run(screen: Screen) -> AbstractContextManager[Callable[[RunProgress], None]]:
    """A function that shows how far a run is, for as long as the block lasts."""

    def step(now: RunProgress) -> _Step:
        speed, outcomes = run_speed(now), join_outcomes(now.counts)
        line = f"{now.done} of {plural(now.total, 'job')}, {speed}: {outcomes}"
        return _Step("jobs", now.done, now.total, f"{speed} {outcomes}", line)

    return _display(screen, step, _Step("jobs"))


def show_hunt(screen: Screen) -> AbstractContextManager[Callable[[HuntProgress], None]]:
    """A function that shows how far a hunt is, for as long as the block lasts."""

    def step(now: HuntProgress) -> _Step:
        found = f"{plural(now.findings, 'finding')} of {plural(now.causes, 'cause')}"
        line = f"{now.comparisons:,} comparisons, {found}; asking {', '.join(now.asking)}"
        return _Step("comparisons", now.comparisons, None, f"{now.comparisons:,} {found}", line)

    return _display(screen, step, _Step("comparisons"))


def show_downloads(screen: Screen) -> AbstractContextManager[Callable[[FetchProgress], None]]:
    """A function that shows how far each set is, for as long as the block lasts."""
    from rich.filesize import decimal

    def step(now: FetchProgress) -> _Step:
        total = "" if now.total is None else f" of {decimal(now.total)}"
        note = "" if now.doing == "fetching" else now.doing
        line = f"{now.name}: {decimal(now.done)}{total}, {now.doing}"
        return _Step(now.name, now.done, now.total, note, line)

    routine = ("connecting", "fetching", "checking")
    return _display(screen, step, urgent=lambda now: now.doing not in routine, in_bytes=True)


def show_making(screen: Screen) -> AbstractContextManager[Callable[[tuple[str, str]], None]]:
    """A function that is given an environment and what is done for it, and shows that."""
    from harness.environments.making import STAGES

    def step(now: tuple[str, str]) -> _Step:
        name, doing = now
        return _Step(name, note=doing[:MOST_SAID], line=f"{name}: {doing[:MOST_SAID]}")

    return _display(screen, step, urgent=lambda now: now[1] in STAGES)


def join_outcomes(counts: dict[str, int]) -> str:
    """Outcomes that occurred, as ``finished 118, timeout 2``."""
    return ", ".join(f"{outcome} {number}" for outcome, number in counts.items() if number)


def run_speed(progress: RunProgress) -> str:
    """Jobs a second, and the time left as far as there is ground for an estimate."""
    left = "" if progress.left is None else f", {format_duration(progress.left)} left"
    return f"{progress.rate:.1f}/s{left}"


@contextmanager
def _display(
    screen: Screen,
    step: Callable[[Now], _Step],
    first: _Step | None = None,
    urgent: Callable[[Now], bool] = lambda now: False,
    in_bytes: bool = False,
    hidden: bool = False,
) -> Iterator[Callable[[Now], None]]:
    """A function that shows the ``step`` that something is, which is made only if it is shown.

    Standard output stays as it is: it may be a file that the results go to.
    """
    if screen.quiet or hidden:
        yield lambda now: None
    elif not screen.err.is_terminal:
        due = perf_counter() + LINE_SECONDS

        def tell(now: Now) -> None:
            nonlocal due
            if urgent(now) or perf_counter() >= due:
                due = perf_counter() + LINE_SECONDS
                screen.note(step(now).line)

        yield tell
    else:
        from rich import progress

        figures: list[progress.ProgressColumn] = [progress.MofNCompleteColumn()]
        if in_bytes:
            figures = [progress.DownloadColumn(), progress.TransferSpeedColumn()]
            figures.append(progress.TimeRemainingColumn())
        with progress.Progress(
            progress.TextColumn("{task.description}", markup=False),
            progress.BarColumn(bar_width=24),
            *figures,
            progress.TextColumn("{task.fields[note]}", markup=False),
            console=screen.err,
            transient=True,
            redirect_stdout=False,
            redirect_stderr=False,
        ) as bar:
            tasks: dict[str, progress.TaskID] = {}

            def draw(one: _Step) -> None:
                if one.task not in tasks:
                    tasks[one.task] = bar.add_task(one.task, total=None, note="")
                bar.update(tasks[one.task], total=one.total, completed=one.done, note=one.note)

            if first is not None:
                draw(first)
            yield lambda now: draw(step(now))
