"""The jobs of a run as a DataFrame: all that is known of each, or what the tables are made of.

Either is read from the run's store with one query, a page at a time. Seconds are in columns that
end in ``_s``; ``docs/columns.md`` says what each column means.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from itertools import chain
from math import nan
from operator import attrgetter, methodcaller
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from backends.interface.registry import label, split
from harness.runs.loading import RunData
from harness.store.reading import StoreReader

STATISTICS = (
    *("stat_nodes", "stat_failures", "stat_propagations", "stat_peak_depth", "stat_restarts"),
    *("stat_learned", "stat_literals", "stat_minimised", "stat_forgotten"),
    *("stat_booleans", "stat_n_vars", "stat_n_clauses"),
)
"""What the backends that ship report; there may be others."""

JOBS = (
    *(
        "job",
        "set",
        "instance",
        "family",
        "characters",
        "backend",
        "backend_family",
        "repeat",
        "role",
        "ask",
    ),
    *("limit_s", "solver_seed", "threads", "outcome", "status", "verdict", "ground", "evidence"),
    "families",
    *("count", "exhausted", "digest", "sense", "objective", "bound", "incumbents"),
    *("wall_s", "cpu_s", "import_s", "warm_up_s", "flatten_s"),
    *("model_s", "encode_s", "load_s", "solve_s"),
    *("first_solution_s", "decode_s", "start", "file_to_answer_s"),
    *("elapsed_s", "peak_memory_mb", "encoding_reused", "warm_up", "hindered", "native_status"),
    *("proof", "proof_encoding", "proof_note", "proof_bytes", "proof_s"),
    *("configuration", "error", "output", "solutions", "worker", "nth", "attempt", "isolation"),
    *("instance_digest", "version", "machine", "ended_at", "source", *STATISTICS),
)

LONGEST_REASON = 200
"""Characters that are kept of what a backend said."""

Readable = RunData | StoreReader


class _Source(NamedTuple):
    """What a column is made of: cells of the store, and how, if not as they are."""

    cells: tuple[str, ...]
    make: Callable[..., Any] | None = None


WARM, COLD = "warm", "cold"


def name_start(mode: str) -> str:
    """``cold`` where each job has a new interpreter, into which the solver is loaded for it; else
    ``warm``."""
    return COLD if mode == "fresh" else WARM


def find_whole_time(
    mode: str, phases: Mapping[str, float], wall_s: float, import_s: float | None
) -> float:
    """Seconds from file to answer: those of the job and of flattening its model, and of a cold
    start those of loading the solver as well. Nan where a worker did not come as far as that."""
    whole = phases.get("flatten", 0.0) + wall_s
    if name_start(mode) == WARM:
        return whole
    return nan if import_s is None else import_s + whole


_PHASES = ("flatten", "model", "encode", "load", "solve", "first_solution", "decode", "proof")

_SOURCES = {
    **{name: _Source((name,)) for name in JOBS if name not in STATISTICS},
    **{f"{phase}_s": _Source(("phases",), methodcaller("get", phase)) for phase in _PHASES},
    "job": _Source(("number",)),
    "backend": _Source(("backend",), label),
    "backend_family": _Source(
        ("backend_family", "backend"), lambda family, name: family or split(name)[0]
    ),
    "start": _Source(("mode",), name_start),
    "file_to_answer_s": _Source(("mode", "phases", "wall_s", "import_s"), find_whole_time),
    "limit_s": _Source(("limits",), attrgetter("seconds")),
    "solver_seed": _Source(("limits",), attrgetter("seed")),
    "threads": _Source(("limits",), attrgetter("threads")),
    "verdict": _Source(("verdict",), lambda word: word or "unverified"),
    "evidence": _Source(("evidence",), lambda text: text or ""),
    "ground": _Source(("ground",), lambda text: text or ""),
    "families": _Source(("families",), lambda number: number or 0),
    "sense": _Source(("sense",), lambda text: text or ""),
    "exhausted": _Source(("stopped_by",), "exhausted".__eq__),
    "incumbents": _Source(("incumbents",), lambda found: tuple(map(tuple, found))),
}


def shorten_reason(error: str) -> str:
    """What an error comes to, as much of it as can be taken in at a glance.

    Returns the last line of a traceback, and all lines of anything else, joined.
    """
    said = error.strip()
    line = said.rpartition("\n")[2] if said.startswith("Traceback") else said
    line = " ".join(line.split())
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]} ..."


OUTLINE = (
    *("job", "set", "ask", "instance", "backend", "role", "outcome", "verdict", "error", "warm_up"),
    *(
        "ground",
        "proof",
        "wall_s",
        "elapsed_s",
        "limit_s",
        "model_s",
        "encode_s",
        "load_s",
        "solve_s",
    ),
    *("import_s", "warm_up_s", "hindered", "family", "characters", "start", "file_to_answer_s"),
    "flatten_s",
)
"""The columns that the other tables, plots and sentences are made of."""

_OUTLINE_SOURCES = {name: _SOURCES[name] for name in OUTLINE} | {
    "instance": _Source(("instance_number",)),
    "error": _Source(("error",), shorten_reason),
    "warm_up": _Source(("warm_up",), lambda text: "failed" if text else ""),
}


SEARCH = (
    *("job", "set", "ask", "instance", "backend", "role", "outcome", "verdict", "sense"),
    *("objective", "bound", "incumbents", "wall_s", "limit_s"),
)


def list_searches(run: Readable) -> pd.DataFrame:
    """One row a timed job that was asked for an optimum: ``SEARCH``, and ``checked``, how many of
    its solutions hold."""
    sources = {name: _SOURCES[name] for name in SEARCH}
    sources["checked"] = _Source(("checked",), lambda number: number or 0)
    made = {name: list(_finish(column)) for name, column in _read(run, sources).items()}
    frame = pd.DataFrame({name: pd.Series(found, dtype=object) for name, found in made.items()})
    wanted = frame["ask"].astype(str).str.startswith("opti") & (frame["role"] == "timed")
    return frame[wanted].reset_index(drop=True)


def list_troubles(run: Readable) -> pd.DataFrame:
    """The answers that somebody should look at, one row each: those that are wrong or disputed."""
    names = ("job", "set", "instance", "backend", "status", "verdict", "evidence")
    columns = _read(run, {name: _SOURCES[name] for name in names})
    frame = pd.DataFrame({name: _finish(column) for name, column in columns.items()})
    return frame[frame["verdict"].isin(["wrong", "disputed"])]


def list_jobs(run: Readable, without: Container[str] = ()) -> pd.DataFrame:
    """One row a job that has ended, in order of execution.

    The columns are ``JOBS``, but for those ``without`` which it is asked; statistics that are not
    usual have one more each, named ``stat_`` and what the solver calls them.
    """
    sources = {name: source for name, source in _SOURCES.items() if name not in without}
    columns = _read(run, sources | {"statistics": _Source(("statistics",))})
    statistics = columns.pop("statistics").columns
    # One by one, so that no column is held in both forms while others are made.
    made = {name: _finish_value(name, columns.pop(name)) for name in list(columns)}
    size = len(made["job"])
    for name in dict.fromkeys([*STATISTICS, *statistics]):
        made[name] = np.asarray(statistics[name]) if name in statistics else np.full(size, nan)
    return pd.DataFrame(made, copy=False)


def _finish_value(name: str, column: Any) -> Any:
    """A column of ``list_jobs``; objectives are numbers that may be missing, if they are small."""
    if name in ("objective", "bound") and all(abs(value or 0) < 2**63 for value in column):
        return pd.array(column, dtype="Int64")
    return _finish(column)


def outline_jobs(run: Readable) -> pd.DataFrame:
    """The columns ``OUTLINE`` of the same, in little memory: a million rows take 70 MB.

    Texts are categories, and an instance is a number that its set and name have. Errors are
    shortened; of a warm-up it is only said that it failed.
    """
    columns = _read(run, _OUTLINE_SOURCES)
    # One by one, so that no column is held in both forms while others are made.
    made = {name: _finish(columns.pop(name), compactly=True) for name in list(columns)}
    return pd.DataFrame(made, copy=False)


_FLOATS = ("_s", "_mb")
_INTEGERS = (
    *(
        "number",
        "instance_number",
        "characters",
        "repeat",
        "families",
        "checked",
        "worker",
        "nth",
        "attempt",
    ),
    "proof_bytes",
)
_VALUES = (
    *("solver_seed", "threads", "count", "exhausted", "objective", "bound", "encoding_reused"),
    *("solutions", "incumbents"),
)


class _Texts:
    """A column of many texts of which few differ: each is held once."""

    def __init__(self) -> None:
        self._codes = array("B")
        self._known: dict[str, int] = {}

    def extend(self, texts: Iterable[str]) -> None:
        known = self._known
        codes = [known.setdefault(text, len(known)) for text in texts]
        if self._codes.typecode == "B" and len(known) > 256:  # no longer a byte each
            self._codes = array("i", self._codes)
        self._codes.extend(codes)

    def as_index(self) -> pd.Index[Any]:
        return pd.Index(list(self._known)).take(np.asarray(self._codes))

    def as_categories(self) -> pd.Categorical[Any]:
        """The categories are sorted, as groups of plain texts would be."""
        known = pd.Index(list(self._known))
        made = pd.Categorical.from_codes(np.asarray(self._codes), categories=known)
        return made.reorder_categories(sorted(self._known))


class _Statistics:
    """The statistics of jobs: numbers for each that some solver reports, nan where it is missing.

    ``columns`` has them by their names, which begin with ``stat_``.
    """

    def __init__(self) -> None:
        self.columns: dict[str, array[float]] = {}
        self._length = 0

    def extend(self, found: Sequence[Mapping[str, float]]) -> None:
        for key in dict.fromkeys(chain.from_iterable(found)):
            blank = array("d", [nan]) * self._length
            column = self.columns.setdefault(f"stat_{key}", blank)
            column.extend(one.get(key, nan) for one in found)
        self._length += len(found)
        for column in self.columns.values():
            column.extend([nan] * (self._length - len(column)))


def _read(run: Readable, sources: Mapping[str, _Source]) -> dict[str, Any]:
    """The columns made of these sources, as they are held while they are read."""
    columns = {name: _start(name, source) for name, source in sources.items()}
    cells = sorted({cell for source in sources.values() for cell in source.cells})
    for page in run.read_columns(cells):
        for name, (needed, make) in sources.items():
            values: Iterable[Any] = page[needed[0]]
            if make is not None:
                values = map(make, *(page[cell] for cell in needed))
            if name.endswith(_FLOATS):
                values = (nan if value is None else value for value in values)
            columns[name].extend(values)
    return columns


def _start(name: str, source: _Source) -> Any:
    if name == "statistics":
        return _Statistics()
    if name.endswith(_FLOATS):
        return array("d")
    if source.cells[0] in _INTEGERS:
        return array("q")
    return [] if name in _VALUES else _Texts()


def _finish(column: Any, compactly: bool = False) -> Any:
    if isinstance(column, _Texts):
        return column.as_categories() if compactly else column.as_index()
    if not isinstance(column, array):
        return column
    found = np.asarray(column)
    if compactly and column.typecode == "q":
        return pd.to_numeric(found, downcast="integer")
    return found
