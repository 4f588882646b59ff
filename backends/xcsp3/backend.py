"""A solver of XCSP3 behind the driver: what it can do, by its program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from backends.interface.driver import Driver
from backends.interface.handlers import handlers_of
from backends.interface.magnitudes import find_too_large, find_wide_function
from backends.interface.options import Option, canonical, parse
from backends.interface.session import Call, Capabilities
from backends.xcsp3.guards.profile import guarded
from backends.xcsp3.programs import WORDS, Program, find_program
from backends.xcsp3.search import LastText, Search
from modelling.problem import Structure

OPTIONS = (Option("solver", WORDS, "cosoco", "which solver reads the file", always=True),)


def make(options: str = "") -> Driver:
    """The backend with its options: ``cosoco``, ``ace`` or ``choco``."""
    values = parse("xcsp3", OPTIONS, options)
    name = canonical("xcsp3", OPTIONS, values)
    return Driver(name, XCSP3(name, find_program(values["solver"])))


class XCSP3:
    """Complete; statistics are those that the solver prints."""

    def __init__(self, name: str, program: Program) -> None:
        self.name = name
        self.program = program
        self.profile = guarded(program.check, program.check_within or program.check)
        self.handlers = handlers_of(self.profile)
        self.capabilities = Capabilities(
            family=program.name,
            version=program.version,
            improves=True,
            fixes=True,
            threads=program.threads,
        )

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """What its integers do not hold."""
        most = self.program.largest
        return find_too_large(structure, most) or find_wide_function(structure, most)

    def encode(self, structure: Structure) -> LastText:
        """The text is of an instance; that of the last one is kept."""
        return LastText()

    def weigh(self, encoding: LastText) -> int:
        return len(encoding.text)

    def open(self, encoding: LastText, call: Call) -> Search:
        return Search(self.name, self.program, self.profile, encoding, call)
