"""The parameters of SCIP that a backend's name may set, as pyscipopt lists them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backends.interface.libraries.making import import_library
from backends.interface.libraries.muting import muted
from backends.interface.libraries.parameters import (
    EFFORT,
    FILES,
    MEMORY,
    OUTPUT,
    QUESTION,
    SEED,
    THREADS,
    TIME,
    Kind,
    Parameter,
    Parameters,
)
from backends.interface.options import Value

REFUSED = {
    "limits/time": TIME,
    "limits/softtime": TIME,
    "limits/memory": MEMORY,
    "limits/*gap": QUESTION,
    "limits/primal": QUESTION,
    "limits/dual": QUESTION,
    "limits/*": EFFORT,
    "parallel/*": THREADS,
    "concurrent/*": THREADS,
    "lp/threads": THREADS,
    "randomization/*": SEED,
    "numerics/*": "Concord refuses integers that the default tolerances do not tell apart",
    "display/*": OUTPUT,
    "visual/*": FILES,
    "write/*": FILES,
    "*filename": FILES,
    "misc/catchctrlc": "Concord handles Ctrl-C",
    "constraints/countsols/*": QUESTION,
    "heuristics/*/*filename": FILES,
}

_KINDS: Mapping[type, Kind] = {bool: "switch", int: "integer", float: "number", str: "text"}


def _make() -> Any:
    model = import_library("scip").Model()
    model.hideOutput()
    return model


def find_parameters(options: Mapping[str, str]) -> dict[str, Parameter]:
    """All parameters of SCIP and its plugins."""
    return {name: Parameter(name, _KINDS[type(v)]) for name, v in _make().getParams().items()}


def check(values: Mapping[str, Value], options: Mapping[str, str]) -> str:
    """Which of the values SCIP does not take; it prints a trace of its own then."""
    model = _make()
    for name, value in values.items():
        default = model.getParam(name)
        try:
            with muted(2):
                model.setParam(name, value)
        except (ValueError, LookupError):
            return f"SCIP does not take {value!r} for {name} (its default is {default!r})"
    return ""


PARAMETERS = Parameters("scip", find_parameters, REFUSED, check=check)
