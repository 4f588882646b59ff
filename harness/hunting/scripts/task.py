"""What a script is written of, and its parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from backends.interface import registry
from backends.interface.api import Ask, Deadline, Limits, Phases
from backends.interface.driver import Driver
from backends.interface.session import Call
from harness.hunting.findings import Finding
from harness.hunting.reductions import NAMES
from harness.hunting.scripts.recording import Unwritable
from harness.job import Question
from modelling.errors import Unsupported
from modelling.problem import Assignment, Problem

SURPLUS = 10
"""A script stops once it has found this many solutions too many."""

UNLIMITED = 1_000_000
"""A limit that no small problem reaches."""


@dataclass(frozen=True)
class Native:
    """A script in a solver's own words.

    ``imports`` are lines; ``build`` makes the model; ``search`` leaves in ``found`` a list of
    tuples, one value for each declared variable, or in ``best`` the optimum. ``names`` are what the
    declared variables are called in ``build``; they become those of the problem.
    """

    imports: tuple[str, ...]
    build: tuple[str, ...]
    search: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def ignore(native: Native) -> None:
    """Note nothing."""


class Task:
    """A finding with the backend that it is about, and what that makes of the problem.

    ``note`` gets the script as far as it is known before each call that the library may not
    survive.
    """

    def __init__(self, finding: Finding, note: Callable[[Native], None] = ignore) -> None:
        self.note = note
        problem = finding.problem
        domains = tuple(problem.values(v) for v in range(problem.structure.size))
        structure = replace(problem.structure, domains=domains)  # type: ignore[arg-type]
        self.finding = finding
        self.problem: Problem = structure.problem()
        head, _, options = registry.split(finding.backend)
        driver = registry.get(f"{head}:{options}" if options else head)
        if not isinstance(driver, Driver):
            raise Unsupported(finding.backend, "a script", "its library is not known")
        self.driver = driver
        self.head = driver.family if head == "py" else head
        self.solver: Any = self.driver.solver
        self.question = finding.question
        self.best: str = ""
        self.limits = replace(finding.limits, seconds=None)

    @property
    def ask(self) -> Ask:
        """What the library is asked for."""
        return self.question.ask()

    def enumerate_for_optimum(self) -> None:
        """Where the best is asked for, have the library find all solutions, and take the best.

        For libraries whose optimum Concord searches for itself. Raises Unwritable for an objective
        that is not a sum.
        """
        objective = self.problem.structure.objective
        if not self.question.optimum or objective is None:
            return
        if not objective.is_linear:
            raise Unwritable("the objective is not a sum, and its best is searched for by Concord")
        names = tuple(self.names[v] for v in objective.scope)
        total = write_sum(names, objective.coefficients)
        choose = "min" if objective.sense == "minimize" else "max"
        row = write_tuple(self.names)
        self.best = f"best = {choose}(({total} for {row} in found), default=None)"
        self.question = Question(None, None)
        structure = replace(self.problem.structure, objective=None)
        self.problem = Problem(structure, self.problem.masks)

    @property
    def names(self) -> tuple[str, ...]:
        """What the declared variables are called."""
        given = self.problem.structure.names
        if all(name.isidentifier() for name in given):
            return given
        size = len(given)
        return NAMES[:size] if size <= len(NAMES) else tuple(f"x{k}" for k in range(size))

    @property
    def most(self) -> int:
        """How many solutions are looked at."""
        limit, count = self.question.limit, self.finding.right.count
        if limit is not None:
            return limit
        return UNLIMITED if count is None else count + SURPLUS

    @property
    def is_single(self) -> bool:
        """Whether one solution is asked for."""
        return not self.question.optimum and self.question.limit == 1

    def prepare(self) -> tuple[Any, Call]:
        """The encoding of the problem, made now, and a call for it."""
        structure = self.problem.structure
        choice = self.solver.plan_call(structure, self.ask, self.limits)
        variant = "" if choice is None else choice.encoding
        kept = self.driver.preparation.prepare(variant, structure)
        posed, on = (self.problem, None) if kept.plain else (kept.lift(self.problem), None)
        optimum = self.question.optimum
        given = (posed, self.ask, Limits(), Deadline(None), Phases(), 0.0, False)
        call = Call(*given, not self.is_single, optimum, on, structure.size, None, False, choice)
        return kept.encoding, call


def write_sum(names: tuple[str, ...], factors: tuple[int, ...]) -> str:
    """``2 * x - y``; 0 for no terms."""
    text = ""
    for name, factor in zip(names, factors, strict=True):
        size = name if abs(factor) == 1 else f"{abs(factor)} * {name}"
        sign = " - " if factor < 0 else " + "
        text += (sign if text else sign.strip().replace("+", "")) + size
    return text or "0"


def write_tuple(items: tuple[str, ...]) -> str:
    """``(x,)`` or ``(x, y)``."""
    return f"({items[0]},)" if len(items) == 1 else f"({', '.join(items)})"


def describe_solution(names: tuple[str, ...], values: Assignment) -> str:
    """``x = 1, y = 2``."""
    return ", ".join(f"{name} = {value}" for name, value in zip(names, values, strict=True))
