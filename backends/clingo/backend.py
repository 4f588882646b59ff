"""clingo's search: stable models one after another, optima by its own optimisation."""

from __future__ import annotations

import os
import signal
from tempfile import mkstemp

from backends.clingo.handlers import BUILDERS, HANDLERS
from backends.clingo.parameters import PARAMETERS, write_arguments
from backends.clingo.program import Program
from backends.interface.api import StoppedBy
from backends.interface.libraries.making import LibrarySolver, maker
from backends.interface.magnitudes import ensure_objective_fits
from backends.interface.options import Option
from backends.interface.session import Call, Capabilities, Session, SessionReport, Take
from backends.signals import defer, stop_when_interrupted
from modelling.constraints import Linear
from modelling.problem import Objective, Structure

LARGEST = (1 << 30) - 1
"""Shifted to be positive, a sum is twice this at most."""
HEAVIEST = (1 << 31) - 1

OPTIONS = (Option("optimum", ("bb", "usc"), "bb", "how optima are found"),)


class Clingo(LibrarySolver):
    """Complete; statistics: nodes (choices), failures (conflicts), restarts."""

    handlers = HANDLERS
    largest, heaviest = LARGEST, HEAVIEST

    def __init__(self, name: str, optimum: str) -> None:
        super().__init__(name, Capabilities("clingo", improves=True, fixes=True, threads=True))
        self.strategy = optimum

    def encode(self, structure: Structure) -> Program:
        """The rules of the variables."""
        return Program(structure, BUILDERS)

    def finish(self, program: Program) -> Program:
        """The text of them and of the constraints."""
        program.finish()
        return program

    def open(self, program: Program, call: Call) -> ClingoSession:
        """A program of the instance."""
        return ClingoSession(self, program, call)

    def arguments(self, call: Call) -> list[str]:
        """clingo's arguments. ``--project=show`` distinguishes solutions by the shown atoms."""
        limits = call.limits
        own = self.parameters
        said = [
            *write_arguments(own),
            f"--models={int(not call.several and not call.optimum)}",
            "--project=show",
        ]
        if call.optimum:
            said += [f"--opt-strategy={self.strategy}"] if "opt-strategy" not in own else []
        if limits.conflicts is not None:
            said.append(f"--solve-limit={limits.conflicts}")
        if limits.seed is not None:
            said.append(f"--seed={limits.seed % (1 << 31)}")
        if limits.threads is not None and limits.threads > 1:
            said.append(f"--parallel-mode={limits.threads}")
        return said


class ClingoSession(Session):
    """One search of one program."""

    def __init__(self, solver: Clingo, program: Program, call: Call) -> None:
        self.solver = solver
        self.call = call
        self.control = solver.library.Control(solver.arguments(call))
        self.sense = 0
        self.status = ""
        self.program = program.instance(call.problem)

    def each(self, take: Take) -> StoppedBy:
        """All answer sets, one after another."""
        self._load()
        # not raised within: clingo ends the process when its callback for statistics raises
        with defer(signal.SIGINT) as interrupted, stop_when_interrupted(self.control.interrupt):
            stopped_by = self._search(take)
        if interrupted.is_set():
            signal.raise_signal(signal.SIGINT)
        return stopped_by

    def _search(self, take: Take) -> StoppedBy:
        """A limit on time takes a thread of clingo's own, which is stopped by this one."""
        defaults = [domain[-1] for domain in self.program.domains]
        shown, deadline = self.program.shown, self.call.deadline
        limited = deadline.left is not None
        with self.control.solve(yield_=True, async_=limited) as handle:
            while True:
                handle.resume()
                if limited and not handle.wait(deadline.left):
                    handle.cancel()
                    self.status = "INTERRUPTED"
                    return "time"
                model = handle.model()
                if model is None:
                    break
                values = defaults.copy()
                for symbol in model.symbols(shown=True):
                    variable, value = shown[symbol.number]
                    values[variable] = value
                if not take(tuple(values)):
                    self.status = "INTERRUPTED"
                    return "sink"
            result = handle.get()
        self.status = str(result)
        return "exhausted" if result.exhausted else "gave_up"

    def _load(self) -> None:
        """clingo reads aspif from a file."""
        number, path = mkstemp(".aspif")
        try:
            with open(number, "w", encoding="ascii") as file:
                file.write(self.program.written())
            self.control.load_aspif([path])
        finally:
            os.unlink(path)

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        """Each model is better than the one before."""
        self._check(objective)
        self.sense = 1 if objective.sense == "minimize" else -1
        self.program.minimize(objective, [self.sense * f for f in objective.coefficients])
        return self.each(take)

    def fix(self, objective: Objective, value: int) -> None:
        self._check(objective)
        total = Linear(objective.scope, objective.coefficients, "==", value)
        self.program.impose(self.program.build(total), None)

    def _check(self, objective: Objective) -> None:
        structure, why = self.call.problem.structure, "clingo's weights do not hold it"
        ensure_objective_fits(self.solver.name, objective, structure, LARGEST, why, HEAVIEST)

    def report(self) -> SessionReport:
        said = self.control.statistics
        solvers, lower = said["solving"]["solvers"], said["summary"]["lower"]
        statistics = {
            "nodes": int(solvers["choices"]),
            "failures": int(solvers["conflicts"]),
            "restarts": int(solvers["restarts"]),
        }
        bound = None
        chosen = str(self.solver.parameters.get("opt-strategy", self.solver.strategy))
        if self.sense and chosen.startswith("usc") and len(lower):
            bound = self.sense * round(lower[0])
        return SessionReport(self.status, statistics, bound=bound)


make = maker("clingo", OPTIONS, Clingo, PARAMETERS)
