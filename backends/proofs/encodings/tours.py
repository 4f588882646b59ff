"""What a tour says of the walk that rewriting makes of it.

A circuit is rewritten to a walk from node 0: ``walk[0]`` is 0, ``walk[k]`` is the successor of
``walk[k - 1]``. A tour through n nodes comes to n different nodes, and then to node 0 again. To
find that by enumeration takes every tour, so it is a rule here.
"""

from __future__ import annotations

from collections.abc import Mapping

from modelling.constraint import Constraint
from modelling.constraints import AllDifferent, Circuit, Linear
from modelling.terms import Function, Term, constant
from modelling.vocabulary.functions.element import Element


def find_walk(tour: Circuit, definitions: Mapping[int, Function]) -> list[Term]:
    """Node 0 and those after it, as far as added variables are defined to be them."""
    successors = tuple(tour.next)
    after = {function: variable for variable, function in definitions.items()}
    walk: list[Term] = [constant(0)]
    if len(successors) > 1:
        walk.append(successors[0])
    while len(walk) <= len(successors):
        following = after.get(Element(successors, walk[-1]))
        if following is None:
            break
        walk.append(following)
    return walk


def follows(
    constraint: Constraint, tour: Circuit, walk: list[Term], fixed: Mapping[int, int]
) -> bool:
    """Whether a tour implies a constraint over its walk: that nodes differ, or that it ends. Some
    variables are ``fixed``."""
    nodes = len(tour.next)
    if isinstance(constraint, AllDifferent):
        terms = [constant(fixed[term]) if term in fixed else term for term in constraint.terms]
        steps = [walk.index(term) if term in walk[:nodes] else None for term in terms]
        return None not in steps and len(set(steps)) == len(steps)
    if isinstance(constraint, Linear) and len(walk) == nodes + 1:
        return constraint == Linear((walk[nodes],), (1,), "==", 0)
    return False
