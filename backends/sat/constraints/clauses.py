"""Clauses: the block goes to the engine as it is, its terms in the place of their literals."""

from __future__ import annotations

from backends.sat.draft import SatDraft
from modelling.vocabulary.formulas.clauses import Clauses, chunks_of


def post_clauses(draft: SatDraft, constraint: Clauses) -> None:
    """As one block; without an object for each clause or literal."""
    import numpy  # as late as for any block

    literals = list(map(draft.truth, constraint.terms))
    numbers = constraint.literals.numbers
    if literals != list(range(1, len(literals) + 1)):
        # The literal of each number is at its own index: negative ones count from the end.
        table = numpy.array([0, *literals, *(-x for x in reversed(literals))], "<i4")
        moved = numpy.empty_like(numbers)
        done = 0
        for piece in chunks_of(numbers):
            moved[done : done + len(piece)] = table[piece]
            done += len(piece)
        numbers = moved
    draft.cnf.add_block(numbers)
