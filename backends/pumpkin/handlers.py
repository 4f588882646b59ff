"""The table of all that Pumpkin takes: each constraint as a pair, what poses it and what poses its
opposite. A premise implies either; with both, a literal is equivalent to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backends.interface.handlers import Condition, Handler, Handlers
from backends.pumpkin.comparisons import COMPARISONS
from backends.pumpkin.formulas import FORMULAS
from backends.pumpkin.functions import FUNCTIONS
from backends.pumpkin.model import Pair, Recipe
from backends.pumpkin.scheduling import SCHEDULING
from backends.pumpkin.tables import TABLES
from modelling.constraint import Constraint
from modelling.rewriting.profile import Arguments, Guard, Mode

_POSED = {**COMPARISONS, **TABLES, **SCHEDULING}

PAIRS: Mapping[type[Constraint], Pair] = {
    **{kind: pair for kind, (pair, _) in _POSED.items()},
    **FORMULAS,
}
"""What may stand within a formula, or under one."""


def _handler(
    pair: Pair, when: Guard | None, arguments: Arguments = "affine", root_only: bool = False
) -> Handler:
    """Notes what is to be posed: it is posed at each call."""

    def post(recipe: Recipe, constraint: Any, condition: Condition | None = None) -> None:
        recipe.posts.append((pair, constraint, condition))

    modes: tuple[Mode, ...] = ("root",) if root_only else ("root", "half")
    if pair.deny is not None:
        modes = ("root", "half", "full")
    return Handler(post, modes, when, repeats=arguments == "nested", arguments=arguments)


HANDLERS: Handlers = {
    **{kind: _handler(*entry) for kind, entry in _POSED.items()},
    **{kind: _handler(pair, None, "nested") for kind, pair in FORMULAS.items()},
    **{kind: _handler(*entry, root_only=True) for kind, entry in FUNCTIONS.items()},
}
