"""A program that reads a family's own text: ``command:text:./jsp``.

It is given what a line of a file has, and knows the family's rules itself; nothing is rewritten for
it. It answers by the names of the variables that the family gives them, and each solution is
checked by the family's constraints.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from backends.interface.api import Ask, Limits
from backends.interface.driver import Driver
from backends.interface.handlers import Handler, Handlers
from backends.interface.programs.answers.named_values import NamedValues
from backends.interface.programs.answers.reader import Garbled, Reader, integer, shorten
from backends.interface.programs.program import Program
from backends.interface.programs.search import ProgramSearch
from backends.interface.programs.solver import Encoding
from backends.interface.programs.texts import Dialect
from backends.interface.session import Call, Capabilities, Solver
from modelling.constraint import Constraint
from modelling.errors import Unsupported
from modelling.problem import Assignment, Objective, Problem, Structure

_TRUTH = {"true": 1, "false": 0}


class FamilyText:
    """One instance: the text, and the problem whose variables the answer names."""

    def __init__(self, text: str, problem: Problem, optimum: bool) -> None:
        self._text = text
        self._problem = problem
        self._optimum = optimum
        self.cost: int | None = None

    def pieces(self) -> Iterator[str]:
        yield self._text if self._text.endswith("\n") else f"{self._text}\n"

    def reader(self, in_file: bool) -> Reader:
        return NamedValues(self._problem.structure.names, self._optimum)

    def values(self, sighting: Mapping[str, str]) -> Assignment:
        """A value for each variable; Garbled where one is missing."""
        found = []
        for name in self._problem.structure.names:
            word = sighting.get(name)
            if word is None:
                raise Garbled(f"a solution has no value of {name}")
            value = _TRUTH[word] if word in _TRUTH else integer(word)
            if value is None:
                raise Garbled(f"a solution has {name} = {shorten(word)}")
            found.append(value)
        objective = self._problem.structure.objective
        if objective is not None:
            self.cost = objective.value(found)
        return tuple(found)

    def exclude(self, values: Assignment, on: Sequence[int]) -> None:
        """A text cannot leave a solution out: the program has to show all at one start."""
        raise Unsupported(
            "command:text", "a question for several solutions", "it did not say that it was done"
        )


def _write_nothing(problem: Problem, optimum: bool) -> FamilyText:
    raise Unsupported("command:text", "this problem", NO_TEXT)


DIALECT = Dialect("text", ".txt", True, _write_nothing)

NO_TEXT = (
    "the format text is for instances of families, and this problem was stated without one; use "
    "another format"
)


HANDLERS: Handlers = {Constraint: Handler(lambda structure, constraint: None)}
"""Nothing is posed."""


class TextSolver(Solver):
    """Any constraint is its own affair. It is asked for several solutions where its name says how
    (``all=``)."""

    handlers = HANDLERS

    def __init__(self, program: Program, family: str, version: str) -> None:
        self.program = program
        self.capabilities = Capabilities(
            family=family, version=version, improves=True, large_domains=True
        )
        self.given: tuple[Problem, str] | None = None

    def load(self) -> None:
        """As of other programs: what ends trees of processes."""
        import psutil  # noqa: F401

    def too_large(self, problem: Problem) -> str:
        """What was not read from a text."""
        return "" if self.given is not None and self.given[0] is problem else NO_TEXT

    def encode(self, structure: Structure) -> Structure:
        """Nothing is made of it."""
        return structure

    def improves(self, encoding: Encoding, objective: Objective) -> bool:
        return True

    def unsupported(self, ask: Ask, limits: Limits) -> tuple[str, str] | None:
        """Several solutions without a way to ask for them."""
        if getattr(ask, "limit", 1) == 1 or self.program.enumerates:
            return None
        return "a question for several solutions", "say with all=ARGUMENTS how it shows them"

    def open(self, encoding: Structure, call: Call) -> ProgramSearch:
        """A start of the program on the text."""
        assert self.given is not None
        text = self.given[1]
        return ProgramSearch(self.program, call, lambda p, optimum: FamilyText(text, p, optimum))


class TextDriver(Driver):
    """A Backend that has to be given the text of each instance before it is asked."""

    solver: TextSolver

    def give_text(self, problem: Problem, text: str) -> None:
        """The text that ``problem`` was read from."""
        self.solver.given = problem, text


def make_text_driver(name: str, program: Program, family: str, version: str) -> TextDriver:
    """The backend of a program that reads texts."""
    return TextDriver(name, TextSolver(program, family, version))
