"""`concord shrink`: the smallest question on which a solver is still wrong in the same way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from harness.cli import options
from harness.cli.command import FINE, verb
from harness.cli.screen import Screen
from modelling.errors import InputError
from modelling.wording import join_words, plural

if TYPE_CHECKING:
    from harness.hunting.findings import Finding
    from harness.hunting.shrinking import Size


@verb(
    "concord shrink findings/7",
    "concord shrink latest",
    "concord shrink mine 17 --seconds 300 --out small",
)
def shrink(
    dispute: str = options.argument(
        ..., "DIR|RUN", "Folder of a finding, or a run with a wrong answer."
    ),
    row: int | None = options.argument(
        None, "ROW", "Number of the job of the run (default: the first wrong one).", min=1
    ),
    seconds: float = options.seconds(60.0, "Time for shrinking in seconds."),
    out: Path | None = options.folder(
        None, "Folder of the small finding (default: shrunk, within that of the finding)."
    ),
    yes: bool = options.YES,
    offline: bool = options.OFFLINE,
    quiet: bool = options.QUIET,
    as_json: bool = options.JSON,
) -> int:
    """Make a wrong answer of a solver small, and write it up.

    Constraints, variables, values, tuples and options are left out as long as the solver is wrong
    in the same way. The folder gets the small finding, a script without Concord that shows the
    fault, and the text of an issue. To continue, give the same command again.
    """
    from harness.cli.consent import make_provider
    from harness.hunting.reporting import ISSUE, SCRIPT, report
    from harness.hunting.shrinking import measure
    from harness.hunting.shrinking import shrink as make_small

    screen = Screen(quiet)
    finding, folder = _read(dispute, row, out)
    make_provider(screen, yes, offline)([finding.backend])

    def tell(kind: str, size: Size, questions: int) -> None:
        screen.note(f"{kind}: {size} ({plural(questions, 'question')})")

    before = measure(finding)
    small, shrunk = make_small(finding, folder, seconds, tell)
    reported = report(small, folder)
    if as_json:
        from msgspec import to_builtins

        kept = {"folder": str(folder), "finding": small, "lines": reported.lines}
        return screen.json(to_builtins(kept) | to_builtins(shrunk))
    screen.hang("", f"{' '.join(filter(None, (small.backend, small.version)))}: {small.fault}")
    screen.hang("before: ", str(before))
    screen.hang("after:  ", str(measure(small)))
    end = "Nothing more can be taken away" if shrunk.is_smallest else "The time is over"
    screen.hang("", f"{end}: {plural(shrunk.questions, 'question')} in {shrunk.seconds:.1f} s.")
    screen.hang("", f"{folder} has {join_words(['finding.json', ISSUE, *reported.files])}.")
    if reported.lines:
        lines = plural(reported.lines, "line")
        screen.hang("", f"{SCRIPT} shows the fault in {lines}, without Concord.")
    elif not reported.files:
        screen.note(f"No script shows the fault: {reported.why}")
    return FINE


def _read(dispute: str, row: int | None, out: Path | None) -> tuple[Finding, Path]:
    """The finding, and where the small one goes."""
    from harness.hunting.findings import FILE, Finding
    from harness.hunting.stored_disputes import make_finding
    from harness.runs.loading import load_run

    folder = Path(dispute)
    if (folder / FILE).exists():
        if row is not None:
            raise InputError("ROW belongs to a run; a folder of a finding has one answer alone")
        return Finding.read(folder), out or folder / "shrunk"
    run = load_run(dispute)
    finding = make_finding(run, row)
    return finding, out or Path("findings") / f"{run.folder.name}-{row or 'first'}"
