"""The parameters of CP-SAT that a backend's name may set: the fields of its SatParameters."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from backends.cpsat.configuration import AUTO
from backends.cpsat.parameters import LEVELS
from backends.interface.libraries.making import import_library
from backends.interface.libraries.parameters import (
    EFFORT,
    FILES,
    MEMORY,
    OUTPUT,
    QUESTION,
    SEED,
    TIME,
    Kind,
    Parameter,
    Parameters,
)
from backends.interface.options import Value

_WORKERS = "the option workers sets it"
_INCLUSION = "presolve loses solutions with more of it (docs/disagreements.md)"

REFUSED = {
    "max_time_in_seconds": TIME,
    "max_deterministic_time": EFFORT,
    "max_num_deterministic_batches": EFFORT,
    "max_number_of_conflicts": EFFORT,
    "max_memory_in_mb": MEMORY,
    "*num_workers": _WORKERS,
    "num_search_workers": _WORKERS,
    "use_ls_only": "the option search=ls sets it, and knows what local search cannot prove",
    "random_seed": SEED,
    "*gap_limit": QUESTION,
    "enumerate_all_solutions": QUESTION,
    "stop_after_*": QUESTION,
    "keep_all_feasible_solutions_in_presolve": QUESTION,
    "fill_*_in_response": QUESTION,
    "fix_variables_to_their_hinted_value": QUESTION,
    "presolve_inclusion_work_limit": _INCLUSION,
    "log_*": OUTPUT,
    "name": OUTPUT,
    "catch_sigint_signal": "Concord handles Ctrl-C",
    "*debug_*": "it stops the process on purpose",
    "*proof*": FILES,
    "*drat*": FILES,
    "subsolver_params": "it is a table of its own, which a name cannot hold",
}

_KINDS: Mapping[str, Kind] = {
    "BOOL": "switch",
    "DOUBLE": "number",
    "INT32": "integer",
    "INT64": "integer",
}
_LARGEST = {"INT32": (1 << 31) - 1, "INT64": (1 << 63) - 1}


def find_parameters(options: Mapping[str, str]) -> dict[str, Parameter]:
    """All fields of SatParameters that have one value, or several words."""
    return {field.name: _describe(field) for field in _message().DESCRIPTOR.fields}


def _message() -> Any:
    return import_library("cpsat", "ortools.sat.sat_parameters_pb2").SatParameters()


def _describe(field: Any) -> Parameter:
    """What a field takes; several words, separated by commas, are checked when they are parsed."""
    if field.enum_type is not None and not _is_list(field):
        return Parameter(field.name, choices=tuple(v.name for v in field.enum_type.values))
    kind = next((name for name in _KINDS if field.type == getattr(field, f"TYPE_{name}")), "")
    most = _LARGEST.get(kind)
    least = None if most is None else -most - 1
    return Parameter(field.name, _KINDS.get(kind, "text"), least=least, most=most)


def _is_list(field: Any) -> bool:
    return isinstance(field.default_value, list)


def find_taken(options: Mapping[str, str]) -> dict[str, str]:
    """The parameters that the options presolve and search set, where they are not ``auto``."""
    presolve, search = options["presolve"], options["search"]
    taken: dict[str, str] = {}
    if presolve != AUTO:
        taken |= dict.fromkeys(("cp_model_presolve", *LEVELS[presolve]), f"presolve={presolve}")
    if search != AUTO:
        taken |= {"search_branching": f"search={search}"}
    return taken


def check(values: Mapping[str, Value], options: Mapping[str, str]) -> str:
    """What the library says of values that it cannot read, or that it refuses an empty model
    with."""
    parse_error = import_library("cpsat", "google.protobuf.text_format").ParseError
    cp = import_library("cpsat", "ortools.sat.python.cp_model")
    solver = cp.CpSolver()
    try:
        set_parameters(_message(), values)
        set_parameters(solver.parameters, values)
    except (parse_error, ValueError, RuntimeError) as error:
        return str(error)
    if solver.solve(cp.CpModel()) == cp.MODEL_INVALID:
        return f"CP-SAT says: {solver.solution_info() or 'invalid parameters'}"
    return ""


def write_message(values: Mapping[str, Value]) -> str:
    """The values as text of protobuf; several words of one field are separated by commas."""
    return "\n".join(
        f"{name}: {word}" for name, value in values.items() for word in _write_words(name, value)
    )


def _write_words(name: str, value: Value) -> list[str]:
    if not isinstance(value, str):
        return [str(value).lower()]
    field = _message().DESCRIPTOR.fields_by_name[name]
    words = [word.strip() for word in value.split(",")] if _is_list(field) else [value]
    return words if field.enum_type is not None else [json.dumps(word) for word in words]


def set_parameters(parameters: Any, values: Mapping[str, Value]) -> None:
    """Set them in CP-SAT's own parameters, which are protobuf's up to 9.14."""
    text = write_message(values)
    if hasattr(parameters, "merge_text_format"):
        parameters.merge_text_format(text)
    else:
        import_library("cpsat", "google.protobuf.text_format").Merge(text, parameters)


PARAMETERS = Parameters("cpsat", find_parameters, REFUSED, find_taken, check)
