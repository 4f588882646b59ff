"""What the command line shows: tables on standard output, progress and talk on standard error.

On a terminal tables and bars are drawn with rich; elsewhere tables are plain aligned text and
progress is a line every few seconds. Text that comes from instances, solvers and files is never
taken for markup.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TYPE_CHECKING, Any, NoReturn

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text

if TYPE_CHECKING:
    import pandas as pd

    from harness.runs.progress import RunProgress

LINE_SECONDS = 10.0
"""Without a terminal, progress is told so often."""


class _Results(Console):
    """Standard output; a reader that has left is the caller's affair, not an exit status of 1."""

    def on_broken_pipe(self) -> NoReturn:
        """Called by rich while it handles the error."""
        raise BrokenPipeError


class Screen:
    """Where a command writes; ``quiet`` silences progress and notes, never results or errors."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.out = _Results(highlight=False, markup=False, emoji=False)
        self.err = Console(stderr=True, highlight=False, markup=False, emoji=False)

    def line(self, text: str) -> None:
        """One line of results, as it is."""
        sys.stdout.write(text + "\n")

    def note(self, text: str) -> None:
        """Something that helps but is no result."""
        if not self.quiet:
            self.err.print(Text(text), soft_wrap=True)

    def complain(self, text: str) -> None:
        """An error or a warning; shown even when quiet."""
        self.err.print(Text(text, style="red" if self.err.is_terminal else ""), soft_wrap=True)

    @property
    def width(self) -> int:
        """Columns of the terminal, or of ``COLUMNS``; 80 elsewhere."""
        return self.out.width

    def section(self, heading: str, lines: list[str]) -> None:
        """Lines of results that fit already, below a heading."""
        if heading:
            self.out.print(Text(heading, style="bold"), soft_wrap=True)
        for line in lines:
            self.out.print(Text(line), soft_wrap=True)
        self.out.print()

    def table(self, frame: pd.DataFrame, title: str = "") -> None:
        """A DataFrame as a table, with a heading where it has one."""
        from harness.report import table_text

        if title:
            self.out.print(Text(title, style="bold"), soft_wrap=True)
        if self.out.is_terminal:
            self.out.print(drawn(frame))
        else:
            sys.stdout.write(table_text.text(frame) + "\n")

    @contextmanager
    def progress(self) -> Iterator[Callable[[RunProgress], None] | None]:
        """A function that shows how far a run is, for as long as the block lasts."""
        if self.quiet:
            yield None
        elif self.err.is_terminal:
            with _bar(self.err) as bar:
                task = bar.add_task("jobs", total=None)

                def show(progress: RunProgress) -> None:
                    bar.update(
                        task,
                        total=progress.total,
                        completed=progress.done,
                        counts=counted(progress.counts),
                        tempo=tempo(progress),
                    )

                yield show
        else:
            yield _lines(self.note)


def counted(counts: dict[str, int]) -> str:
    """Outcomes that occurred, as ``finished 118, timeout 2``."""
    return ", ".join(f"{outcome} {number}" for outcome, number in counts.items() if number)


def plural(number: int, thing: str) -> str:
    """``1 job`` or ``2 jobs``."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def tempo(progress: RunProgress) -> str:
    """Jobs a second, and the time left as far as there is ground for an estimate."""
    left = "" if progress.left is None else f", {clock(progress.left)} left"
    return f"{progress.rate:.1f}/s{left}"


def clock(seconds: float) -> str:
    """``1:02:03`` or ``2:03``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _lines(note: Callable[[str], None]) -> Callable[[RunProgress], None]:
    due = perf_counter() + LINE_SECONDS

    def show(progress: RunProgress) -> None:
        nonlocal due
        if perf_counter() >= due:
            due = perf_counter() + LINE_SECONDS
            note(
                f"{progress.done} of {plural(progress.total, 'job')}, {tempo(progress)}: "
                f"{counted(progress.counts)}"
            )

    return show


class _Field(ProgressColumn):
    """A text that the task carries, shown as it is."""

    def __init__(self, name: str) -> None:
        self._name = name
        super().__init__()

    def render(self, task: Task) -> Text:
        return Text(str(task.fields.get(self._name, "")))


def _bar(console: Console) -> Bar:
    return Bar(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        _Field("tempo"),
        _Field("counts"),
        console=console,
        transient=True,
    )


def drawn(frame: pd.DataFrame) -> Any:
    """A DataFrame as rich draws it."""
    from rich import box
    from rich.table import Table

    from harness.report import table_text

    head, body, numeric = table_text.parts(frame)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name, right in zip(head, numeric, strict=True):
        table.add_column(Text(name), justify="right" if right else "left", overflow="fold")
    for row in body:
        table.add_row(*map(Text, row))
    return table
