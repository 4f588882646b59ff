"""Who takes part: what is installed and takes the problem, in the order of preference."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from backends.interface import registry
from harness.advise.halving import Exclusion
from modelling.errors import BackendUnavailable
from puzzles.family import Instance

DEFAULT = (
    *("cpsat", "choco", "pumpkin", "sat", "propagation", "clingo", "z3", "minizinc"),
    *("highs", "exact", "scip", "toulbar2"),
)


def choose_field(
    instances: Iterable[Instance], named: Sequence[str] | None = None
) -> tuple[list[str], list[Exclusion]]:
    """Those of the ``named`` that can be used here, and why others cannot."""
    usable, missing = [], []
    for name in named or DEFAULT:
        try:
            registry.get(name)
        except BackendUnavailable as error:
            missing.append(Exclusion(name, str(error)))
        else:
            usable.append(name)
    return usable, missing if named else []
