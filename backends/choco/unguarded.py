"""Cumulatives, automata and boxes reified as Choco does it, with the faults that this has.

These handlers are taken with ``workarounds=dropped``.
"""

from __future__ import annotations

from backends.choco.graphs import is_deterministic, regular
from backends.choco.handlers import BUILDERS, HANDLERS
from backends.choco.scheduling import boxes_last, cumulative, no_overlap_2d, tasks_last
from backends.interface.handlers import Handlers
from backends.interface.libraries.formulas import Builders, handler
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D

UNGUARDED: Handlers = {
    **HANDLERS,
    Cumulative: handler(cumulative, tasks_last),
    NoOverlap2D: handler(no_overlap_2d, boxes_last),
    Regular: handler(regular, is_deterministic),
}

UNGUARDED_BUILDERS: Builders = {
    **BUILDERS,
    Cumulative: cumulative,
    NoOverlap2D: no_overlap_2d,
    Regular: regular,
}
