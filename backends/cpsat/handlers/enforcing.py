"""What a release of CP-SAT cannot enforce: constraints that take no literals to hold under.

From 9.15 on any constraint takes them; 9.12 has them for sums, clauses, and tables. CP-SAT itself
says which, of a model with one such constraint, so nothing here depends on the number of a release.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

from backends.interface.handlers import Handlers
from modelling.constraint import Constraint
from modelling.constraints import AllDifferent
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.graphs.circuit import Circuit
from modelling.vocabulary.graphs.subcircuit import SubCircuit
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D

Pose = Callable[[Any, Any, Any], Any]
"""Adds a constraint to a model, over a Boolean and an interval."""

POSES: Mapping[type[Constraint], Pose] = {
    AllDifferent: lambda model, boolean, interval: model.add_all_different([boolean]),
    Circuit: lambda model, boolean, interval: model.add_circuit([(0, 0, boolean)]),
    Cumulative: lambda model, boolean, interval: model.add_cumulative([interval], [1], 1),
    NoOverlap: lambda model, boolean, interval: model.add_no_overlap([interval]),
    NoOverlap2D: lambda model, boolean, interval: model.add_no_overlap_2d([interval], [interval]),
    Regular: lambda model, boolean, interval: model.add_automaton([boolean], 0, [0], [(0, 1, 0)]),
}
SAME = {SubCircuit: Circuit}
"""What is posed as another one is."""


def can_enforce(cp: Any, pose: Pose) -> bool:
    """Whether a model with such a constraint is valid where that is enforced."""
    model = cp.CpModel()
    made = pose(model, model.new_bool_var(""), model.new_fixed_size_interval_var(0, 1, ""))
    made.only_enforce_if(model.new_bool_var(""))
    return not model.validate()


@lru_cache(maxsize=2)
def enforces_parity(cp: Any) -> bool:
    """Whether an exclusive or takes literals."""
    return can_enforce(cp, lambda model, boolean, interval: model.add_bool_xor([boolean]))


def leave_out_unenforced(cp: Any, handlers: Handlers) -> Handlers:
    """The handlers without what the release cannot enforce: that is posed at the root only, and a
    rewrite takes over elsewhere."""
    gone = {kind for kind, pose in POSES.items() if not can_enforce(cp, pose)}
    gone |= {kind for kind, other in SAME.items() if other in gone}
    kept = dict(handlers)
    for kind in gone:
        kept[kind] = replace(handlers[kind], modes=("root",))
    return kept
