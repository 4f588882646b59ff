"""Merging: the runs that shares of one experiment made, or copies of one run, become one.

Words
-----
same        two runs whose experiments and sets have one digest each, and whose jobs of one number
            are one job
conflict    a job with two records that differ: it was run twice

The record that tells more is accepted: any before ``lost``, then the one that ended
first, then the one of the run that was named first. What was left out is noted, and kept in the
``meta`` of the merged run.

Each run is examined first (``harness.store.sealing``): what another program has written to it is
left out and named. The merged run is sealed by the key that is here. Records of runs that cannot be
authenticated here are taken as they are found, and the merged run says so from then on.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from harness.plan.expansion import Share
from harness.runs.loading import find_run
from harness.store import files, schema, sealing
from harness.store.files import EXPERIMENT, NAME
from harness.store.keys import ensure_key
from harness.store.sealing import Findings
from harness.store.seals import Seals, new_account
from harness.store.store import Store
from modelling.errors import StoreAltered, StoreError
from modelling.wording import plural

MOST_DESCRIBED = 10
"""Most conflicts that are listed; the others are counted."""


@dataclass
class MergeReport:
    """What came of a merge.

    ``jobs`` of ``total`` that the experiment has are there, ``records`` of them ended, those of
    witnesses apart. ``again`` counts records that two runs have alike, ``conflicts`` those that
    differed, of which the first are ``described``, ``contradictions`` those that cannot both be
    true; ``left_out`` counts the good ones beside those that another program has changed. Where
    jobs are missing, ``missing`` are the shares that have them, as far as the runs say which they
    hold.
    """

    folder: Path
    jobs: int = 0
    total: int = 0
    records: int = 0
    again: int = 0
    conflicts: int = 0
    contradictions: int = 0
    left_out: int = 0
    described: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether every job of the experiment is there and has ended."""
        return self.records == self.total


def merge(runs: Sequence[Path | str], out: Path) -> MergeReport:
    """Merge runs into a new one in ``out``; it is not validated yet.

    Raises StoreError for runs that are not the same, and when ``out`` holds a run already, or
    another process is at it; what was merged until then is not left behind.
    """
    folders = [find_run(name) for name in runs]
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise StoreError("one run is named twice; name each run once")
    origins = [_read_origin(folder) for folder in folders]
    _check_same(origins)
    with ExitStack() as held, files.make_store(out / NAME, held) as unfinished:
        merged = _merge_into(origins, unfinished)
        if (folders[0] / EXPERIMENT).is_file():
            shutil.copyfile(folders[0] / EXPERIMENT, out / EXPERIMENT)
    merged.folder = out
    return merged


class _Origin(NamedTuple):
    """What a run was made from: the digest of its experiment, how many jobs all of its shares have
    together, the digest of the sets' instances, "" in a store from before it was kept, and the
    shares that it holds, none where it does not say; and which of its records may be used."""

    folder: Path
    experiment: str
    total: int
    entries: str
    shares: frozenset[Share]
    found: Findings


def _read_origin(folder: Path) -> _Origin:
    if not (folder / NAME).is_file():
        raise StoreError(f"{folder} is a reference, not a run; merge runs with a {NAME}")
    with closing(Store.open(folder)) as store:
        store.check_whole()
        found = store.examine()
        if found.is_lost:
            raise StoreAltered(f"{folder}: {found.list_faults()[0]}; leave it out")
        digest, entries = store.require_experiment().digest, store.read_meta("entries") or ""
        shares = {Share()}
        if not store.is_whole:  # merged runs of before do not say, or falsely say all
            texts = (store.read_meta("shares") or store.read_meta("share") or "").split()
            shares = {Share.parse(text) for text in texts} - shares
        return _Origin(folder, digest, store.count_total(), entries, frozenset(shares), found)


def _check_same(origins: Sequence[_Origin]) -> None:
    """Shares have no job in common by which sets that changed in between could be seen later."""
    first, *others = origins
    for other in others:
        if other.experiment != first.experiment:
            raise StoreError(
                f"{first.folder} and {other.folder} are runs of experiments that differ; see their "
                f"{EXPERIMENT}"
            )
    known = next((origin for origin in origins if origin.entries), first)
    for other in others:
        if other.total != first.total:
            one, how = first, f"{first.total} jobs in all, and {other.total}"
        elif other.entries not in ("", known.entries):
            one, how = known, "other instances, or another order"
        else:
            continue
        raise StoreError(
            f"{one.folder} and {other.folder} were made from sets that differ ({how}): a file or "
            "set was changed in between, so they cannot be merged; run one of them anew with the "
            "sets of the other"
        )


def _find_missing(origins: Sequence[_Origin]) -> list[str]:
    """The shares that are not there, of the way to divide the jobs that lacks the fewest.

    It is a help and no more: what is missing are jobs, and runs may not say which shares they hold.
    """
    if not all(origin.shares for origin in origins):
        return []
    there = _join_shares(origins)
    ways = (
        [str(share) for number in range(of) if (share := Share(number + 1, of)) not in there]
        for of in sorted({share.of for share in there})
    )
    return min(ways, key=len)


def _join_shares(origins: Sequence[_Origin]) -> list[Share]:
    return sorted(frozenset().union(*(origin.shares for origin in origins)))


# --- in the database -----------------------------------------------------------------------

_OF_THE_DISK = ("SQLITE_FULL", "SQLITE_IOERR")
"""What SQLite answers where the merged run cannot be written; all else is about what is read."""

_INSTANCE = '"set", name, family, text'
_JOB = ", ".join(schema.JOB_COLUMNS)
_THEIRS = f"CREATE TEMP TABLE theirs ({_JOB}, PRIMARY KEY (number)) WITHOUT ROWID"
"""The jobs of the attached run, with the ids that instances have here."""

_SPOILT = "CREATE TEMP TABLE spoilt (job INTEGER PRIMARY KEY)"
"""Those whose records in the attached run are not used."""

_COPIES = (
    "INSERT OR IGNORE INTO main.machines SELECT * FROM other.machines",
    "INSERT OR IGNORE INTO main.versions SELECT * FROM other.versions",
    "INSERT INTO main.bad_lines SELECT DISTINCT place, cause FROM other.bad_lines "
    "EXCEPT SELECT place, cause FROM main.bad_lines",
    "INSERT OR IGNORE INTO main.meta SELECT key, value FROM other.meta "
    "WHERE key IN ('experiment', 'digest', 'entries')",
)
_COPY_PROBES = """
    INSERT INTO main.probes SELECT description FROM other.probes
    WHERE description NOT IN (SELECT description FROM main.probes) ORDER BY rowid
"""


def _merge_into(origins: Sequence[_Origin], path: Path) -> MergeReport:
    with closing(files.connect(str(path))) as connection:
        connection.execute("PRAGMA journal_mode=OFF")
        connection.executescript(schema.TABLES + schema.INDEXES)
        connection.execute(_THEIRS)
        merged = MergeReport(path, total=origins[0].total)
        for origin in origins:
            uri = f"{(origin.folder / NAME).resolve().as_uri()}?mode=ro"
            connection.execute("ATTACH ? AS other", (uri,))
            connection.execute("BEGIN")
            try:
                _take_in(connection, origin, merged)
            except sqlite3.Error as error:
                if files.name_error(error).startswith(_OF_THE_DISK):
                    raise
                raise files.explain_unreadable(origin.folder / NAME, error) from error
            connection.execute("COMMIT")
            connection.execute("DETACH other")
        _leave_out_beside(connection, origins, merged)
        merged.jobs, merged.records = connection.execute(
            "SELECT COUNT(*), COUNT(records.job) FROM jobs "
            "LEFT JOIN records ON records.job = jobs.number WHERE role = 'timed'"
        ).fetchone()
        if merged.jobs < merged.total:
            merged.missing = _find_missing(origins)
        _keep_origins(connection, origins, merged)
        _seal(connection, origins, merged)
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("VACUUM")
        return merged


def _take_in(connection: sqlite3.Connection, origin: _Origin, merged: MergeReport) -> None:
    run, folder = connection.execute, origin.folder
    run(
        f"INSERT OR IGNORE INTO main.instances ({_INSTANCE}, source) "
        f"SELECT {_INSTANCE}, source FROM other.instances ORDER BY id"
    )
    run("DELETE FROM theirs")
    run(
        "INSERT INTO theirs SELECT jobs.number, ours.id, backend, ask, question, limits, repeat, "
        f"{schema.find_role(connection, 'other')} FROM other.jobs AS jobs "
        "JOIN other.instances AS named ON named.id = jobs.instance "
        f"JOIN main.instances AS ours USING ({_INSTANCE})"
    )
    _add_jobs(connection, folder)
    _add_records(connection, origin, merged)
    for query in _COPIES:
        run(query)
    if schema.list_columns(connection, "probes", "other"):
        run(_COPY_PROBES)


def _leave_out_beside(
    connection: sqlite3.Connection, origins: Sequence[_Origin], merged: MergeReport
) -> None:
    """Take away the others about an instance of which a record is not used, and none took its
    place: nobody is to be ahead of whom a record was taken from."""
    query = "SELECT number, instance FROM jobs WHERE number NOT IN (SELECT job FROM records)"
    spoilt = {number for origin in origins for number in origin.found.spoilt}
    are_missing = any(origin.found.missing for origin in origins)
    instances = {
        instance
        for number, instance in connection.execute(query)
        if are_missing or number in spoilt
    }
    query = "SELECT job, instance FROM records JOIN jobs ON jobs.number = records.job"
    beside = [number for number, instance in connection.execute(query) if instance in instances]
    if beside:
        connection.execute("BEGIN")
        schema.remove_records(connection, beside)
        connection.execute("COMMIT")
    merged.left_out = len(beside)


def _add_jobs(connection: sqlite3.Connection, folder: Path) -> None:
    """Add the jobs whose numbers are not there yet.

    Jobs of one number must be one job, which must not come under two numbers: the sets may have
    changed between the runs. And each record must have its job, or it would not be seen again.
    """
    differ = " OR ".join(f"ours.{name} <> theirs.{name}" for name in schema.JOB_COLUMNS)
    differing = connection.execute(
        f"SELECT number FROM theirs JOIN main.jobs AS ours USING (number) WHERE {differ} LIMIT 1"
    ).fetchone()
    if differing:
        raise StoreError(
            f"{folder}: its job {differing[0]} is not job {differing[0]} of the runs before it; "
            "the sets have changed in between, so these runs cannot be merged"
        )
    alone = connection.execute(
        "SELECT job FROM other.records "
        "WHERE NOT EXISTS (SELECT 1 FROM theirs WHERE number = job) LIMIT 1"
    ).fetchone()
    if alone:
        raise StoreError(
            f"{folder} has a record of job {alone[0]} without that job: it was merged from runs of "
            "sets that differ, or is damaged; leave it out, and name the runs that it was made of"
        )
    try:
        connection.execute(
            f"INSERT INTO main.jobs ({_JOB}) SELECT {_JOB} FROM theirs WHERE true "
            "ON CONFLICT (number) DO NOTHING"
        )
    except sqlite3.IntegrityError as error:
        raise StoreError(
            f"{folder} has a job that the runs before it have under another number; the sets have "
            "changed in between, so these runs cannot be merged"
        ) from error


def _add_records(connection: sqlite3.Connection, origin: _Origin, merged: MergeReport) -> None:
    folder = origin.folder
    connection.execute(_SPOILT)
    spoilt = ((number,) for number in origin.found.spoilt)
    connection.executemany("INSERT INTO temp.spoilt VALUES (?)", spoilt)
    theirs = schema.list_columns(connection, "records", "other")
    fields = [name for name in schema.RECORD_FIELDS if name in theirs]
    names = ", ".join(fields)
    same = " AND ".join(f"ours.{name} IS theirs.{name}" for name in fields)
    used = "theirs.job NOT IN (SELECT job FROM temp.spoilt)"
    both = (
        "FROM other.records AS theirs "
        f"JOIN main.records AS ours ON ours.job = theirs.job AND {used}"
    )
    merged.again += connection.execute(f"SELECT COUNT(*) {both} WHERE {same}").fetchone()[0]
    better = "(theirs.outcome = 'lost', theirs.ended_at) < (ours.outcome = 'lost', ours.ended_at)"
    conflicts = connection.execute(
        f"SELECT ours.job, {_tell('ours', theirs)}, {_tell('theirs', theirs)}, {better} "
        f"{both} WHERE NOT ({same}) ORDER BY ours.job"
    )
    replaced: list[tuple[int]] = []
    for job, *both_tell, is_better in conflicts:
        one, other = both_tell[:_TOLD], both_tell[_TOLD:]
        merged.conflicts += 1
        kept = f"that of {folder}" if is_better else "the other"
        contradiction = _find_contradiction(one, other)
        if contradiction:
            contradiction = f"; they contradict each other: {contradiction}"
            merged.contradictions += 1
        if len(merged.described) < MOST_DESCRIBED:
            merged.described.append(
                f"job {job} has two records: {one[0]} ({one[1]}), and in {folder} "
                f"{other[0]} ({other[1]}); {kept} is accepted{contradiction}"
            )
        if is_better:
            replaced.append((job,))
    if replaced:
        connection.execute("DROP TRIGGER records_stay")
        connection.executemany("DELETE FROM main.records WHERE job = ?", replaced)
        connection.execute(schema.RECORDS_STAY)
    connection.execute(
        f"INSERT OR IGNORE INTO main.records ({names}) SELECT {names} FROM other.records AS theirs "
        f"WHERE {used}"
    )
    connection.execute("DROP TABLE temp.spoilt")


_FIELDS = ("outcome", "ended_at", "status", "stopped_by", "count", "objective")
_TOLD = len(_FIELDS)


def _tell(table: str, there: Collection[str]) -> str:
    return ", ".join(f"{table}.{name}" if name in there else "NULL" for name in _FIELDS)


def _find_contradiction(one: Sequence[Any], other: Sequence[Any]) -> str:
    """How two records of one job contradict each other; empty where they do not."""
    first, second = (dict(zip(_FIELDS, told, strict=True)) for told in (one, other))
    statuses = {first["status"], second["status"]}
    if "UNSATISFIABLE" in statuses and statuses & {"SATISFIABLE", "OPTIMUM"}:
        return f"{first['status']} and {second['status']}"
    if any(found["stopped_by"] != "exhausted" for found in (first, second)):
        return ""
    for name in ("objective", "count"):
        if first[name] != second[name]:
            return f"{name} {first[name]} and {second[name]}"
    return ""


def _seal(connection: sqlite3.Connection, origins: Sequence[_Origin], merged: MergeReport) -> None:
    """Seal the merged run, which says from now on what was wrong or unknown in its origins."""
    faults, adopted = [], []
    for origin in origins:
        found = origin.found
        faults += [f"{origin.folder}: {fault}" for fault in found.list_faults()]
        adopted += [f"{origin.folder}: {note}" for note in found.list_notes()]
        faults += found.account.faults if found.account is not None else ()
    if merged.left_out:
        faults.append(
            f"{plural(merged.left_out, 'other record')} about the same instances left out of the "
            "merged run, to be run again when it is resumed"
        )
    if merged.contradictions:
        number = plural(merged.contradictions, "job")
        faults.append(f"{number} with two records that contradict each other, in merged runs")
    key = ensure_key()
    account = msgspec.structs.replace(
        new_account(key), faults=tuple(dict.fromkeys(faults)), adopted=tuple(dict.fromkeys(adopted))
    )
    connection.execute("BEGIN")
    sealing.seal_all(connection, Seals.of(key, account.run), account)
    connection.execute("COMMIT")


def _keep_origins(
    connection: sqlite3.Connection, origins: Sequence[_Origin], merged: MergeReport
) -> None:
    noted = {
        "runs": [str(origin.folder) for origin in origins],
        "again": merged.again,
        "conflicts": merged.conflicts,
        "described": merged.described,
    }
    meta = {
        "schema": str(schema.VERSION),
        "total": str(merged.total),
        "merged": msgspec.json.encode(noted).decode(),
    }
    if merged.jobs == merged.total:
        meta["share"] = str(Share())
    elif all(origin.shares for origin in origins):
        meta["shares"] = " ".join(str(share) for share in _join_shares(origins))
    connection.executemany("INSERT OR REPLACE INTO meta VALUES (?, ?)", meta.items())
