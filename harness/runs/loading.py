"""Runs found by their names, and read, also while they go on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from stat import S_ISREG

from harness.judge.validate import RULES, validate
from harness.record import Row
from harness.report.run import Run
from harness.runs.reference import RECORDS, read_reference
from harness.store.store import EXPERIMENT, NAME, Store
from modelling.errors import StoreError

RUNS = Path("results") / "runs"


def find(name: Path | str) -> Path:
    """The folder of a run: its path, its name under results/runs, or ``latest``.

    Raises StoreError where there is none, or it may not be entered.
    """
    given = Path(name)
    if _is_run(given):
        return given
    runs = sorted(path for path in RUNS.glob("*") if _is_open_run(path))
    if str(name) == "latest":
        if not runs:
            raise StoreError(f"there is no run under {RUNS}; make one with `concord compare`")
        return max(runs, key=_begun)
    if _is_run(RUNS / given):
        return RUNS / given
    known = ", ".join(path.name for path in sorted(runs, key=_begun)[-5:]) or "none"
    kind = "is not a run" if given.exists() else "does not exist"
    raise StoreError(
        f"{name} {kind}: it has neither {NAME} nor {RECORDS}; the latest under {RUNS}: {known}"
    )


def _is_run(folder: Path) -> bool:
    try:
        return _is_file(folder / NAME) or _is_file(folder / RECORDS)
    except OSError as error:
        raise StoreError(f"{folder} cannot be looked into: {error.strerror}") from error


def _is_open_run(folder: Path) -> bool:
    """Whether it is a run that may be read: another's private run is not in the way of mine."""
    try:
        return _is_run(folder)
    except StoreError:
        return False


def _is_file(path: Path) -> bool:
    """As ``Path.is_file``, but raises OSError in every Python where that cannot be told."""
    try:
        return S_ISREG(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False


def _begun(folder: Path) -> tuple[float, str]:
    """When a run was begun: its experiment is written first and never again."""
    mark = folder / EXPERIMENT
    return (mark if mark.exists() else folder).stat().st_mtime, folder.name


def load(folder: Path | str) -> Run:
    """The run in ``folder`` (see ``find``), or the reference; also while it goes on.

    Records that have not been validated yet, or by other rules than today's, are validated here,
    and nothing is written.
    """
    path = find(folder)
    return _from_store(path) if (path / NAME).is_file() else read_reference(path)


def _from_store(folder: Path) -> Run:
    store = Store.open(folder)
    try:
        ended = store.number_of("records")
        rules = store.rules()
        judged = store.number_of("verdicts") == ended and (rules is None or rules[1] == RULES)
        return Run(
            folder=folder,
            experiment=store.experiment(),
            total=store.number_of("jobs"),
            ended=ended,
            rows=lambda: _rows(folder, judged=judged),
            machines=store.machines(),
            probes=store.probes(),
            versions=store.versions(),
            bad_lines=store.bad_lines(),
            judging=_judging(rules),
        )
    finally:
        store.close()


def _judging(rules: tuple[int, int] | None) -> str:
    """What to say of a store whose answers were first judged by other rules than today's."""
    if rules is None or set(rules) == {RULES}:
        return ""
    return (
        f"This run was judged before by rules {rules[0]}; its answers were judged anew, by the "
        f"rules of this version ({RULES})."
    )


def _rows(folder: Path, *, judged: bool) -> Iterator[Row]:
    store = Store.open(folder)
    try:
        if judged:
            yield from store.rows()
            return
        store.judge_aside(validate(store.rows(by_instance=True, verdicts=False)))
        for row in store.rows():
            if row.verdict is not None:  # else it has ended since
                yield row
    finally:
        store.close()
