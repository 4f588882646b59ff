"""Options of a backend as they are written after the colon: ``sat:direct,cadical195,reuse=none``.

A backend declares its options once; parsing, defaults, the canonical name and the error that names
the nearest valid choice all follow. An option is written ``key=value``; one whose choices are
words may be given by the word alone, when no other option of the backend knows that word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from modelling.errors import UnknownBackend
from modelling.wording import did_you_mean

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


@dataclass(frozen=True)
class Option:
    """One option: its name, the allowed words (empty: any integer), the default, and what it is.

    ``always`` puts the value into the canonical name even when it is the default. With ``least``
    an integer of at least so much is allowed besides the words. An ``open`` option has no choices
    here: its value is any word, which is looked up where the backend is made. If that word comes
    first, it needs no name. ``removed`` names options of former versions that went with choices of
    this one: the error for one of them says so.
    """

    name: str
    choices: tuple[str, ...]
    default: str
    about: str
    always: bool = False
    least: int | None = None
    open: bool = False
    removed: tuple[str, ...] = ()


@dataclass(frozen=True)
class BackendSpec:
    """A backend's name, read: ``sat:solver`` and ``sat:reuse=solver`` are one and the same.

    ``head`` is the part before the colon, ``options`` the value of every option, ``text`` the name
    that the backend goes by, ``release`` that of its solver, where the name asks for one by
    ``cpsat@9.12``.
    """

    head: str
    text: str
    options: Mapping[str, str] = field(default_factory=dict)
    release: str = ""

    @property
    def keeps_state(self) -> bool:
        """Whether its solver lives on from one problem to the next, so that their order matters."""
        return self.options.get("reuse") == "solver"

    @property
    def workers(self) -> int:
        """The number of threads by the option ``workers``; 1 without a number."""
        told = self.options.get("workers", "")
        return int(told) if told.isdecimal() else 1


def read(head: str, options: Sequence[Option], text: str) -> BackendSpec:
    """The spec of a backend with these options, from the ``text`` after the colon.

    Raises ``UnknownBackend`` for an option that is not there.
    """
    values = parse(head, options, text)
    return BackendSpec(head, canonical(head, options, values), values)


def parse(backend: str, options: Sequence[Option], text: str) -> dict[str, str]:
    """The value of every option of ``backend``, from the ``text`` after the colon."""
    values = {option.name: option.default for option in options}
    given: set[str] = set()
    for place, item in enumerate(filter(None, (part.strip() for part in text.split(",")))):
        option, value = _resolve(backend, options, item, place == 0)
        if option.name in given:
            raise UnknownBackend(f"{backend}: {option.name} is given twice in {text!r}")
        given.add(option.name)
        values[option.name] = value
    return values


def canonical(backend: str, options: Sequence[Option], values: Mapping[str, str]) -> str:
    """The name that a backend with these options goes by; defaults are left out."""
    shown = []
    for option in options:
        value = values[option.name]
        if option.always:
            shown.append(value)
        elif value != option.default:
            shown.append(f"{option.name}={value}")
    return f"{backend}:{','.join(shown)}" if shown else backend


def _resolve(backend: str, options: Sequence[Option], item: str, first: bool) -> tuple[Option, str]:
    name, equals, value = item.partition("=")
    if any(name in option.removed for option in options):
        raise UnknownBackend(f"{backend}: the option {name!r} was removed; leave out {item!r}")
    if equals:
        option = next((o for o in options if o.name == name), None)
        if option is None:
            raise _unknown(backend, "option", name, [o.name for o in options])
        if option.open and _WORD.fullmatch(value):
            return option, value.lower()
        if option.least is not None and value.isdecimal() and int(value) >= option.least:
            return option, str(int(value))
        if option.choices and value not in option.choices:
            raise _unknown(backend, f"value of {name}", value, option.choices)
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
