"""The vocabulary in CP-SAT: a handler for each class, one file a group.

``guards`` say which instances are taken. ``functions``, ``counting``, ``ordering``, ``graphs`` and
``scheduling`` pose what their names say over the views of a model. ``formulas`` has atoms (sums,
tables, AllDifferent) and what is made of constraints, and the table of all. A handler is called
with the literals under which its constraint is to hold, none at the root.
"""

from __future__ import annotations

from typing import Any

from backends.cpsat.formulations import FORMULATIONS, Model
from backends.cpsat.handlers.formulas import HANDLERS
from backends.interface.handlers import post
from modelling.problem import Structure

__all__ = ["HANDLERS", "formulate"]


def formulate(cp: Any, formulation: str, structure: Structure) -> Model:
    """A structure that ``HANDLERS`` take as a model."""
    model = FORMULATIONS[formulation](cp, structure)
    post(HANDLERS, model, structure, "cpsat")
    return model.finish()
