"""Runs found by their names and read, also while they continue; and the form that is committed.

A run is a folder with ``store.sqlite`` (everything), ``experiment.toml`` and ``tables/``. A
*reference* is a run in the form that is committed: a folder with ``records.jsonl.gz``,
``machines.json`` (also versions, bad lines, and how noisy it was), ``experiment.toml`` and the
tables. Both read alike.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from stat import S_ISREG
from typing import Any

import msgspec

from harness.job import Job
from harness.judge.validate import RULES, translate_verdict, validate
from harness.machine import Machine
from harness.noise import Probe
from harness.plan.experiment import Experiment
from harness.plan.reading import dump, read
from harness.record import Record, Row, Verdict, Version
from harness.store.files import EXPERIMENT, NAME
from harness.store.keys import find_exposure
from harness.store.marks import COLUMNS, DETAILS, LEAST_JOBS, Mark, digest_file
from harness.store.reading import StoreReader
from harness.store.sealing import Findings
from harness.store.store import Store
from modelling.errors import InstanceError, StoreError
from modelling.versions import find_version
from modelling.wording import did_you_mean
from puzzles.files import replace_file

RUNS = Path("results") / "runs"
RECORDS = "records.jsonl.gz"
MACHINES = "machines.json"


@dataclass(eq=False)
class RunData:
    """What is known of a run; ``harness.report.run.Run`` is one with its tables.

    ``total`` counts the jobs of the run, those still to do included, ``ended`` those that have a
    record. ``open`` gives the store to read the latter from, with a verdict on each by today's
    rules. ``judging`` says by which rules the answers were judged, if not by those alone.
    ``tamper`` is what another program has done to the records, or what is impossible in them, and
    ``trust`` why nothing shows that. ``is_marked`` says that the columns beside the store are those
    of its records (``harness.store.marks``), and ``details`` is the digest of the other ones.
    """

    folder: Path
    experiment: Experiment | None
    total: int
    ended: int
    open: Callable[[], AbstractContextManager[StoreReader]]
    machines: list[Machine] = field(default_factory=list)
    probes: list[Probe] = field(default_factory=list)
    versions: list[Version] = field(default_factory=list)
    bad_lines: list[InstanceError] = field(default_factory=list)
    judging: str = ""
    tamper: list[str] = field(default_factory=list)
    trust: list[str] = field(default_factory=list)
    is_marked: bool = False
    details: str = ""

    @property
    def complete(self) -> bool:
        """Whether every job has ended."""
        return self.ended == self.total

    def rows(self) -> Iterator[Row]:
        """The jobs that have ended, with records and verdicts, in order of execution."""
        with self.open() as store:
            yield from store.read_rows()

    def read_columns(self, names: Sequence[str]) -> Iterator[dict[str, Sequence[Any]]]:
        """The same, but only what is called so, by name: for a page of jobs each."""
        with self.open() as store:
            yield from store.read_columns(names)


# --- finding -------------------------------------------------------------------------------


def find_run(name: Path | str) -> Path:
    """The folder of a run: its path, its name under results/runs, or ``latest``.

    Raises StoreError where there is none, or it may not be entered.
    """
    given = Path(name)
    if _is_run(given):
        return given
    runs = [path for _, path in open_runs(RUNS)]
    if str(name) == "latest":
        if not runs:
            raise StoreError(f"there is no run under {RUNS}; make one with `concord compare`")
        return runs[-1]
    if _is_run(RUNS / given):
        return RUNS / given
    known = ", ".join(path.name for path in runs[-5:]) or "none"
    if given.exists():
        raise StoreError(
            f"{name} is not a run: it has neither {NAME} nor {RECORDS}; the latest under {RUNS}: "
            f"{known}"
        )
    hint = did_you_mean(str(name), ["latest", *(path.name for path in runs)])
    raise StoreError(f"{name} does not exist{hint} (the latest under {RUNS}: {known})")


def make_folder(name: str) -> Path:
    """A new folder for a run called ``name``: under results/runs, with the time in UTC.

    It is there, so that no other run takes the same. Raises StoreError if none can be made.
    """
    stem = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{name}"
    folder, number = RUNS / stem, 1
    while True:
        try:
            folder.mkdir(parents=True)
            return folder
        except FileExistsError:
            number += 1
            folder = RUNS / f"{stem}-{number}"
        except OSError as error:
            raise StoreError(
                f"{folder} cannot be made: {error}; choose another folder with --out "
                "(in Python: out=)"
            ) from error


def open_runs(folder: Path) -> list[tuple[float, Path]]:
    """The runs in ``folder`` that may be read, each with when it was begun, the latest last."""
    found = []
    for path in folder.glob("*"):
        with suppress(StoreError):  # another's private run is not in the way of mine
            if _is_run(path):
                mark = path / EXPERIMENT  # it is written first and never again
                found.append(((mark if mark.exists() else path).stat().st_mtime, path))
    return sorted(found)


def _is_run(folder: Path) -> bool:
    for name in (NAME, RECORDS):
        try:
            if S_ISREG((folder / name).stat().st_mode):
                return True
        except (FileNotFoundError, NotADirectoryError, ValueError):
            pass
        except OSError as error:  # which not every Python's Path.is_file raises
            raise StoreError(f"{folder} cannot be opened: {error.strerror}") from error
    return False


# --- reading -------------------------------------------------------------------------------


def load_run(folder: Path | str) -> RunData:
    """The run in ``folder`` (see ``find_run``), or the reference; also while it continues.

    Records that have not been validated yet, or by other rules than today's, are validated here,
    and nothing is written.
    """
    path = find_run(folder)
    return _read_store(path) if (path / NAME).is_file() else _read_reference(path)


def mark_store(
    run: RunData, write_columns: Callable[[Path], None], write_details: Callable[[Path], None]
) -> None:
    """Remember that a large store is sound, and keep columns of it, so that it loads fast.

    Nothing is remembered of a run that continues, of a damaged or an unsealed store, or where the
    folder cannot be written.
    """
    path = run.folder / NAME
    if run.is_marked or run.ended < LEAST_JOBS or not path.is_file():
        return
    with suppress(OSError), closing(Store.open(run.folder)) as store:
        before = digest_file(path)
        found, left_out = _examine(store)
        judged = store.count("verdicts") == store.count("records")
        is_current = store.read_rules() == (RULES, RULES)
        is_same = sum(store.count_outcomes().values()) == run.ended
        if left_out or not (found.are_verdicts_ours and judged and is_current and is_same):
            return
        for name, write in ((COLUMNS, write_columns), (DETAILS, write_details)):
            with replace_file(run.folder / name) as beside:
                write(beside)
        mark = Mark(
            store=before,
            columns=digest_file(run.folder / COLUMNS),
            details=digest_file(run.folder / DETAILS),
            total=run.total,
            ended=run.ended,
            rules=RULES,
            concord=find_version() or "",
        )
        store.write_mark(mark)


def _recall(store: Store) -> tuple[Mark, Findings] | None:
    """What is remembered of a store by this version of Concord."""
    found = store.read_mark()
    is_ours = found and (found[0].rules, found[0].concord) == (RULES, find_version() or "")
    return found if is_ours else None


def _read_store(folder: Path) -> RunData:
    with closing(Store.open(folder)) as store:
        recalled = _recall(store)
        mark, (found, left_out) = (
            (None, _examine(store)) if recalled is None else (recalled[0], (recalled[1], set()))
        )
        tamper = found.list_faults()
        if tamper and not found.is_lost:
            tamper.append(
                "the other records about the same instances are not used either; put it right "
                f"with: concord run --resume {folder}"
            )
        tamper += found.account.faults if found.account is not None else ()
        rules = store.read_rules()
        judging = (
            f"This run was judged before by rules {rules[0]}; its answers were judged anew, by the "
            f"rules of this version ({RULES})."
            if rules is not None and set(rules) != {RULES}
            else ""
        )
        return RunData(
            folder=folder,
            experiment=store.read_experiment(),
            total=sum(store.count_planned().values()) if mark is None else mark.total,
            ended=sum(store.count_outcomes().values()) if mark is None else mark.ended,
            is_marked=mark is not None,
            details="" if mark is None else mark.details,
            open=partial(_open_judged, folder, left_out, judged=found.are_verdicts_ours),
            machines=store.read_machines(),
            probes=store.read_probes(),
            versions=store.read_versions(),
            bad_lines=store.read_bad_lines(),
            judging=judging,
            tamper=tamper,
            trust=[*found.list_notes(), *_describe_key(found)],
        )


def _describe_key(found: Findings) -> list[str]:
    exposure = find_exposure() if found.trust == "authentic" else ""
    return [exposure] if exposure else []


def _examine(store: StoreReader) -> tuple[Findings, set[int]]:
    """What is wrong with a store, and the jobs whose records are left out for it from now on."""
    found = store.examine()
    left_out = _choose_left_out(store, found)
    if left_out:
        store.leave_out(left_out)
    return found, left_out


def _choose_left_out(store: StoreReader, found: Findings) -> set[int]:
    """The jobs whose records are not used: where one is spoilt, all about its instance, so that
    nobody is ahead of others whose records are missing."""
    if found.is_lost:
        return store.list_jobs()
    spoilt = set(found.spoilt)
    if found.missing:
        spoilt.update(job.number for job in store.read_pending())
    return store.list_with_same_instance(spoilt) if spoilt else spoilt


@contextmanager
def _open_judged(folder: Path, left_out: set[int], *, judged: bool) -> Iterator[StoreReader]:
    with closing(Store.open(folder)) as store:
        rules = store.read_rules()
        is_judged = store.count("verdicts") == store.count("records")
        if left_out:
            store.leave_out(left_out)
            is_judged = False
        if not judged or not is_judged or (rules is not None and rules[1] != RULES):
            store.overlay_verdicts(validate(store.read_rows(by_instance=True, verdicts=False)))
        yield store


# --- references ----------------------------------------------------------------------------


class _Described(msgspec.Struct):
    """What ``machines.json`` says; ``rules`` are those by which the answers were judged."""

    total: int | None = None
    machines: list[Machine] = []
    probes: list[Probe] = []
    versions: list[Version] = []
    rules: int = 1
    bad_lines: list[tuple[str, str]] = []


class _Line(msgspec.Struct):
    """A row whose verdict may be in the words of earlier rules."""

    job: Job
    record: Record
    verdict: dict[str, Any] | None = None


_EARLIER = (
    "This reference was judged by rules {0}, not by those of this version ({1}): its verdicts "
    "stand as they were, in the words of today."
)


def write_reference(run: RunData, folder: Path | str, *, texts: bool = False) -> None:
    """Write what is committed of a run, but for its tables, into ``folder``.

    The instances' texts are left out unless ``texts``, since sets may not be ours to publish;
    set, name and digest identify each.
    """
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
        with (
            open(target / RECORDS, "wb") as raw,
            # Neither name nor time goes into the header: equal records, equal bytes.
            gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as lines,
        ):
            for row in run.rows():
                if not texts:
                    job = msgspec.structs.replace(row.job, text="", source="")
                    row = msgspec.structs.replace(row, job=job)
                lines.write(msgspec.json.encode(row) + b"\n")
        bad_lines = [(error.place, error.cause) for error in run.bad_lines]
        described = _Described(run.total, run.machines, run.probes, run.versions, RULES, bad_lines)
        text = msgspec.json.format(msgspec.json.encode(described), indent=2)
        (target / MACHINES).write_bytes(text + b"\n")
        if run.experiment is not None:
            (target / EXPERIMENT).write_text(dump(run.experiment), encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{folder} cannot be written: {error.strerror or error}") from error


def _read_reference(folder: Path) -> RunData:
    path = folder / MACHINES
    text = path.read_bytes() if path.is_file() else b"{}"
    described = msgspec.json.decode(text, type=_Described)
    with closing(Store.hold(folder, _read_lines(folder))) as store:
        found, left_out = _examine(store)
        ended = sum(store.count_outcomes().values())
    return RunData(
        folder=folder,
        # Read without the checks of a run to come: its backends may not be installed here.
        experiment=read(folder / EXPERIMENT) if (folder / EXPERIMENT).is_file() else None,
        total=ended if described.total is None else described.total,
        ended=ended,
        open=partial(_open_held, folder, left_out),
        machines=described.machines,
        probes=described.probes,
        versions=described.versions,
        bad_lines=[InstanceError(cause, place) for place, cause in described.bad_lines],
        judging="" if described.rules == RULES else _EARLIER.format(described.rules, RULES),
        tamper=found.list_faults(),
    )


@contextmanager
def _open_held(folder: Path, left_out: set[int]) -> Iterator[StoreReader]:
    with closing(Store.hold(folder, _read_lines(folder))) as store:
        if left_out:
            store.leave_out(left_out)
        yield store


def _read_lines(folder: Path) -> Iterator[Row]:
    path = folder / RECORDS
    decode = msgspec.json.Decoder(_Line).decode
    number = 0
    try:
        with gzip.open(path, "rb") as lines:
            for number, text in enumerate(lines, 1):  # noqa: B007 - read by the handler below
                line = decode(text)
                if line.verdict is not None:
                    word, backend = str(line.verdict["verdict"]), line.job.backend
                    line.verdict["verdict"] = translate_verdict(word, backend)
                verdict = msgspec.convert(line.verdict, Verdict | None)
                yield Row(job=line.job, record=line.record, verdict=verdict)
    except (OSError, EOFError, msgspec.MsgspecError) as error:
        raise StoreError(f"{path}: cannot be read after line {number}: {error}") from error
