"""What a verb shows: results on standard output, notes and errors on standard error.

On a terminal tables are drawn with rich; elsewhere they are plain aligned text. Text that comes
from instances, solvers and files is never taken for markup. Rich is imported when it is needed.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from harness.cli.command import FINE, TROUBLE

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console

    from harness.report.table_text import Rows

LONGEST_WHOLE = 30
"""Numbers and names of at most this many signs are never broken over lines."""

END_OF_INPUT = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"


class Screen:
    """Where a verb writes; ``status`` is its exit status so far.

    ``quiet`` silences progress and notes, never results or errors.
    """

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet
        self.status = FINE

    @cached_property
    def out(self) -> Console:
        """Standard output; a reader that has left is the caller's affair."""
        from rich.console import Console

        class Results(Console):
            def on_broken_pipe(self) -> NoReturn:  # rich would leave with the exit status 1
                raise BrokenPipeError

        return Results(highlight=False, markup=False, emoji=False)

    @cached_property
    def err(self) -> Console:
        """Standard error."""
        from rich.console import Console

        return Console(stderr=True, highlight=False, markup=False, emoji=False)

    def line(self, text: str) -> int:
        """One line of results, as it is; returns the exit status so far."""
        sys.stdout.write(text + "\n")
        return self.status

    def hang(self, start: str, text: str) -> None:
        """A line of results whose ``text`` continues below its own beginning where it must."""
        from harness.report.table_text import wrap

        for line in wrap(text, max(self.width - len(start), 20)):
            self.line((start + line).rstrip())
            start = " " * len(start)

    def flush(self) -> None:
        """What was written so far is seen, also through a pipe."""
        sys.stdout.flush()

    def note(self, text: str) -> None:
        """Print something that helps but is not a result."""
        if not self.quiet:
            self.err.out(text, highlight=False)

    def complain(self, text: str) -> None:
        """An error or a warning, after all results so far; shown even when quiet."""
        from rich.text import Text

        from harness.report.table_text import format_cell

        text = "\n".join(map(format_cell, text.split("\n")))  # a backend may have written it
        sys.stdout.flush()
        self.err.print(Text(text, style="red"), soft_wrap=not self.err.is_terminal)

    def report_fault(self, fault: object) -> None:
        """Something went wrong, so that the exit status is 1: a bad line of the input, say."""
        self.status = TROUBLE
        self.complain(str(fault))

    def report_faults(self, faults: Iterable[object]) -> int:
        """Each of them; returns the exit status so far."""
        for fault in faults:
            self.report_fault(fault)
        return self.status

    def await_input(self, source: str) -> None:
        """On a terminal: a verb that reads standard input would seem to hang."""
        if source == "-" and sys.stdin.isatty():
            self.note(f"Waiting for puzzles, one a line; {END_OF_INPUT} ends the input.")

    @property
    def width(self) -> int:
        """Columns of the terminal, or of ``COLUMNS``; 80 elsewhere."""
        return self.out.width

    def section(self, heading: str, lines: list[str]) -> None:
        """Lines of results that fit already, below a heading."""
        if heading:
            self.out.out(heading, style="bold", highlight=False)
        for line in [*lines, ""]:
            self.out.out(line, highlight=False)

    def table(self, rows: Rows, title: str = "") -> None:
        """Rows as a table, with a heading where it has one."""
        from harness.report.table_text import to_text

        if title:
            self.out.out(title, style="bold", highlight=False)
        if self.out.is_terminal:
            self.out.print(draw_table(rows))
        else:
            sys.stdout.write(to_text(rows) + "\n")

    def json(self, data: Any) -> int:
        """Results as JSON, tables as lists of their rows; returns the exit status so far."""
        sys.stdout.write(json.dumps(data, indent=2, default=_list_rows) + "\n")
        return self.status


def _list_rows(frame: pd.DataFrame) -> Any:
    return json.loads(frame.to_json(orient="records"))


def draw_table(rows: Rows) -> Any:
    """A table as rich draws it."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from harness.report.table_text import split

    head, body, numeric = split(rows)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for place, (name, right) in enumerate(zip(head, numeric, strict=True)):
        longest = max(len(row[place]) for row in [head, *body])
        table.add_column(
            Text(name),
            justify="right" if right else "left",
            overflow="fold",
            no_wrap=(right or not place) and longest <= LONGEST_WHOLE,
        )
    for row in body:
        table.add_row(*map(Text, row))
    return table
