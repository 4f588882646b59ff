"""The parameters of Pumpkin that a backend's name may set: none.

Its library for Python has arguments of ``Model`` and ``Model.optimise``, and no parameters of the
search. All of the arguments are Concord's to set; they are listed with the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature

from backends.interface.libraries.making import import_library
from backends.interface.libraries.parameters import (
    FILES,
    QUESTION,
    SEED,
    TIME,
    Parameter,
    Parameters,
)

NONE = "Pumpkin's library for Python has no parameters of its search"

REFUSED = {
    "seed": SEED,
    "timeout": TIME,
    "proof": FILES,
    "optimiser": "the option optimum sets it",
    "objective": QUESTION,
    "direction": QUESTION,
    "on_solution": QUESTION,
    "warm_start": "nobody knows a solution before the search",
}


def find_parameters(options: Mapping[str, str]) -> dict[str, Parameter]:
    """The arguments."""
    model = import_library("pumpkin").Model
    names = [*signature(model).parameters, *signature(model.optimise).parameters]
    return {name: Parameter(name) for name in names if name != "self"}


PARAMETERS = Parameters("pumpkin", find_parameters, REFUSED, note=NONE)
