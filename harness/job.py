"""One job: an instance, a backend, a question, limits and the number of the repeat.

A job carries its instance as text and the name of its family, never a stated Problem: the worker
states the problem, and that is timed.

Words
-----
role        ``timed``, or ``witness``: asked after all the timed ones about what they leave
            unwitnessed, judged with them, and in no table of times; or ``stated``: an answer that
            came with the instance, as if a backend called ``stated by ...`` had given it
ask         the short text of a question, a column of every table: ``1``, ``2``, ``all``,
            ``optimum``, ``optima 5``, ``optima all``
"""

from __future__ import annotations

from typing import Literal

import msgspec

from backends.interface.api import AllOptima, Ask, Limits, Optimum, Solutions

Role = Literal["timed", "witness", "stated"]

WARM_UP_SECONDS = 1.0
"""The limit that a solver is given for a warm-up, if its jobs have no shorter one."""

LONGEST_WARM_UP = 10.0
"""A warm-up is killed after as long as a job may take, and after this at the latest."""


def warm_up_limit(seconds: float | None) -> float:
    """The seconds after which a warm-up is killed, for jobs with a limit of ``seconds``."""
    return (
        LONGEST_WARM_UP if seconds is None else min(max(seconds, WARM_UP_SECONDS), LONGEST_WARM_UP)
    )


class Question(msgspec.Struct, frozen=True, gc=False):
    """What is asked: up to ``limit`` solutions (None: all), of which ``keep`` are returned.

    With ``optimum`` the best solutions are meant: limit 1 asks for one optimum and its proof.
    """

    limit: int | None = 1
    keep: int | None = 1
    optimum: bool = False

    @property
    def text(self) -> str:
        """The question in a word or two; equal texts are comparable answers."""
        number = "all" if self.limit is None else str(self.limit)
        if not self.optimum:
            return number
        return "optimum" if self.limit == 1 else f"optima {number}"

    def ask(self) -> Ask:
        """The question as backends take it: at least one solution is kept, to show."""
        keep = None if self.keep is None else max(1, self.keep)
        if not self.optimum:
            return Solutions(self.limit, keep)
        return Optimum() if self.limit == 1 else AllOptima(self.limit, keep)


class Job(msgspec.Struct, frozen=True, gc=False):
    """One thing to run; ``number`` counts from 1 in the order of execution.

    ``set`` and ``instance`` name the instance, ``family`` its puzzle family, ``text`` is the
    instance itself and ``source`` where it was read.
    """

    number: int
    set: str
    instance: str
    family: str
    text: str
    backend: str
    question: Question
    limits: Limits
    repeat: int = 1
    source: str = ""
    role: Role = "timed"
