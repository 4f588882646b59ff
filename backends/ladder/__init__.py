"""The ladder: the Sudoku solvers of the posts, one idea a rung, one rung a file. Pure Python.

``ladder:RUNG`` with the rungs, from the bottom: generate_and_test, placing, pruning, norvig,
exclusives, bitset, flat, mutable_table, trail, and beyond the posts one_integer. ``docs/ladder.md``
says what each changed and what it gave.

Every rung takes problems of AllDifferent (and NotEqual, which is an AllDifferent of two) over any
variables: Sudoku of any box shape, Latin squares. Rules for hidden values fire only where a
constraint has as many values as variables. An objective is not understood: ``Optimum`` and
``AllOptima`` raise ``Unsupported``.
"""

from __future__ import annotations

from collections.abc import Callable

from backends.interface.api import Accepted, Ask, Limits, Phases, Refused, Result, Sink, Solutions
from backends.interface.collector import Collector
from backends.interface.encoding_cache import EncodingCache
from backends.interface.options import Option, canonical, parse
from backends.ladder.bitset import BitSet
from backends.ladder.exclusives import Exclusives
from backends.ladder.flat import Flat
from backends.ladder.generate_and_test import GenerateAndTest
from backends.ladder.meter import Meter, Rung
from backends.ladder.mutable_table import MutableTable
from backends.ladder.norvig import Norvig
from backends.ladder.one_integer import OneInteger
from backends.ladder.placing import Placing
from backends.ladder.pruning import Pruning
from backends.ladder.recursion import recursion_limit
from backends.ladder.trail import Trail
from backends.ladder.units import Units, recognised
from modelling.all_different import DIFFERENCES
from modelling.check import refuted
from modelling.constraints import Constraint
from modelling.errors import Unsupported
from modelling.problem import Problem, Structure

RUNGS: dict[str, Callable[..., Rung]] = {
    "generate_and_test": GenerateAndTest,
    "placing": Placing,
    "pruning": Pruning,
    "norvig": Norvig,
    "exclusives": Exclusives,
    "bitset": BitSet,
    "flat": Flat,
    "mutable_table": MutableTable,
    "trail": Trail,
    "one_integer": OneInteger,
}
"""From the bottom to the top; a rung is called with the units."""

OPTIONS = (
    Option(
        "rung",
        tuple(RUNGS),
        "trail",
        "which technique",
        always=True,
        removed=("peers", "copy", "settle"),
    ),
    Option("reuse", ("none", "encoding"), "encoding", "keep what depends on the structure alone"),
)


def make(options: str = "") -> Ladder:
    """The backend with its options, e.g. ``placing,reuse=none``."""
    return Ladder(**parse("ladder", OPTIONS, options))


class Ladder:
    """Complete; statistics: nodes, failures, propagations, peak_depth."""

    family = "ladder"
    native: frozenset[type[Constraint]] = DIFFERENCES
    optimises = False
    version = ""

    def __init__(self, rung: str = "trail", reuse: str = "encoding") -> None:
        self.name = canonical("ladder", OPTIONS, {"rung": rung, "reuse": reuse})
        self._build = RUNGS[rung]
        self._prepared = EncodingCache[Rung](0 if reuse == "none" else None)

    def accepts(self, problem: Problem) -> Accepted | Refused:
        units = recognised(problem.structure)
        return units if isinstance(units, Refused) else Accepted()

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        units = recognised(problem.structure)
        if isinstance(units, Refused):
            raise Unsupported(self.name, "this problem", units.reason)
        if not isinstance(ask, Solutions):
            reason = "AllDifferent cannot bound an objective; ask for Solutions"
            raise Unsupported(self.name, type(ask).__name__, reason)
        phases, meter = Phases(), Meter(limits)
        collector = Collector(ask, sink)
        if refuted(problem) or not units.possible:
            return collector.result("exhausted", statistics=meter.statistics(), phases=phases)

        def prepare(structure: Structure) -> Rung:
            return self._build(units)

        with phases("encode"):
            rung, reused = self._prepared.get(problem.structure, prepare)
        with phases("solve"), recursion_limit(depth_of_calls(units)):
            rung.search(problem, meter, collector.add)
        return collector.result(
            meter.stopped_by,
            statistics=meter.statistics(),
            phases=phases,
            encoding_reused=reused,
        )


def depth_of_calls(units: Units) -> int:
    """Return how deep the recursive rungs can go in a problem of this size, in frames.

    A split may be made for every candidate, and an elimination may call for the next through all
    cells, a handful of frames each.
    """
    return 1000 + 8 * sum(map(len, units.domains))
