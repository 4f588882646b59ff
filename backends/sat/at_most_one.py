"""At most one of some literals: five encodings, chosen by name.

Each function takes a formula and literals of distinct variables and adds clauses which hold exactly
when at most one literal is true. Auxiliary variables are *defined*, by clauses both ways, so that
they are determined also when no literal is true: the textbook forms define some of them one way
only, which multiplies models. Below ``FEW`` literals every encoding is the pairwise one.

pairwise     one clause per pair; no auxiliary variable, n(n-1)/2 clauses
sequential   the ladder: s_i says that one of the first i literals is true (Sinz, CP 2005)
product      literals on a grid, at most one row and at most one column (Chen, 2010)
commander    groups of three, each with a commander that is true when one of the group is, and
             at most one commander (Klieber and Kwon, 2007)
auto         pairwise or product, by the number of literals
bimander     pairs of literals, the bits of the true literal's pair (Nguyen and Mai, 2015)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from math import isqrt

from backends.sat.cnf import Cnf

AtMostOne = Callable[[Cnf, Sequence[int]], None]

FEW = 4

MOST_PAIRED = 64
"""Most literals that are excluded pair by pair, unless another encoding is asked for."""


def pairwise(cnf: Cnf, literals: Sequence[int]) -> None:
    """No two are true."""
    cnf.expect(len(literals) * (len(literals) - 1) // 2)
    for one, other in combinations(literals, 2):
        cnf.exclude(one, other)


def sequential(cnf: Cnf, literals: Sequence[int]) -> None:
    """The ladder ``s_i <-> s_(i-1) or x_i``, and not both ``s_(i-1)`` and ``x_i``."""
    if len(literals) <= FEW:
        return pairwise(cnf, literals)
    before = literals[0]
    for literal in literals[1:-1]:
        so_far = cnf.new()
        cnf.add([-before, -literal])
        define_or(cnf, so_far, [before, literal])
        before = so_far
    cnf.add([-before, -literals[-1]])
    return None


def product(cnf: Cnf, literals: Sequence[int]) -> None:
    """Each literal implies its row and its column; at most one row, at most one column."""
    if len(literals) <= FEW:
        return pairwise(cnf, literals)
    width = isqrt(len(literals) - 1) + 1
    rows = [literals[at : at + width] for at in range(0, len(literals), width)]
    columns = [literals[at::width] for at in range(width)]
    product(cnf, [disjunction(cnf, row) for row in rows])
    return product(cnf, [disjunction(cnf, column) for column in columns])


def commander(cnf: Cnf, literals: Sequence[int]) -> None:
    """At most one in each group of three, and at most one group's commander."""
    if len(literals) <= FEW:
        return pairwise(cnf, literals)
    groups = [literals[at : at + 3] for at in range(0, len(literals), 3)]
    for group in groups:
        pairwise(cnf, group)
    return commander(cnf, [disjunction(cnf, group) for group in groups])


def bimander(cnf: Cnf, literals: Sequence[int]) -> None:
    """At most one in each pair; two literals of different pairs need a bit to be 0 and 1."""
    if len(literals) <= FEW:
        return pairwise(cnf, literals)
    groups = [literals[at : at + 2] for at in range(0, len(literals), 2)]
    for group in groups:
        pairwise(cnf, group)
    for place in range((len(groups) - 1).bit_length()):
        with_bit = [x for n, group in enumerate(groups) if n >> place & 1 for x in group]
        bit = disjunction(cnf, with_bit)
        for literal in set(literals).difference(with_bit):
            cnf.add([-bit, -literal])
    return None


def suited(cnf: Cnf, literals: Sequence[int]) -> None:
    """Pairwise up to ``MOST_PAIRED`` literals, which is the fastest there; else the product, which
    does not grow with their square."""
    return (pairwise if len(literals) <= MOST_PAIRED else product)(cnf, literals)


ENCODINGS: Mapping[str, AtMostOne] = {
    "pairwise": pairwise,
    "sequential": sequential,
    "product": product,
    "commander": commander,
    "bimander": bimander,
}

CHOICES: Mapping[str, AtMostOne] = {"auto": suited, **ENCODINGS}
"""What the option ``amo`` may be."""


def disjunction(cnf: Cnf, literals: Sequence[int]) -> int:
    """A literal that is true exactly when one of ``literals`` is; a single one is its own."""
    if len(literals) == 1:
        return literals[0]
    whether = cnf.new()
    define_or(cnf, whether, literals)
    return whether


def define_or(cnf: Cnf, whether: int, literals: Sequence[int]) -> None:
    """``whether <-> any of literals``."""
    for literal in literals:
        cnf.add([whether, -literal])
    cnf.add([-whether, *literals])


def most_clauses(name: str, n: int) -> int:
    """An upper bound of the clauses that the encoding called ``name`` writes for ``n`` literals."""
    if name == "pairwise" or n <= (MOST_PAIRED if name == "auto" else FEW):
        return n * (n - 1) // 2
    return n * (4 + n.bit_length())
