"""Problems that somebody stated in Python, as a family beside the puzzles.

Text is that of ``modelling.text``, one line a problem. ``concord.compare`` writes it for every
Problem that it is given; ``concord.instance`` writes it for a user's file. Or it names a
model in a Python file (``modelling.formats.python_files``), as ``concord compare --model`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from modelling.errors import InstanceError, ModelError
from modelling.formats import python_files as files
from modelling.problem import Problem
from modelling.text import from_text, read_size, to_text
from puzzles.family import Instance
from puzzles.files import LONGEST_PIECE
from puzzles.formats import Locate, entries
from puzzles.stated import Stated


class StatedInPython(Stated):
    """Implements ``puzzles.family.Family``."""

    name = "problem"
    about = "problems that were stated in Python, each as one line of text"
    unit = "size"

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        """See ``Family.read``: one problem a line."""
        return entries(lines, source, self.name, _canonical)

    def problem(self, text: str) -> Problem:
        """See ``Family.problem``; problems whose structures are equal share one."""
        try:
            return files.find_problem(text) if files.is_place(text) else from_text(text)
        except ModelError as error:
            raise InstanceError(str(error)) from error

    def size_of(self, text: str) -> float | None:
        """See ``Measured``: what the problem was given as ``size``."""
        return read_size(text)


def instance(problem: Problem, name: str = "problem") -> Instance:
    """The problem as an instance, whose text can be kept in a file or sent to another process."""
    return Instance(StatedInPython.name, name, to_text(problem))


def _canonical(body: str, locate: Locate) -> str:
    try:
        if files.is_place(body.strip()):
            return files.complete(body.strip())
        from_text(body)
    except ModelError as error:
        if len(body) >= LONGEST_PIECE:
            cause = f"a line of a file is read up to {LONGEST_PIECE} characters, and this is longer"
            raise InstanceError(cause, locate(LONGEST_PIECE)) from error
        raise InstanceError(str(error), locate(len(body) - len(body.lstrip()) + 1)) from error
    return " ".join(body.split())


PROBLEM = StatedInPython()
