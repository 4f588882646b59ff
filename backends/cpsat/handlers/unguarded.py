"""Automata enforced as CP-SAT does it, with the faults that this has.

These handlers are taken with ``workarounds=dropped``.
"""

from __future__ import annotations

from dataclasses import replace

from backends.cpsat.handlers.formulas import HANDLERS
from backends.interface.handlers import Handlers
from modelling.vocabulary.automata.regular import Regular

UNGUARDED: Handlers = {
    **HANDLERS,
    Regular: replace(HANDLERS[Regular], modes=("root", "half")),
}
