"""The table of all that Choco takes.

Choco reifies any constraint: what is made of one is posted, or stands in an implication or an
equivalence with a Boolean. Every Boolean made here is equivalent to something, so that solutions
can be counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from backends.choco.comparisons import COMPARISONS
from backends.choco.counting import COUNTED, COUNTING
from backends.choco.formulas import AT_ONCE, FORMULAS
from backends.choco.functions import FUNCTIONS
from backends.choco.graphs import AT_THE_ROOT, GRAPHS
from backends.choco.model import Builder, Recipe
from backends.choco.scheduling import AT_ONCE as TASKS_AT_ONCE
from backends.choco.scheduling import IMPLIED, SCHEDULING
from backends.choco.tables import TABLES
from backends.interface.handlers import Condition, Handler, Handlers
from modelling.constraint import Constraint
from modelling.rewriting.profile import Arguments, Guard, Mode

ALL: tuple[Mode, ...] = ("root", "half", "full")

_REIFIED: Mapping[type, tuple[Builder, Guard | None]] = {
    **COMPARISONS,
    **TABLES,
    **COUNTING,
    **GRAPHS,
    **SCHEDULING,
}
_DEFINED = {**FUNCTIONS, **COUNTED, **AT_THE_ROOT}
BUILDERS: Mapping[type[Constraint], Builder] = {
    **FORMULAS,
    **{kind: builder for kind, (builder, _) in {**_REIFIED, **IMPLIED}.items()},
}
"""What may stand within a formula, or under one."""


def _handler(
    builder: Builder,
    when: Guard | None,
    modes: tuple[Mode, ...] = ALL,
    arguments: Arguments = "affine",
    repeats: bool = False,
    at_once: Builder | None = None,
) -> Handler:
    """Notes what is to be posed: it is posed at each call; at the root by ``at_once``, if given."""

    def post(recipe: Recipe, constraint: Any, condition: Condition | None = None) -> None:
        chosen = at_once if at_once is not None and condition is None else builder
        recipe.posts.append((chosen, constraint, condition))

    return Handler(post, modes, when, repeats, arguments)


HANDLERS: Handlers = {
    **{kind: _handler(*entry, at_once=TASKS_AT_ONCE.get(kind)) for kind, entry in _REIFIED.items()},
    **{kind: _handler(*entry, ("root", "half")) for kind, entry in IMPLIED.items()},
    **{kind: _handler(*entry, ("root",)) for kind, entry in _DEFINED.items()},
    **{
        kind: _handler(builder, None, ALL, "nested", True, AT_ONCE.get(kind))
        for kind, builder in FORMULAS.items()
    },
}
