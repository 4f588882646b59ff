"""A finding: one wrong answer of one solver, with all that is needed to ask for it again.

Words
-----
fault      the class of what is wrong; a finding keeps it while it is made smaller
authority  on whose word the answer is wrong:
           oracle     brute force has enumerated the problem
           check      a solution that was shown violates a constraint, or was shown twice, or a
                      checked solution is one that the solver denies
           agreement  independent solvers agree on another answer
           relation   the solver contradicts itself on a problem that must have the same answer

The folder of a finding holds ``finding.json``. Its field ``text`` is the text of an instance of the
family ``problem``: in a file of its own, other commands can read it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import msgspec

from backends.interface.api import Limits
from harness.job import Question
from modelling.errors import ConcordError, InputError
from modelling.problem import Assignment, Problem
from modelling.text import from_text

Fault = Literal[
    "wrong solution",
    "false unsatisfiable",
    "false optimum",
    "wrong count",
    "duplicate solution",
    "missing solution",
    "crash",
    "hang",
]
Authority = Literal["oracle", "check", "agreement", "relation"]

FORKED: tuple[Fault, ...] = ("crash", "hang")
"""Faults that cost a worker its life, and leave no answer."""

FILE = "finding.json"
FORMAT = 1
"""The version of what the file holds."""

NO_LIMITS = Limits()


@dataclass(frozen=True)
class Answer:
    """What somebody says of a problem; None where nothing is said.

    ``outcome`` and ``status`` have the words of ``harness.record``. ``count`` is the number of
    solutions, ``objective`` the best value. ``solutions`` are a few: of a wrong answer those that
    show the fault, of the right one those that refute the wrong one. ``note`` is what else was
    said, such as the end of what a process printed.
    """

    status: str = "UNKNOWN"
    outcome: str = "finished"
    count: int | None = None
    objective: int | None = None
    solutions: tuple[Assignment, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Finding:
    """One wrong answer.

    ``text`` is the problem with its givens, as ``modelling.text.to_text`` writes it; ``problem`` is
    made of it. ``backend`` is a name with options and release, ``version`` what the solver calls
    its own, ``platform`` the system and the interpreter. ``tries`` is how often the same question
    is asked until the wrong answer comes: more than once where it comes now and then.
    """

    text: str
    question: Question
    backend: str
    fault: Fault
    claimed: Answer
    right: Answer
    authority: Authority
    limits: Limits = NO_LIMITS
    version: str = ""
    platform: str = ""
    tries: int = 1
    format: int = FORMAT

    @cached_property
    def problem(self) -> Problem:
        """The problem that the text states; raises ModelError for a text that states none."""
        return from_text(self.text)

    def write(self, folder: Path) -> None:
        """Write the folder; a finding that is there already is replaced as a whole.

        Raises InputError where the folder cannot be written.
        """
        data = msgspec.json.format(msgspec.json.encode(self), indent=2)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            beside = folder / f".{FILE}.new"
            beside.write_bytes(data + b"\n")
            os.replace(beside, folder / FILE)
        except OSError as error:
            raise InputError(
                f"{folder}: the finding cannot be written: {error.strerror or error}"
            ) from error

    @classmethod
    def read(cls, folder: Path) -> Finding:
        """The finding in a folder; raises InputError where there is none that can be read."""
        path = folder / FILE
        try:
            found = msgspec.json.decode(path.read_bytes(), type=cls)
            found.problem  # noqa: B018  # a text that states no problem is found out here
        except OSError as error:
            raise InputError(
                f"{path}: {error.strerror or error}; name the folder of a finding"
            ) from error
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: a finding cannot be read from it: {error}") from error
        except ConcordError as error:
            raise InputError(f"{path}: its text does not state a problem: {error}") from error
        if found.format != FORMAT:
            raise InputError(
                f"{path}: it has format {found.format}, but this version of Concord reads "
                f"format {FORMAT}"
            )
        return found
