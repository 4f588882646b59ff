"""The solver Pumpkin: what it can do, its options, and what is kept of a structure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from backends.interface.driver import Driver
from backends.interface.magnitudes import find_too_large
from backends.interface.options import Option, canonical, parse
from backends.interface.registry import require
from backends.interface.session import Call, Capabilities
from backends.pumpkin.guards import LARGEST
from backends.pumpkin.handlers import HANDLERS, PAIRS
from backends.pumpkin.model import Model, Recipe
from backends.pumpkin.search import Search
from modelling.problem import Structure
from modelling.versions import find_version

INSTALL = "pip install 'solver-concord[pumpkin]'"

MODULES = ("pumpkin_solver", "pumpkin_solver.constraints", "pumpkin_solver.optimisation")

OPTIMISERS: Mapping[str, str] = {"sat-unsat": "LinearSatUnsat", "unsat-sat": "LinearUnsatSat"}
"""Pumpkin's names."""

OPTIONS = (Option("optimum", tuple(OPTIMISERS), "sat-unsat", "how optima are found"),)

SEED = 42
"""Pumpkin's own default."""


def make(options: str = "") -> Driver:
    """The backend with its options, e.g. ``optimum=unsat-sat``."""
    values = parse("pumpkin", OPTIONS, options)
    name = canonical("pumpkin", OPTIONS, values)
    return Driver(name, Pumpkin(name, values["optimum"]))


class Pumpkin:
    """Complete; it tells no statistics."""

    handlers = HANDLERS

    def __init__(self, name: str, optimiser: str) -> None:
        self.name = name
        self.pumpkin, self.kinds, self.optimisation = (
            require("pumpkin-solver", module, "pumpkin", INSTALL) for module in MODULES
        )
        self.optimiser = getattr(self.optimisation.Optimiser, OPTIMISERS[optimiser])
        self.capabilities = Capabilities(
            family="pumpkin",
            version=find_version("pumpkin-solver"),
            improves=True,
            fixes=True,
            projects=True,
        )

    def refusal(self, structure: Structure, encode: Callable[[], Any]) -> str:
        """Values and sums that its integers do not hold."""
        return find_too_large(structure, LARGEST)

    def encode(self, structure: Structure) -> Recipe:
        """What the handlers note."""
        return Recipe()

    def open(self, recipe: Recipe, call: Call) -> Search:
        """A model of the instance."""
        seed = SEED if call.limits.seed is None else call.limits.seed % (1 << 64)
        model = Model(self.pumpkin, self.kinds, call.problem, PAIRS, seed)
        search = Search(self.name, model, call, self.optimisation, self.optimiser)
        search.build(lambda: model.pose(recipe))
        return search
