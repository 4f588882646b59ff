"""python-constraint2: a generic backtracking library in Python, compiled with Cython.

A problem is posed anew at each call; there is nothing in the library that could be kept. Any
constraint is posed, without auxiliary variables: ``posing`` says as what, and ``early`` has what
partial assignments show. The library's sums are right from version 2.8 on; before that they assume
positive numbers in places and lose solutions, so older versions are refused.

Solvers, by the option's words:

auto           the default: optimized where no variable has more than two values, for there an order
               by fewest values only costs time; backtracking elsewhere. The result names the choice
backtracking   chooses each next variable anew, by degree, then by fewest values
optimized      the library's own default: settles the order of the variables once, which is better
               for listing the many solutions of loosely constrained problems
recursive      like backtracking, with the values in the opposite order; needs version 2.9, and
               refuses more than 800 variables, since it recurses on them
minconflicts   local search from a random assignment, 1000 steps: incomplete. A failure is gave_up,
               never a proof, and only one solution can be asked for

ParallelSolver is left out: it only returns all solutions at once, and the library calls it
experimental and unlikely to be faster.

CPU milliseconds a puzzle, means over 6 Sudoku each of the 17-clue, top1465 and hardest-11+ sets:
backtracking 401, 77, 189; recursive 199, 70, 201, but one 17-clue puzzle not within 10 s; optimized
not within 10 s on 5, 1 and 0 of the 6, and 2534, 1707, 830 on the others.

Limits: the library cannot be interrupted, so a constraint that always holds watches over every
variable. It is asked for each value tried, counts them as ``nodes`` and looks at the clock.
``seed`` is for minconflicts; conflicts and threads are ignored.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from time import perf_counter
from typing import Any

from backends.interface.api import Ask, Deadline, Limits, Solutions, StoppedBy
from backends.interface.handlers import Handler, Handlers
from backends.interface.libraries.making import maker
from backends.interface.options import Option
from backends.interface.registry import require
from backends.interface.session import Call, Capabilities, Session, SessionReport, Solver
from backends.python_constraint.posing import ConstraintFactory, ModelBuilder
from modelling.constraint import Constraint
from modelling.errors import BackendUnavailable
from modelling.problem import Assignment, Structure
from modelling.versions import find_version

SOLVERS: Mapping[str, str] = {
    "backtracking": "BacktrackingSolver",
    "optimized": "OptimizedBacktrackingSolver",
    "recursive": "RecursiveBacktrackingSolver",
    "minconflicts": "MinConflictsSolver",
}

AUTO = "auto"

OPTIONS: tuple[Option, ...] = (
    Option("solver", (AUTO, *SOLVERS), AUTO, "the library's solver", True),
)

LEAST_VERSION = (2, 8)
MOST_RECURSION = 800

INSTALL = "pip install -U python-constraint2"
REINSTALL = "pip install --force-reinstall python-constraint2"
OVERWRITTEN = f"pip uninstall python-constraint, then {REINSTALL}"


def load() -> Any:
    """The module ``constraint``, if it is python-constraint2 and recent enough.

    python-constraint (1.4.0, no longer kept up) installs a module of the same name over it, and
    takes the module's first file along when it is uninstalled.
    """
    old = find_version("python-constraint")
    new = find_version("python-constraint2")
    try:
        library = require("python-constraint2", "constraint", "python_constraint", INSTALL)
    except BackendUnavailable as error:
        if old:
            raise _hidden(f"python-constraint {old} hides it ({error})", OVERWRITTEN) from error
        raise
    if not hasattr(library, "OptimizedBacktrackingSolver"):
        if old and new:
            cause = f"python-constraint {old} was installed over python-constraint2 {new}"
            raise _hidden(cause, OVERWRITTEN)
        if old:
            raise _hidden(f"python-constraint {old} is installed instead", OVERWRITTEN)
        found = getattr(library, "__file__", None)
        if new and not found:
            raise _hidden(f"files of python-constraint2 {new} are missing", REINSTALL)
        raise _hidden(f"constraint is another module, from {found}", f"rename that, or {INSTALL}")
    if _numbers(new) < LEAST_VERSION:
        raise BackendUnavailable(
            f"python_constraint needs python-constraint2 2.8 or later, since the sums of {new} "
            f"lose solutions: {INSTALL}"
        )
    return library


def _hidden(cause: str, remedy: str) -> BackendUnavailable:
    return BackendUnavailable(
        f"python_constraint needs python-constraint2, imported as constraint, but {cause}: {remedy}"
    )


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version, enough to compare it."""
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit())


class PythonConstraint(Solver):
    """One of the library's solvers; complete unless that is minconflicts."""

    def __init__(self, name: str, solver: str) -> None:
        self.name = name
        self.solver = solver
        self.handlers = HANDLERS  # any constraint has a form here, at worst its definition
        library = load()
        self.builder = ModelBuilder(library)
        self.watch = type("Watch", (Watch, library.Constraint), {})
        self.complete = solver != "minconflicts"
        version = find_version("python-constraint2")
        self.capabilities = Capabilities(
            family="python_constraint", version=version, proves=self.complete
        )
        names = ("backtracking", "optimized") if solver == AUTO else (solver,)
        self.classes = {one: getattr(library, SOLVERS[one]) for one in names}
        for one, made in self.classes.items():
            if self.complete and made.getSolutionIter is library.Solver.getSolutionIter:
                raise BackendUnavailable(
                    f"{name}: the {SOLVERS[one]} of python-constraint2 {version} cannot pass "
                    f"on solutions one by one: {INSTALL}"
                )

    def choose(self, structure: Structure) -> str:
        """The solver by its option's word."""
        if self.solver != AUTO:
            return self.solver
        binary = all(len(domain) <= 2 for domain in structure.domains)
        return "optimized" if binary else "backtracking"

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """The recursive solver recurses on each variable."""
        if self.solver == "recursive" and structure.size > MOST_RECURSION:
            return (
                f"{structure.size} variables are more than {MOST_RECURSION}, and the "
                "recursive solver recurses on each; use backtracking"
            )
        return ""

    def unsupported(self, ask: Ask, limits: Limits) -> tuple[str, str] | None:
        """minconflicts takes ``Solutions(1)`` alone."""
        if self.complete or (isinstance(ask, Solutions) and ask.limit == 1):
            return None
        return str(ask), "it is incomplete and finds a single solution at most"

    def encode(self, structure: Structure) -> list[Constraint]:
        """The constraints, to begin with."""
        return []

    def finish(self, constraints: list[Constraint]) -> list[ConstraintFactory]:
        """What is posed: the library's own are made anew at each call, for they hold its state."""
        return self.builder.all_forms(constraints)

    def open(self, forms: Sequence[ConstraintFactory], call: Call) -> PythonConstraintSession:
        """A problem of the library's."""
        return PythonConstraintSession(self, forms, call)


HANDLERS: Handlers = {
    Constraint: Handler(lambda constraints, constraint: constraints.append(constraint))
}


class PythonConstraintSession(Session):
    """The solutions of one problem of the library's."""

    timed = True

    def __init__(
        self, solver: PythonConstraint, forms: Sequence[ConstraintFactory], call: Call
    ) -> None:
        self.call = call
        self.watch = solver.watch(call.deadline, call.limits.nodes)
        self.chosen = solver.choose(call.problem.structure)
        self.configuration = self.chosen if solver.solver == AUTO else ""
        self.found = self._solutions(solver, forms)

    def next(self) -> Assignment | StoppedBy:
        try:
            return next(self.found)
        except StopIteration as end:
            stopped_by: StoppedBy = end.value
            return stopped_by

    def _solutions(
        self, solver: PythonConstraint, forms: Sequence[ConstraintFactory]
    ) -> Generator[Assignment, None, StoppedBy]:
        """The solutions, and why they end."""
        phases, problem = self.call.phases, self.call.problem
        size = problem.structure.size
        with phases("load"):
            made = _make_solver(solver, self.chosen, self.call.limits.seed)
            posed = solver.builder.pose(made, problem, forms, self.watch)
        end: StoppedBy = "exhausted" if solver.complete else "gave_up"
        if not size:
            yield ()  # the library says that a problem without variables has no solution
            return end
        try:
            found = posed.getSolutionIter() if solver.complete else _only(posed)
            while True:
                with phases("solve"):
                    solution = next(found, None)
                if solution is None:
                    return end
                with phases("decode"):
                    values = tuple([solution[variable] for variable in range(size)])
                yield values
        except LimitReached as limit:
            return limit.stopped_by

    def close(self) -> None:
        self.found.close()

    def report(self) -> SessionReport:
        return SessionReport(
            statistics={"nodes": self.watch.nodes}, configuration=self.configuration
        )


def _make_solver(solver: PythonConstraint, chosen: str, seed: int | None) -> Any:
    made = solver.classes[chosen]
    if solver.complete:
        return made()
    return made(rand=None if seed is None else random.Random(seed))


def _only(posed: Any) -> Iterator[dict[int, int] | None]:
    """The one solution of a solver that passes on no more, or None."""
    yield posed.getSolution()


class LimitReached(Exception):
    """Ends a search of the library from within; never leaves this module."""

    def __init__(self, stopped_by: StoppedBy) -> None:
        super().__init__(stopped_by)
        self.stopped_by = stopped_by


class Watch:
    """A constraint that always holds, and raises ``LimitReached`` when it is time to stop.

    Mixed with the library's ``Constraint``; ``nodes`` counts the values tried.
    """

    def __init__(self, deadline: Deadline, most_nodes: int | None) -> None:
        self.nodes = 0
        self.until = deadline.at
        self.most_nodes = most_nodes
        self.limited = most_nodes is not None or self.until < float("inf")

    def __call__(
        self, variables: Any, domains: Any, assignments: Any, forwardcheck: Any = False
    ) -> bool:
        self.nodes += 1
        if self.limited:
            self._check()
        return True

    def _check(self) -> None:
        if perf_counter() >= self.until:
            raise LimitReached("time")
        if self.most_nodes is not None and self.nodes > self.most_nodes:
            raise LimitReached("gave_up")

    def preProcess(self, *posed: Any) -> None:  # noqa: N802 (the library's name)
        """Nothing: the library would drop a constraint on a single variable here."""


make = maker("python_constraint", OPTIONS, PythonConstraint)
