"""How small the findings of a hunt become, and how soon.

    python -m results.studies.evidence.shrunk HUNT [--seconds 120] [--most 60] [--out FOLDER]

``HUNT`` is the folder of a hunt, such as that of ``results.studies.correctness.found_again --run``.
The first finding of each cause is shrunk as ``concord shrink`` does it, in a folder of its own, and
written up. Where there are more than ``--most`` causes, as many are taken, evenly spread over their
names. A cause that cannot be reproduced is a row as well.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import msgspec

from harness.hunting.findings import FILE, Finding
from harness.hunting.reporting import report as write_report
from harness.hunting.shrinking import measure as measure_size
from harness.hunting.shrinking import shrink
from modelling.errors import ConcordError, InputError
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, argument, option

MOST_VARIABLES, MOST_CONSTRAINTS, MOST_LINES = 4, 3, 20
"""What a report should be no longer than, so that an author of the solver reads it."""


class Row(msgspec.Struct):
    """One cause: the size of its finding ``before`` and after, and the lines of its script.

    ``lines`` is 0 where a program reads a file in place of a script, or where nothing shows the
    fault: ``why`` says which. ``seconds`` are wall time, of shrinking and writing up.
    """

    cause: str
    backend: str
    before: str
    seconds: float
    variables: int = 0
    constraints: int = 0
    lines: int = 0
    is_smallest: bool = False
    why: str = ""

    @property
    def is_short(self) -> bool:
        """Whether an author of the solver would read it."""
        fits = self.variables <= MOST_VARIABLES and self.constraints <= MOST_CONSTRAINTS
        return not self.why and fits and self.lines <= MOST_LINES


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """Shrink one finding of each cause."""
    folders = sorted(path.parents[1] for path in chosen.hunt.glob(f"findings/*/1/{FILE}"))
    if not folders:
        raise InputError(f"{chosen.hunt}: no hunt with findings is there")
    for folder in spread(folders, chosen.most):
        if folder.name not in known:
            yield shrink_one(folder.name, Finding.read(folder / "1"), chosen.seconds)


def spread(folders: Sequence[Path], most: int) -> list[Path]:
    """As many of them, at equal distances."""
    number = min(most, len(folders))
    return [folders[k * len(folders) // number] for k in range(number)]


def shrink_one(cause: str, finding: Finding, seconds: float) -> Row:
    """The row of one cause."""
    began = monotonic()
    row = Row(cause, finding.backend, str(measure_size(finding)), 0.0)
    with TemporaryDirectory() as folder:
        try:
            small, shrunk = shrink(finding, Path(folder), seconds)
            written = write_report(small, Path(folder))
        except ConcordError as error:
            row.why = str(error)
        else:
            size = measure_size(small)
            row.variables, row.constraints = size.variables, size.constraints
            row.lines, row.is_smallest = written.lines, shrunk.is_smallest
            row.why = "" if written.files else written.why
    row.seconds = round(monotonic() - began, 2)
    return row


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The page: how many are short, how soon, and each cause."""
    short = [row for row in rows if row.is_short]
    soon = sum(row.seconds <= chosen.seconds for row in short)
    lines = (
        f"{row.cause} | {row.before} | {row.variables} | {row.constraints} | {row.lines or 'file'} "
        f"| {row.seconds:.1f} | {row.why or ('' if row.is_short else 'long')}"
        for row in rows
    )
    heads = "cause | before | variables: | constraints: | lines: | s: | why not"
    return join_page(
        "# How small the findings of a hunt become",
        f"{len(short)} of {len(rows)} findings, one of each cause, have at most {MOST_VARIABLES} "
        f"variables, {MOST_CONSTRAINTS} constraints, and a script of {MOST_LINES} lines that runs "
        f"alone, or the file that a program reads; {soon} within {chosen.seconds:g} s.",
        list_table(heads, lines),
        f"Made by `{chosen.command}`.",
    )


STUDY = Study(
    "evidence.shrunk",
    __doc__,
    Row,
    key=lambda row: row.cause,
    measure=measure,
    report=report,
    describe=lambda row: f"{row.seconds:6.1f} s  {row.cause}  {row.why}",
    keeps=True,
    options=(
        argument("hunt", "folder of a hunt"),
        option("--seconds", 120.0, "time for a finding"),
        option("--most", 60, "causes that are shrunk"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
