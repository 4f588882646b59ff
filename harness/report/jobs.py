"""The jobs of a run as a DataFrame: all that is known of each, or what the tables are made of.

Seconds are in columns that end in ``_s``; ``harness.report.columns`` says what each column means.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import nan
from operator import attrgetter
from typing import Any

import msgspec
import numpy as np
import pandas as pd

from harness.record import Record, Row, Verdict
from harness.report.columns import JOBS, STATISTICS

PAGE = 1000
"""So many jobs are taken in at a time."""

LONGEST_REASON = 200
"""Characters that are kept of what a backend said."""

TEXTS = ("set", "ask", "backend", "role", "warm_up", "outcome", "verdict", "error")
NUMBERS = ("wall_s", "elapsed_s", "limit_s", "model_s", "encode_s", "load_s", "solve_s")
OUTLINE = ("job", "instance", *TEXTS, *NUMBERS)
"""The columns that tables, plots and sentences are made of."""

_PATHS = {
    **{name: f"record.{name}" for name in (*Record.__struct_fields__, "exhausted")},
    **{name: f"verdict.{name}" for name in ("verdict", "evidence", "families")},
    **{name: f"job.{name}" for name in ("set", "instance", "family", "backend", "repeat", "role")},
    "source": "job.source",
    "ask": "job.question.text",
    "limit_s": "job.limits.seconds",
    "solver_seed": "job.limits.seed",
    "threads": "job.limits.threads",
}
"""Where a row has what stands in a column."""

_NAMES = [name for name in JOBS if name in _PATHS]
_READ = attrgetter(*(_PATHS[name] for name in _NAMES))
_PHASES = {n: n.removesuffix("_s") for n in JOBS if n not in _PATHS and n not in STATISTICS}
_UNJUDGED = Verdict(job=0, verdict="unverified")


def _read_cells(row: Row) -> dict[str, Any]:
    """The columns of ``JOBS`` but for the statistics."""
    if row.verdict is None:
        row = msgspec.structs.replace(row, verdict=_UNJUDGED)
    cells = dict(zip(_NAMES, _READ(row), strict=True))
    cells["backend_family"] = cells["backend_family"] or cells["backend"].partition(":")[0]
    cells["incumbents"] = tuple(map(tuple, cells["incumbents"]))
    for name, phase in _PHASES.items():
        cells[name] = row.record.phases.get(phase)
    return cells


def list_jobs(rows: Iterable[Row]) -> pd.DataFrame:
    """One row a job, in the order of ``rows``.

    The columns are ``columns.JOBS``; statistics that are not usual have one more each, named
    ``stat_`` and what the solver calls them.
    """
    columns: dict[str, list[Any]] = {name: [] for name in JOBS if name not in STATISTICS}
    statistics: dict[str, dict[int, float]] = {name: {} for name in STATISTICS}
    texts: dict[str, str] = {}
    for number, row in enumerate(rows):
        for name, value in _read_cells(row).items():
            # Names, outcomes, digests recur in every row: each text is held once.
            columns[name].append(texts.setdefault(value, value) if type(value) is str else value)
        for name, value in row.record.statistics.items():
            statistics.setdefault(f"stat_{name}", {})[number] = value
    frame = pd.DataFrame(columns)
    for name in columns:
        if name.endswith(("_s", "_mb")):
            frame[name] = frame[name].astype(float)
    for name, values in statistics.items():
        frame[name] = pd.Series(values, dtype=float)
    for name in ("objective", "bound"):
        if all(abs(value or 0) < 2**63 for value in columns[name]):
            frame[name] = pd.array(columns[name], dtype="Int64")
    return frame


def page_jobs(rows: Iterable[Row]) -> Iterator[dict[str, list[Any]]]:
    """The columns ``OUTLINE`` of the jobs, a page of them at a time."""
    waiting = iter(rows)
    while page := [_read_cells(row) for row in islice(waiting, PAGE)]:
        yield {name: [cells[name] for cells in page] for name in OUTLINE}


class _Texts:
    """A column of many texts of which few differ."""

    def __init__(self) -> None:
        self._codes = array("i")
        self._known: dict[str, int] = {}

    def extend(self, texts: Iterable[str]) -> None:
        known = self._known
        self._codes.extend([known.setdefault(text, len(known)) for text in texts])

    def as_categories(self) -> pd.Categorical[Any]:
        """The categories are sorted, as groups of plain texts would be."""
        known = pd.Index(list(self._known))
        made = pd.Categorical.from_codes(np.asarray(self._codes), categories=known)
        return made.reorder_categories(sorted(self._known))


def outline_jobs(pages: Iterable[Mapping[str, Sequence[Any]]]) -> pd.DataFrame:
    """The columns ``OUTLINE`` of the jobs in little memory: a million take 70 MB.

    Texts are categories, and an instance is a number of 64 bits made from its set and name. Errors
    are shortened; of a warm-up it is only said that it failed.
    """
    numbers_of_jobs, instances = array("q"), array("q")
    texts = {name: _Texts() for name in TEXTS}
    numbers = {name: array("d") for name in NUMBERS}
    for page in pages:
        numbers_of_jobs.extend(page["job"])
        instances.extend(map(hash, zip(page["set"], page["instance"], strict=True)))
        short = {
            "warm_up": ["failed" if text else "" for text in page["warm_up"]],
            "error": map(shorten_reason, page["error"]),
        }
        for name, column in texts.items():
            column.extend(short.get(name, page[name]))
        for name, figures in numbers.items():
            figures.extend([nan if value is None else value for value in page[name]])
    columns: dict[str, Any] = {
        "job": np.asarray(numbers_of_jobs),
        "instance": np.asarray(instances),
        **{name: column.as_categories() for name, column in texts.items()},
        **{name: np.asarray(figures) for name, figures in numbers.items()},
    }
    return pd.DataFrame(columns, copy=False)


def shorten_reason(error: str) -> str:
    """What an error comes to, as much of it as can be taken in at a glance.

    Of a traceback the last line; of anything else all lines, as one.
    """
    said = error.strip()
    line = said.rpartition("\n")[2] if said.startswith("Traceback") else said
    line = " ".join(line.split())
    return line if len(line) <= LONGEST_REASON else f"{line[:LONGEST_REASON]} ..."
