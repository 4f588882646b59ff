"""Runs as tidy tables: one kind of thing a table, one thing a row, one fact a column.

A row names its run, and by ``machine`` and ``version`` where and by what it was measured, so that
several runs lie in one table and each row is still known. ``docs/data.md`` describes each column.
pandas makes the tables: what is on the screen is made with it, too, so it is there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import msgspec
import pandas as pd

from harness.machine import Machine
from harness.record import Verdict, Version
from harness.report.data.columns import read_columns, write_columns
from harness.report.jobs import list_jobs
from harness.runs.loading import RunData
from harness.store.marks import DETAILS, digest_file
from modelling.errors import ConcordError
from modelling.wording import plural
from puzzles.family import family

_KEYS = ("run", "job")
_ABOUT = ("set", "instance", "backend")
_ELSEWHERE = ("incumbents", "solutions", "evidence", "ground", "families", "sense", "source")
"""Columns of ``Run.jobs`` that the other tables have."""

INSTANCES = ("run", "set", "instance", "family", "instance_digest", "text", "source", "jobs")
VERDICTS = (*_KEYS, *_ABOUT, *(name for name in Verdict.__struct_fields__ if name != "job"))
INCUMBENTS = (*_KEYS, *_ABOUT, "kind", "seconds_s", "value")
SOLUTIONS = (*_KEYS, *_ABOUT, "solution", "position", "variable", "value")
MACHINES = ("run", "machine", *Machine.__struct_fields__)
VERSIONS = ("run", "version", *Version.__struct_fields__)

Rows = Iterator[tuple[Any, ...]]


class Data:
    """The tables of some runs: ``jobs``, ``instances``, ``verdicts``, ``incumbents``,
    ``solutions``, ``machines``, ``versions``. Each is read from the stores when it is asked for.

    ``notes`` say what must not be compared: times of different machines, answers of different
    releases of a solver.
    """

    def __init__(self, runs: Sequence[RunData]) -> None:
        self._runs = runs
        self._names = name_runs(runs)

    @cached_property
    def jobs(self) -> pd.DataFrame:
        """One row a job that has ended: outcome, verdict, figures, circumstances."""
        parts = []
        for name, run in zip(self._names, self._runs, strict=True):
            frame = _recall_jobs(run)
            frame.insert(0, "run", name)
            parts.append(frame)
        return parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True)

    @cached_property
    def instances(self) -> pd.DataFrame:
        """One row an instance of a run, with its text, where the run has that."""
        return self._collect(INSTANCES, _list_instances)

    @cached_property
    def verdicts(self) -> pd.DataFrame:
        """One row a job: what validation found, and what that rests on."""
        return self._collect(VERDICTS, _list_verdicts)

    @cached_property
    def incumbents(self) -> pd.DataFrame:
        """One row a better solution or a tighter bound of a search for an optimum, as found."""
        return self._collect(INCUMBENTS, _list_incumbents)

    @cached_property
    def solutions(self) -> pd.DataFrame:
        """One row a variable of a kept solution, under its name in the model."""
        return self._collect(SOLUTIONS, _list_solutions)

    @cached_property
    def machines(self) -> pd.DataFrame:
        """One row a machine of a run."""
        return self._collect(MACHINES, lambda run: map(_with_id, run.machines))

    @cached_property
    def versions(self) -> pd.DataFrame:
        """One row a version of a solver, with the interpreter that it ran in."""
        return self._collect(VERSIONS, lambda run: map(_with_id, run.versions))

    @property
    def notes(self) -> list[str]:
        """What must not be compared without a word; empty where nothing is in the way."""
        return find_obstacles(self._runs)

    def _collect(
        self, columns: Sequence[str], read: Callable[[RunData], Iterator[tuple[Any, ...]]]
    ) -> pd.DataFrame:
        pairs = zip(self._names, self._runs, strict=True)
        rows = [(name, *row) for name, run in pairs for row in read(run)]
        values = zip(*rows, strict=True) if rows else ((),) * len(columns)
        return pd.DataFrame(dict(zip(columns, map(list, values), strict=True)))

    def __repr__(self) -> str:
        return f"<Data of {', '.join(self._names)}>"


def name_runs(runs: Sequence[RunData]) -> list[str]:
    """A name for each run: that of its folder, or the whole path where two are called alike."""
    short = [run.folder.resolve().name for run in runs]
    return [
        name if short.count(name) == 1 else str(run.folder)
        for name, run in zip(short, runs, strict=True)
    ]


def find_obstacles(runs: Sequence[RunData]) -> list[str]:
    """Why figures of these runs must not be compared as they are, one sentence each."""
    names, found = name_runs(runs), []
    machines: dict[tuple[str, ...], list[str]] = {}
    for name, run in zip(names, runs, strict=True):
        machines.setdefault(tuple(sorted(one.id for one in run.machines)), []).append(name)
    if len(machines) > 1:
        groups = "; ".join(", ".join(group) for group in machines.values())
        found.append(
            f"The runs are from {plural(len(machines), 'machine')} or groups of machines "
            f"({groups}): compare times only within the column machine."
        )
    solvers: dict[str, set[str]] = {}
    for run in runs:
        for version in run.versions:
            solvers.setdefault(version.backend, set()).add(version.solver)
    mixed = [f"{name} ({', '.join(sorted(of))})" for name, of in solvers.items() if len(of) > 1]
    if mixed:
        found.append(f"Solvers answered in several releases: {'; '.join(sorted(mixed))}.")
    return found


def write_details(run: RunData, path: Path) -> None:
    """Keep the rows of ``Data.jobs`` of a large run, from which they load in an instant."""
    write_columns(list_jobs(run, _ELSEWHERE), path)


def _recall_jobs(run: RunData) -> pd.DataFrame:
    """The rows of ``Data.jobs``, from what a large run has kept of them, or else from its store."""
    path = run.folder / DETAILS
    if run.details and digest_file(path) == run.details:
        with suppress(OSError, ValueError, KeyError):
            return read_columns(path)
    return list_jobs(run, _ELSEWHERE)


# --- rows of one run -----------------------------------------------------------------------


def _read(run: RunData, *names: str) -> Iterator[tuple[Any, ...]]:
    for page in run.read_columns(names):
        yield from zip(*(page[name] for name in names), strict=True)


def _list_instances(run: RunData) -> Rows:
    counts: Counter[tuple[Any, ...]] = Counter()
    digests: dict[tuple[Any, ...], str] = {}
    for *about, digest in _read(run, *INSTANCES[1:4], "text", "source", "instance_digest"):
        key = tuple(about)
        counts[key] += 1
        if digest:
            digests[key] = digest
    for key, number in counts.items():
        yield (*key[:3], digests.get(key, ""), *key[3:], number)


def _list_verdicts(run: RunData) -> Rows:
    fields = VERDICTS[len((*_KEYS, *_ABOUT)) :]
    blank = msgspec.structs.asdict(Verdict(job=0, verdict="unverified"))
    for number, *rest in _read(run, "number", *_ABOUT, *fields):
        about, found = rest[: len(_ABOUT)], rest[len(_ABOUT) :]
        cells = (blank[n] if c is None else c for n, c in zip(fields, found, strict=True))
        yield (number, *about, *cells)


def _list_incumbents(run: RunData) -> Rows:
    for number, *about, steps in _read(run, "number", *_ABOUT, "incumbents"):
        for seconds, value, kind in steps:
            yield (number, *about, kind, seconds, value)


def _list_solutions(run: RunData) -> Rows:
    for number, *about, kind, text, found in _read(
        run, "number", *_ABOUT, "family", "text", "solutions"
    ):
        names = name_variables(kind, text) if found else ()
        for place, values in enumerate(found, 1):
            for position, value in enumerate(values):
                name = names[position] if position < len(names) else None
                yield (number, *about, place, position, name, value)


@lru_cache(256)
def name_variables(kind: str, text: str) -> Sequence[str]:
    """The names of an instance's variables; none where its text is not there, or its family not."""
    with suppress(ConcordError, ImportError):
        if text:
            return family(kind).problem(text).structure.names
    return ()


def _with_id(one: Machine | Version) -> tuple[Any, ...]:
    return (one.id, *msgspec.structs.astuple(one))
