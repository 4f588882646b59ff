"""Models as values: which one-hot literals are true, and what they stand for."""

from __future__ import annotations

from operator import itemgetter

from backends.sat.encode import Encoding
from modelling.problem import Assignment


def chosen(model: list[int], one_hot: int) -> list[int]:
    """The positive ones among the first ``one_hot`` literals of a model: the variables' order."""
    return [literal for literal in model[:one_hot] if literal > 0]


def values(encoding: Encoding, literals: list[int]) -> Assignment:
    """The values that chosen literals stand for, in the structure's order."""
    if len(literals) < 2:
        return tuple([encoding.values[literal] for literal in literals])
    found: Assignment = itemgetter(*literals)(encoding.values)
    return found
