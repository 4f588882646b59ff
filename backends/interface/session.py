"""What a solver gives the driver: its capabilities, an encoding, and sessions.

    class Mine:
        capabilities = Capabilities(family="mine", version="1.0")
        handlers = {AllDifferent: Handler(...), Linear: Handler(...)}

        def encode(self, structure): ...        # the variables; the handlers add the constraints
        def open(self, encoding, call): ...     # a Session: one search

Further methods, which a solver may have and most do not:

finish(draft)       what is kept of a structure once all constraints are posed
plan_call(structure, ask, limits)
                    how it answers an ask, as a ``Choice``: ``encode(structure, choice.encoding)``
                    and ``Call.choice``
refusal(structure, encode)
                    why it cannot pose a structure; ``encode()`` makes and keeps its encoding
too_large(problem)  why it cannot pose an instance
unsupported(ask, limits)
                    what it cannot answer, and why
improves(encoding, objective)
                    whether a session can be told to improve, where ``Capabilities`` do not say so
weigh(encoding)     about how many bytes it keeps

Words
-----
draft       what ``encode`` begins and the handlers add to
encoding    what is kept of a structure between calls
session     one search, begun for one call
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from backends.interface.api import Ask, Deadline, Limits, Phases, StoppedBy
from backends.interface.handlers import Handlers
from backends.interface.proofs import Refutation
from modelling.problem import Assignment, Objective, Problem

Take = Callable[[Assignment], bool]


@dataclass(frozen=True)
class Capabilities:
    """What a solver can do.

    ``family``          backends of one family share so much that their agreement proves little
    ``version``         the solver's own
    ``optimises``       it can be asked for optima
    ``improves``        a session can be told to look for better ones (``improve``, or ``best``);
                        else the driver asks again with one more constraint
    ``fixes``           a session can be told the objective (``fix``); else the same
    ``proves``          it searches all there is: it may say UNSATISFIABLE, and count
    ``exact``           it calculates with integers; else what it says of all solutions, or of the
                        best one, holds within tolerances, and is no evidence (docs/verdicts.md)
    ``most_solutions``  more are not asked for at once, and where there are more it gives up; None:
                        any number
    ``interrupts``      it keeps ``Limits.seconds`` by itself
    ``threads``         it keeps ``Limits.threads``
    ``projects``        a session tells solutions apart by ``call.on`` alone; else the driver does
    ``large_domains``   it takes domains that are too large to be listed
    ``intervals``       else: the kinds of constraints within which it takes such a domain as an
                        interval, and lists nothing of it
    ``narrows``         auxiliaries get the bounds that order implies; some search better without
    ``certifies``       a session that has searched to the end adds to ``call.refutations``
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


@dataclass(slots=True)
class Call:
    """One call as a session sees it.

    ``problem`` is the instance in native constraints, auxiliaries included; ``several`` says that
    more than one solution may be asked for; ``optimum`` that they are wanted for an optimum;
    ``on`` the variables that solutions are told apart by, None for all; ``declared`` how many of
    the variables are the problem's own, the rest being functions of these; ``bounded``, if there is
    one, is to be told of proven bounds of the objective; ``refutations``, if there is a list, has
    what sessions of this call have refuted; ``choice`` is what the solver's ``plan_call`` returned.
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
    refutations: list[Refutation] | None = None
    choice: Choice | None = None


class Told(NamedTuple):
    """What a session has to say at its end; see ``Result`` for what each is."""

    native_status: str = ""
    statistics: Mapping[str, int | float] = MappingProxyType({})
    configuration: str = ""
    bound: int | None = None


class Session:
    """One search. ``next`` must be written; the rest says what follows when it is not.

    All of it is timed as ``solve`` but what the session itself adds to ``call.phases``; one that
    times all that it does is ``timed``.
    """

    timed = False

    def next(self) -> Assignment | StoppedBy:
        """The next solution, a value for each variable, or why there is no further one."""
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

    def told(self) -> Told:
        """What there is to say of it, asked after ``close``."""
        return Told()


class Solver(Protocol):
    """What the driver needs of a solver; see the head of this file."""

    @property
    def capabilities(self) -> Capabilities: ...

    @property
    def handlers(self) -> Handlers: ...

    @property
    def encode(self) -> Callable[..., Any]: ...

    def open(self, encoding: Any, call: Call) -> Session:
        """Begin a search."""
        ...
