"""How far work on many items is: a bar on a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

from harness.cli.screen import LINE_SECONDS, Screen, clock

Item = TypeVar("Item")
Show = Callable[[int], None]
"""Told how many items are done."""


def counted(
    items: Iterable[Item], screen: Screen, what: str, total: int | None = None
) -> Iterator[Item]:
    """The items as they are taken, with progress shown between them; ``total`` if it is known."""
    with counting(screen, what, total) as show:
        for number, item in enumerate(items, 1):
            yield item
            show(number)


@contextmanager
def counting(
    screen: Screen, what: str, total: int | None = None, done: int = 0, hidden: bool = False
) -> Iterator[Show]:
    """A function that shows how far it is, for as long as the block lasts, unless ``hidden``.

    ``done`` of the ``total`` items were there before and count for no speed.
    """
    begun = perf_counter()

    def tempo(now: int) -> str:
        elapsed = perf_counter() - begun
        rate = (now - done) / elapsed if elapsed > 0 else 0.0
        shown = f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.2f}/s"
        if total is None or rate <= 0:
            return shown
        return f"{shown}, {clock((total - now) / rate)} left"

    if screen.quiet or hidden:
        yield lambda now: None
    elif screen.err.is_terminal:
        with _bar(screen) as bar:
            task = bar.add_task(what, total=total, completed=done, tempo="")
            yield lambda now: bar.update(task, completed=now, tempo=tempo(now))
    else:
        due = begun + LINE_SECONDS
        of = "" if total is None else f" of {total:,}"

        def show(now: int) -> None:
            nonlocal due
            if perf_counter() >= due:
                due = perf_counter() + LINE_SECONDS
                screen.note(f"{now:,}{of} {what}, {tempo(now)}")

        yield show


def _bar(screen: Screen) -> Bar:
    """Standard output stays as it is: it may be a file that the results go to."""
    return Bar(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[tempo]}", markup=False),
        console=screen.err,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
