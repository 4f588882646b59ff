"""The SAT backend: encode the structure, give the formula to an engine, decode its models."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from time import perf_counter

from backends.interface.api import (
    Accepted,
    AllOptima,
    Ask,
    Deadline,
    Limits,
    Optimum,
    Phases,
    Refused,
    Result,
    Sink,
    Solutions,
    StoppedBy,
    ensure_accepted,
)
from backends.interface.collector import Collector
from backends.interface.encoding_cache import EncodingCache
from backends.interface.optimise import added, optimise
from backends.interface.restating import Restating
from backends.sat.at_most_one import ENCODINGS
from backends.sat.cnf import MOST_CLAUSES, TooLarge
from backends.sat.decode import values
from backends.sat.encode import NATIVE, Encoding, encode, givens, strengthened
from backends.sat.size import most_clauses_of
from backends.sat.task import Engine, Task
from modelling.constraints import Constraint, Linear
from modelling.errors import Unsupported
from modelling.problem import Problem, Structure

NATIVE_STATUS = {"exhausted": "UNSAT", "time": "UNKNOWN", "gave_up": "UNKNOWN"}


class Sat:
    """Complete. ``options`` are the values of ``OPTIONS``; ``engine`` is the solver behind."""

    family = "sat"
    native: frozenset[type[Constraint]] = NATIVE

    def __init__(self, name: str, options: Mapping[str, str], engine: Engine) -> None:
        self.name = name
        self.engine = engine
        self.version = engine.version
        self.amo = options["amo"]
        self.extended = options["encoding"] == "extended"
        size = 0 if options["reuse"] == "none" else None
        self._encodings = EncodingCache[Encoding](size, weigh=bytes_of)
        self._restating = Restating(NATIVE)
        self._verdicts: EncodingCache[Accepted | Refused] = EncodingCache(64)

    def accepts(self, problem: Problem) -> Accepted | Refused:
        """Refuses what no rewrite makes native, and formulas of more than 5,000,000 clauses."""
        return self._verdicts.get(problem.structure, self._judge)[0]

    def solve(
        self,
        problem: Problem,
        ask: Ask = Solutions(1),
        limits: Limits = Limits(),
        sink: Sink | None = None,
    ) -> Result:
        """See ``api``. Optima are found by asking for better and better solutions, each time a new
        solver on the same encoding and one more Linear."""
        ensure_accepted(self, problem)
        phases, deadline = Phases(), Deadline(limits.seconds)
        now = perf_counter()
        encoding, reused = self._encodings.get(problem.structure, self._encode)
        phases.add("encode", now)
        if isinstance(ask, Solutions):
            return self._search(problem, encoding, ask, limits, deadline, sink, phases, reused)
        return self._optimise(problem, encoding, ask, limits, sink, phases, reused)

    def _judge(self, structure: Structure) -> Accepted | Refused:
        verdict = self._restating.verdict(structure)
        if isinstance(verdict, Refused):
            return verdict
        if most_clauses_of(self._restating.restated(structure), self.amo) <= MOST_CLAUSES:
            return Accepted()
        try:  # the bound is a coarse one: only the formula itself can tell
            self._encodings.get(structure, self._encode)
        except TooLarge as error:
            return Refused(f"{error}; smaller domains or amo=sequential make it smaller")
        return Accepted()

    def _encode(self, structure: Structure) -> Encoding:
        return encode(self._restating.restated(structure), ENCODINGS[self.amo], self.extended)

    def _search(
        self,
        problem: Problem,
        encoding: Encoding,
        ask: Solutions,
        limits: Limits,
        deadline: Deadline,
        sink: Sink | None,
        phases: Phases,
        reused: bool,
    ) -> Result:
        collector = Collector(ask, sink)
        now = perf_counter()
        literals = givens(encoding, problem)
        phases.add("encode", now)
        task = Task(encoding, literals, deadline, limits, ask.limit != 1, phases)
        stopped_by: StoppedBy = "exhausted"
        with closing(self.engine.models(task)) as models:
            while True:
                try:
                    model = next(models)
                except StopIteration as end:
                    stopped_by = end.value
                    break
                now = perf_counter()
                found = values(encoding, model)
                phases.add("decode", now)
                if not collector.add(found):
                    break
        return collector.result(
            stopped_by,
            native_status="SAT" if collector.stopped_by else NATIVE_STATUS[stopped_by],
            statistics=task.statistics | size_of(encoding),
            phases=phases,
            encoding_reused=reused,
        )

    def _optimise(
        self,
        problem: Problem,
        encoding: Encoding,
        ask: Optimum | AllOptima,
        limits: Limits,
        sink: Sink | None,
        phases: Phases,
        reused: bool,
    ) -> Result:
        def answer(stated: Problem, ask: Solutions, limits: Limits, sink: Sink | None) -> Result:
            with phases("encode"):
                stronger = self._stronger(encoding, problem, stated)
            deadline = Deadline(limits.seconds)
            return self._search(stated, stronger, ask, limits, deadline, sink, Phases(), reused)

        result = optimise(answer, problem, ask, limits, sink)
        return replace(
            result,
            statistics={**result.statistics, **size_of(encoding)},
            phases=added(phases, result.phases),
            encoding_reused=reused,
        )

    def _stronger(self, encoding: Encoding, problem: Problem, stated: Problem) -> Encoding:
        """The encoding with the bound on the objective that ``optimise`` has put last."""
        if stated.structure is problem.structure:
            return encoding
        bound = stated.structure.constraints[-1]
        assert isinstance(bound, Linear)
        try:
            return strengthened(encoding, problem.structure, bound)
        except TooLarge as error:
            raise Unsupported(self.name, "this objective", str(error)) from error


def bytes_of(encoding: Encoding) -> int:
    """About what an encoding keeps in memory, with a solver that may hold the same clauses."""
    return 200 * len(encoding.clauses) + 16 * sum(map(len, encoding.clauses))


def size_of(encoding: Encoding) -> dict[str, int]:
    """The size of the formula of the structure, without givens and bounds."""
    return {"n_vars": encoding.top, "n_clauses": len(encoding.clauses)}
