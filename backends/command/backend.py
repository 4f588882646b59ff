"""The backend of a command line: finds the program, and fills in what each run needs."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from hashlib import sha256
from math import floor

from backends.command.name import FORMATS, HEAD, Name, canonical, fill, read
from backends.command.text import make_text_driver
from backends.interface.driver import Driver
from backends.interface.programs.program import Order, Program
from backends.interface.programs.solver import make_driver
from backends.interface.registry import known_family
from modelling.errors import BackendUnavailable
from modelling.wording import did_you_mean

UNLIMITED_SECONDS = 1_000_000
"""The limit given to a program whose command has one, where the call has none: eleven days, which
fit into 32 bits as milliseconds."""


def make(options: str = "") -> Driver:
    """The backend of ``FORMAT:PROGRAM ARGUMENTS``. Raises BackendUnavailable for a program that is
    not there, UnknownBackend for a name that cannot be read."""
    name = read(options)
    path = find_program(fill_python(name.words[0]))
    command = Command(name, path)
    program = Program(
        command.words,
        FORMATS[name.dialect],
        enumerates=name.every is not None,
        answers_in_file=name.uses("answer"),
        name=canonical(options),
    )
    family = known_family(program.name) or ""
    make_it = make_text_driver if name.dialect == "text" else make_driver
    return make_it(program.name, program, family, command.digest())


class Command:
    """What is run, with the program's path in place of its name."""

    def __init__(self, name: Name, path: str) -> None:
        self.name = name
        self.path = path

    def words(self, order: Order) -> list[str]:
        """The command line for one run."""
        name = self.name
        seconds = UNLIMITED_SECONDS if order.seconds is None else order.seconds
        values = {
            "file": order.problem,
            "answer": order.answer,
            "seconds": str(max(1, floor(seconds))),
            "milliseconds": str(max(1, floor(1000 * seconds))),
            "seed": str(order.seed or 0),
            "threads": str(order.threads or name.workers),
            "python": sys.executable,
        }
        flags = {"all": name.every or (), "optimum": name.optimum}.get(order.question, ())
        words: list[str] = []
        for word in name.words[1:]:
            words += flags if word == "{flags}" else (word,)
        if not name.uses("flags"):
            words += flags
        if not name.uses("file"):
            words.append("{file}")
        return [self.path, *(fill(word, values) for word in words)]

    def digest(self) -> str:
        """The version: the start of a digest of the program and the files among its arguments."""
        found = sha256()
        for path in (self.path, *self.name.words[1:]):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    while data := file.read(1 << 20):
                        found.update(data)
        return f"sha256 {found.hexdigest()[:12]}"


def fill_python(word: str) -> str:
    """The first word: a path with ``~``, or ``{python}``."""
    return sys.executable if word == "{python}" else os.path.expanduser(word)


def find_program(word: str) -> str:
    """The path of a program. Raises BackendUnavailable, which says what to do."""
    if os.path.dirname(word):
        path = os.path.abspath(word)
        if not os.path.exists(path):
            raise BackendUnavailable(f"{HEAD}: there is no program {path}; look at the path")
        if os.path.isdir(path):
            raise BackendUnavailable(f"{HEAD}: {path} is a folder, not a program")
        if not os.access(path, os.X_OK):
            raise BackendUnavailable(
                f"{HEAD}: {path} is not executable: chmod +x {shlex.quote(path)}, or name the "
                "program that runs it first"
            )
        return path
    found = shutil.which(word)
    if found is not None:
        return os.path.abspath(found)
    hint = did_you_mean(word, _programs())
    if os.path.isfile(word):
        hint = f"; did you mean ./{word}, the file in this folder?"
    raise BackendUnavailable(
        f"{HEAD}: there is no program {word!r} on the PATH: install it, or name its path{hint}"
    )


def _programs() -> Sequence[str]:
    """The names of all programs on the PATH."""
    found: set[str] = set()
    for folder in os.get_exec_path():
        if os.path.isdir(folder):
            found.update(os.listdir(folder))
    return sorted(found)
