"""Scripts for OR-Tools CP-SAT."""

from __future__ import annotations

import re
from typing import Any

from backends.cpsat.configuration import Plan
from backends.cpsat.own_parameters import set_parameters
from backends.cpsat.parameters import make_solver
from harness.hunting.scripts.recording import Recording
from harness.hunting.scripts.task import Native, Task, write_sum, write_tuple

PURE = ("weighted_sum", "from_flat_intervals", "negated")
OURS = ("catch_sigint_signal", "max_time_in_seconds", "max_deterministic_time")
"""Parameters that Concord sets for itself, which change no answer."""


def write(task: Task) -> Native:
    """The model that the backend makes, its parameters, and CP-SAT's own search."""
    recording = Recording(PURE)
    cp = task.solver.cp
    task.solver.cp = recording.wrap(cp, "cp_model")
    encoding, call = task.prepare()
    declared = encoding.expressions[: task.problem.structure.size]
    names = tuple(one._text for one in declared)
    task.solver.cp = cp
    assert isinstance(call.choice, Plan)
    made = make_solver(cp, task.limits, call.choice.main, not task.is_single)
    set_parameters(made.parameters, task.solver.parameters)
    search = ["solver = cp_model.CpSolver()", *_write_parameters(cp, made.parameters)]
    values, found = write_tuple(names), "(cp_model.OPTIMAL, cp_model.FEASIBLE)"
    objective = task.problem.structure.objective
    if task.finding.question.optimum and objective is not None:
        total = write_sum(tuple(names[v] for v in objective.scope), objective.coefficients)
        search = [
            f"model.{objective.sense}({total})",
            *search,
            "status = solver.solve(model)",
            f"best = round(solver.objective_value) if status in {found} else None",
        ]
    elif task.is_single:
        search += [
            "status = solver.solve(model)",
            f"found = [tuple(map(solver.value, {values}))] if status in {found} else []",
        ]
    else:
        search += [
            "seen, found = cp_model.CpSolverSolutionCallback(), []",
            f"seen.on_solution_callback = lambda: found.append(tuple(map(seen.value, {values})))",
            "solver.solve(model, seen)",
        ]
    build = [_shorten(line) for line in recording.lines]
    build = [re.sub(r"\bc1\b", "model", line) for line in build]
    return Native(("from ortools.sat.python import cp_model",), tuple(build), tuple(search), names)


def _shorten(line: str) -> str:
    """Sums and domains as people write them."""
    line = line.replace(".negated().negated()", "")
    line = re.sub(
        r"new_int_var_from_domain\(cp_model\.Domain\.from_flat_intervals\(\[(-?\d+), (-?\d+)\]\)",
        r"new_int_var(\1, \2",
        line,
    )
    return re.sub(
        r"cp_model\.LinearExpr\.weighted_sum\(\[([\w, ]+)\], \[([-\d, ]+)\]\)", _write_sum, line
    )


def _write_sum(found: re.Match[str]) -> str:
    return write_sum(tuple(found[1].split(", ")), tuple(map(int, found[2].split(", "))))


def _write_parameters(cp: Any, parameters: Any) -> list[str]:
    """Parameters that are not CP-SAT's own defaults, as assignments."""
    lines, own = [], cp.CpSolver().parameters
    for name in re.findall(r"(\w+): ", str(parameters)):
        value = getattr(parameters, name)
        if name in OURS or value == getattr(own, name):
            continue
        lines.append(f"solver.parameters.{name} = {_write_value(value)}")
    return lines


def _write_value(value: Any) -> str:
    if isinstance(value, (bool, int, float, str)):
        return repr(value)
    return f"solver.parameters.{getattr(value, 'name', value)}"
