"""The flags of a solver behind MiniZinc that a backend's name may set, as MiniZinc lists them
(``extraFlags`` of ``minizinc --solvers-json``): ``minizinc:gecode,restart=luby``."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence

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
from backends.minizinc.solvers import InstalledSolver, find_solver

REFUSED = {
    "node": EFFORT,
    "fail": EFFORT,
    "*conflict*limit*": EFFORT,
    "*time*": TIME,
    "*thread*": THREADS,
    "*seed*": SEED,
    "*[gG]ap": QUESTION,
    "*log*": OUTPUT,
    "*verbos*": OUTPUT,
    "*[wW]rite*": FILES,
    "*[fF]ile": FILES,
    "readParam": FILES,
}

_KINDS: Mapping[str, Kind] = {"bool": "switch", "int": "integer", "float": "number"}


def describe(flag: Sequence[str]) -> Parameter:
    """A flag as MiniZinc lists it: ``["-restart", "Restart ...", "opt:none:luby", "none"]``."""
    kind, *rest = str(flag[2] if len(flag) > 2 else "bool").split(":")
    name = str(flag[0]).lstrip("-")
    if kind == "opt":
        return Parameter(name, choices=tuple(rest))
    ends = [float(end) for end in rest] if kind in ("int", "float") and len(rest) == 2 else []
    least, most = ends or (None, None)
    return Parameter(name, _KINDS.get(kind, "text"), least=least, most=most)


def find_parameters(options: Mapping[str, str]) -> dict[str, Parameter]:
    """The flags of the solver that the option names."""
    found = (describe(flag) for flag in find_solver(options["solver"]).extra)
    return {one.name: one for one in found}


def write_arguments(solver: InstalledSolver, values: Mapping[str, Value]) -> list[str]:
    """The values as arguments of MiniZinc, for a solver that is a program in one of them; a switch
    is given or not.

    MiniZinc passes most flags on, but 2.6.4 takes none with words, such as ``-restart luby``.
    """
    flags = {describe(flag).name: str(flag[0]) for flag in solver.extra}
    words: list[str] = []
    for name, value in values.items():
        if isinstance(value, bool):
            words += [flags[name]] if value else []
        else:
            words += [flags[name], str(value)]
    if not words or not solver.is_exact:  # solvers of linear programs are within MiniZinc
        return words
    return ["--fzn-flags", shlex.join(words)]


PARAMETERS = Parameters("minizinc", find_parameters, REFUSED)
