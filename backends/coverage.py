"""What a backend does with each class of the vocabulary: takes it natively, rewritten, or not.

It is read from the backend's handlers; what they do not have is tried on a drawn sample.
"""

from __future__ import annotations

import random
from itertools import count, product
from typing import Any, NamedTuple

from backends.interface.api import Accepted, Backend
from modelling.constraint import Constraint, Predicate
from modelling.laws.drawing import Drawer, draw_constraint, structure_over
from modelling.problem import Problem
from modelling.terms import Function, is_true

Class = type[Predicate] | type[Function]


class Coverage(NamedTuple):
    """``way`` is ``full``, ``half`` or ``root`` (the most that is native: equivalent to a literal,
    implied by one, or without one), ``rewritten`` or ``refused``; ``guarded``: where the handler
    declines an instance, that is rewritten."""

    way: str
    guarded: bool = False


def coverage(backend: Backend, kind: Class) -> Coverage:
    """What ``backend`` does with constraints, or comparisons of functions, of one class."""
    handlers: Any = getattr(getattr(backend, "solver", None), "handlers", {})
    if Constraint in handlers:
        return Coverage("full")  # any constraint by its definition, formulas too
    handler = handlers.get(kind)
    if handler is not None:
        modes = frozenset(handler.modes)
        way = next(mode for mode in ("full", "half", "root") if mode in modes)
        return Coverage(way, handler.when is not None)
    if kind in backend.native:
        return Coverage("root")
    accepted = isinstance(backend.accepts(sample(kind)), Accepted)
    return Coverage("rewritten" if accepted else "refused")


def sample(kind: Class) -> Problem:
    """A small problem about a class, true of some values and false of others."""
    domains = ((0, 1, 2),) * 4
    for number in count():
        rng = random.Random(f"coverage/{kind.__name__}/{number}")
        drawn = draw_constraint(rng, kind, Drawer(rng, domains, depth=0))
        if len({is_true(drawn, values) for values in product(*domains)}) == 2:
            return structure_over(domains, (drawn,)).problem()
    raise AssertionError("numbers do not end")
