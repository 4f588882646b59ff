"""The options of HiGHS that a backend's name may set, as highspy lists them."""

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
    TIME,
    Kind,
    Parameter,
    Parameters,
)
from backends.interface.options import Value

REFUSED = {
    "time_limit": TIME,
    "threads": THREADS,
    "simplex_m*_concurrency": THREADS,
    "random_seed": SEED,
    "mip_max_*": EFFORT,
    "*_iteration_limit": EFFORT,
    "mip_*_gap": QUESTION,
    "objective_bound": QUESTION,
    "objective_target": QUESTION,
    "solve_relaxation": QUESTION,
    "*_tolerance": "Concord refuses integers that the default tolerances do not tell apart",
    "*file*": FILES,
    "*log*": OUTPUT,
    "*output*": OUTPUT,
    "*report*": OUTPUT,
    "write_*": FILES,
    "*debug*": OUTPUT,
    "*analysis*": OUTPUT,
}

_KINDS: Mapping[str, Kind] = {
    "kBool": "switch",
    "kInt": "integer",
    "kDouble": "number",
    "kString": "text",
}


def _make() -> Any:
    model = import_library("highs").Highs()
    model.setOptionValue("output_flag", False)
    return model


def find_parameters(options: Mapping[str, str]) -> dict[str, Parameter]:
    """All options of HiGHS."""
    model = _make()
    names = [name for name in dir(model.getOptions()) if not name.startswith("_")]
    kinds = {name: model.getOptionType(name)[1].name for name in names}
    return {name: Parameter(name, _KINDS[kind]) for name, kind in kinds.items()}


def check(values: Mapping[str, Value], options: Mapping[str, str]) -> str:
    """Which of the values HiGHS does not take."""
    model = _make()
    for name, value in values.items():
        if model.setOptionValue(name, value).name != "kOk":
            default = _make().getOptionValue(name)[1]
            return f"HiGHS does not take {value!r} for {name} (its default is {default!r})"
    return ""


PARAMETERS = Parameters("highs", find_parameters, REFUSED, check=check)
