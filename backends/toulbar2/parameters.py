"""The options of toulbar2 that a backend's name may set: the simple ones of its ``Option``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backends.interface.libraries.making import import_library
from backends.interface.libraries.parameters import (
    EFFORT,
    FILES,
    OUTPUT,
    QUESTION,
    SEED,
    THREADS,
    Kind,
    Parameter,
    Parameters,
)
from backends.interface.options import Value

REFUSED = {
    "seed": SEED,
    "backtrackLimit": EFFORT,
    "limited": EFFORT,
    "*Limit": EFFORT,
    "searchMethod": "the option search sets it",
    "vns*": "the option search sets it",
    "lds": "its search is incomplete, and an answer would claim more than it shows",
    "newsolution": QUESTION,
    "allSolutions": QUESTION,
    "approximate*": QUESTION,
    "isZ": QUESTION,
    "verifi*": QUESTION,
    "verifyOpt": QUESTION,
    "*gap": QUESTION,
    "div[A-Z]*": QUESTION,  # several solutions that differ much
    "parallel": THREADS,
    "*erbose": OUTPUT,
    "show*": OUTPUT,
    "debug": OUTPUT,
    "*ilename*": FILES,
    "*_file*": FILES,
    "*Certificate*": FILES,
    "dump*": FILES,
    "write*": FILES,
    "start*": "it is a clock of toulbar2's own",
    "version": "it is the release",
}

_KINDS: Mapping[type, Kind] = {bool: "switch", int: "integer", float: "number"}


def find_parameters(options: Mapping[str, str]) -> dict[str, Parameter]:
    """All that are a truth value or a number."""
    option = _make().Option
    kinds = {name: _kind_of(option, name) for name in dir(option) if not name.startswith("_")}
    return {name: Parameter(name, kind) for name, kind in kinds.items() if kind is not None}


def _make() -> Any:
    library = import_library("toulbar2")
    library.tb2.init()
    return library.CFN(2)


def _kind_of(option: Any, name: str) -> Kind | None:
    try:
        return _KINDS.get(type(getattr(option, name)))
    except TypeError:  # of a class that it does not translate
        return None


def check(values: Mapping[str, Value], options: Mapping[str, str]) -> str:
    """Which of the values toulbar2 does not take."""
    made = _make()
    for name, value in values.items():
        try:
            setattr(made.Option, name, value)
        except (TypeError, ValueError, AttributeError):
            return f"toulbar2 does not take {value!r} for {name}"
    return ""


PARAMETERS = Parameters("toulbar2", find_parameters, REFUSED, check=check)
