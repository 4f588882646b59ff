"""How far the generation of puzzles is: a bar on a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter

from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
from rich.progress import Progress as Bar

from harness.screen import LINE_SECONDS, Screen, clock

Show = Callable[[int], None]
"""Told how many puzzles there are."""


@contextmanager
def generation(screen: Screen, done: int, total: int) -> Iterator[Show]:
    """A function that shows how far it is, for as long as the block lasts.

    ``done`` of the ``total`` puzzles were there before and count for no speed. Where the puzzles
    go to a terminal themselves, nothing is shown.
    """
    begun = perf_counter()

    def tempo(now: int) -> str:
        elapsed = perf_counter() - begun
        rate = (now - done) / elapsed if elapsed > 0 else 0.0
        left = f", {clock((total - now) / rate)} left" if rate > 0 else ""
        return f"{rate:,.0f}/s{left}" if rate >= 10 else f"{rate:.2f}/s{left}"

    if screen.quiet or (screen.err.is_terminal and screen.out.is_terminal):
        yield lambda now: None
    elif screen.err.is_terminal:
        with _bar(screen) as bar:
            task = bar.add_task("puzzles", total=total, completed=done, tempo="")
            yield lambda now: bar.update(task, completed=now, tempo=tempo(now))
    else:
        due = begun + LINE_SECONDS

        def show(now: int) -> None:
            nonlocal due
            if perf_counter() >= due:
                due = perf_counter() + LINE_SECONDS
                screen.note(f"{now:,} of {total:,} puzzles, {tempo(now)}")

        yield show


def _bar(screen: Screen) -> Bar:
    """Standard output stays as it is: it may be a file that the puzzles go to."""
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
