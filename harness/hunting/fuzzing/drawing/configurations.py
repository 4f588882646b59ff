"""How a solver is set for a question: options, and parameters of the solver's own, drawn.

Each entry of the lists that ``concord backends NAME`` and ``--parameters`` show may be drawn, but
for those that name files. Options that the user's own name of a backend sets are kept.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

from backends.interface import registry
from backends.interface.libraries.parameters import Parameter
from backends.interface.options import Option, split_unquoted, write_value
from backends.interface.shipped import PROGRAMS
from modelling.errors import BackendUnavailable, UnknownBackend

NUMBERS = (0, 1, 2, 3, 5, 10, 100)
FRACTIONS = (0.0, 0.1, 0.5, 0.9, 1.0, 2.0)
"""What numbers are drawn from; a number that names how much is done stays small, for what it does
should take no longer than the search."""

UNSET = ("proof", "proof_seconds", "trace", "workarounds")
"""Options that are not drawn: they change what is shown of an answer, and not the answer; and
faults that are known are hunted where a name asks for it."""


MOST_DRAWS = 5
"""Draws of settings until they go together; then none are set."""


def draw_name(rng: random.Random, name: str) -> str:
    """The backend's name with further options; two in five times with none."""
    if rng.random() < 0.4:
        return name
    before, _, text = name.partition(":")
    given = {item.partition("=")[0].strip() for item in split_unquoted(text, ",")}
    for _ in range(MOST_DRAWS):
        items = [item for item in _draw_items(rng, name) if item.partition("=")[0] not in given]
        if not items:
            return name
        drawn = f"{before}:{','.join([*filter(None, [text]), *items])}"
        try:
            registry.spec(drawn)
        except (UnknownBackend, BackendUnavailable):
            continue
        return drawn
    return name


def _draw_items(rng: random.Random, name: str) -> Iterator[str]:
    """Different settings, each as ``key=value``: one to three options, none to two parameters."""
    options, parameters = list_settings(name)
    for option in rng.sample(options, min(len(options), rng.randint(1, 3))):
        yield f"{option.name}={_draw_option(rng, option)}"
    for one in rng.sample(parameters, min(len(parameters), rng.choice((0, 0, 1, 1, 2)))):
        yield f"{one.name}={write_value(_draw_parameter(rng, one))}"


@lru_cache(maxsize=64)
def list_settings(name: str) -> tuple[Sequence[Option], Sequence[Parameter]]:
    """The options and parameters that can be drawn for a backend."""
    head = registry.split(name)[0]
    if head in ("py", PROGRAMS.name):
        return (), ()
    options = [
        option
        for option in registry.options_of(head)
        if not option.file
        and option.name not in UNSET
        and (option.choices or option.least is not None)
    ]
    try:
        listed = registry.list_parameters(name)
    except (UnknownBackend, BackendUnavailable):
        listed = []
    parameters = [
        one for one, refused in listed if not refused and (one.kind != "text" or one.choices)
    ]
    return options, parameters


def _draw_option(rng: random.Random, option: Option) -> str:
    values = [*option.choices]
    if option.least is not None:
        values += [str(option.least + rng.choice((0, 1, 2)))]
    return rng.choice(values)


def _draw_parameter(rng: random.Random, one: Parameter) -> bool | int | float | str:
    if one.kind == "switch":
        return rng.random() < 0.5
    if one.kind == "text":
        return rng.choice(one.choices)
    least = float("-inf") if one.least is None else one.least
    most = float("inf") if one.most is None else one.most
    among = [n for n in (NUMBERS if one.kind == "integer" else FRACTIONS) if least <= n <= most]
    ends = [end for end in (one.least, one.most) if end is not None and abs(end) <= max(NUMBERS)]
    drawn = rng.choice([*among, *ends] or [least])
    return int(drawn) if one.kind == "integer" else float(drawn)


def list_items(name: str, base: str) -> list[str]:
    """What a drawn name sets beyond the one that it was drawn for, as ``key=value``."""
    text, before = name.partition(":")[2], base.partition(":")[2]
    given = set(split_unquoted(before, ","))
    return [item for item in split_unquoted(text, ",") if item and item not in given]
