"""Parameters of a solver's own, as its library or program lists them: ``cpsat:symmetry_level=0``.

A backend that takes them has a ``PARAMETERS`` beside its ``OPTIONS``. What is set is looked up in
the solver's own list, which needs the solver: a name that is not in it, and a value of the wrong
type, are errors before anything runs.

Some parameters are refused, each with a reason: limits, workers and seeds that Concord sets itself,
what has the solver write to files or to the screen, and what would make an answer mean something
else than it says, such as a tolerated gap. A parameter that an option sets already may not be set
beside that option. Beside ``auto``, the parameter wins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Literal

from backends.interface.options import Value
from modelling.errors import UnknownBackend
from modelling.wording import did_you_mean

Kind = Literal["switch", "integer", "number", "text"]

TRUE = ("true", "on", "yes", "1")
FALSE = ("false", "off", "no", "0")

TIME = "Concord sets the time limit: use --seconds, or seconds in an experiment"
EFFORT = "Concord sets the limits of a search, which decide what an answer means"
THREADS = "the number of threads is that of the experiment's key threads"
SEED = "the seed is that of the experiment's key solver_seed"
OUTPUT = "Concord reads the solver's output, or shows none"
FILES = "a job writes no files but its record"
QUESTION = "Concord sets what is asked, and an answer would mean something else"
MEMORY = "Concord keeps the memory limit: use memory_mb in an experiment"
"""Reasons for refusals that several solvers share."""


@dataclass(frozen=True)
class Parameter:
    """One parameter: its name and what it takes. ``choices`` are its words, if it has some."""

    name: str
    kind: Kind = "text"
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None

    def read(self, text: str) -> Value:
        """The value that a text gives. Raises ValueError, with the cause."""
        if self.kind == "switch":
            if text.lower() not in TRUE + FALSE:
                raise ValueError(f"takes true or false, not {text!r}")
            return text.lower() in TRUE
        if self.kind == "text":
            if self.choices and text not in self.choices:
                hint, known = did_you_mean(text, self.choices), ", ".join(self.choices)
                raise ValueError(f"does not take {text!r}{hint} (it takes: {known})")
            return text
        return self._read_number(text)

    def _read_number(self, text: str) -> Value:
        what = "an integer" if self.kind == "integer" else "a number"
        try:
            value = int(text) if self.kind == "integer" else float(text)
        except ValueError:
            raise ValueError(f"takes {what}, not {text!r}") from None
        if value != value or (self.least is not None and value < self.least):
            raise ValueError(f"takes {what} of at least {self.least or 0:g}, not {text}")
        if self.most is not None and value > self.most:
            raise ValueError(f"takes {what} of at most {self.most:.12g}, not {text}")
        return value

    def describe(self) -> str:
        """What it takes, in a word or two."""
        return ", ".join(self.choices) or self.kind


@dataclass(frozen=True)
class Parameters:
    """The parameters of a backend's solver.

    ``find(options)`` lists them by their names; it imports the solver, or asks the program.
    ``refused`` has reasons by patterns of names (``log_*``). ``taken(options)`` are those that an
    option sets, by that option's text. ``check(values, options)`` is what the solver itself says
    against values; it is empty if they are right. ``note`` explains unknown names where the
    library has no list of them.
    """

    backend: str
    find: Callable[[Mapping[str, str]], Mapping[str, Parameter]]
    refused: Mapping[str, str]
    taken: Callable[[Mapping[str, str]], Mapping[str, str]] = lambda options: {}
    check: Callable[[Mapping[str, Value], Mapping[str, str]], str] = lambda values, options: ""
    note: str = ""

    def read(self, given: Mapping[str, str], options: Mapping[str, str]) -> Mapping[str, Value]:
        """The values of what is ``given``, by the solver's names; raises UnknownBackend."""
        self.ensure_allowed(given)
        known = self.find(options)
        taken = self.taken(options)
        values: dict[str, Value] = {}
        for name, text in given.items():
            parameter = known.get(name) or known.get(find_name(name, known))
            if parameter is None:
                raise self._unknown(name, known, options)
            if parameter.name in values:
                raise UnknownBackend(f"{self.backend}: {parameter.name} is given twice")
            if parameter.name in taken:
                raise UnknownBackend(
                    f"{self.backend}: {taken[parameter.name]} sets {parameter.name} already; leave "
                    "out one of the two"
                )
            values[parameter.name] = self._value(parameter, text)
        self.ensure_allowed(values)
        complaint = self.check(values, options)
        if complaint:
            raise UnknownBackend(f"{self.backend}: {complaint}")
        return values

    def describe(self, options: Mapping[str, str]) -> list[tuple[Parameter, str]]:
        """All parameters by their names, each with why it is refused, if it is."""
        known = self.find(options)
        return [(known[name], self._refuse(name)) for name in sorted(known)]

    def elsewhere(self) -> ParametersElsewhere:
        """The same for a release that is not here."""
        return ParametersElsewhere(self)

    def ensure_allowed(self, names: Iterable[str]) -> None:
        """Raise UnknownBackend, with the reason, for a parameter that is refused."""
        for name in names:
            reason = self._refuse(name)
            if reason:
                raise UnknownBackend(f"{self.backend}: {name} cannot be set here: {reason}")

    def _refuse(self, name: str) -> str:
        """Why a parameter is refused; empty if it is not."""
        bare = name.lstrip("-")
        for pattern, reason in self.refused.items():
            if fnmatchcase(bare, pattern) or fnmatchcase(bare.replace("-", "_"), pattern):
                return reason
        return ""

    def _value(self, parameter: Parameter, text: str) -> Value:
        try:
            return parameter.read(text)
        except ValueError as error:
            raise UnknownBackend(
                f"{self.backend}: the parameter {parameter.name} {error}"
            ) from None

    def _unknown(
        self, name: str, known: Mapping[str, Parameter], options: Mapping[str, str]
    ) -> UnknownBackend:
        meant = [*options, *(one for one in known if not self._refuse(one))]
        hint = did_you_mean(name.lstrip("-"), meant, most=2)
        there = [f"options: {', '.join(options)}"] if options else []
        counted = [f"parameters of the solver: {len(known)}"] if known else []
        there += [self.note] if self.note else counted
        return UnknownBackend(
            f"{self.backend}: unknown option {name!r}{hint} "
            f"({'; '.join(there) or 'there are none'})"
        )


@dataclass(frozen=True)
class ParametersElsewhere:
    """The parameters of a solver at another release than the one that is here: its list is not
    known, so only what is refused is an error."""

    parameters: Parameters

    def read(self, given: Mapping[str, str], options: Mapping[str, str]) -> Mapping[str, Value]:
        """The texts of what is ``given``, by their names; raises UnknownBackend."""
        self.parameters.ensure_allowed(given)
        return {name.lstrip("-"): text for name, text in given.items()}


def find_name(name: str, known: Iterable[str]) -> str:
    """The name that is meant: without dashes before it, and with ``-`` for ``_`` or the reverse."""
    bare = name.lstrip("-")
    variants = (bare, bare.replace("-", "_"), bare.replace("_", "-"))
    return next((variant for variant in variants if variant in set(known)), "")
