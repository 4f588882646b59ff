"""The parameters of MathOpt that a backend's name may set: how hard SCIP is to try at what.

SCIP's own parameters are not listed by MathOpt; the backend ``scip`` takes those.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backends.interface.libraries.making import import_library
from backends.interface.libraries.parameters import (
    EFFORT,
    OUTPUT,
    QUESTION,
    SEED,
    THREADS,
    TIME,
    Parameter,
    Parameters,
)
from backends.interface.options import Value

REFUSED = {
    "time_limit": TIME,
    "threads": THREADS,
    "random_seed": SEED,
    "*_limit": EFFORT,
    "*_tolerance": QUESTION,
    "solution_pool_size": QUESTION,
    "enable_output": OUTPUT,
}

MODULE = "ortools.math_opt.python.mathopt"


def find_parameters(options: Mapping[str, str]) -> dict[str, Parameter]:
    """The fields of its ``SolveParameters`` that choose among words."""
    library = import_library("mathopt", MODULE)
    words = tuple(one.name.lower() for one in library.Emphasis)
    return {
        name: Parameter(name, choices=words)
        for name in ("presolve", "cuts", "heuristics", "scaling")
        if hasattr(library.SolveParameters(), name)
    }


def as_fields(library: Any, values: Mapping[str, Value]) -> dict[str, Any]:
    """The values as MathOpt has them."""
    return {name: library.Emphasis[str(value).upper()] for name, value in values.items()}


PARAMETERS = Parameters("mathopt", find_parameters, REFUSED)
