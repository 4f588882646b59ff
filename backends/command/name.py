"""The name of a program as a backend: ``FORMAT,OPTION=VALUE,...:PROGRAM ARGUMENTS``.

What is quoted, in the options too, is one piece, as in a shell: ``all="-n 0"``.

Words
-----
place-holder    a word in braces that stands for something else: ``{file}``
flags           further arguments that one kind of question needs
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from backends.command.text import DIALECT as TEXT
from backends.interface.options import BackendSpec, Option, split_unquoted, unquote
from backends.interface.programs.texts import DIALECTS, Dialect
from modelling.errors import UnknownBackend
from modelling.wording import did_you_mean

HEAD = "command"

FORMATS: Mapping[str, Dialect] = {**DIALECTS, TEXT.name: TEXT}
"""What a program may read; ``text`` is a family's own."""

SHAPE = "write command:FORMAT:PROGRAM ARGUMENTS, such as command:dimacs:cadical -q"

OPTIONS = (
    Option("all", (), "", "arguments with which the program shows all solutions"),
    Option("optimum", (), "", "arguments with which it looks for an optimum"),
    Option("workers", (), "1", "threads that it uses"),
    Option("family", (), "", "whose solver it is; two of one family are one witness"),
)

PLACES: Mapping[str, str] = {
    "file": "the path of the problem; without it, the path is the last argument",
    "answer": "the path of a file to which the program writes its answer",
    "flags": "the arguments of the options all and optimum; without it, they stand last",
    "seconds": "the time that is left, in whole seconds",
    "milliseconds": "the same in milliseconds",
    "seed": "the random seed; 0 without one",
    "threads": "the number of threads; 1 without one",
    "python": "the Python that Concord runs in",
}

OTHER_WORDS: Mapping[str, str] = {
    "cnf": "dimacs",
    "fzn": "flatzinc",
    "pb": "opb",
    "xcsp": "xcsp3",
    "xml": "xcsp3",
}
"""What else formats are called, for the hint."""

_PLACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


@dataclass(frozen=True)
class Name:
    """A name, read: the dialect, the words of the command, flags by question."""

    dialect: str
    words: tuple[str, ...]
    every: tuple[str, ...] | None
    optimum: tuple[str, ...]
    workers: int
    family: str = ""

    def uses(self, place: str) -> bool:
        """Whether the command has this place-holder."""
        words = (*self.words, *(self.every or ()), *self.optimum)
        return any(place in (found[1] for found in _PLACE.finditer(word)) for word in words)


def read(text: str) -> Name:
    """Read the text after ``command:``. Raises UnknownBackend if it cannot be a command."""
    settings, command = _halves(text)
    dialect, *pieces = split_unquoted(settings, ",")
    dialect = dialect.strip()
    if dialect not in FORMATS:
        near = did_you_mean(OTHER_WORDS.get(dialect.lower(), dialect), FORMATS)
        what = f"unknown format {dialect!r}{near}" if dialect else "no format"
        raise UnknownBackend(f"{HEAD}: {what} (there are: {', '.join(FORMATS)}); {SHAPE}")
    values = _options(pieces)
    words = _words(command, "the command")
    if not words:
        raise UnknownBackend(f"{HEAD}:{settings}: no program is named; {SHAPE}")
    workers = values.get("workers", "1")
    if not workers.isdecimal() or not int(workers):
        raise UnknownBackend(f"{HEAD}: workers takes an integer of at least 1, not {workers!r}")
    every = _words(values["all"], "all") if "all" in values else None
    optimum, family = _words(values.get("optimum", ""), "optimum"), values.get("family", "").strip()
    if family and not re.fullmatch(r"[\w.-]+", family):
        raise UnknownBackend(f"{HEAD}: family takes one word, not {family!r}")
    found = Name(dialect, words, every, optimum, int(workers), family)
    for word in (*words, *(every or ()), *found.optimum):
        _check_places(word)
    return found


def read_spec(text: str) -> BackendSpec:
    """The name as the registry has it; it goes by what was typed, without blanks around it."""
    name = read(text)
    options = {
        "workers": str(name.workers),
        "format": name.dialect,
        "program": name.words[0],
        "family": name.family,
    }
    return BackendSpec(HEAD, canonical(text), options)


def canonical(text: str) -> str:
    """What a backend of this text goes by."""
    settings, command = _halves(text)
    return f"{HEAD}:{','.join(map(str.strip, split_unquoted(settings, ',')))}:{command.strip()}"


def fill(word: str, values: Mapping[str, str]) -> str:
    """A word with its place-holders replaced."""
    return _PLACE.sub(lambda found: values[found[1]] if found[1] else found[0][0], word)


def _halves(text: str) -> tuple[str, str]:
    settings, *rest = split_unquoted(text, ":")
    if not rest:
        program = settings.strip()
        missing = "a program" if program in FORMATS else "a format and a program"
        named = f"{HEAD}:{program}".rstrip(":")
        raise UnknownBackend(f"{named}: {missing} must be named; {SHAPE}")
    return settings, text[len(settings) + 1 :]


def _options(pieces: list[str]) -> dict[str, str]:
    known = [option.name for option in OPTIONS]
    found: dict[str, str] = {}
    for piece in pieces:
        name, equals, value = piece.strip().partition("=")
        if name not in known:
            near = did_you_mean(name, known)
            raise UnknownBackend(
                f"{HEAD}: unknown option {name!r}{near} (there are: {', '.join(known)})"
            )
        if not equals:
            raise UnknownBackend(f"{HEAD}: {name} needs a value: {name}=...")
        if name in found:
            raise UnknownBackend(f"{HEAD}: {name} is given twice")
        found[name] = unquote(value)
    return found


def _words(text: str, what: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise UnknownBackend(
            f"{HEAD}: {what} {text.strip()!r} cannot be split into words: {str(error).lower()}"
        ) from None


def _check_places(word: str) -> None:
    for found in _PLACE.finditer(word):
        if found[1] is not None and found[1] not in PLACES:
            near = did_you_mean(found[1], PLACES)
            raise UnknownBackend(
                f"{HEAD}: unknown place-holder {found[0]}{near} (there are: "
                f"{', '.join('{' + name + '}' for name in PLACES)}; a brace itself is {{{{ or }}}})"
            )
