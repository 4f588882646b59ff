"""Plain grids solved as arrays: everything but the exceptions is vectorised.

Only this file of ``concord solve`` needs numpy.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from backends.api import Backend, BatchBackend
from backends.batch_evidence import check_counts, check_form
from modelling.errors import ConcordError
from modelling.problem import Structure
from puzzles import sets
from puzzles.family import Instance, family
from puzzles.grid import arrays
from puzzles.sets import Plain


def solved(plain: Plain, structure: Structure, backend: BatchBackend) -> Iterator[str | int]:
    """The first solutions of a run in order: the lines of grids that follow each other as one text.

    A grid that has no solution comes as its number in the run (from 0): why, is not told here.
    Raises ``ConcordError`` for a solution that breaks the rules.
    """
    given = arrays.givens(plain.run)
    counts, first = backend.solve_batch(structure, given, 1)
    check_counts(backend, counts, len(given), 1, gives_up=False)
    check_form(backend, given, first)
    known = counts > 0
    for k in np.flatnonzero(arrays.wrong(plain.run.layout, given, first) & known)[:1].tolist():
        raise ConcordError(_accusation(plain, k, first[k].tolist(), backend))
    prefix = sets.prefix(plain)
    start = 0
    for k in [*np.flatnonzero(~known).tolist(), len(known)]:
        if start < k:
            yield arrays.written(prefix, first[start:k])
        if k < len(known):
            yield k
        start = k + 1


def _accusation(plain: Plain, k: int, values: list[int], backend: BatchBackend) -> str:
    entry = sets.entry(plain, k)
    name = backend.name if isinstance(backend, Backend) else type(backend).__name__
    if not isinstance(entry, Instance):
        return f"{entry.place}: {name} answered wrongly: there is no solution, {entry.cause}"
    faults = family(entry.family).check(entry.text, values)
    return f"{entry.source}: {name} answered wrongly: {faults[0]}"
