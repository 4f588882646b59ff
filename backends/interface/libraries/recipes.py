"""The constraints of a structure, kept to be posed anew for each instance.

For solvers that cannot take back what an instance adds: what is kept of a structure is its
constraints, each with what poses it in a model of the solver.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from backends.interface.handlers import Condition
from modelling.constraint import Constraint


@dataclass(slots=True)
class Recipe:
    """What has to be posed of a structure, in its order; the handlers add to it."""

    posts: list[tuple[Any, Any, Condition | None]] = field(default_factory=list)

    def post(self, builder: Any, constraint: Constraint, condition: Condition | None) -> None:
        """Note a constraint."""
        self.posts.append((builder, constraint, condition))
