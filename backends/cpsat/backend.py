"""The solver CP-SAT: its options, what a call takes of them, and what is refused.

The model of a structure is built once; the givens of an instance narrow it in place and are taken
back after the call. Constraints that CP-SAT does not know are listed as tables where the tuples are
few, and refused by name where they are not. One worker unless more are asked for, and enumeration
with more than one is refused: CP-SAT then returns wrong counts under status OPTIMAL (in 9.15, two
workers find 80 of the 92 solutions of the 8 queens).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from backends.cpsat.configuration import AUTO, FIXED, FREE, LOCAL, Plan, configure
from backends.cpsat.formulations import FORMULATIONS, Model
from backends.cpsat.handlers import begin, choose_handlers, formulate
from backends.cpsat.handlers.guards import LARGEST
from backends.cpsat.own_parameters import PARAMETERS
from backends.cpsat.parameters import LEVELS
from backends.cpsat.search import CpSatSession, Library
from backends.interface.api import Ask, Limits, Optimum, Solutions, domain_size_refusal
from backends.interface.libraries.making import import_library, library_version, maker
from backends.interface.libraries.workarounds import DROPPED, WORKAROUNDS
from backends.interface.magnitudes import find_too_large
from backends.interface.options import Option
from backends.interface.session import Call, Capabilities, Solver
from modelling.constraints import And, Iff, Implies, Linear, Not, NotEqual, Or, Xor
from modelling.problem import Structure

INTERVALS = frozenset({Linear, NotEqual, And, Iff, Implies, Not, Or, Xor})
"""Within these no value of a variable is looked at, but for one that a constraint names."""

OPTIONS = (
    Option("formulation", (AUTO, *FORMULATIONS), AUTO, "how to pose it"),
    Option("presolve", (AUTO, *LEVELS), AUTO, "CP-SAT's work on the model before it searches"),
    Option("search", (AUTO, FREE, FIXED, LOCAL), AUTO, "what CP-SAT branches on, or local search"),
    Option("workers", (AUTO,), AUTO, "threads that search; enumeration takes one", least=1),
    Option("reuse", ("none", "encoding"), "encoding", "keep the model of a structure"),
    WORKAROUNDS,
)


class CpSat(Solver):
    """Complete, unless it searches locally.

    Statistics: nodes (branches), failures (conflicts), propagations.
    """

    def __init__(self, name: str, **options: str) -> None:
        self.name = name
        self.cp = import_library("cpsat", "ortools.sat.python.cp_model")
        self.capabilities = Capabilities(
            family="cpsat",
            version=library_version("cpsat"),
            improves=True,
            threads=True,
            proves=options["search"] != LOCAL,
            intervals=INTERVALS,
            narrows=False,  # rulers of 6 to 8 marks take three times as long with narrow distances
        )
        self.library = Library(self.cp)
        self._is_guarded = options.get("workarounds") != DROPPED
        self.handlers = choose_handlers(self.cp, self._is_guarded)
        workers = options["workers"]
        self._options = options
        self._workers = None if workers == AUTO else int(workers)

    def plan_call(self, structure: Structure, ask: Ask, limits: Limits) -> Plan:
        """How ``ask`` is put: what the options say, and where they say auto, what was measured."""
        every = isinstance(ask, Solutions) and ask.limit is None
        said = self._options
        plan = configure(
            structure,
            not isinstance(ask, Solutions),
            every,
            said["formulation"],
            said["presolve"],
            self._threads(limits),
            said["search"],
            is_trial_left_out=bool(self.parameters) or not self._is_guarded,
        )
        return plan if self._is_guarded else plan.drop_guard()

    def unsupported(self, ask: Ask, limits: Limits) -> tuple[str, str] | None:
        """Enumeration takes one worker; local search finds one solution, or a good one."""
        workers = self._threads(limits)
        one = isinstance(ask, Optimum) or (isinstance(ask, Solutions) and ask.limit == 1)
        if not one and not self.capabilities.proves:
            return str(ask), "local search is incomplete and finds a single solution at most"
        if workers == 1 or one or not self._is_guarded:
            return None
        return (
            f"enumeration with {workers} workers",
            "CP-SAT returns wrong counts under status OPTIMAL; use one worker",
        )

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """Values and sums that its integers may not hold, and values that it would list."""
        if structure.ranges and self._options["formulation"] == "booleans":
            return domain_size_refusal(structure)
        return find_too_large(structure, LARGEST)

    def encode(self, structure: Structure, formulation: str) -> Model:
        """The variables."""
        return begin(self.cp, formulation, structure, self._is_guarded)

    def finish(self, model: Model) -> Model:
        """The model."""
        return model.finish()

    def open(self, model: Model, call: Call) -> CpSatSession:
        """One call of CP-SAT."""
        assert isinstance(call.choice, Plan)
        reformulate = partial(self._reformulate, model, call.choice, call.problem.structure)
        given = (self.name, self.library, call.choice, model, reformulate, call)
        return CpSatSession(*given, self.parameters)

    def _reformulate(self, model: Model, plan: Plan, structure: Structure) -> Model:
        """The model of what follows a trial; it is kept with that of the trial."""
        if model.other is None:
            given = plan.main.formulation, structure, self._is_guarded
            model.other = formulate(self.cp, *given)
        return model.other

    def _threads(self, limits: Limits) -> int:
        """As many as the option says, but no more than the limit; without option, the limit."""
        if self._workers is None:
            return limits.threads or 1
        return min(self._workers, limits.threads or self._workers)


make = maker("cpsat", OPTIONS, CpSat, PARAMETERS)
