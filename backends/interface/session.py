"""What a solver gives the driver: its capabilities, an encoding, and sessions.

    class Mine(Solver):
        capabilities = Capabilities(family="mine", version="1.0")
        handlers = {AllDifferent: Handler(...), Linear: Handler(...)}

        def encode(self, structure): ...        # the variables; the handlers add the constraints
        def open(self, encoding, call): ...     # a Session: one search

``Solver`` has all further methods that a solver may have, with their defaults.

Words
-----
draft       what ``encode`` begins and the handlers add to
encoding    what is kept of a structure between calls
session     one search, begun for one call
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from backends.interface.api import Ask, Deadline, Limits, Phases, StoppedBy
from backends.interface.handlers import Handlers
from backends.interface.options import Value
from backends.interface.proofs import Refutation
from modelling.problem import Assignment, Objective, Problem, Structure

Take = Callable[[Assignment], bool]

FORMER = "a session's {} is now called {}"


def __getattr__(name: str) -> Any:
    """The former name of ``SessionReport``."""
    if name != "Told":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(FORMER.format("Told", "SessionReport"), DeprecationWarning, stacklevel=2)
    return SessionReport


@dataclass(frozen=True)
class Capabilities:
    """What a solver can do.

    ``family``          backends of one family share so much that their agreement proves little
    ``version``         the solver's own
    ``optimises``       it can be asked for optima
    ``improves``        a session can look for better solutions (``improve``, or ``best``); else the
                        driver asks again with one more constraint
    ``fixes``           a session can fix the objective (``fix``); else the same
    ``proves``          it searches all there is: it may say UNSATISFIABLE, and count
    ``exact``           it calculates with integers; else its claims about all solutions or the best
                        one hold within tolerances, and are not evidence (docs/verdicts.md)
    ``most_solutions``  more are not asked for at once, and where there are more it gives up; None:
                        any number
    ``interrupts``      it keeps ``Limits.seconds`` by itself
    ``threads``         it keeps ``Limits.threads``
    ``projects``        a session tells solutions apart by ``call.on`` alone; else the driver does
    ``large_domains``   it takes domains that are too large to be listed
    ``intervals``       else: the kinds of constraints within which it takes such a domain as an
                        interval, and lists nothing of it
    ``narrows``         auxiliaries get the bounds that order implies; some search better without
    ``certifies``       a session that has searched to the end reports refutations
    """

    family: str
    version: str = ""
    optimises: bool = True
    improves: bool = False
    fixes: bool = False
    proves: bool = True
    exact: bool = True
    most_solutions: int | None = None
    interrupts: bool = True
    threads: bool = False
    projects: bool = False
    large_domains: bool = False
    intervals: frozenset[type] = frozenset()
    narrows: bool = True
    certifies: bool = False


class Choice(Protocol):
    """How a solver answers an ask about a structure; chosen once a call, by the user's structure.

    ``encoding`` names the one of its encodings that is used.
    """

    @property
    def encoding(self) -> str: ...


class Call(NamedTuple):
    """One call as a session sees it: a value. Sessions add to ``phases``, and return what else they
    find out in their ``report``.

    ``problem`` is the instance in native constraints, auxiliaries included; ``several`` says that
    more than one solution may be asked for; ``optimum`` that they are wanted for an optimum;
    ``on`` the variables that distinguish solutions, None for all; ``declared`` how many of the
    variables are the problem's own, the rest being functions of these; ``bounded``, if not None,
    takes proven bounds of the objective; ``certify`` says that the report is to have refutations;
    ``choice`` is what the solver's ``plan_call`` returned.
    """

    problem: Problem
    ask: Ask
    limits: Limits
    deadline: Deadline
    phases: Phases
    started: float
    reused: bool = False
    several: bool = True
    optimum: bool = False
    on: tuple[int, ...] | None = None
    declared: int = 0
    bounded: Callable[[int], bool] | None = None
    certify: bool = False
    choice: Choice | None = None


class SessionReport(NamedTuple):
    """What a session has to say at its end; see ``Result`` for what each is."""

    native_status: str = ""
    statistics: Mapping[str, int | float] = MappingProxyType({})
    configuration: str = ""
    bound: int | None = None
    refutations: tuple[Refutation, ...] = ()


class Session:
    """One search. ``next`` must be written; the rest says what follows when it is not.

    All of it is timed as ``solve`` but what the session itself adds to ``call.phases``; one that
    times all that it does is ``timed``.
    """

    timed = False

    def next(self) -> Assignment | StoppedBy:
        """The next solution, a value for each variable, or why the search ended."""
        raise NotImplementedError

    def exclude(self, values: Assignment) -> None:
        """Do not give this solution again. Nothing to do for a search that continues by itself."""

    def improve(self, objective: Objective, than: int) -> None:
        """Give only solutions that are strictly better from now on."""
        raise NotImplementedError

    def fix(self, objective: Objective, value: int) -> None:
        """Give only solutions of this value; said before the first."""
        raise NotImplementedError

    def each(self, take: Take) -> StoppedBy:
        """Give every solution to ``take`` until it returns false; why it ended.

        For solvers that call back, who write this instead of ``next``.
        """
        while True:
            found = self.next()
            if isinstance(found, str):
                return found
            if not take(found):
                return "sink"
            self.exclude(found)

    def best(self, objective: Objective, take: Take) -> StoppedBy:
        """Give better and better solutions to ``take``; for solvers that optimise by themselves."""
        while True:
            found = self.next()
            if isinstance(found, str):
                return found
            if not take(found):
                return "sink"
            self.improve(objective, objective.value(found))

    def close(self) -> None:
        """The search is over; always called."""

    def report(self) -> SessionReport:
        """Return the solver's status, statistics and findings; called after ``close``."""
        former: Callable[[], SessionReport] | None = getattr(self, "told", None)
        if former is None:
            return SessionReport()
        warnings.warn(FORMER.format("told()", "report()"), DeprecationWarning, stacklevel=2)
        return former()


class Solver:
    """What the driver asks of a solver, with the defaults of all that may be left out.

    ``capabilities``, ``handlers``, ``encode`` and ``open`` are required. The object that the driver
    is given may also have these names without this base class: see ``with_defaults``.
    """

    capabilities: Capabilities
    """What it can do."""
    handlers: Handlers
    """What it takes natively; see ``handlers``."""
    encode: Callable[..., Any]
    """``encode(structure)`` returns the draft that the handlers add the constraints to;
    ``encode(structure, choice.encoding)`` where ``plan_call`` returned a choice."""

    parameters: Mapping[str, Value] = MappingProxyType({})
    """What its name sets of the parameters of the library, by their names."""

    def open(self, encoding: Any, call: Call) -> Session:
        """Begin a search."""
        raise NotImplementedError

    def load(self) -> None:
        """Do beforehand what the first problem would otherwise pay for."""

    def finish(self, draft: Any) -> Any:
        """Return the encoding that is kept once all constraints are posed."""
        return draft

    def plan_call(self, structure: Structure, ask: Ask, limits: Limits) -> Choice | None:
        """Choose how to answer an ask; None for a solver with one encoding of a structure."""
        return None

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """Return why it cannot pose a structure, or an empty text; ``encode()`` makes and keeps
        its encoding."""
        return ""

    def too_large(self, problem: Problem) -> str:
        """Return why it cannot pose an instance, or an empty text."""
        return ""

    def unsupported(self, ask: Ask, limits: Limits) -> tuple[str, str] | None:
        """Return what it cannot answer, and why; None if it can answer ``ask``."""
        return None

    def improves(self, encoding: Any, objective: Objective) -> bool:
        """Whether a session can improve, asked where ``Capabilities`` do not say so."""
        return False

    def weigh(self, encoding: Any) -> int | None:
        """About how many bytes an encoding takes; None for an estimate by its structure."""
        return None


def with_defaults(solver: Any) -> Solver:
    """``solver`` itself; for one without the base class, its attributes and the defaults of
    ``Solver`` for those that it lacks."""
    if isinstance(solver, Solver):
        return solver
    completed = Solver()
    for name in (*Solver.__annotations__, *vars(Solver)):
        if not name.startswith("_") and hasattr(solver, name):
            setattr(completed, name, getattr(solver, name))
    return completed
