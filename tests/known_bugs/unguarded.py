"""Backends as they would be if they worked around nothing: each poses what its library gets wrong.

Hunting and shrinking are tried on them, and a new release of a library shows here whether its
faults are repaired.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar

from backends.choco.backend import Choco
from backends.choco.graphs import is_deterministic as choco_is_deterministic
from backends.choco.graphs import regular as choco_regular
from backends.choco.handlers import BUILDERS
from backends.choco.handlers import HANDLERS as CHOCO
from backends.choco.scheduling import boxes_last, no_overlap_2d, tasks_last
from backends.choco.scheduling import cumulative as choco_cumulative
from backends.cpsat.backend import CpSat
from backends.cpsat.configuration import AUTO
from backends.cpsat.handlers import HANDLERS as CPSAT
from backends.cpsat.handlers.graphs import is_deterministic
from backends.interface.driver import Driver
from backends.interface.handlers import Handler
from backends.interface.libraries.formulas import handler
from backends.pumpkin.backend import Pumpkin
from backends.pumpkin.handlers import HANDLERS as PUMPKIN
from backends.pumpkin.handlers import PAIRS
from backends.pumpkin.model import Pair
from backends.pumpkin.scheduling import tasks_are_known
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D


class UnguardedChoco(Choco):
    """Cumulatives, automata and boxes are reified as Choco does it."""

    handlers: ClassVar = {
        **CHOCO,
        Cumulative: handler(choco_cumulative, tasks_last),
        NoOverlap2D: handler(no_overlap_2d, boxes_last),
        Regular: handler(choco_regular, choco_is_deterministic),
    }
    builders: ClassVar = {
        **BUILDERS,
        Cumulative: choco_cumulative,
        NoOverlap2D: no_overlap_2d,
        Regular: choco_regular,
    }


def choco() -> Driver:
    """Choco without workarounds."""
    return Driver("choco", UnguardedChoco("choco", search="default"))


def _regular(model: Any, constraint: Regular, enforced: Any = ()) -> None:
    made = model.model.add_automaton(
        model.expressions_of(constraint.terms),
        constraint.start,
        list(dict.fromkeys(constraint.finals)),
        list(dict.fromkeys(constraint.transitions)),
    )
    model.post(made, enforced)


class UnguardedCpSat(CpSat):
    """Automata are enforced, and presolve does all that it does by itself."""

    handlers: ClassVar = {
        **CPSAT,
        Regular: Handler(_regular, ("root", "half"), is_deterministic, arguments="affine"),
    }

    def plan_call(self, *given: Any) -> Any:
        plan = super().plan_call(*given)
        return plan._replace(trial=None, main=replace(plan.main, guarded=False))


def cpsat() -> Driver:
    """CP-SAT without workarounds."""
    auto = dict.fromkeys(("formulation", "presolve", "search", "workers"), AUTO)
    return Driver("cpsat", UnguardedCpSat("cpsat", **auto))


def _cumulative(model: Any, constraint: Cumulative, premise: Any) -> None:
    durations, demands = (
        [term.offset for term in terms] for terms in (constraint.durations, constraint.demands)
    )
    starts = model.terms(constraint.starts)
    tasks = [task for task in zip(starts, durations, demands, strict=True) if task[1] and task[2]]
    if tasks:
        columns = map(list, zip(*tasks, strict=True))
        model.add("Cumulative", *columns, constraint.capacity.offset, premise=premise)


class UnguardedPumpkin(Pumpkin):
    """Tasks may begin before 0."""

    handlers: ClassVar = {
        **PUMPKIN,
        Cumulative: handler(Pair(_cumulative), tasks_are_known, modes=("root", "half")),
    }
    pairs: ClassVar = {**PAIRS, Cumulative: Pair(_cumulative)}


def pumpkin() -> Driver:
    """Pumpkin without workarounds."""
    return Driver("pumpkin", UnguardedPumpkin("pumpkin", optimum="sat-unsat"))
