"""Seals: by which a store knows the rows that its supervisor wrote from all others.

Words
-----
seal        a digest of a record with the job that was run for it, which nobody can make without the
            user's key (``harness.store.keys``) and the number of the run
plan        the same of all jobs and instances, those of witnesses apart
account     what ``meta`` says of the run as a whole, sealed too: the plan, how many records there
            are, the verdicts, and what was found wrong with records before
authentic   a store whose account is sealed by the key that is here

Only rows without a seal of their own run can have been written by others; the number of records in
the account shows that rows were removed. Nothing shows afterwards that all of it, account included,
was put back to an earlier state. So while a run is written, its supervisor remembers each seal.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import msgspec

from harness.store.keys import name_key

SIZE = 16
SEALED_JOB = (
    *("number", "set", "instance", "family", "text", "backend", "question", "limits", "repeat"),
    "role",
)
"""The cells of a job that its seal is made of; where an instance was read plays no part."""

_pack = msgspec.msgpack.encode


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """What is sealed of a store as a whole.

    ``run``      a number of the run that no other has; ``key`` the name of its key
    ``faults``   what was found wrong with records and put right: it makes the exit status 1
    ``adopted``  which records were taken as they were found, without a seal that could be checked
    """

    run: str
    key: str
    plan: str = ""
    records: int = 0
    verdicts: str = ""
    faults: tuple[str, ...] = ()
    adopted: tuple[str, ...] = ()


class Seals(NamedTuple):
    """Makes the seals of one run."""

    key: bytes

    @classmethod
    def of(cls, key: bytes, run: str) -> Seals:
        """Those of the run of this number, by the user's key."""
        return cls(blake2b(run.encode(), key=key, digest_size=32, person=b"concord run").digest())

    def seal_job(self, cells: Sequence[Any]) -> bytes:
        """The seal of a job, from its cells ``SEALED_JOB``."""
        return blake2b(_pack(cells), key=self.key, digest_size=SIZE, person=b"job").digest()

    def seal_record(self, job: bytes, cells: Sequence[Any]) -> bytes:
        """The seal of a record, from that of its job and its cells, in the order of the columns.

        Columns that a later schema brings are empty at the end, and change nothing.
        """
        end = len(cells)
        while end and cells[end - 1] is None:
            end -= 1
        packed = job + _pack(cells if end == len(cells) else cells[:end])
        return blake2b(packed, key=self.key, digest_size=SIZE, person=b"record").digest()

    def seal_rows(self, rows: Iterable[Sequence[Any]]) -> str:
        """The seal of many rows, in their order."""
        found = blake2b(key=self.key, digest_size=SIZE, person=b"rows")
        for row in rows:
            found.update(_pack(row))
        return found.hexdigest()

    def seal_text(self, text: str) -> str:
        """The seal of a text."""
        return blake2b(text.encode(), key=self.key, digest_size=SIZE, person=b"text").hexdigest()


def new_account(key: bytes) -> Account:
    """The account of a run that begins."""
    return Account(run=secrets.token_hex(16), key=name_key(key))
