"""Automata enforced as CP-SAT does it, with the faults that this has.

These handlers are taken with ``workarounds=dropped``.
"""

from __future__ import annotations

from typing import Any

from backends.cpsat.handlers.formulas import HANDLERS
from backends.cpsat.handlers.graphs import is_deterministic, make_automaton
from backends.cpsat.views import Literals
from backends.interface.handlers import Handler, Handlers
from modelling.vocabulary.automata.regular import Regular


def regular(model: Any, constraint: Regular, enforced: Literals = ()) -> None:
    """CP-SAT's automaton, under literals too."""
    model.post(make_automaton(model, constraint), enforced)


UNGUARDED: Handlers = {
    **HANDLERS,
    Regular: Handler(regular, ("root", "half"), is_deterministic, arguments="affine"),
}
