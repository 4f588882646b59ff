"""A solver, in the driver's sense, of a program.

The formula of a structure is kept. Formats with names are written anew at each call."""

from __future__ import annotations

from backends.interface.driver import Driver
from backends.interface.encoding_cache import weight
from backends.interface.programs.formulas import FormulaBase
from backends.interface.programs.program import Program
from backends.interface.programs.search import ProgramSearch
from backends.interface.session import Call, Capabilities, Solver
from modelling.problem import Objective, Structure

Encoding = FormulaBase | Structure


class ProgramSolver(Solver):
    """The driver rewrites to what the dialect says."""

    def __init__(self, program: Program, family: str, version: str = "") -> None:
        self.program = program
        self.handlers = program.dialect.handlers()
        self.capabilities = Capabilities(
            family=family, version=version, improves=program.dialect.optimises
        )

    def load(self) -> None:
        """What ends trees of processes, which is slow to import when the time is over."""
        import psutil  # noqa: F401

    def encode(self, structure: Structure) -> Encoding:
        """What is kept; raises Unsupported for what the format cannot say."""
        keep = self.program.dialect.keep
        if keep is None or not all(structure.domains):
            return structure
        with self.program.refusing():
            return keep(structure)

    def weigh(self, encoding: Encoding) -> int:
        return weight(encoding) if isinstance(encoding, Structure) else encoding.weight

    def improves(self, encoding: Encoding, objective: Objective) -> bool:
        """Whether clauses make a formula improve."""
        return isinstance(encoding, FormulaBase) and encoding.can_improve(objective)

    def open(self, encoding: Encoding, call: Call) -> ProgramSearch:
        write = None if isinstance(encoding, Structure) else encoding.write
        return ProgramSearch(self.program, call, write)


def make_driver(name: str, program: Program, family: str, version: str = "") -> Driver:
    """The backend of a program, by the name that it goes by."""
    return Driver(name, ProgramSolver(program, family, version))
