"""The top rung: kernels compiled by numba from Python source, no C compiler needed.

A 9x9 Sudoku is searched with all nine digits in vector registers (``bitboard`` on ``simd``); every
other structure of AllDifferent and NotEqual constraints, Latin squares and Sudoku of other sizes
among them, with sets of up to 64 values in machine words and a trail (``alldifferent``).
``recognise`` says which, once for each structure. The first call on a machine compiles for some
seconds; later processes load the result (``cache``).

Importing this module does not import numba; making the backend does.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from typing import Any

from backends.interface.api import (
    Accepted,
    Ask,
    Deadline,
    Limits,
    Phases,
    Refused,
    Result,
    Sink,
    Solutions,
    StoppedBy,
)
from backends.interface.collector import Collector
from backends.interface.encoding_cache import EncodingCache
from backends.interface.libraries.making import import_library, library_version
from backends.interface.options import Option, canonical, parse
from backends.sudoku_kernel.recognise import Recognised, recognise
from modelling.all_different import DIFFERENCES
from modelling.constraints import Constraint
from modelling.errors import BackendUnavailable, ModelError, Unsupported
from modelling.problem import Problem, Structure

OPTIONS = (Option("reuse", ("none", "encoding"), "encoding", "keep the encoding of a structure"),)


def make(options: str = "") -> Compiled:
    """The backend with its options; raises ``BackendUnavailable`` without numba."""
    return Compiled(**parse("compiled", OPTIONS, options))


@lru_cache(maxsize=1)
def _kernels() -> Any:
    """The module ``searches``, which imports numba and the kernels."""
    numba = import_library("compiled")
    if numba.config.DISABLE_JIT:
        raise BackendUnavailable(
            "compiled needs numba's compiler, which NUMBA_DISABLE_JIT has switched off: unset it"
        )
    return import_module("backends.sudoku_kernel.searches")


class Compiled:
    """Complete; statistics: nodes, failures, propagations, peak_depth.

    ``nodes`` as a limit counts branchings, each of which makes two nodes. It finds solutions only:
    ``Optimum`` and ``AllOptima`` raise ``Unsupported``. It is also a ``BatchBackend``.
    """

    family = "compiled"
    native: frozenset[type[Constraint]] = DIFFERENCES
    optimises = False

    def __init__(self, reuse: str = "encoding") -> None:
        self.name = canonical("compiled", OPTIONS, {"reuse": reuse})
        self.version = library_version("compiled")
        self._searches = _kernels()
        self._known = EncodingCache[Recognised](64)
        self._encodings = EncodingCache[Any](0 if reuse == "none" else None)

    def load(self) -> None:
        """Compile both kernels, or load them from the cache; the first problems need not wait."""
        for is_sudoku in (True, False):
            if not self._searches.loaded(is_sudoku):
                self._searches.load(is_sudoku)

    def accepts(self, problem: Problem) -> Accepted | Refused:
        refusal = self._known.get(problem.structure, recognise)[0].refusal
        return Refused(refusal) if refusal else Accepted()

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        known, _ = self._known.get(problem.structure, recognise)
        if known.refusal:
            raise Unsupported(self.name, "this problem", known.refusal)
        if not isinstance(ask, Solutions):
            raise Unsupported(self.name, type(ask).__name__, "it finds and counts solutions only")
        phases = Phases()
        if not self._searches.loaded(known.is_sudoku):
            with phases("import"):
                self._searches.load(known.is_sudoku)
        deadline = Deadline(limits.seconds)
        with phases("encode"):
            encoding, reused = self._encodings.get(
                problem.structure, lambda _: self._searches.encode(known)
            )
            search = encoding.search(problem.masks)
        collector = Collector(ask, sink)
        stopped_by: StoppedBy = "exhausted"
        variables = problem.structure.size
        with phases("solve"):
            for rows, why in self._searches.blocks(
                search, variables, ask.limit, deadline, limits.nodes
            ):
                stopped_by = why
                if not _collected(collector, known, rows, self._searches):
                    break
        nodes, _, failures, propagations, peak_depth = search.statistics.tolist()
        return collector.result(
            stopped_by,
            statistics={
                "nodes": nodes,
                "failures": failures,
                "propagations": propagations,
                "peak_depth": peak_depth,
            },
            phases=phases,
            encoding_reused=reused,
        )

    # --- BatchBackend ---

    def takes(self, structure: Structure) -> bool:
        """See ``BatchBackend``: whatever ``accepts`` takes."""
        return not self._known.get(structure, recognise)[0].refusal

    def count_batch(
        self, structure: Structure, grids: Any, limit: int = 2, nodes: int | None = None
    ) -> Any:
        """See ``BatchBackend``; raises ``ModelError`` for an array that does not fit."""
        return self.solve_batch(structure, grids, limit, 0, nodes)[0]

    def solve_batch(
        self,
        structure: Structure,
        grids: Any,
        limit: int = 1,
        keep: int = 1,
        nodes: int | None = None,
    ) -> tuple[Any, Any]:
        """See ``BatchBackend``; raises ``ModelError`` for an array that does not fit."""
        known, _ = self._known.get(structure, recognise)
        if known.refusal:
            raise Unsupported(self.name, "this structure", known.refusal)
        if limit < 1:
            raise ModelError(f"limit must be an integer of at least 1, not {limit!r}")
        encoding, _ = self._encodings.get(structure, lambda _: self._searches.encode(known))
        found: tuple[Any, Any] = self._searches.count_batch(
            encoding, encoding.checked(grids), limit, nodes, keep
        )
        return found


def _collected(collector: Collector, known: Recognised, rows: Any, kernels: Any) -> bool:
    """Hand rows of value numbers plus one to the collector; whether to continue."""
    shown = collector.wanted(len(rows)) if known.one_digit_each else len(rows)
    values = (0, *known.values)
    for row in rows[:shown].tolist():
        found = tuple(row) if known.counts_from_one else tuple([values[number] for number in row])
        if not collector.add(found):
            return False
    return shown == len(rows) or collector.add_texts(kernels.texts(rows[shown:]))
