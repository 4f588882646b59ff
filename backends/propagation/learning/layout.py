"""What lies where in M for clauses; ``kernel.facts`` says the same of facts.

A clause is named by its even place relative to M[M_CLAUSES]:

    M[c + CLAUSE_SIZE]      how many literals it has: at least two
    M[c + CLAUSE_LBD]       0 if it must be kept; else how many levels its literals were of
    M[c + CLAUSE_NEXT]      two cells, one for each of the first two literals, which are watched: the
                            next in the list of clauses that watch a literal of the same slot
    M[c + CLAUSE_LITERALS]  the literals, two cells each

A list begins at S[x + WATCHED + kind] and is linked by the places of the cells CLAUSE_NEXT, whose
parity says which literal watches (Moskewicz et al., *Chaff*, 2001: two watched literals).
"""

from __future__ import annotations

from backends.propagation.kernel.facts import WITHOUT

CLAUSE_SIZE, CLAUSE_LBD, CLAUSE_NEXT, CLAUSE_LITERALS = 0, 1, 2, 4
FIRST_CLAUSE = 2


def opposite_value(slot, value):
    """The value of the opposite of a literal."""
    if slot & WITHOUT:
        return value
    return 1 - value
