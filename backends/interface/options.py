"""Options of a backend as they are written after the colon: ``sat:direct,cadical195,reuse=none``.

A backend declares its options once; parsing, defaults, the canonical name and the error that names
the nearest valid choice all follow. An option is written ``key=value``; one whose choices are
words may be given by the word alone, when no other option of the backend knows that word. A comma
within quotes belongs to the value: ``clingo:restarts="L,100"``.

Where a backend has a list of its solver's own parameters (``libraries.parameters``), any other
``key=value`` is one of these. ``--key`` alone turns one on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from modelling.errors import UnknownBackend
from modelling.wording import did_you_mean

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")

Value = bool | int | float | str
"""What a parameter may be set to."""


class ParameterReader(Protocol):
    """Reads the parameters of a solver's own; ``libraries.parameters`` has the one that ships."""

    def read(self, given: Mapping[str, str], options: Mapping[str, str]) -> Mapping[str, Value]:
        """The values of ``given`` by their proper names; raises ``UnknownBackend``."""
        ...


@dataclass(frozen=True)
class Option:
    """One option: its name, the allowed words (empty: any integer), the default, and what it is.

    ``always`` puts the value into the canonical name even when it is the default. With ``least``
    an integer of at least so much is allowed besides the words. An ``open`` option has no choices
    here: its value is any word, which is looked up where the backend is made. If that word comes
    first, it needs no name. The value of a ``file`` is any text. ``removed`` names options of
    former versions that went with choices of this one: the error for one of them says so.
    """

    name: str
    choices: tuple[str, ...]
    default: str
    about: str
    always: bool = False
    least: int | None = None
    open: bool = False
    file: bool = False
    removed: tuple[str, ...] = ()


@dataclass(frozen=True)
class BackendSpec:
    """A backend's name, read: ``sat:solver`` and ``sat:reuse=solver`` are one and the same.

    ``head`` is the part before the colon, ``options`` the value of every option, ``text`` the name
    that the backend goes by, ``release`` that of its solver, where the name asks for one by
    ``cpsat@9.12``, ``parameters`` what it sets of the solver's own.
    """

    head: str
    text: str
    options: Mapping[str, str] = field(default_factory=dict)
    release: str = ""
    parameters: Mapping[str, Value] = field(default_factory=dict)

    @property
    def keeps_state(self) -> bool:
        """Whether its solver lives on from one problem to the next, so that their order matters."""
        return self.options.get("reuse") == "solver"

    @property
    def workers(self) -> int:
        """The number of threads by the option ``workers``; 1 without a number."""
        told = self.options.get("workers", "")
        return int(told) if told.isdecimal() else 1


def read(
    head: str, options: Sequence[Option], text: str, parameters: ParameterReader | None = None
) -> BackendSpec:
    """The spec of a backend with these options, from the ``text`` after the colon.

    ``parameters`` reads what is none of the options. Raises ``UnknownBackend`` for what is neither.
    """
    values, given = _read_items(head, options, text, parameters)
    found: Mapping[str, Value] = {}
    if given and parameters is not None:
        found = parameters.read(given, values)
    return BackendSpec(head, canonical(head, options, values, found), values, parameters=found)


def parse(backend: str, options: Sequence[Option], text: str) -> dict[str, str]:
    """The value of every option of ``backend``, from the ``text`` after the colon."""
    return _read_items(backend, options, text, None)[0]


def _read_items(
    backend: str, options: Sequence[Option], text: str, parameters: ParameterReader | None
) -> tuple[dict[str, str], dict[str, str]]:
    """The value of every option, and what else is given, which ``parameters`` reads."""
    values = {option.name: option.default for option in options}
    others: dict[str, str] = {}
    given: set[str] = set()
    for place, item in enumerate(filter(None, map(str.strip, split_unquoted(text, ",")))):
        name, value = _split_parameter(item)
        if parameters is None or not _is_other(name, item, options):
            option, value = _resolve(backend, options, item, place == 0)
            name = option.name
            values[name] = value
        elif name not in others:
            others[name] = value
        if name in given:
            raise UnknownBackend(f"{backend}: {name} is given twice in {text!r}")
        given.add(name)
    return values, others


def _split_parameter(item: str) -> tuple[str, str]:
    """Name and value; ``--key`` alone is ``true``."""
    name, equals, value = item.partition("=")
    return name.strip(), unquote(value.strip()) if equals else "true"


def _is_other(name: str, item: str, options: Sequence[Option]) -> bool:
    """Whether an item can only be a parameter: it has dashes, or a name that no option has."""
    known = {name for option in options for name in (option.name, *option.removed)}
    return item.startswith("-") or ("=" in item and name not in known)


def split_unquoted(text: str, sign: str) -> list[str]:
    """The pieces between signs that are not within quotes."""
    pieces, quote = [""], ""
    for letter in text:
        if letter == quote:
            quote = ""
        elif not quote and letter in "'\"":
            quote = letter
        elif not quote and letter == sign:
            pieces.append("")
            continue
        pieces[-1] += letter
    return pieces


def unquote(value: str) -> str:
    """A value without the quotes around it."""
    is_quoted = len(value) > 1 and value[0] in "'\"" and value[-1] == value[0]
    return value[1:-1] if is_quoted else value


def write_value(value: Value) -> str:
    """A value as a name has it; ``read`` reads it back."""
    if isinstance(value, bool):
        return str(value).lower()
    text = str(value)
    if not re.search("[,{}'\"\\s]", text) and text:
        return text
    return f"'{text}'" if '"' in text else f'"{text}"'


def write_settings(values: Mapping[str, Value]) -> str:
    """``name=value,name=value``, as results have them in their configuration."""
    return ",".join(f"{name}={write_value(value)}" for name, value in sorted(values.items()))


def canonical(
    backend: str,
    options: Sequence[Option],
    values: Mapping[str, str],
    parameters: Mapping[str, Value] | None = None,
) -> str:
    """The name that a backend with these options goes by; defaults are left out. Parameters come
    last, by their names."""
    shown = []
    for option in options:
        value = values[option.name]
        if option.always:
            shown.append(value)
        elif value != option.default:
            shown.append(f"{option.name}={write_value(value) if option.file else value}")
    if parameters:
        shown.append(write_settings(parameters))
    return f"{backend}:{','.join(shown)}" if shown else backend


def _resolve(backend: str, options: Sequence[Option], item: str, first: bool) -> tuple[Option, str]:
    name, equals, value = item.partition("=")
    if any(name in option.removed for option in options):
        raise UnknownBackend(f"{backend}: the option {name!r} was removed; leave out {item!r}")
    if equals:
        option = next((o for o in options if o.name == name), None)
        if option is None:
            raise _unknown(backend, "option", name, [o.name for o in options])
        if option.file:
            return option, unquote(value)
        if option.open and _WORD.fullmatch(value):
            return option, value.lower()
        if option.least is not None and value.isdecimal() and int(value) >= option.least:
            return option, str(int(value))
        if option.choices and value not in option.choices:
            numbers = [] if option.least is None else [f"integers of at least {option.least}"]
            raise _unknown(backend, f"value of {name}", value, [*option.choices, *numbers])
        if option.open:
            raise UnknownBackend(f"{backend}: {name} takes a name, not {value!r}")
        if not option.choices and (option.least is not None or not value.lstrip("-").isdigit()):
            least = "" if option.least is None else f" of at least {option.least}"
            raise UnknownBackend(f"{backend}: {name} takes an integer{least}, not {value!r}")
        return option, value
    for option in options:
        if item in option.choices:
            return option, item
    if first and _WORD.fullmatch(item):
        for option in options:
            if option.open:
                return option, item.lower()
    words = [word for option in options for word in option.choices]
    keys = [f"{option.name}=" for option in options]
    raise _unknown(backend, "option", item, words + keys)


def _unknown(backend: str, what: str, given: str, known: Sequence[str]) -> UnknownBackend:
    hint = did_you_mean(given, known)
    choices = ", ".join(dict.fromkeys(known)) or "none"
    return UnknownBackend(f"{backend}: unknown {what} {given!r}{hint} (there are: {choices})")
