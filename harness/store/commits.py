"""What is on its way into a store: written together, with a thread that waits for the disk.

Words
-----
waiting     taken in and not written yet
due         the moment at which what waits is to be written
under way   written, and not known to be on the disk

The thread does nothing but COMMIT. Writing the rows is left to whoever watches over the jobs:
SQLite gives up the interpreter's lock for each row, and a busy watcher would have to hand it over
a thousand times a commit.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from harness.record import Record
from harness.store import files, schema

COMMIT_SECONDS = 0.25
COMMIT_ROWS = 5000
"""So many records are written at a time at the most: that is the watcher's time."""

MOST_WAITING = 50_000
"""So many records wait in memory at the most, some 100 MB; then the disk is waited for."""


class Commits:
    """Commits to the store at ``path`` through ``connection``, one after the other.

    The connection may be used for something else when none is under way: ``settle`` first.
    Whatever fails raises StoreError, in the call after it at the latest.
    """

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection
        self._records: list[Record] = []
        self._notes: list[tuple[str, tuple[str, ...]]] = []
        self._due = 0.0
        self._thread = ThreadPoolExecutor(1)
        self._under_way: Future[None] | None = None

    def add(self, record: Record) -> None:
        """Have a record wait; the disk is waited for only behind ``MOST_WAITING`` of them."""
        self._begin_to_wait()
        self._records.append(record)
        number = len(self._records)
        if number >= MOST_WAITING or (number >= COMMIT_ROWS and not self.is_busy):
            self._begin()

    def note(self, query: str, *cells: str) -> None:
        """Have another row wait; those are written before the records."""
        self._begin_to_wait()
        self._notes.append((query, cells))

    def _begin_to_wait(self) -> None:
        if not self._records and not self._notes:
            self._due = monotonic() + COMMIT_SECONDS

    def commit_when_due(self) -> None:
        """Write what has waited for ``COMMIT_SECONDS``; the disk is not waited for."""
        if not self.is_busy and monotonic() >= self._due:
            self._begin()

    @property
    def is_busy(self) -> bool:
        """Whether a commit is under way."""
        return self._under_way is not None and not self._under_way.done()

    def commit(self) -> None:
        """Have on the disk what waits."""
        self.settle()
        while self._records or self._notes:
            self._begin()
            self.settle()

    def settle(self) -> None:
        """Wait for the commit under way."""
        if self._under_way is None:
            return
        try:
            self._under_way.result()
        except sqlite3.Error:
            self._under_way = None
            with self._undo_on_failure():
                raise
        self._under_way = None

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Everything in the block or nothing, on the disk when it ends."""
        self.settle()
        with self._undo_on_failure():
            self._connection.execute("BEGIN IMMEDIATE")
            yield
            self._connection.execute("COMMIT")

    def close(self) -> None:
        """End the thread; what still waits is not kept."""
        self._thread.shutdown()

    def _begin(self) -> None:
        self.settle()
        if not self._records and not self._notes:
            return
        rows = [schema.encode_record(record) for record in self._records[:COMMIT_ROWS]]
        with self._undo_on_failure():
            self._connection.execute("BEGIN IMMEDIATE")
            for query, cells in self._notes:
                self._connection.execute(query, cells)
            self._connection.executemany(schema.NEW_RECORD, rows)
            # Before the commit: an interrupt in between costs a rerun, never a second record.
            self._notes.clear()
            del self._records[:COMMIT_ROWS]
            self._under_way = self._thread.submit(self._commit)

    def _commit(self) -> None:
        self._connection.execute("COMMIT")

    @contextmanager
    def _undo_on_failure(self) -> Iterator[None]:
        """Whatever goes wrong, no transaction stays open; SQLite's errors become StoreError."""
        try:
            try:
                yield
            except BaseException:
                if self._connection.in_transaction:  # a full disk has ended it already
                    self._connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise files.explain_unwritable(self._path, error) from error
