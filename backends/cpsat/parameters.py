"""What CP-SAT is told: limits, workers, and how much presolve."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backends.api import Limits

LEVELS: Mapping[str, Mapping[str, Any]] = {
    "on": {},
    "light": {"max_presolve_iterations": 1, "cp_model_probing_level": 0, "symmetry_level": 0},
    "off": {
        "cp_model_presolve": False,
        "cp_model_probing_level": 0,
        "symmetry_level": 0,
        "linearization_level": 0,
        "use_sat_inprocessing": False,
    },
}
"""What ``presolve`` stands for: CP-SAT's own; one round, without probing and symmetry detection;
no work on the model before or beside the search, the linear relaxation included."""


def make_solver(cp: Any, limits: Limits, presolve: str, workers: int) -> Any:
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
    for name, value in LEVELS[presolve].items():
        setattr(parameters, name, value)
    return solver
