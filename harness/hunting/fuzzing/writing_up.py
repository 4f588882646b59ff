"""A finding of each cause is made small and written up, for the author of the solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.hunting.findings import FILE, Finding
from harness.hunting.fuzzing.hunt import Found
from harness.hunting.reporting import SCRIPT, report
from harness.hunting.shrinking import measure, shrink
from modelling.errors import ConcordError

FOLDER = "shrunk"


@dataclass(frozen=True)
class WrittenUp:
    """What became of a cause: the size of the small finding, the script if there is one, and else
    why there is none."""

    cause: str
    size: str = ""
    script: Path | None = None
    why: str = ""


def write_up(found: Iterable[Found], seconds: float) -> Iterator[WrittenUp]:
    """Each cause in turn, with ``seconds`` for it; those that have a small finding are left out."""
    for one in found:
        first = one.folder / "1"
        if (first / FILE).exists() and not (one.folder / FOLDER / FILE).exists():
            yield _write_up(one, first, seconds)


def _write_up(one: Found, first: Path, seconds: float) -> WrittenUp:
    folder = one.folder / FOLDER
    try:
        small, _ = shrink(Finding.read(first), folder, seconds)
        reported = report(small, folder)
    except ConcordError as error:
        return WrittenUp(one.cause, why=str(error))
    script = folder / SCRIPT if reported.lines else None
    return WrittenUp(one.cause, str(measure(small)), script, reported.why)
