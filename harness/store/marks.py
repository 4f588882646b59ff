"""Marks: a large store that was found sound is not examined again while its file is the same.

Words
-----
mark        a small file beside a store: the digest of the store's file, what its examination came
            to, and the digests of its *columns* and *details*, sealed with the user's key
columns     a file of arrays that were read from the store (``harness.report.data.columns``): what
            the tables are made of
details     the same of all that ``Data.jobs`` has, which is read only when that is asked for

A mark is written only for an authentic store in which nothing was found wrong. One that another
program has written has no seal, and one whose store has changed has another digest: both are left
aside, and the store is examined.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from hashlib import file_digest
from pathlib import Path

import msgspec

from harness.store import files
from harness.store.sealing import Findings, read_account
from puzzles.files import replace_file

MARK, COLUMNS, DETAILS = "examined.json", "columns.npz", "details.npz"

LEAST_JOBS = 20_000
"""Jobs from which on a store is worth a mark: fewer are examined in a second."""


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What is remembered: digests, the number of jobs and of records, the rules of the judge, and
    which Concord wrote it."""

    store: str
    columns: str
    total: int
    ended: int
    rules: int
    concord: str
    details: str = ""


class _Sealed(msgspec.Struct, frozen=True):
    mark: str
    seal: str


def digest_file(path: Path) -> str:
    """The SHA-256 of a file; empty where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def write_mark(folder: Path, connection: sqlite3.Connection, mark: Mark) -> None:
    """Write the mark of the store in ``folder``, unless its key is missing or another's."""
    _, _, seals = read_account(connection)
    if seals is None:
        return
    text = msgspec.json.encode(mark).decode()
    with replace_file(folder / MARK) as beside:
        beside.write_bytes(msgspec.json.encode(_Sealed(text, seals.seal_text(text))))


def read_mark(folder: Path, connection: sqlite3.Connection) -> tuple[Mark, Findings] | None:
    """The mark of the store in ``folder`` and what the examination came to; None where there is
    none, or store or columns are not those that it was written for."""
    trust, account, seals = read_account(connection)
    if seals is None or not (folder / MARK).is_file():
        return None
    with suppress(OSError, msgspec.MsgspecError):
        sealed = msgspec.json.decode((folder / MARK).read_bytes(), type=_Sealed)
        mark = msgspec.json.decode(sealed.mark, type=Mark)
        if (
            sealed.seal == seals.seal_text(sealed.mark)
            and not files.find_journal(folder / files.NAME)
            and mark.columns == digest_file(folder / COLUMNS)
            and mark.store == digest_file(folder / files.NAME)
        ):
            return mark, Findings(trust, account, {})
    return None
