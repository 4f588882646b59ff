"""Scripts for SCIP, by PySCIPOpt."""

from __future__ import annotations

from harness.hunting.scripts.libraries.integer_programs import Words, write_program
from harness.hunting.scripts.recording import write as write_value
from harness.hunting.scripts.task import Native, Task


def write(task: Task) -> Native:
    """The program of the call."""
    parameters = task.solver.parameters.items()
    return write_program(
        task,
        Words(
            ("from pyscipopt import Model",),
            (
                "model = Model()",
                "model.hideOutput()",
                *(f"model.setParam({write_value(k)}, {write_value(v)})" for k, v in parameters),
            ),
            'model.addVar("", "I", low, high)',
            "model.addCons({total} {relation} {constant})",
            'model.setObjective({total}, "{sense}")',
            ("model.optimize()", "solution = model.getBestSol()"),
            "[solution[one] for one in c] if model.getNSols() else []",
            "values",
        ),
    )
