"""Counting solutions of many instances at once: what generators and graders need of a solver.

``counter`` makes of any backend a function

    count(grids: uint8[N, variables], limit) -> int64[N]

that says how many solutions each instance has, up to ``limit``; -1 where the solver gave up. In an
instance 0 leaves a variable open and k gives it the k-th value of its base domain, as in
``BatchBackend``.

Without a name it is ``compiled`` where numba is installed, else the ladder's fastest rung (pure
Python) called without the wrapping of ``Backend.solve``, else ``propagation``. While none of them
is limited they all answer the same, so nothing that is made with them depends on which it was;
with a limit, who gives up when is each solver's own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from backends.interface import registry
from backends.interface.api import (
    Backend,
    BatchBackend,
    Limits,
    Refused,
    Result,
    Solutions,
    is_complete,
)
from backends.interface.evidence.answer import shortfall
from backends.interface.evidence.batch import check_counts
from backends.ladder import RUNGS
from backends.ladder.meter import Meter
from backends.ladder.units import Units, recognised
from backends.proofs.certify import certified
from modelling.check import refuted
from modelling.errors import BackendUnavailable, ContradictoryResult, ModelError, Unsupported
from modelling.problem import Assignment, Problem, Structure

Count = Callable[[Any, int], Any]

CountOne = Callable[[Problem, int], int]

PURE, PURE_LARGE = "ladder:one_integer", "ladder:trail"
"""What counts where numba is not installed."""

LARGE = 6000
"""Beyond them (candidates) PURE_LARGE counts: the tables of one_integer grow with their square."""


@lru_cache(maxsize=1)
def _find_sure() -> Backend:
    """A solver that counts anything: CP-SAT where it is installed, else ours."""
    try:
        return registry.get("cpsat")
    except BackendUnavailable:
        return registry.get("propagation")


def count_solutions(problem: Problem, limit: int) -> int:
    """How many solutions a problem has, up to ``limit``, whatever time that takes.

    Solvers that are sure of it all answer the same, so nothing depends on which it was.
    """
    return _find_sure().solve(problem, Solutions(limit, 1)).count


def counter(structure: Structure, backend: str | None = None, nodes: int | None = None) -> Count:
    """The counting function of a structure, on ``backend`` or on the best that is installed.

    ``nodes`` limits the effort for one instance in the backend's own unit of search, as
    ``Limits.nodes`` does; SAT solvers and CP-SAT keep it as their limit of conflicts. Raises
    ``UnknownBackend``, ``BackendUnavailable``, and ``Unsupported`` for a backend that cannot count
    or a structure that it refuses; the function raises ``ModelError`` for an array that does not
    fit or a limit below 1.
    """
    name = best(structure) if backend is None else backend
    made = registry.get(name)
    if not is_complete(made):
        raise Unsupported(made.name, "counting", "its search is incomplete, so it may miss some")
    if not registry.is_exact(name):
        raise Unsupported(made.name, "counting", "it calculates with doubles, so it is not sure")
    verdict = made.accepts(Problem(structure, structure.full_masks))
    if isinstance(verdict, Refused):
        raise Unsupported(made.name, "this structure", verdict.reason)
    if isinstance(made, BatchBackend) and made.takes(structure):
        return _by_batch(made, structure, nodes)
    units, rung = recognised(structure), name.partition(":")[2]
    if isinstance(units, Units) and name in (PURE, PURE_LARGE):
        return _one_by_one(structure, _by_rung(units, rung, nodes))
    return _one_by_one(structure, _by_solving(made, nodes))


def best(structure: Structure) -> str:
    """The name of the fastest backend for ``structure`` that is installed here."""
    try:
        compiled = registry.get("compiled")
    except BackendUnavailable:
        pass  # the others need nothing to be installed
    else:
        assert isinstance(compiled, BatchBackend)
        if compiled.takes(structure):
            return "compiled"
    if isinstance(recognised(structure), Refused):
        return "propagation"
    return PURE if sum(map(len, structure.domains)) <= LARGE else PURE_LARGE


def _by_batch(batch: BatchBackend, structure: Structure, nodes: int | None) -> Count:
    def count(grids: Any, limit: int) -> Any:
        counts = batch.count_batch(structure, grids, limit, nodes)
        return check_counts(batch, counts, len(grids), limit, gives_up=nodes is not None)

    return count


def _by_rung(units: Units, rung: str, nodes: int | None) -> CountOne:
    """A rung's search with nothing around it: a tenth of a millisecond for a 9x9 Sudoku."""
    search = RUNGS[rung](units).search
    limits = Limits(nodes=nodes)

    def count(problem: Problem, limit: int) -> int:
        if refuted(problem) or not units.possible:
            return 0
        found, meter = 0, Meter(limits)

        def more(_: Assignment) -> bool:
            nonlocal found
            found += 1
            return found < limit

        search(problem, meter, more)
        return -1 if meter.stopped_by == "gave_up" else found

    return count


def _by_solving(backend: Backend, nodes: int | None) -> CountOne:
    limits = Limits(nodes=nodes, conflicts=nodes)

    def count(problem: Problem, limit: int) -> int:
        ask = Solutions(limit, 1)
        result: Result = backend.solve(problem, ask, limits)
        fault = shortfall(result, ask, problem) or certified(result, ask, problem)[1]
        if fault:
            raise ContradictoryResult(f"{backend.name} answered wrongly: {fault}")
        return result.count if result.stopped_by in ("exhausted", "enough") else -1

    return count


def _one_by_one(structure: Structure, count: CountOne) -> Count:
    """A count of one problem as a count of arrays that are checked."""
    most = np.array([len(domain) for domain in structure.domains], np.int64)
    masks = [
        ((1 << len(domain)) - 1, *(1 << k for k in range(len(domain))))
        for domain in structure.domains
    ]

    def counted(grids: Any, limit: int) -> Any:
        array = np.asarray(grids)
        if array.ndim != 2 or array.shape[1] != structure.size:
            shape = f"(N, {structure.size})"
            raise ModelError(f"instances of shape {array.shape}; the shape is {shape}")
        if array.dtype.kind not in "iu":
            raise ModelError(f"instances hold integers, not {array.dtype}")
        if array.size and not ((array >= 0) & (array <= most)).all():
            raise ModelError("an instance gives a variable a position beyond its base domain")
        if limit < 1:
            raise ModelError(f"limit must be an integer of at least 1, not {limit!r}")
        found = np.empty(len(array), np.int64)
        for row, grid in enumerate(array.tolist()):
            given = tuple([of[k] for of, k in zip(masks, grid, strict=True)])
            found[row] = count(Problem(structure, given), limit)
        return found

    return counted
