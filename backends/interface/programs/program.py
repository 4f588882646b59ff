"""A solver that is a program, as its room describes it, and what a command line is made of.

Words
-----
question    what a run is to find: ``one`` solution, ``all`` of them, or the ``optimum``
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from backends.interface.api import Deadline
from backends.interface.programs.texts import Dialect
from modelling.errors import ModelError, Unsupported

LIMIT_SHARE = 0.85
"""The share of the time left that a program gets as its limit, so that it may end by itself."""


@dataclass(frozen=True, slots=True)
class Order:
    """What a command line is made of: the question, the limits, and paths of files that are there
    (``problem``) or may be written (``answer``). ``seconds`` ends before the program is ended;
    ``limit`` is the number of solutions that are wanted of ``all``, None for every one."""

    question: str
    problem: str
    answer: str = ""
    seconds: float | None = None
    seed: int | None = None
    threads: int | None = None
    limit: int | None = None


@dataclass(frozen=True)
class Program:
    """A solver that is a program: what its room says of it.

    ``words(order)`` is the command line. ``enumerates`` that it shows all solutions when ``all``
    are asked for; ``answers_in_file`` that it writes its answer to ``Order.answer``.
    ``statistics`` reads what a line says of the effort. ``name`` is the backend's, for messages.
    """

    words: Callable[[Order], Sequence[str]]
    dialect: Dialect
    enumerates: bool = False
    answers_in_file: bool = False
    statistics: Callable[[str], Mapping[str, int | float]] | None = None
    name: str = "the program"

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Unsupported for what the format cannot say, or only in a text beyond all size."""
        try:
            yield
        except ModelError as error:
            raise Unsupported(self.name, "this problem", str(error)) from error


def time_limit(deadline: Deadline) -> float | None:
    """The limit on time that a program gets; it is over before the program is ended."""
    return None if deadline.left is None else LIMIT_SHARE * deadline.left
