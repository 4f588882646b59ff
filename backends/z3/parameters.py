"""The parameters of z3 that a backend's name may set: those of its two solvers.

A parameter that only one of the solvers has chooses that solver for all questions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backends.interface.libraries.making import import_library
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

GENERAL, FINITE = "general", "QF_FD"

REFUSED = {
    "timeout": TIME,
    "solver2_timeout": TIME,
    "max_memory": MEMORY,
    "threads*": THREADS,
    "sls.parallel": THREADS,
    "parallel*": THREADS,
    "random_seed": SEED,
    "rlimit": EFFORT,
    "max_conflicts": EFFORT,
    "restart.max": EFFORT,
    "ctrl_c": "Concord handles Ctrl-C",
    "model*": QUESTION,
    "partial": QUESTION,
    "unsat_core": QUESTION,
    "arith.ignore_int": QUESTION,
    "logic": "Concord chooses z3's solver",
    "proof*": FILES,
    "smtlib2_log": FILES,
    "*file*": FILES,
    "*2console": OUTPUT,
    "*display*": OUTPUT,
    "*trace*": OUTPUT,
    "*print*": OUTPUT,
    "*dump*": FILES,
    "*drat.file": FILES,
}

_KINDS: Mapping[int, Kind] = {0: "integer", 1: "switch", 2: "number"}
"""By the numbers that z3 has for them; all others are words."""


def _list(solver: Any) -> dict[str, Parameter]:
    listed = solver.param_descrs()
    names = [listed.get_name(place) for place in range(listed.size())]
    return {name: _describe(name, listed.get_kind(name)) for name in names}


def _describe(name: str, kind: int) -> Parameter:
    found = _KINDS.get(kind, "text")
    if found == "integer":
        return Parameter(name, found, least=0, most=(1 << 32) - 1)
    return Parameter(name, found)


def _list_both() -> tuple[dict[str, Parameter], dict[str, Parameter]]:
    """Those of the general solver, and those of the one for finite domains."""
    z3 = import_library("z3")
    context = z3.Context()
    return _list(z3.Solver(ctx=context)), _list(z3.SolverFor("QF_FD", ctx=context))


def find_parameters(options: Mapping[str, str]) -> dict[str, Parameter]:
    """All that one of the solvers has."""
    general, finite = _list_both()
    return finite | general


def choose_solver(values: Mapping[str, Value]) -> str:
    """The solver that alone has one of the parameters; empty where either will do."""
    if not values:
        return ""
    general, finite = _list_both()
    if any(name not in finite for name in values):
        return GENERAL
    return FINITE if any(name not in general for name in values) else ""


def check(values: Mapping[str, Value], options: Mapping[str, str]) -> str:
    """What no single solver has together, or does not take."""
    general, finite = _list_both()
    only_general = [name for name in values if name not in finite]
    only_finite = [name for name in values if name not in general]
    if only_general and only_finite:
        return (
            f"{only_general[0]} belongs to z3's general solver and {only_finite[0]} to that of "
            "finite domains; leave out one of the two"
        )
    z3 = import_library("z3")
    context = z3.Context()
    solver = z3.SolverFor("QF_FD", ctx=context) if only_finite else z3.Solver(ctx=context)
    try:
        for name, value in values.items():
            solver.set(name, value)
        solver.add(z3.Bool("x", ctx=context))
        solver.check()
    except z3.Z3Exception as error:
        said = error.value.decode() if isinstance(error.value, bytes) else str(error)
        return f"z3 says: {said.splitlines()[0]}"
    return ""


PARAMETERS = Parameters("z3", find_parameters, REFUSED, check=check)
