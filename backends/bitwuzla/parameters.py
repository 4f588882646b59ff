"""The options of Bitwuzla that a backend's name may set, as its library lists them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backends.interface.libraries.making import import_library
from backends.interface.libraries.parameters import (
    FILES,
    MEMORY,
    OUTPUT,
    QUESTION,
    SEED,
    THREADS,
    TIME,
    Parameter,
    Parameters,
)
from backends.interface.options import Value, write_value

REFUSED = {
    "time-limit-per": TIME,
    "memory-limit": MEMORY,
    "nthreads": THREADS,
    "seed": SEED,
    "produce-*": QUESTION,
    "prop-nprops": QUESTION,
    "prop-nupdates": QUESTION,
    "write-*": FILES,
    "log-level": OUTPUT,
    "verbosity": OUTPUT,
    "interpolants-*": "Concord asks for no interpolants",
}


def find_parameters(options: Mapping[str, str]) -> dict[str, Parameter]:
    """All options by their long names."""
    library = import_library("bitwuzla")
    known = library.Options()
    found = [
        getattr(library.Option, name) for name in dir(library.Option) if not name.startswith("_")
    ]
    return {one.name: one for one in (_describe(known, option) for option in found)}


def _describe(known: Any, option: Any) -> Parameter:
    name = known.lng(option)
    if known.is_mode(option):
        return Parameter(name, choices=tuple(sorted(known.modes(option))))
    if known.is_bool(option):
        return Parameter(name, "switch")
    return Parameter(name, "integer" if known.is_numeric(option) else "text")


def check(values: Mapping[str, Value], options: Mapping[str, str]) -> str:
    """What Bitwuzla does not take, by itself or together."""
    library = import_library("bitwuzla")
    made = library.Options()
    try:
        set_parameters(made, values)
        library.Bitwuzla(library.TermManager(), made)
    except (library.BitwuzlaException, ValueError) as error:
        return f"Bitwuzla says: {error}"
    return ""


def set_parameters(made: Any, values: Mapping[str, Value]) -> None:
    """Set them in the options of a solver."""
    for name, value in values.items():
        made.set_args(f"--{name}={write_value(value)}")


PARAMETERS = Parameters("bitwuzla", find_parameters, REFUSED, check=check)
