"""Tasks that may begin before 0 as Pumpkin takes them, with the faults that this has.

These handlers are taken with ``workarounds=dropped``.
"""

from __future__ import annotations

from backends.interface.handlers import Handlers
from backends.interface.libraries.formulas import handler
from backends.pumpkin.handlers import HANDLERS, PAIRS
from backends.pumpkin.model import Pair
from backends.pumpkin.scheduling import pose_tasks, tasks_are_known
from modelling.vocabulary.scheduling.cumulative import Cumulative

TASKS = Pair(pose_tasks)

UNGUARDED: Handlers = {
    **HANDLERS,
    Cumulative: handler(TASKS, tasks_are_known, modes=("root", "half")),
}
UNGUARDED_PAIRS = {**PAIRS, Cumulative: TASKS}
