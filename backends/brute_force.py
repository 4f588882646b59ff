"""The oracle as a backend: every assignment tried, for small problems.

It refuses problems whose search space is larger than ``MOST_ASSIGNMENTS`` open assignments, since
an oracle must end. It takes any constraint by its definition, and shares neither rewriting nor
encoding with the other backends.
"""

from __future__ import annotations

from dataclasses import replace

from backends.interface.api import StoppedBy
from backends.interface.handlers import Handler, Handlers
from backends.interface.libraries.making import maker
from backends.interface.options import Option
from backends.interface.session import Call, Capabilities, Session, Solver
from modelling.brute_force import solutions
from modelling.constraint import Constraint
from modelling.problem import Assignment, Problem, Structure

MOST_ASSIGNMENTS = 20_000_000

COUNTED = 10**30
"""BruteForceSession are counted up to here."""

OPTIONS: tuple[Option, ...] = ()


HANDLERS: Handlers = {Constraint: Handler(lambda structure, constraint: None)}
"""Nothing to pose: it looks at the structure itself."""


class BruteForce(Solver):
    """Complete, and slow on purpose: see ``modelling.brute_force``."""

    capabilities = Capabilities(family="brute_force")
    handlers = HANDLERS

    def __init__(self, name: str) -> None:
        self.name = name

    def encode(self, structure: Structure) -> Structure:
        """The structure."""
        return structure

    def too_large(self, problem: Problem) -> str:
        """More assignments than can be tried."""
        size, most = 1, MOST_ASSIGNMENTS
        if 0 in problem.masks:
            return ""
        for mask, domain in zip(problem.masks, problem.structure.domains, strict=True):
            size *= len(domain) if mask is None else mask.bit_count()
            if size > COUNTED:  # of a million variables the product takes long
                return f"more than {COUNTED:,} assignments are more than {most:,}"
        return f"{size:,} assignments are more than {most:,}" if size > most else ""

    def open(self, structure: Structure, call: Call) -> BruteForceSession:
        """All assignments, in order."""
        return BruteForceSession(call)


class BruteForceSession(Session):
    """The assignments that hold."""

    def __init__(self, call: Call) -> None:
        problem = call.problem
        if call.on is not None:  # the driver tells them apart, in bounded memory
            problem = Problem(replace(problem.structure, output=None), problem.masks)
        self.found = solutions(problem)
        self.deadline = call.deadline
        self.begun = False

    def next(self) -> Assignment | StoppedBy:
        if self.begun and self.deadline.passed:
            return "time"
        self.begun = True
        found = next(self.found, None)
        return "exhausted" if found is None else found


make = maker("brute_force", OPTIONS, BruteForce)
