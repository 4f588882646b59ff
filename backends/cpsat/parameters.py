"""CP-SAT's parameters: limits, workers, and how much presolve."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from math import inf
from typing import Any

from backends.cpsat.configuration import FIXED, LOCAL, Configuration
from backends.interface.api import Limits

LEVELS: Mapping[str, Mapping[str, Any]] = {
    "on": {},
    "full": {"linearization_level": 2},
    "light": {"max_presolve_iterations": 1, "cp_model_probing_level": 0, "symmetry_level": 0},
    "off": {
        "cp_model_presolve": False,
        "cp_model_probing_level": 0,
        "symmetry_level": 0,
        "linearization_level": 0,
        "use_sat_inprocessing": False,
    },
}
"""What ``presolve`` stands for: CP-SAT's own; the same with all there is of the linear relaxation,
the cuts of circuits among it; one round, without probing and symmetry detection;
no work on the model before or beside the search, the linear relaxation included."""


EFFORT = 0.1
"""Limit of local search that has no limit on time, in CP-SAT's deterministic seconds: it never ends
by itself if the problem has an objective, or lacks a solution."""


TRIAL = 0.005
"""Limit of a trial, in CP-SAT's deterministic seconds (docs/decisions/0032)."""


def make_solver(
    cp: Any,
    limits: Limits,
    chosen: Configuration,
    every: bool,
    trial: bool = False,
    *,
    alone: bool = False,
) -> Any:
    """A new CpSolver that keeps ``limits``; ``every`` has it enumerate all solutions, ``trial``
    bounds its work. Unless it is ``alone``, its parameters are those of other calls too, and only
    the times may be set."""
    solver = cp.CpSolver()
    make = _parameters.__wrapped__ if alone else _parameters  # copies of them are not independent
    solver.parameters = make(cp, chosen, every, limits.conflicts, limits.seed)
    # CP-SAT copies its parameters when a search begins, so these may serve the next call as well.
    solver.parameters.max_time_in_seconds = inf if limits.seconds is None else limits.seconds
    effort = (
        TRIAL if trial else EFFORT if chosen.search == LOCAL and limits.seconds is None else inf
    )
    solver.parameters.max_deterministic_time = effort
    return solver


@lru_cache(maxsize=64)
def _parameters(
    cp: Any, chosen: Configuration, every: bool, conflicts: int | None, seed: int | None
) -> Any:
    """All but the time; setting one after another takes a good part of a small call."""
    parameters = cp.CpSolver().parameters
    parameters.num_workers = chosen.workers
    # Its handler takes Ctrl-C from Python for good: the next one would end the process.
    parameters.catch_sigint_signal = False
    # Only enumeration is exhaustive; a single solution may use CP-SAT's full presolve.
    parameters.enumerate_all_solutions = every
    if chosen.guarded:
        # Presolve otherwise loses solutions where at-most-ones meet linear constraints, at least
        # in 9.15 (docs/disagreements.md).
        parameters.presolve_inclusion_work_limit = 0
    if conflicts is not None:
        parameters.max_number_of_conflicts = conflicts
    if seed is not None:
        parameters.random_seed = seed % (1 << 31)
    # With all of the linear relaxation CP-SAT enumerates some solutions twice, at least in 9.15
    # (docs/disagreements.md).
    is_full = every and chosen.presolve == "full" and not chosen.relaxes
    level = "on" if is_full else chosen.presolve
    for name, value in LEVELS[level].items():
        setattr(parameters, name, value)
    if chosen.search == FIXED:
        parameters.search_branching = parameters.FIXED_SEARCH
    parameters.use_ls_only = chosen.search == LOCAL
    return parameters
