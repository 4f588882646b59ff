"""How far work on a stream of items is: a bar on a terminal, elsewhere a line now and then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import TypeVar

from harness.screen import LINE_SECONDS, Screen, clock

Item = TypeVar("Item")


def counted(
    items: Iterable[Item], screen: Screen, what: str, total: int | None = None
) -> Iterator[Item]:
    """The items as they are taken, with progress shown between them; ``total`` if it is known."""
    if screen.quiet:
        yield from items
    elif screen.err.is_terminal:
        yield from _drawn(items, screen, what, total)
    else:
        yield from _told(items, screen, what, total)


def _drawn(items: Iterable[Item], screen: Screen, what: str, total: int | None) -> Iterator[Item]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=screen.err, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task(what, total=total)
        for item in items:
            yield item
            bar.advance(task)


def _told(items: Iterable[Item], screen: Screen, what: str, total: int | None) -> Iterator[Item]:
    began = last = perf_counter()
    for number, item in enumerate(items, 1):
        yield item
        now = perf_counter()
        if now - last >= LINE_SECONDS:
            last = now
            of = "" if total is None else f" of {total}"
            left = (
                ""
                if total is None
                else f", {clock((now - began) / number * (total - number))} left"
            )
            screen.note(f"{number}{of} {what}, {number / (now - began):.1f}/s{left}")
