"""What the command line shows: tables on standard output, notes and errors on standard error.

On a terminal tables are drawn with rich; elsewhere they are plain aligned text. Text that comes
from instances, solvers and files is never taken for markup.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    import pandas as pd


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
        """An error or a warning, after all results so far; shown even when quiet."""
        sys.stdout.flush()
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
        from harness.report.table_text import to_text

        if title:
            self.out.print(Text(title, style="bold"), soft_wrap=True)
        if self.out.is_terminal:
            self.out.print(draw_table(frame))
        else:
            sys.stdout.write(to_text(frame) + "\n")


def draw_table(frame: pd.DataFrame) -> Any:
    """A DataFrame as rich draws it."""
    from rich import box
    from rich.table import Table

    from harness.report.table_text import split

    head, body, numeric = split(frame)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name, right in zip(head, numeric, strict=True):
        table.add_column(Text(name), justify="right" if right else "left", overflow="fold")
    for row in body:
        table.add_row(*map(Text, row))
    return table
