"""Scripts for Choco, by pychoco."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from backends.choco.backend import SEARCHES
from backends.choco.model import Model
from harness.hunting.scripts.recording import Recording
from harness.hunting.scripts.task import Native, Task, write_tuple


def write(task: Task) -> Native:
    """The model that the backend makes, and Choco's own search."""
    recording = Recording(note=lambda lines: task.note(write_build(lines)))
    parameters = ", ".join(f"{k}={v!r}" for k, v in task.solver.parameters.items())
    recording.lines.append(f'model = Model("", {parameters})' if parameters else "model = Model()")
    empty = recording.wrap(task.solver.empty(), "model")
    recipe, call = task.prepare()
    library = recording.wrap(task.solver.library, "pychoco")
    model = Model(library, empty, call.problem, task.solver.builders)
    for builder, constraint, condition in recipe.posts:
        model.post(builder, constraint, condition)
    names = tuple(one._text for one in model.variables[: task.problem.structure.size])
    values = write_tuple(tuple(f"int({name}.get_value())" for name in names))
    search = ["solver, found = model.get_solver(), []"]
    chosen = SEARCHES[task.solver.search]
    if chosen:
        every = ", ".join(one._text for one in model.variables)
        search.append(f"solver.{chosen}({every})")
    search += [
        f"while len(found) < {task.most} and solver.solve():",
        f"    found.append({values})",
    ]
    objective = task.problem.structure.objective
    if task.finding.question.optimum and objective is not None:
        total = _write_total(recording, model, objective.scope, objective.coefficients)
        search[0:0] = [f"model.set_objective({total}, {objective.sense == 'maximize'})"]
        search[-2] = "while solver.solve():"
        search[-1] = f"    found.append({total}.get_value())"
        search.append("best = found[-1] if found else None")
    return replace(write_build(recording.lines), search=tuple(search), names=names)


def write_build(lines: Sequence[str]) -> Native:
    """The model alone."""
    build = tuple(line.replace("pychoco.", "") for line in lines)
    called = ["FiniteAutomaton"] if any("FiniteAutomaton" in line for line in build) else []
    return Native((f"from pychoco import {', '.join([*called, 'Model'])}",), build)


def _write_total(
    recording: Recording, model: Model, scope: tuple[int, ...], factors: tuple[int, ...]
) -> str:
    """The name of the variable that is equal to the objective."""
    terms = [model.variables[variable] for variable in scope]
    if factors == (1,):
        return str(terms[0]._text)
    ends = [
        sorted((factor * model.domains[v][0], factor * model.domains[v][-1]))
        for v, factor in zip(scope, factors, strict=True)
    ]
    total = model.model.intvar(sum(low for low, _ in ends), sum(high for _, high in ends))
    model.model.scalar(terms, list(factors), "=", total).post()
    return str(total._text)
