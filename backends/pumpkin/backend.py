"""The solver Pumpkin: what it can do, its options, and what is kept of a structure."""

from __future__ import annotations

from collections.abc import Mapping

from backends.interface.libraries.making import RecipeSolver, import_library, maker
from backends.interface.libraries.recipes import Recipe
from backends.interface.options import Option
from backends.interface.session import Call, Capabilities
from backends.pumpkin.guards import LARGEST
from backends.pumpkin.handlers import HANDLERS, PAIRS
from backends.pumpkin.model import Model
from backends.pumpkin.parameters import PARAMETERS
from backends.pumpkin.search import PumpkinSession

OPTIMISERS: Mapping[str, str] = {"sat-unsat": "LinearSatUnsat", "unsat-sat": "LinearUnsatSat"}
"""Pumpkin's names."""

OPTIONS = (Option("optimum", tuple(OPTIMISERS), "sat-unsat", "how optima are found"),)

SEED = 42
"""Pumpkin's own default."""


class Pumpkin(RecipeSolver):
    """Complete; it tells no statistics."""

    handlers = HANDLERS
    pairs = PAIRS
    largest = LARGEST

    def __init__(self, name: str, optimum: str) -> None:
        super().__init__(name, Capabilities("pumpkin", improves=True, fixes=True, projects=True))
        self.kinds = import_library("pumpkin", "pumpkin_solver.constraints")
        self.optimisation = import_library("pumpkin", "pumpkin_solver.optimisation")
        self.optimiser = getattr(self.optimisation.Optimiser, OPTIMISERS[optimum])

    def open(self, recipe: Recipe, call: Call) -> PumpkinSession:
        """A model of the instance."""
        seed = SEED if call.limits.seed is None else call.limits.seed % (1 << 64)
        model = Model(self.library, self.kinds, call.problem, self.pairs, seed)
        search = PumpkinSession(self.name, model, call, self.optimisation, self.optimiser)
        search.build(lambda: model.pose(recipe))
        return search


make = maker("pumpkin", OPTIONS, Pumpkin, PARAMETERS)
