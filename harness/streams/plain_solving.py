"""Plain grids solved as arrays: everything but the exceptions is vectorised.

Only this file of ``concord solve`` needs numpy.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from backends.interface.api import Backend, BatchBackend
from backends.interface.evidence.batch import check_counts, check_form
from modelling.errors import ConcordError
from modelling.problem import Structure
from puzzles.family import Instance, family
from puzzles.grid import arrays
from puzzles.grid.family import Plain

MOST_KEPT = 1000
"""A grid that is asked for more solutions than this, and has them, is solved by itself."""
ROWS = 1 << 14
"""Most solutions for which room is held at a time."""


def solve_together(
    plain: Plain,
    structure: Structure,
    backend: BatchBackend,
    count: int = 1,
    number: int | None = None,
    nodes: int | None = None,
) -> Iterator[str | int]:
    """Up to ``count`` solutions of each grid of a run, in order: the lines of grids that follow
    each other as one text. With ``number``, that of the first grid, each line begins with its own.

    A grid that has no solution, or too many, or is not settled within ``nodes``, comes as its
    number in the run (from 0). Raises ``ConcordError`` for a solution that breaks the rules.
    """
    given = arrays.givens(plain.run)
    keep = min(count, MOST_KEPT)
    size = max(1, ROWS // keep)
    for start in range(0, len(given), size):
        part = given[start : start + size]
        counts, found = backend.solve_batch(structure, part, min(count, keep + 1), keep, nodes)
        check_counts(backend, counts, len(part), min(count, keep + 1), nodes is not None)
        check_form(backend, part, found, keep)
        settled = (counts > 0) & (counts <= keep)
        filled = settled[:, None] & (np.arange(keep) < counts[:, None])
        _check_rules(plain, start, part, found, filled, backend)
        ends = np.cumsum(np.where(settled, counts, 0)).tolist()
        texts = _write_lines(plain, found[filled], np.nonzero(filled)[0] + start, number)
        begun = 0
        for k in [*np.flatnonzero(~settled).tolist(), len(part)]:
            end = ends[k - 1] if k else 0
            if begun < end:
                yield "\n".join(texts[begun:end])
            if k < len(part):
                yield start + k
            begun = end


def _write_lines(plain: Plain, grids: Any, owners: Any, number: int | None) -> list[str]:
    """Each of the grids as a line; ``owners`` are the puzzles that they solve."""
    if not len(grids):
        return []
    texts = arrays.written(plain.prefix(), grids).split("\n")
    if number is None:
        return texts
    return [f"{number + k}\t{text}" for k, text in zip(owners.tolist(), texts, strict=True)]


def _check_rules(
    plain: Plain, start: int, given: Any, found: Any, filled: Any, backend: BatchBackend
) -> None:
    """Raise ``ConcordError`` for the first solution that breaks the rules, or is there twice."""
    name = backend.name if isinstance(backend, Backend) else type(backend).__name__
    which = np.nonzero(filled)[0]
    grids = found[filled]
    for row in np.flatnonzero(arrays.wrong(plain.run.layout, given[which], grids))[:1].tolist():
        entry = plain.entry(start + int(which[row]))
        if isinstance(entry, Instance):
            place, values = entry.source, grids[row].tolist()
            cause = str(family(entry.family).check(entry.text, values)[0])
        else:
            place, cause = entry.place, f"there is no solution, {entry.cause}"
        raise ConcordError(f"{place}: {name} answered wrongly: {cause}")
    for k in np.flatnonzero(filled[:, 1:].any(axis=1)).tolist():
        own = found[k][filled[k]]
        if len({grid.tobytes() for grid in own}) < len(own):
            entry = plain.entry(start + k)
            place = entry.source if isinstance(entry, Instance) else entry.place
            raise ConcordError(f"{place}: {name} answered one solution twice")
