"""A sum of variables of which each has a value of its own: the *cages* of killer Sudoku.

The values that the variables take together are one of a few sets, which are listed. A set is
possible if each variable has a value in it, each of its values is open, and no two variables have
the same one value left there. A value is kept if it is in a possible set, and not the one value
that another variable has left in each of these. A run takes O(sets * variables) for each round in
which values are removed. It is weaker than domain consistency, which would match variables and
values within each set, and checks fixed values. (Simonis, *Kakuro as a constraint problem*, 2008,
compares how sums and AllDifferent are joined.)

No variable is an interval or occurs twice. Arguments: the place of the scratch, two cells for each
variable and two; the least of all values, from which the bits of a set count; how many sets there
are, and these.
"""

from __future__ import annotations

from backends.propagation.kernel.layout import COUNT, SCOPE, arguments
from backends.propagation.propagators.counting.aligned import keep_from, values_from


def one_of_sets(S, T, M, a):
    """The variables differ, and their values are one of the sets."""
    n = T[a + COUNT]
    c = arguments(T, a)
    words, kept = T[c], T[c] + n
    least = T[c + 1]
    changed = True
    while changed:
        changed = False
        every = 0
        for k in range(n):
            M[words + k] = values_from(S, T[a + SCOPE + k], least)
            M[kept + k] = 0
            every |= M[words + k]
        for place in range(c + 3, c + 3 + T[c + 2]):
            if T[place] & ~every == 0:
                keep_values(M, n, words, kept, T[place])
        for k in range(n):
            word = M[kept + k]
            if word != M[words + k]:
                if not keep_from(S, T, M, T[a + SCOPE + k], least, word, kept + n):
                    return False
                changed = True
    return True


def keep_values(M, n, words, kept, chosen):
    """Keep the values of each variable in a set; none if the set is impossible."""
    taken = 0
    for k in range(n):
        word = M[words + k] & chosen
        if word == 0:
            return 0
        if word & (word - 1) == 0:
            if taken & word != 0:
                return 0
            taken |= word
    for k in range(n):
        word = M[words + k] & chosen
        if word & (word - 1) != 0 and word & ~taken == 0:
            return 0
    for k in range(n):
        word = M[words + k] & chosen
        M[kept + k] |= word if word & (word - 1) == 0 else word & ~taken
    return 0
