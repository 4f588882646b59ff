"""The hand-written solver: propagate to a fixed point, branch, backtrack. Pure Python.

Generic over the whole vocabulary: bitset domains (``state``), one file for each constraint's
inference (``all_different``, ``linear``, ``table``), the choice of a variable (``branching``) and
the search (``search``). It began as the Sudoku solvers of the posts: eliminate a placed value from
the peers, place what is left single, guess where the fewest candidates are, take back from a trail.

The default, ``domwdeg``, learns from failures where to branch. Fewest values alone (``smallest``)
is as quick on easy puzzles, but there are Sudoku without a solution on which it is lost: Norvig's
of 17 givens takes it over two minutes, and 0.2 s with ``domwdeg``.
"""

from __future__ import annotations

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
    ensure_accepted,
)
from backends.interface.collector import Collector
from backends.interface.encoding_cache import EncodingCache
from backends.interface.optimise import optimise
from backends.interface.options import Option, canonical, parse
from backends.interface.restating import Restating
from backends.propagation.branching import RULES
from backends.propagation.encoding import NATIVE, Encoding, encode
from backends.propagation.search import search
from modelling.check import refuted
from modelling.constraints import Constraint
from modelling.problem import Problem, Structure

OPTIONS = (
    Option("branching", tuple(RULES), "domwdeg", "which variable to branch on"),
    Option("reuse", ("none", "encoding"), "encoding", "keep the encoding of a structure"),
)


def make(options: str = "") -> Propagation:
    """The backend with its options, e.g. ``branching=smallest``."""
    return Propagation(**parse("propagation", OPTIONS, options))


class Propagation:
    """Complete; statistics: nodes, failures, propagations, peak_depth."""

    family = "propagation"
    native: frozenset[type[Constraint]] = NATIVE
    version = ""

    def __init__(self, branching: str = "domwdeg", reuse: str = "encoding") -> None:
        values = {"branching": branching, "reuse": reuse}
        self.name = canonical("propagation", OPTIONS, values)
        self._choose = RULES[branching]
        self._restating = Restating(NATIVE)
        self._encodings = EncodingCache[Encoding](0 if reuse == "none" else None)

    def accepts(self, problem: Problem) -> Accepted | Refused:
        """Refuses what no rewrite makes native."""
        return self._restating.verdict(problem.structure)

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        ensure_accepted(self, problem)
        if not isinstance(ask, Solutions):
            return optimise(self.solve, problem, ask, limits, sink)
        phases, deadline = Phases(), Deadline(limits.seconds)
        with phases("encode"):
            encoding, reused = self._encodings.get(problem.structure, self._encode)
            state = encoding.state(problem)
        collector = Collector(ask, sink)
        values = encoding.values

        def found(domains: list[int]) -> bool:
            return collector.add(tuple([values[d.bit_length() - 1] for d in domains]))

        if refuted(problem) or not encoding.possible:
            return collector.result("exhausted", phases=phases, encoding_reused=reused)
        with phases("solve"):
            stopped_by, effort = search(state, self._choose, found, deadline, limits.nodes)
        return collector.result(
            stopped_by,
            statistics=vars(effort),
            phases=phases,
            encoding_reused=reused,
        )

    def _encode(self, structure: Structure) -> Encoding:
        return encode(self._restating.restated(structure))
