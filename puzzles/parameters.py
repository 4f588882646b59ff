"""The parameters of a generator as data: name, default, bounds and meaning of each.

The type of the default is the type of the parameter: a whole number, a ``Fraction`` (written as
``0.42`` or ``1/3``, and kept exactly, so that draws do not depend on a machine's arithmetic), one
of a few words, or yes and no.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from modelling.errors import InputError
from modelling.wording import did_you_mean

Value = int | Fraction | str | bool

_NUMBERS = {
    int: r"[+-]?[0-9]{1,18}",
    Fraction: r"[+-]?[0-9]{1,12}(\.[0-9]{1,12}|/0{0,9}[1-9][0-9]{0,11})?",
}


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter.

    ``name``         a word of Python; on the command line, with ``--`` in front, ``_`` is ``-``
    ``default``      its value where none is given
    ``about``        what it means, in one sentence
    ``least``, ``most``  bounds of a number, both included
    ``words``        all that a parameter of type ``str`` may be
    """

    name: str
    default: Value
    about: str
    least: int | Fraction = 0
    most: int | Fraction | None = None
    words: tuple[str, ...] = ()

    @property
    def option(self) -> str:
        """What it is called on the command line."""
        return f"--{self.name.replace('_', '-')}"

    def read(self, given: Any) -> Value:
        """The value of what was given, as a text or as a value; raises ``InputError``."""
        kind = type(self.default)
        if kind is bool:
            if isinstance(given, bool):
                return given
            raise InputError(f"{self.name} must be True or False, not {given!r}")
        if kind is str:
            if given in self.words:
                return str(given)
            hint = did_you_mean(str(given), self.words)
            raise InputError(
                f"{self.name} cannot be {given!r}{hint} (there are: {', '.join(self.words)})"
            )
        written = "" if isinstance(given, bool) else str(given)
        if not re.fullmatch(_NUMBERS[kind], written):
            what = "whole number" if kind is int else "number, such as 0.42 or 1/3"
            raise InputError(f"{self.name} must be a {what}, not {given!r}")
        number = int(written) if kind is int else Fraction(written)
        if number < self.least or (self.most is not None and number > self.most):
            bounds = f"at least {format_value(self.least)}"
            if self.most is not None:
                bounds = f"from {format_value(self.least)} to {format_value(self.most)}"
            raise InputError(f"{self.name} must be {bounds}, not {format_value(number)}")
        return number


def format_value(value: Value) -> str:
    """As ``Parameter.read`` takes it again; a fraction in decimals, if they come to an end."""
    if isinstance(value, Fraction):
        short = f"{float(value):.12f}".rstrip("0").rstrip(".")
        return short if Fraction(short) == value else str(value)
    return str(value)


def complete(
    parameters: Sequence[Parameter], given: Mapping[str, Any], of: str
) -> dict[str, Value]:
    """Every parameter with the value that is given for it, else its default.

    Raises ``InputError``, with the nearest name, for one that the generator ``of`` does not have.
    """
    names = [one.name for one in parameters]
    for name in given:
        if name not in names:
            raise InputError(
                f"instances of {of} are generated without {name!r}{did_you_mean(name, names)} "
                f"(there are: {', '.join(names)})"
            )
    return {one.name: one.read(given.get(one.name, one.default)) for one in parameters}
