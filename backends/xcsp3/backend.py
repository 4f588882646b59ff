"""A solver of XCSP3 behind the driver: what it can do, by its program."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from backends.interface.driver import Driver
from backends.interface.handlers import handlers_of
from backends.interface.libraries.workarounds import DROPPED, WORKAROUNDS
from backends.interface.magnitudes import find_too_large, find_wide_function
from backends.interface.options import Option, Value, read
from backends.interface.programs.program import Order, Program
from backends.interface.programs.texts import DIALECTS
from backends.interface.session import Call, Capabilities, Solver
from backends.xcsp3.guards.profile import UNGUARDED, guarded
from backends.xcsp3.parameters import PARAMETERS, write_arguments
from backends.xcsp3.programs import WORDS, InstalledSolver, find_program
from backends.xcsp3.run import LastText
from backends.xcsp3.search import Xcsp3Session
from modelling.problem import Structure

OPTIONS = (
    Option("solver", WORDS, "cosoco", "which solver reads the file", always=True),
    WORKAROUNDS,
)


def make(options: str = "") -> Driver:
    """The backend with its options: ``cosoco``, ``ace`` or ``choco``."""
    found = read("xcsp3", OPTIONS, options, PARAMETERS)
    solver = find_program(found.options["solver"])
    is_guarded = found.options["workarounds"] != DROPPED
    return Driver(found.text, XCSP3(found.text, solver, found.parameters, is_guarded))


class XCSP3(Solver):
    """Complete; statistics are those that the solver prints."""

    def __init__(
        self,
        name: str,
        solver: InstalledSolver,
        parameters: Mapping[str, Value] = MappingProxyType({}),
        is_guarded: bool = True,
    ) -> None:
        self.solver = solver
        self.parameters = parameters
        self.program = Program(
            self.words, DIALECTS["xcsp3"], statistics=solver.read_statistics, name=name
        )
        guards = solver.check, solver.check_within or solver.check, solver.never
        self.profile = guarded(*guards) if is_guarded else UNGUARDED
        self.handlers = handlers_of(self.profile)
        self.capabilities = Capabilities(
            family=solver.name,
            version=solver.version,
            improves=True,
            fixes=True,
            threads=solver.threads,
        )

    def words(self, order: Order) -> list[str]:
        """The command line; parameters come last."""
        return [*self.solver.command(order), *write_arguments(self.solver.name, self.parameters)]

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """What its integers do not hold."""
        most = self.solver.largest
        return find_too_large(structure, most) or find_wide_function(structure, most)

    def encode(self, structure: Structure) -> LastText:
        """The text is of an instance; that of the last one is kept."""
        return LastText(self.solver.finished)

    def weigh(self, encoding: LastText) -> int:
        return len(encoding.text)

    def open(self, encoding: LastText, call: Call) -> Xcsp3Session:
        return Xcsp3Session(self.program, self.solver, self.profile, encoding, call)
