"""Scripts for HiGHS, by highspy."""

from __future__ import annotations

from harness.hunting.scripts.libraries.integer_programs import Words, write_program
from harness.hunting.scripts.recording import write as write_value
from harness.hunting.scripts.task import Native, Task


def write(task: Task) -> Native:
    """The program of the call."""
    parameters = task.solver.parameters.items()
    set_option = "model.setOptionValue({}, {})"
    return write_program(
        task,
        Words(
            ("import highspy",),
            (
                "model = highspy.Highs()",
                'model.setOptionValue("output_flag", False)',
                *(set_option.format(write_value(k), write_value(v)) for k, v in parameters),
            ),
            "model.addIntegral(low, high)",
            "model.addConstr({total} {relation} {constant})",
            "model.setObjective({total}, highspy.ObjSense.k{Sense})",
            ("model.run()",),
            "list(model.getSolution().col_value)",
            "model.getInfo().primal_solution_status == 2",
        ),
    )
