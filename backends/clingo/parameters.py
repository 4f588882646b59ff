"""The options of clingo's search that a backend's name may set: its configuration's leaves.

``clingo:--heuristic=Vsids``, or ``clingo:heuristic=Vsids``: names are those of the command line,
where the configuration has ``solver.heuristic``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from backends.interface.libraries.making import import_library
from backends.interface.libraries.parameters import (
    EFFORT,
    OUTPUT,
    QUESTION,
    SEED,
    THREADS,
    Parameter,
    Parameters,
)
from backends.interface.options import Value, write_value

REFUSED = {
    "models": QUESTION,
    "enum_mode": QUESTION,
    "project": QUESTION,
    "opt_mode": QUESTION,
    "opt_stop": QUESTION,
    "supp_models": QUESTION,
    "solve_limit": EFFORT,
    "time_limit": EFFORT,
    "parallel_mode": THREADS,
    "seed": SEED,
    "stats": OUTPUT,
    "parse_*": "Concord writes the program itself",
}


def find_parameters(options: Mapping[str, str]) -> dict[str, Parameter]:
    """All leaves of the configuration, but for those of the solver that tests models."""
    control = import_library("clingo").Control()  # its configuration must not outlive it
    return {name: Parameter(name) for name in _leaves(control.configuration)}


def _leaves(configuration: Any) -> Iterator[str]:
    for key in configuration.keys or ():
        below = getattr(configuration, key)
        if key == "tester":
            continue
        if isinstance(below, type(configuration)):
            yield from _leaves(below)
        else:
            yield key.replace("_", "-")


def find_taken(options: Mapping[str, str]) -> dict[str, str]:
    """The strategy of optimisation, where the option is not as by default."""
    strategy = options["optimum"]
    return {"opt-strategy": f"optimum={strategy}"} if strategy != "bb" else {}


def write_arguments(values: Mapping[str, Value]) -> list[str]:
    """The values as arguments of clingo, whose flags take none."""
    return [
        f"--{name}" if value == "true" else f"--{name}={value}" for name, value in values.items()
    ]


def check(values: Mapping[str, Value], options: Mapping[str, str]) -> str:
    """Which of the values clingo does not take."""
    clingo = import_library("clingo")
    for name, value in values.items():
        if name == "configuration" and value not in _presets(clingo):
            known = ", ".join(sorted(_presets(clingo)))
            return f"clingo has no configuration {write_value(value)} (there are: {known})"
        try:
            clingo.Control(write_arguments({name: value}), logger=lambda code, message: None)
        except RuntimeError:
            return (
                f"clingo does not take {write_value(value)} for {name}; {_describe(clingo, name)}"
            )
    return ""


def _presets(clingo: Any) -> set[str]:
    """The configurations that have a name; any other one would be the path of a file."""
    control = clingo.Control()
    text = control.configuration.description("configuration")
    listed = text.partition("{")[2].partition("}")[0]
    return {word.strip() for word in listed.split("|")} - {"<file>"}


def _describe(clingo: Any, name: str) -> str:
    """What clingo says of an option, in one line."""
    control = clingo.Control()
    configuration = control.configuration
    key = name.replace("-", "_")
    for part in (configuration, configuration.solver, configuration.solve, configuration.asp):
        if key in (part.keys or ()):
            text = " ".join(part.description(key).split()).replace("%A", "the value")
            return f"it says: {text[:200]}"
    return "see clingo --help=3"


PARAMETERS = Parameters("clingo", find_parameters, REFUSED, find_taken, check)
