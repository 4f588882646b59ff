"""The solver Pumpkin: what it can do, its options, and what is kept of a structure."""

from __future__ import annotations

from collections.abc import Mapping

from backends.interface.libraries.making import RecipeSolver, import_library
from backends.interface.libraries.recipes import Recipe
from backends.interface.libraries.workarounds import DROPPED, KEPT
from backends.interface.session import Call, Capabilities
from backends.pumpkin.guards import LARGEST
from backends.pumpkin.handlers import HANDLERS, PAIRS
from backends.pumpkin.model import Model
from backends.pumpkin.search import PumpkinSession
from backends.pumpkin.unguarded import UNGUARDED, UNGUARDED_PAIRS

OPTIMISERS: Mapping[str, str] = {"sat-unsat": "LinearSatUnsat", "unsat-sat": "LinearUnsatSat"}
"""Pumpkin's names."""

SEED = 42
"""Pumpkin's own default."""


class Pumpkin(RecipeSolver):
    """Complete; it tells no statistics."""

    handlers = HANDLERS
    pairs = PAIRS
    largest = LARGEST

    def __init__(self, name: str, optimum: str, workarounds: str = KEPT) -> None:
        super().__init__(name, Capabilities("pumpkin", improves=True, fixes=True, projects=True))
        if workarounds == DROPPED:
            self.handlers, self.pairs = UNGUARDED, UNGUARDED_PAIRS
        self.kinds = import_library("pumpkin", "pumpkin_solver.constraints")
        self.optimisation = import_library("pumpkin", "pumpkin_solver.optimisation")
        self.optimiser = getattr(self.optimisation.Optimiser, OPTIMISERS[optimum])

    def open(self, recipe: Recipe, call: Call) -> PumpkinSession:
        """A model of the instance."""
        model = Model(self.library, self.kinds, call.problem, self.pairs, self.seed(call))
        search = PumpkinSession(self.name, model, call, self.optimisation, self.optimiser)
        search.build(lambda: model.pose(recipe))
        return search

    def seed(self, call: Call) -> int:
        """The seed of a call, or Pumpkin's own."""
        return SEED if call.limits.seed is None else call.limits.seed % (1 << 64)
