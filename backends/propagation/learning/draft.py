"""What the handlers add to where the solver learns: clauses besides propagators."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from backends.propagation.encode.draft import Draft, begin
from backends.propagation.kernel.facts import EXACTLY, WITHOUT
from modelling.problem import Structure

Literal = tuple[int, int]
"""Slot and value (``kernel.facts``), where the slot's variable is a number of the draft."""


@dataclass
class LearningDraft(Draft):
    """A draft, and clauses over its variables by their numbers."""

    clauses: list[list[Literal]] = field(default_factory=list)

    def add(self, literals: Iterable[Literal]) -> None:
        """One of these is true; values outside of a domain are left out."""
        clause: dict[Literal, None] = {}
        for slot, value in literals:
            kind, domain = slot & EXACTLY, self.domains[slot >> 2]
            if kind in (WITHOUT, EXACTLY) and value not in domain:
                if kind == WITHOUT:
                    return
                continue
            if (slot ^ 1, value) in clause and kind in (WITHOUT, EXACTLY):
                return
            clause[slot, value] = None
        if clause:
            self.clauses.append(list(clause))
        else:
            self.possible = False


def begin_learning(structure: Structure) -> LearningDraft:
    """The variables of a structure, and nothing that binds them."""
    return LearningDraft(**{**vars(begin(structure)), "explains": True})
