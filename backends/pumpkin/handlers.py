"""The table of all that Pumpkin takes: each constraint as a pair, what poses it and what poses its
opposite. A premise implies either; with conjunction, a literal is equivalent to it.
"""

from __future__ import annotations

from collections.abc import Mapping

from backends.interface.handlers import Handlers
from backends.interface.libraries.formulas import ALL, handler
from backends.pumpkin.comparisons import COMPARISONS
from backends.pumpkin.formulas import FORMULAS
from backends.pumpkin.functions import FUNCTIONS
from backends.pumpkin.model import Pair
from backends.pumpkin.scheduling import SCHEDULING
from backends.pumpkin.tables import TABLES
from modelling.constraint import Constraint
from modelling.rewriting.profile import Mode

_POSED = {**COMPARISONS, **TABLES, **SCHEDULING}

PAIRS: Mapping[type[Constraint], Pair] = {
    **{kind: pair for kind, (pair, _) in _POSED.items()},
    **FORMULAS,
}
"""What a formula may contain or imply."""


def _modes(pair: Pair) -> tuple[Mode, ...]:
    """Whether a condition may be equivalent to it depends on its opposite being known."""
    return ("root", "half") if pair.deny is None else ALL


HANDLERS: Handlers = {
    **{kind: handler(pair, when, modes=_modes(pair)) for kind, (pair, when) in _POSED.items()},
    **{kind: handler(pair, arguments="nested", repeats=True) for kind, pair in FORMULAS.items()},
    **{kind: handler(*entry, modes=("root",)) for kind, entry in FUNCTIONS.items()},
}
