"""Seals written to a store, and a store examined by them: which records may be used.

A record that has no seal of the run, or that is impossible in itself (``harness.flaws``), is named
with the reason, and not used. What is examined is read a page at a time, beside a run that
continues.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Literal, NamedTuple

import msgspec

from harness.flaws import CHECKED, find_flaw
from harness.store import schema
from harness.store.keys import name_key, read_key
from harness.store.seals import SEALED_JOB, Account, Seals
from modelling.wording import plural

PAGE = 1000
MOST_NUMBERS = 10
"""Most jobs that are named of those with one fault."""

FOREIGN = "not written by the supervisor of this run, or changed since"

Trust = Literal["authentic", "unsealed", "elsewhere", "altered"]

_ACCOUNT, _SEAL = "account", "account_seal"
_BACKEND = SEALED_JOB.index("backend")
_META = "('experiment', 'digest', 'total', 'share', 'shares', 'entries')"
_PLAN = (
    f"SELECT key, value FROM meta WHERE key IN {_META} ORDER BY key",
    'SELECT id, "set", name, family, text FROM instances ORDER BY id',
    "SELECT number, instance, backend, ask, question, limits, repeat, role FROM jobs "
    "WHERE role <> 'witness' ORDER BY number",
)


class SealedRow(NamedTuple):
    """A record as it lies in a store: the cells of its job and its own, and the seal there."""

    number: int
    job: tuple[Any, ...]
    record: tuple[Any, ...]
    seal: bytes | None

    @property
    def backend(self) -> str:
        return str(self.job[_BACKEND])


class DamagedRecord(NamedTuple):
    """A record that is not used: by which backend it seems to be, and why."""

    backend: str
    why: str


class Findings(NamedTuple):
    """What came of an examination.

    ``spoilt`` are records by their job; ``missing`` counts those that are not there any more. Where
    the ``plan_differs``, or trust is ``altered``, no record can be used.
    """

    trust: Trust
    account: Account | None
    spoilt: dict[int, DamagedRecord]
    missing: int = 0
    plan_differs: bool = False
    verdicts_differ: bool = False

    @property
    def is_lost(self) -> bool:
        """Whether nothing of the run can be used."""
        return self.plan_differs or self.trust == "altered"

    @property
    def are_verdicts_ours(self) -> bool:
        """Whether it is certain that nobody else has changed the verdicts."""
        return self.trust == "authentic" and not self.verdicts_differ

    def list_faults(self) -> list[str]:
        """What is wrong with the records, with the backends and jobs; empty where all is well."""
        if self.trust == "altered":
            return ["the store's own account was changed by another program: no record is used"]
        if self.plan_differs:
            return [
                "the jobs or instances were changed by another program after the run was made: no "
                "record is used"
            ]
        found = describe_spoilt(self.spoilt, "not used")
        if self.missing:
            found.append(f"{plural(self.missing, 'record')} removed by another program")
        if self.verdicts_differ:
            found.append(
                "the verdicts were changed by another program: the answers are judged anew"
            )
        return found

    def list_notes(self) -> list[str]:
        """Notes about the store that are not faults."""
        said = []
        if self.trust == "unsealed":
            said.append(
                "unauthenticated: the store is from before records were sealed, so nothing "
                "shows whether another program has written to it"
            )
        if self.trust == "elsewhere":
            said.append(
                "not authenticated here: the store was sealed with the key of another user or "
                "machine, so nothing here shows whether another program has written to it"
            )
        return [*said, *(self.account.adopted if self.account is not None else ())]


def describe_spoilt(spoilt: dict[int, DamagedRecord], what: str) -> list[str]:
    """One sentence for each backend and reason."""
    groups: dict[DamagedRecord, list[int]] = defaultdict(list)
    for number, one in spoilt.items():
        groups[one].append(number)
    found = []
    for (backend, why), numbers in groups.items():
        named = ", ".join(map(str, numbers[:MOST_NUMBERS]))
        more = f" and {len(numbers) - MOST_NUMBERS} more" if len(numbers) > MOST_NUMBERS else ""
        jobs = "job" if len(numbers) == 1 else "jobs"
        found.append(
            f"{backend}: {plural(len(numbers), 'record')} {what} ({jobs} {named}{more}): {why}"
        )
    return found


# --- reading -------------------------------------------------------------------------------


def read_sealed(connection: sqlite3.Connection) -> Iterator[SealedRow]:
    """All records with their jobs and seals, in the order of the jobs."""
    columns = schema.list_record_columns(connection)
    cells = schema.find_cells(connection)
    names = ["number", *SEALED_JOB]
    is_sealed = bool(schema.list_columns(connection, "seals"))
    seal = "(SELECT seal FROM seals WHERE seals.job = jobs.number)" if is_sealed else "NULL"
    query = (
        f"SELECT {', '.join([*(cells[name] for name in names), *map(_of_records, columns), seal])} "
        "FROM jobs JOIN instances ON instances.id = jobs.instance "
        "JOIN records ON records.job = jobs.number "
        "WHERE jobs.number > ? ORDER BY jobs.number LIMIT ?"
    )
    end, last = len(names), -1
    while page := connection.execute(query, (last, PAGE)).fetchall():
        for found in page:
            yield SealedRow(found[0], found[1:end], found[end:-1], found[-1])
        last = page[-1][0]


def _of_records(column: str) -> str:
    return f"records.{column}"


def read_account(connection: sqlite3.Connection) -> tuple[Trust, Account | None, Seals | None]:
    """The account of a store, whether it is authentic, and the seals of its run if it is."""
    query = "SELECT value FROM meta WHERE key = ?"
    text, seal = (connection.execute(query, (key,)).fetchone() for key in (_ACCOUNT, _SEAL))
    if text is None:
        return "unsealed", None, None
    try:
        account = msgspec.json.decode(text[0], type=Account)
    except (TypeError, ValueError):
        return "altered", None, None
    key = read_key()
    if key is None or name_key(key) != account.key:
        return "elsewhere", account, None
    seals = Seals.of(key, account.run)
    if seal is None or seal[0] != seals.seal_text(text[0]):
        return "altered", None, None
    return "authentic", account, seals


def examine(connection: sqlite3.Connection) -> Findings:
    """Which records of a store may be used."""
    trust, account, seals = read_account(connection)
    spoilt: dict[int, DamagedRecord] = {}
    number = 0
    find_flaw_of = _make_flaw_finder(schema.list_record_columns(connection))
    for row in read_sealed(connection):
        number += 1
        why = ""
        if seals is not None:
            seal = seals.seal_record(seals.seal_job(row.job), row.record)
            why = "" if seal == row.seal else FOREIGN
        why = why or find_flaw_of(row.record)
        if why:
            spoilt[row.number] = DamagedRecord(row.backend, why)
    if seals is None or account is None:
        return Findings(trust, account, spoilt)
    differs = seal_plan(connection, seals) != account.plan
    judged = _have_verdicts_changed(connection, seals)
    return Findings(trust, account, spoilt, max(0, account.records - number), differs, judged)


def _have_verdicts_changed(connection: sqlite3.Connection, seals: Seals) -> bool:
    found = seal_verdicts(connection, seals)
    _, account, _ = read_account(connection)  # they may have been found meanwhile
    return account is None or found != account.verdicts


def _make_flaw_finder(columns: list[str]) -> Callable[[tuple[Any, ...]], str]:
    """What finds the flaw of a record from its cells in these columns: a million are looked at."""
    places = [columns.index(name) if name in columns else None for name in CHECKED]
    phases = CHECKED.index("phases")
    decode = msgspec.json.Decoder(dict[str, Any]).decode

    def find_flaw_of(cells: tuple[Any, ...]) -> str:
        if bytes in set(map(type, cells)):
            name = next(n for n, cell in zip(columns, cells, strict=True) if type(cell) is bytes)
            return f"{name} is not text"
        checked = [None if place is None else cells[place] for place in places]
        try:
            checked[phases] = decode(checked[phases] or "{}")
        except (TypeError, ValueError):
            return "its phases cannot be read"
        return find_flaw(checked)

    return find_flaw_of


# --- writing -------------------------------------------------------------------------------


def seal_plan(connection: sqlite3.Connection, seals: Seals) -> str:
    """The seal of jobs and instances, and of what the run was made from."""
    return seals.seal_rows(chain.from_iterable(map(connection.execute, _PLAN)))


def seal_verdicts(connection: sqlite3.Connection, seals: Seals) -> str:
    """The seal of all verdicts; empty without any."""
    if connection.execute("SELECT 1 FROM verdicts LIMIT 1").fetchone() is None:
        return ""
    there = schema.list_columns(connection, "verdicts")
    fields = [name for name in schema.VERDICT_FIELDS if name in there]
    rows = connection.execute(f"SELECT {', '.join(fields)} FROM verdicts ORDER BY job")
    # What schema 9 brought is empty in an older store, and changes no seal there.
    late = fields[-1] == "ground"
    return seals.seal_rows(row[:-1] if late and row[-1] is None else row for row in rows)


def seal_records(connection: sqlite3.Connection, seals: Seals) -> int:
    """Seal all records as they are found; how many there are."""
    connection.execute("DELETE FROM seals")
    rows = read_sealed(connection)
    made = ((row.number, seals.seal_record(seals.seal_job(row.job), row.record)) for row in rows)
    return connection.executemany(schema.NEW_SEAL, made).rowcount


def find_job_seal(connection: sqlite3.Connection, seals: Seals, number: int) -> bytes:
    """The seal of a job that was not read before it was run."""
    cells = schema.find_cells(connection)
    found = connection.execute(
        f"SELECT {', '.join(cells[name] for name in SEALED_JOB)} FROM jobs "
        "JOIN instances ON instances.id = jobs.instance WHERE jobs.number = ?",
        (number,),
    ).fetchone()
    return seals.seal_job(found or ())


def write_account(connection: sqlite3.Connection, seals: Seals, account: Account) -> None:
    """Write the account of a store, within the caller's transaction."""
    text = schema.as_json(account)
    rows: Iterable[tuple[str, str]] = ((_ACCOUNT, text), (_SEAL, seals.seal_text(text)))
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", rows)


def seal_all(connection: sqlite3.Connection, seals: Seals, account: Account) -> Account:
    """Seal a store as it is found, within the caller's transaction if there is one; its account."""
    account = msgspec.structs.replace(
        account,
        plan=seal_plan(connection, seals),
        records=seal_records(connection, seals),
        verdicts=seal_verdicts(connection, seals),
    )
    write_account(connection, seals, account)
    return account
