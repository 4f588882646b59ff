"""What lies where in M for clauses; ``kernel.facts`` says the same of facts.

A clause is named by its even place relative to M[M_CLAUSES]:

    M[c + CLAUSE_SIZE]      how many literals it has: at least two
    M[c + CLAUSE_LBD]       0 if it must be kept; else how many levels its literals were of
    M[c + CLAUSE_LITERALS]  the literals, two cells each; the first two are watched

S[x + WATCHED + kind] is the place of the list of the watched literals of a slot, or 0 (Moskewicz et
al., *Chaff*, 2001: two watched literals):

    M[w + LIST_ROOM]        how many cells its entries may take
    M[w + LIST_SIZE]        how many they take
    M[w + LIST_ENTRIES]     the entries: the value of the literal; its clause, plus 1 for the second

A list that needs more room is copied to the end of all lists; they are written anew now and then.
"""

from __future__ import annotations

from backends.propagation.kernel.facts import WITHOUT

CLAUSE_SIZE, CLAUSE_LBD, CLAUSE_LITERALS = 0, 1, 2
FIRST_CLAUSE = 2
LIST_ROOM, LIST_SIZE, LIST_ENTRIES = 0, 1, 2
ENTRY = 2
FIRST_LIST_ROOM = 4 * ENTRY


def opposite_value(slot, value):
    """The value of the opposite of a literal."""
    if slot & WITHOUT:
        return value
    return 1 - value
