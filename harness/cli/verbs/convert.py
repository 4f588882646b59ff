"""`concord convert`: puzzles and problems into other formats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

import backends  # noqa: F401 - it registers writers of formats
from harness.cli import options
from harness.cli.bars import count_items
from harness.cli.command import verb
from harness.cli.screen import Screen
from modelling.errors import InputError, InstanceError, ModelError
from modelling.formats import FORMATS, Format, find_format

if TYPE_CHECKING:
    from puzzles.sudoku import formats

PUZZLES = "lines, sdm, sdk, ss, pencilmarks, csv, jsonl, hodoku, opensudoku"
"""Those of ``puzzles.sudoku.formats``, which is not imported for the help."""

PROBLEMS = ", ".join(form.name for form in FORMATS if form.writes)

PARTS = {"name": "names", "solution": "solutions", "placed": "placed digits"}


@verb(
    "concord convert sudoku --to sdk",
    "concord convert game.ss --to lines --out game.txt",
    "concord convert puzzles.csv --from csv --out puzzles.opensudoku --force",
    "concord convert model.xml.lzma --to flatzinc > model.fzn",
    "concord convert knapsack --to lp --out models/",
)
def convert(
    source: str = options.argument(
        "-", "FILE|FOLDER|SET|-", "A file in any format, or a set; - is standard input."
    ),
    to: str | None = options.value(
        None,
        "FORMAT",
        f"Format to write: of Sudoku {PUZZLES}; of any problem {PROBLEMS} (default: by the ending "
        "of --out).",
    ),
    origin: str | None = options.value(
        None, "FORMAT", "Format to read (default: recognised from the file).", "--from"
    ),
    family: str | None = options.value(None, "F", "Puzzle family of the lines of a file."),
    out: Path | None = options.file(
        "Output file, or folder for several problems (default: standard output)."
    ),
    force: bool = options.FORCE,
    quiet: bool = options.QUIET,
) -> int:
    """Convert puzzles and problems into another format.

    Sudoku are converted from and into the formats of Sudoku, with the data beside the givens.
    Instances of any family are written in the formats of problems, one file each. Standard error
    says what the new format cannot hold. What cannot be read or written is left out, with its place
    and the cause, and the exit status is 1.
    """
    from puzzles.sudoku import formats

    target = _find_target(to, out, source, family)
    screen = Screen(quiet)
    if isinstance(target, Format):
        read = None if origin is None else find_format(origin)
        return _convert_problems(screen, source, family, read, target, out, force)
    if family not in (None, "sudoku"):
        raise InputError(f"{target.name} is a format of Sudoku, not of the family {family}")
    given = formats.by_name(origin) if origin else None
    return _convert_sudokus(screen, source, given, target, out, force)


def _find_target(
    to: str | None, out: Path | None, source: str, family: str | None
) -> Format | formats.Format:
    """The format by its name, or by the ending of the file; two formats have ``.xml``."""
    from puzzles.family import DEFAULT_FAMILY, find_by_ending
    from puzzles.files import plain_name
    from puzzles.formats import check_format
    from puzzles.sudoku import formats

    if to is not None:
        check_format(to, [*formats.FORMATS, *(form.name for form in FORMATS)])
        return formats.by_name(to) if to in formats.FORMATS else find_format(to)
    found = formats.by_ending(str(out)) if out else None
    is_puzzle = (family or find_by_ending(source) or DEFAULT_FAMILY) == DEFAULT_FAMILY
    if found is not None and is_puzzle:
        return found
    name = plain_name(str(out or "")).lower()
    for form in FORMATS:
        if form.writes and name.endswith(form.endings):
            return form
    raise InputError(f"name the format to write with --to (there are: {PUZZLES}, {PROBLEMS})")


def _convert_sudokus(
    screen: Screen,
    source: str,
    given: formats.Format | None,
    target: formats.Format,
    out: Path | None,
    force: bool,
) -> int:
    from harness.cli.output_file import open_output
    from puzzles.sudoku.entries import writable_entries

    lost: Counter[str] = Counter()
    written = 0

    def keep_writable() -> Iterator[formats.Entry]:
        nonlocal written
        for found in writable_entries(source, given, target):
            if isinstance(found, InstanceError):
                screen.report_fault(found)
            else:
                written += 1
                lost.update(target.lost(found))
                yield found

    entries = keep_writable()
    screen.await_input(source)
    first = list(islice(entries, 1))  # an input that cannot be read leaves no half of a document
    entries = chain(first, entries)
    with open_output(out, force) as stream:
        shown = entries if out is None else count_items(entries, screen, "puzzles")
        stream.writelines(target.write(shown))
    if lost:
        parts = ", ".join(f"{PARTS.get(part, part)} ({number})" for part, number in lost.items())
        screen.complain(f"{target.name} cannot hold everything; left out: {parts}")
    if out is not None:
        screen.note(f"{written} puzzles: {out}")
    return screen.status


def _convert_problems(
    screen: Screen,
    source: str,
    family: str | None,
    origin: Format | None,
    target: Format,
    out: Path | None,
    force: bool,
) -> int:
    from harness.cli.output_file import name_file, open_output
    from puzzles.sets.reading import read_problems

    if not target.writes:
        raise InputError(f"{target.name} is read and not written (are written: {PROBLEMS})")
    screen.await_input(source)
    problems = read_problems(source, family, origin)
    first = list(islice(problems, 2))  # one file, or a folder for several
    is_folder = out is not None and (out.is_dir() or not out.suffix)
    if len(first) > 1 and not is_folder:
        raise InputError(
            f"{source} holds several problems, and a file of {target.name} one; name a folder "
            "with --out"
        )
    if is_folder and out is not None:
        out.mkdir(parents=True, exist_ok=True)
    taken: set[str] = set()
    entries = chain(first, problems)
    for found in entries if out is None else count_items(entries, screen, "problems"):
        if isinstance(found, InstanceError):
            screen.report_fault(found)
            continue
        name, place, problem = found
        try:
            pieces = list(target.write(problem))  # whole, or not at all
        except ModelError as error:
            screen.report_fault(f"{place}: {error}")
            continue
        path = (
            out / name_file(name, target.endings[0], taken)
            if is_folder and out is not None
            else out
        )
        with open_output(path, force) as stream:
            stream.writelines(pieces)
    return screen.status
