"""What is read from a store: by each kind of reader with one query, a page at a time.

Between two pages nothing is locked, so a run that continues meanwhile is not held up, and a million
jobs take no more memory than a thousand.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from harness.job import Job
from harness.machine import Machine
from harness.noise import Probe
from harness.plan.experiment import Experiment
from harness.record import Row, Verdict, Version
from harness.store import files, marks, schema, sealing
from harness.store.files import NAME
from harness.store.marks import Mark
from harness.store.schema import JOB_FIELDS, RECORD_FIELDS, VERDICT_FIELDS
from harness.store.sealing import Findings
from modelling.errors import InstanceError, StoreError

PAGE = 1000
"""Jobs that are read at a time, or instances of which all jobs are."""

_IN_ORDER = "jobs.number > ? {and_also} ORDER BY jobs.number LIMIT ?"
_BY_INSTANCE = (
    "jobs.instance > ? AND jobs.instance <= ? {and_also} ORDER BY jobs.instance, jobs.number"
)
_IS_PENDING = "AND NOT EXISTS (SELECT 1 FROM records WHERE records.job = jobs.number)"
_WITH_RECORD = "JOIN records ON records.job = jobs.number"
_USED = "AND records.job NOT IN (SELECT job FROM temp.left_out)"
_WITH_VERDICT = "JOIN verdicts ON verdicts.job = jobs.number"

Cells = tuple[Any, ...]
Answer = TypeVar("Answer")


class EndedJobs(NamedTuple):
    """The jobs of a backend that ended in one way: how many, their seconds of wall clock in all and
    at the most, and when the last one ended."""

    backend: str
    outcome: str
    number: int
    total_s: float
    max_s: float
    last: str


class StoreReader:
    """Reads a store; what cannot be read, or is damaged, is a StoreError."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self.folder = folder
        self._connection = connection
        self._recorded = _WITH_RECORD  # how the records are found that are read
        self._verdicts = f"LEFT {_WITH_VERDICT}"
        self._is_pending = _IS_PENDING

    @property
    def _is_busy(self) -> bool:
        """Whether a commit is under way; whoever only reads has none."""
        return False

    def _settle(self) -> None:
        """Wait for the commit under way: the connection may then be used for something else."""

    def read_pending(self) -> Iterator[Job]:
        """The jobs without a record, in order.

        A page is read ahead, at a moment when no commit is under way if there is one: whoever
        looks after limits is not to wait for a slow disk.
        """
        pages = self._read_in_order(JOB_FIELDS, "", self._is_pending)
        ahead: deque[Cells] = deque()
        is_last = False
        while True:
            if not is_last and (not ahead or (len(ahead) < PAGE and not self._is_busy)):
                page = next(pages, [])
                is_last = len(page) < PAGE
                ahead += page
            if not ahead:
                return
            yield self._give(ahead.popleft())

    def read_pending_by_instance(self) -> Iterator[Job]:
        """The jobs without a record; those of one instance follow each other."""
        for page in self._read_by_instance(JOB_FIELDS, "", self._is_pending):
            for cells in page:
                yield self._give(cells)

    def _give(self, cells: Cells) -> Job:
        """A pending job, to be run."""
        return self._decode(schema.decode_job, cells)

    @contextmanager
    def of_backend(self, name: str) -> Iterator[None]:
        """In the block no job of another backend is pending."""
        quoted = name.replace("'", "''")
        self._is_pending = f"{_IS_PENDING} AND jobs.backend = '{quoted}'"
        try:
            yield
        finally:
            self._is_pending = _IS_PENDING

    def list_pending_backends(self) -> list[str]:
        """The backends that have jobs without a record, in the order of these jobs."""
        found = self._all(
            f"SELECT backend FROM jobs WHERE true {_IS_PENDING} GROUP BY backend "
            "ORDER BY MIN(number)"
        )
        return [backend for (backend,) in found]

    def read_rows(self, *, by_instance: bool = False, verdicts: bool = True) -> Iterator[Row]:
        """Every job that has a record, with its verdict if there is one (and ``verdicts``).

        In order of execution, or such that the jobs of one instance follow each other.
        """
        read = self._read_by_instance if by_instance else self._read_in_order
        names = [*JOB_FIELDS, *RECORD_FIELDS, *(VERDICT_FIELDS if verdicts else ())]
        for page in read(names, self._judged if verdicts else self._recorded):
            for cells in page:
                yield self._decode(schema.decode_row, cells)

    def find_row(self, number: int) -> Row | None:
        """The job of this number, if it has a record."""
        names = [*JOB_FIELDS, *RECORD_FIELDS, *VERDICT_FIELDS]
        found = self._all(self._select(names, self._judged, "jobs.number = ?"), number)
        return self._decode(schema.decode_row, found[0]) if found else None

    def read_columns(self, names: Sequence[str]) -> Iterator[dict[str, Sequence[Any]]]:
        """The cells of these names (``schema.find_cells``) of every job that has a record.

        For each page of jobs, in order of execution, the values by name.
        """
        for page in self._read_in_order(["number", *names], self._judged):
            _, *columns = zip(*page, strict=True)
            yield {
                name: self._decode(schema.decode_column, name, column)
                for name, column in zip(names, columns, strict=True)
            }

    @property
    def _judged(self) -> str:
        """How records are found with their verdicts."""
        return f"{self._recorded} {self._verdicts}"

    def overlay_verdicts(self, verdicts: Iterable[Verdict]) -> None:
        """Have these verdicts read in place of those in the store, which is not written to.

        From then on a job without one of them is not read: it has ended since.
        """
        with self._reading():
            self._connection.execute(schema.OVERLAID_VERDICTS)
            self._connection.executemany(schema.NEW_VERDICT, map(msgspec.structs.astuple, verdicts))
        self._verdicts = _WITH_VERDICT

    # --- what may be used ------------------------------------------------------------------

    def examine(self) -> Findings:
        """Which records may be used, and what is wrong with them."""
        with self._reading():
            return sealing.examine(self._connection)

    def read_mark(self) -> tuple[Mark, Findings] | None:
        """What is remembered of an earlier examination (``harness.store.marks``)."""
        with self._reading():
            return marks.read_mark(self.folder, self._connection)

    def write_mark(self, mark: Mark) -> None:
        """Remember what an examination came to, beside the store."""
        with self._reading():
            marks.write_mark(self.folder, self._connection, mark)

    def leave_out(self, numbers: Iterable[int]) -> None:
        """Have no record of these jobs read or counted from now on; the store is not written to."""
        with self._reading():
            self._connection.execute("CREATE TEMP TABLE left_out (job INTEGER PRIMARY KEY)")
            one_by_one = ((number,) for number in numbers)
            self._connection.executemany("INSERT INTO temp.left_out VALUES (?)", one_by_one)
        self._recorded = f"{_WITH_RECORD} {_USED}"

    def list_jobs(self) -> set[int]:
        """The numbers of all jobs."""
        return {number for (number,) in self._all("SELECT number FROM jobs")}

    def list_with_same_instance(self, numbers: Iterable[int]) -> set[int]:
        """The jobs about the instances of these jobs."""
        found = self._all("SELECT number, instance FROM jobs")
        wanted = set(numbers)
        instances = {instance for number, instance in found if number in wanted}
        return {number for number, instance in found if instance in instances}

    # --- numbers ---------------------------------------------------------------------------

    def count(self, table: str) -> int:
        """How many rows a table has."""
        return int(self._all(f"SELECT COUNT(*) FROM {table}")[0][0])

    def count_timed(self) -> int:
        """How many jobs there are without those of witnesses."""
        return self.count(f"jobs WHERE {self._cells['role']} = 'timed'")

    def count_total(self) -> int:
        """How many jobs the experiment has, those of other shares included."""
        total = self._read_number("total")
        return self.count_timed() if total is None else total

    @property
    def is_whole(self) -> bool:
        """Whether all jobs of the experiment are there, not merely those of a share."""
        return self.count_timed() == self.count_total()

    def count_outcomes(self) -> dict[str, int]:
        """How many jobs have ended in each way; answers that were stated did not run."""
        query = (
            f"SELECT outcome, COUNT(*) FROM jobs {self._recorded} "
            f"WHERE {self._cells['role']} <> 'stated' GROUP BY outcome"
        )
        return dict(self._all(query))

    def count_verdicts(self) -> dict[str, int]:
        """How many answers there are of each verdict."""
        return dict(self._all("SELECT verdict, COUNT(*) FROM verdicts GROUP BY verdict"))

    def find_last_ended(self) -> int:
        """The greatest number of a job that has a record, 0 without any."""
        return int(self._all("SELECT COALESCE(MAX(job), 0) FROM records")[0][0])

    def count_planned(self) -> dict[str, int]:
        """How many jobs there are of each backend."""
        run = f"{self._cells['role']} <> 'stated'"
        return dict(self._all(f"SELECT backend, COUNT(*) FROM jobs WHERE {run} GROUP BY backend"))

    def sum_up_ended(self) -> list[EndedJobs]:
        """What has ended, by backend and outcome."""
        found = self._all(
            "SELECT jobs.backend, outcome, COUNT(*), SUM(wall_s), MAX(wall_s), MAX(ended_at) "
            "FROM records JOIN jobs ON jobs.number = records.job "
            f"WHERE {self._cells['role']} <> 'stated' GROUP BY jobs.backend, outcome"
        )
        return [EndedJobs(*cells) for cells in found]

    def read_instances(self) -> list[Cells]:
        """The instances: ``instance_number`` (``schema.find_cells``), set, name, family, text."""
        return self._all(
            'SELECT MIN(id), "set", name, family, text FROM instances GROUP BY "set", name '
            "ORDER BY MIN(id)"
        )

    # --- what belongs to the whole run -----------------------------------------------------

    def read_spent(self) -> float:
        """Seconds of the run's budget that earlier sessions have used up."""
        return float(self.read_meta("spent") or 0.0)

    def read_meta(self, key: str) -> str | None:
        """What ``meta`` says: schema, experiment (as JSON), digest, share, shares, total, entries,
        rules and first_rules (``read_rules``), spent (``read_spent``).

        ``shares`` are those of a merged run that lacks others, with spaces in between.
        ``entries`` is a digest of all instances of the sets in their order, those of other shares
        included; a store from before has none.
        """
        found = self._all("SELECT value FROM meta WHERE key = ?", key)
        return str(found[0][0]) if found else None

    def _read_number(self, key: str) -> int | None:
        text = self.read_meta(key)
        return None if text is None else self._decode(int, text)

    def read_experiment(self) -> Experiment | None:
        """The experiment that the run was made from."""
        text = self.read_meta("experiment")
        return None if text is None else self._decode(_read_json, text, Experiment)

    def require_experiment(self) -> Experiment:
        """The same; raises StoreError where the store does not say which it is."""
        experiment = self.read_experiment()
        if experiment is None:
            raise StoreError(f"{self.folder} has no experiment description")
        return experiment

    def read_rules(self) -> tuple[int, int] | None:
        """The rules of the first verdicts and of today's, by version; None without verdicts.

        A store from before there were versions has those of the first.
        """
        if not self.count("verdicts"):
            return None
        today = self._read_number("rules") or 1
        return self._read_number("first_rules") or today, today

    def read_machines(self) -> list[Machine]:
        """The machines that jobs ran on."""
        return self._describe(Machine, "machines ORDER BY id")

    def read_versions(self) -> list[Version]:
        """The versions that answered."""
        return self._describe(Version, "versions ORDER BY backend, id")

    def read_probes(self) -> list[Probe]:
        """How noisy the machine was, in the order in which it was looked at."""
        with self._reading():
            is_there = schema.list_columns(self._connection, "probes")
        return self._describe(Probe, "probes ORDER BY rowid") if is_there else []

    def read_bad_lines(self) -> list[InstanceError]:
        """The lines of the input that could not be read."""
        found = self._all("SELECT place, cause FROM bad_lines ORDER BY rowid")
        return [InstanceError(cause, place) for place, cause in found]

    def check_whole(self) -> None:
        """Raises StoreError of a damaged store: to add to it would hide what is still to be had."""
        found = self._all("PRAGMA quick_check(1)")
        if found != [("ok",)]:
            raise files.explain_damage(self.folder / NAME, found[0][0].splitlines()[-1])

    # --- SQLite ----------------------------------------------------------------------------

    @property
    def _cells(self) -> dict[str, str]:
        with self._reading():
            return schema.find_cells(self._connection)

    def _select(self, names: Sequence[str], joins: str, which: str) -> str:
        cells = self._cells
        return (
            f"SELECT {', '.join(cells[name] for name in names)} FROM jobs "
            f"JOIN instances ON instances.id = jobs.instance {joins} WHERE {which}"
        )

    def _read_in_order(
        self, names: Sequence[str], joins: str, and_also: str = ""
    ) -> Iterator[list[Cells]]:
        """Pages of jobs; the first of the ``names`` is their number."""
        query = self._select(names, joins, _IN_ORDER.format(and_also=and_also))
        last = -1
        while page := self._all(query, last, PAGE):
            yield page
            last = page[-1][0]

    def _read_by_instance(
        self, names: Sequence[str], joins: str, and_also: str = ""
    ) -> Iterator[list[Cells]]:
        query = self._select(names, joins, _BY_INSTANCE.format(and_also=and_also))
        ends = (
            "SELECT MAX(instance) FROM "
            "(SELECT instance FROM jobs WHERE instance > ? ORDER BY instance LIMIT ?)"
        )
        last = 0
        while (end := self._all(ends, last, PAGE)[0][0]) is not None:
            yield self._all(query, last, end)
            last = end

    def _describe(self, kind: type[Answer], source: str) -> list[Answer]:
        found = self._all(f"SELECT description FROM {source}")
        return [self._decode(_read_json, text, kind) for (text,) in found]

    def _all(self, query: str, *values: object) -> list[Cells]:
        with self._reading():
            return self._connection.execute(query, values).fetchall()

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """No commit is under way in the block, and SQLite's errors become StoreError."""
        self._settle()
        try:
            yield
        except sqlite3.Error as error:
            raise files.explain_unreadable(self.folder / NAME, error) from error

    def _decode(self, make: Callable[..., Answer], *cells: Any) -> Answer:
        """What ``make`` makes of cells, which a damaged store may have anything in."""
        try:
            return make(*cells)
        except (TypeError, ValueError) as error:  # msgspec's errors are of the latter
            raise files.explain_damage(self.folder / NAME, str(error)) from error


def _read_json(text: str, kind: type[Answer]) -> Answer:
    return msgspec.json.decode(text, type=kind)
