"""Formulas that Choco has to keep at the root are posed under a Boolean of one of their parts."""

from __future__ import annotations

from backends.choco.model import Made, Model
from backends.interface.libraries.formulas import FORMULAS as ALL_FORMULAS
from backends.interface.libraries.formulas import Builders
from modelling.constraints import And, Iff, Implies, Not, Or


def implied(model: Model, constraint: Implies) -> Made:
    """What holds under a Boolean."""
    literal = model.truth(constraint.condition)
    for made in model.build(constraint.consequence):
        made.implied_by(literal)
    return []


def reified(model: Model, constraint: Iff) -> Made:
    """What is equivalent to a Boolean."""
    literal = model.truth(constraint.one)
    model.join(model.build(constraint.other)).reify_with(literal)
    return []


FORMULAS: Builders = {kind: ALL_FORMULAS[kind] for kind in (And, Or, Not, Implies, Iff)}
AT_ROOT: Builders = {Implies: implied, Iff: reified}
"""What poses a formula at the root otherwise than within another one."""
