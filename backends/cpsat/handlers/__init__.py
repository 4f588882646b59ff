"""The vocabulary in CP-SAT: a handler for each class, one file a group.

``guards`` say which instances are taken. ``functions``, ``counting``, ``ordering``, ``graphs`` and
``scheduling`` pose what their names say over the views of a model. ``formulas`` has atoms (sums,
tables, AllDifferent) and what is made of constraints, and the table of all; ``unguarded`` is the
same with CP-SAT's known faults, and ``enforcing`` leaves out what a release cannot enforce. A
handler is called with the literals under which its constraint is to hold, none at the root.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from backends.cpsat.formulations import FORMULATIONS, Model
from backends.cpsat.handlers.enforcing import leave_out_unenforced
from backends.cpsat.handlers.formulas import HANDLERS
from backends.cpsat.handlers.unguarded import UNGUARDED
from backends.interface.handlers import Handlers, post
from modelling.problem import Structure

__all__ = ["HANDLERS", "begin", "choose_handlers", "formulate"]


@lru_cache(maxsize=4)
def choose_handlers(cp: Any, is_guarded: bool) -> Handlers:
    """What the release ``cp`` takes, with or without the workarounds for its faults."""
    return leave_out_unenforced(cp, HANDLERS if is_guarded else UNGUARDED)


def begin(cp: Any, formulation: str, structure: Structure, is_guarded: bool = True) -> Model:
    """A model with the variables of a structure."""
    model = FORMULATIONS[formulation](cp, structure)
    model.merges_tables = is_guarded
    return model


def formulate(cp: Any, formulation: str, structure: Structure, is_guarded: bool = True) -> Model:
    """A structure that the handlers take as a model."""
    model = begin(cp, formulation, structure, is_guarded)
    post(choose_handlers(cp, is_guarded), model, structure, "cpsat")
    return model.finish()
