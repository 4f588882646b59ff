"""The life of a store without solvers: made, written, judged, opened again; the same each time.

It writes what a run writes, in the order of a run, in milliseconds. So a study can put a fault at
each step, one after the other.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

from backends.interface.api import Limits
from harness.job import Question
from harness.plan.expansion import PlannedJob
from harness.plan.experiment import Experiment, SetChoice
from harness.record import Record, Verdict
from harness.store.files import NAME
from harness.store.store import Store
from puzzles.family import Instance

JOBS = 12
TOGETHER = 3
"""Records of a commit."""

TEXTS = tuple(f"3 5 {total}" for total in range(3, 9))
BACKENDS = ("first", "second")
EXPERIMENT = Experiment(
    name="endurance",
    sets=[SetChoice("lives", texts={text: text for text in TEXTS}, family="tiny")],
    backends=list(BACKENDS),
)


def live(folder: Path, note: Callable[[Iterable[int]], None]) -> None:
    """Make the store of a folder, or continue with it, to its end.

    ``note`` hears which records are committed, each time. Raises ``StoreError`` where it cannot be
    written.
    """
    store = Store.open(folder, write=True) if (folder / NAME).is_file() else _create(folder)
    with closing(store):
        with store.writing():
            written = [row.job.number for row in store.read_rows(verdicts=False)]
            for job in list(store.read_pending()):
                store.add(_answer(job.number))
                written.append(job.number)
                if len(written) % TOGETHER == 0:
                    store.note_spent(len(written))
                    store.commit()
                    note(written)
            store.mend()
            note(written)
            store.set_verdicts([Verdict(job=n, verdict="unverified") for n in written], 1)
        note(written)


def _create(folder: Path) -> Store:
    instances = [Instance("tiny", text, text, f"lives:{n}") for n, text in enumerate(TEXTS, 1)]
    return Store.create(folder, EXPERIMENT, instances, _plan())


def _plan() -> Iterator[PlannedJob]:
    for number in range(1, JOBS + 1):
        at, backend = divmod(number - 1, 2)
        yield PlannedJob(
            number=number,
            instance=at,
            backend=BACKENDS[backend],
            question=Question(limit=1),
            limits=Limits(seconds=1.0),
            repeat=1,
        )


def _answer(number: int) -> Record:
    """As long as records of a search with its output are."""
    return Record(job=number, outcome="finished", count=number, output=f"{number} " * 500)


TABLES = {
    "records": "SELECT job, outcome, count, output FROM records ORDER BY job",
    "verdicts": "SELECT job, verdict FROM verdicts ORDER BY job",
    "jobs": "SELECT * FROM jobs ORDER BY number",
    "instances": "SELECT * FROM instances ORDER BY id",
    "meta": "SELECT * FROM meta WHERE key IN ('schema', 'experiment', 'digest', 'entries')",
}
"""What is the same in each life; the account and its seals are not."""


def read_tables(folder: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that is the same in each life, by the name of the table."""
    with closing(sqlite3.connect(folder / NAME)) as connection:
        return {name: connection.execute(query).fetchall() for name, query in TABLES.items()}


def read_records(folder: Path) -> set[int]:
    """The jobs with a record that may be used; ValueError where one may not."""
    if not (folder / NAME).is_file():
        return set()
    with closing(Store.open(folder)) as store:
        found = store.examine()
        if found.trust != "authentic" or found.spoilt or found.missing or found.is_lost:
            raise ValueError(f"a store that is {found.trust}, with records that are not as written")
        return {row.job.number for row in store.read_rows(verdicts=False)}
