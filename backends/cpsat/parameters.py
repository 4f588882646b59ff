"""What CP-SAT is told: limits, one worker unless more were asked for, presolve or none."""

from __future__ import annotations

from typing import Any

from backends.api import Limits

BARE: dict[str, Any] = {
    "cp_model_presolve": False,
    "cp_model_probing_level": 0,
    "symmetry_level": 0,
    "linearization_level": 0,
    "use_sat_inprocessing": False,
}
"""``presolve=off``: all work that is done on a model before or beside the search."""


def make_solver(cp: Any, limits: Limits, presolve: bool, workers: int) -> Any:
    """A new CpSolver that keeps ``limits``."""
    solver = cp.CpSolver()
    parameters = solver.parameters
    parameters.num_workers = workers
    # Presolve otherwise loses solutions where at-most-ones meet linear constraints, at least
    # in 9.15 (docs/disagreements.md).
    parameters.presolve_inclusion_work_limit = 0
    if limits.seconds is not None:
        parameters.max_time_in_seconds = limits.seconds
    if limits.conflicts is not None:
        parameters.max_number_of_conflicts = limits.conflicts
    if limits.seed is not None:
        parameters.random_seed = limits.seed % (1 << 31)
    if not presolve:
        for name, value in BARE.items():
            setattr(parameters, name, value)
    return solver
