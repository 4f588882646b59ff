"""`concord convert`: puzzles from one format into another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Annotated

import typer

from harness.cli import options
from harness.cli.command import verb
from harness.cli.screen import Screen
from modelling.errors import InputError

FORMATS = "lines, sdm, sdk, ss, pencilmarks, csv, jsonl, hodoku, opensudoku"
"""Those of ``puzzles.sudoku.formats``, which is not imported for the help."""

PARTS = {"name": "names", "solution": "solutions", "placed": "placed digits"}


@verb(
    "concord convert sudoku --to sdk",
    "concord convert game.ss --to lines --out game.txt",
    "concord convert puzzles.csv --from csv --out puzzles.opensudoku --force",
)
def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|SET|-", help="A file in any format, or a set; - is standard input."
        ),
    ] = "-",
    to: Annotated[
        str | None,
        options.value("FORMAT", f"Format to write ({FORMATS}; default: by the ending of --out)."),
    ] = None,
    origin: Annotated[
        str | None,
        options.value("FORMAT", "Format to read (default: recognised from the file).", "--from"),
    ] = None,
    out: options.OutFile = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> int:
    """Convert puzzles into another format.

    Standard error says what the new format cannot hold. Puzzles that cannot be read or written are
    left out, each with its place and the cause, and the exit status is 1.
    """
    from harness.cli.bars import count_items
    from harness.cli.output_file import open_output
    from puzzles.sudoku import formats
    from puzzles.sudoku.entries import entries as entries_of
    from puzzles.sudoku.formats.entry import fault

    target = formats.by_name(to) if to else formats.by_ending(str(out)) if out else None
    if target is None:
        raise InputError(
            f"name the format to write with --to (there are: {', '.join(formats.FORMATS)})"
        )
    given = formats.by_name(origin) if origin else None
    screen = Screen(quiet)
    name = "stdin" if source == "-" else source
    lost: Counter[str] = Counter()
    written = 0

    def keep_writable() -> Iterator[formats.Entry]:
        nonlocal written
        for found in entries_of(source, given):
            error: object = found
            if isinstance(found, formats.Entry):
                refused = target.refusal(found.layout)
                error = f"{found.grid.place(name, 0)}: {refused}" if refused else fault(found, name)
                if error is None:
                    written += 1
                    lost.update(target.lost(found))
                    yield found
                    continue
            screen.report_fault(error)

    entries = keep_writable()
    screen.await_input(source)
    with open_output(out, force) as stream:
        shown = entries if out is None else count_items(entries, screen, "puzzles")
        stream.writelines(target.write(shown))
    if lost:
        parts = ", ".join(f"{PARTS.get(part, part)} ({number})" for part, number in lost.items())
        screen.complain(f"{target.name} cannot hold everything; left out: {parts}")
    if out is not None:
        screen.note(f"{written} puzzles: {out}")
    return screen.status
