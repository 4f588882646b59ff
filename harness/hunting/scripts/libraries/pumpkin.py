"""Scripts for Pumpkin, by pumpkin-solver."""

from __future__ import annotations

import re
from collections.abc import Sequence

from backends.pumpkin.model import Model
from backends.pumpkin.search import DIRECTIONS, PumpkinSession
from harness.hunting.scripts.recording import Recording
from harness.hunting.scripts.task import Native, Task, write_tuple

PURE = ("scaled", "offset", "negate", "as_integer", "new_constraint_tag", "Predicate")
SEED = 42


def write(task: Task) -> Native:
    """The model that the backend makes, and Pumpkin's own search."""
    recording = Recording(
        (*PURE, *_list_constraints(task.solver.kinds)), lambda lines: task.note(write_build(lines))
    )
    library = recording.wrap(task.solver.library, "pumpkin_solver")
    kinds = recording.wrap(task.solver.kinds, "constraints")
    recipe, call = task.prepare()
    seed = task.limits.seed
    model = Model(library, kinds, call.problem, task.solver.pairs, SEED if seed is None else seed)
    session = PumpkinSession("", model, call, task.solver.optimisation, None)
    session.build(lambda: model.pose(recipe))
    names = tuple(one._text for one in model.variables[: task.problem.structure.size])
    variables = write_tuple(names)
    imports = []
    objective = task.problem.structure.objective
    if task.finding.question.optimum and objective is not None:
        session.build(lambda: session._make_total(objective))
        total = session.total._text
        imports.append("from pumpkin_solver.optimisation import Direction")
        direction = f"direction=Direction.{DIRECTIONS[objective.sense]}"
        search = [
            f"result = model.optimise({total}, {direction})",
            f"best = result._0.int_value({total}) if hasattr(result, '_0') else None",
        ]
    else:
        excluded = f"[{', '.join(names)}], [list(found[-1])], model.new_constraint_tag()"
        search = [
            "found, satisfied = [], 'Satisfiable'",
            f"while len(found) < {task.most} and not model.is_inconsistent():",
            "    if type(result := model.satisfy()).__name__ != satisfied:",
            "        break",
            f"    found.append(tuple(map(result._0.int_value, {variables})))",
            f"    model.add_constraint(constraints.NegativeTable({excluded}))",
        ]
    native = write_build(recording.lines)
    return Native((*native.imports, *imports), native.build, tuple(search), names)


def write_build(lines: Sequence[str]) -> Native:
    """The model alone."""
    imports = ("from pumpkin_solver import Model, constraints",)
    return Native(imports, tuple([_shorten(line) for line in lines]))


def _list_constraints(kinds: object) -> list[str]:
    return [name for name in dir(kinds) if name[0].isupper()]


def _shorten(line: str) -> str:
    line = line.replace(f"pumpkin_solver.Model(seed={SEED})", "Model()")
    return re.sub(r"\bm1\b", "model", line).replace("pumpkin_solver.Model", "Model")
