"""What Choco's parser is given natively."""

from __future__ import annotations

from typing import Any

from backends.xcsp3.guards.shapes import (
    has_letters,
    is_of_constants,
    repeats,
    takes_time,
    within,
)
from modelling.formats.xcsp3.writer.profile import measured
from modelling.rewriting.profile import Variables
from modelling.terms import is_constant
from modelling.vocabulary.automata.mdd import MDD
from modelling.vocabulary.automata.regular import Regular
from modelling.vocabulary.counting.nvalue import NValue
from modelling.vocabulary.equality.all_equal import AllEqual
from modelling.vocabulary.functions.element2d import Element2D
from modelling.vocabulary.scheduling.cumulative import Cumulative
from modelling.vocabulary.scheduling.no_overlap import NoOverlap
from modelling.vocabulary.scheduling.no_overlap_2d import NoOverlap2D


def takes_choco(item: Any, variables: Variables) -> bool:
    """The parser of Choco 4.10.15 has no nValues with exceptions; in another relation than ``eq``
    they repeat solutions, or are wrong. Of an element of a matrix of variables that is another
    variable, and of a negated ``eq`` of three terms, it loses solutions."""
    if repeats(item):
        return False
    if isinstance(item, (Cumulative, NoOverlap, NoOverlap2D)) and not takes_time(item, variables):
        return False
    if isinstance(item, NoOverlap2D) and not all(map(is_constant, (*item.widths, *item.heights))):
        return False
    if isinstance(item, Regular):
        least = min(letter for _, letter, _ in item.transitions)
        return least >= 0 and all(variables.domains[v][0] >= 0 for v in item.scope)
    if isinstance(item, MDD):
        return has_letters(item, variables)
    for part in within(item):
        if isinstance(part, Element2D) and not is_of_constants(part):
            return False
        if isinstance(part, AllEqual) and part is not item:
            return False
    found = measured(item)
    if found is None or not isinstance(found.function, NValue):
        return True
    return not found.function.except_ and found.relation == "=="
