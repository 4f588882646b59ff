"""Gates: literals that are defined, by clauses both ways, as a function of other literals.

So all of them are determined (Tseitin, "On the complexity of derivation in propositional calculus",
1968). Constants and repeats are folded away, and a gate that was defined before is used again.

Words
-----
sum, carry  of three literals: the last and the first digit of how many are true; a full adder
"""

from __future__ import annotations

from collections.abc import Iterable

from backends.sat.cnf import Cnf

_AND, _PARITY, _MAJORITY = 0, 1, 2
"""What kind of gate a key in ``Cnf.gates`` is of; the literals follow."""


def conjunction(cnf: Cnf, literals: Iterable[int]) -> int:
    """True exactly when all are."""
    true = cnf.true
    kept = dict.fromkeys(literals)
    kept.pop(true, None)
    if -true in kept or any(-literal in kept for literal in kept):
        return -true
    if len(kept) < 2:
        return next(iter(kept), true)
    parts = sorted(kept)
    key = (_AND, *parts)
    whether = cnf.gates.get(key)
    if whether is None:
        whether = cnf.gates[key] = cnf.new()
        for literal in parts:
            cnf.add((-whether, literal))
        cnf.add((whether, *[-literal for literal in parts]))
    return whether


def disjunction(cnf: Cnf, literals: Iterable[int]) -> int:
    """True exactly when one of them is, or several are."""
    return -conjunction(cnf, [-literal for literal in literals])


def parity(cnf: Cnf, literals: Iterable[int]) -> int:
    """True exactly when an odd number of them is."""
    found = -cnf.true
    for literal in literals:
        found = _either(cnf, found, literal)
    return found


def equivalence(cnf: Cnf, one: int, other: int) -> int:
    """True exactly when both are, or neither."""
    return -_either(cnf, one, other)


def _either(cnf: Cnf, one: int, other: int) -> int:
    true = cnf.true
    if abs(one) == true:
        return -other if one == true else other
    if abs(other) == true:
        return -one if other == true else one
    if abs(one) == abs(other):
        return -true if one == other else true
    turned = (one < 0) != (other < 0)
    a, b = sorted((abs(one), abs(other)))
    whether = cnf.gates.get((_PARITY, a, b))
    if whether is None:
        whether = cnf.gates[_PARITY, a, b] = cnf.new()
        for clause in ((-whether, a, b), (-whether, -a, -b), (whether, -a, b), (whether, a, -b)):
            cnf.add(clause)
    return -whether if turned else whether


def sum_and_carry(cnf: Cnf, one: int, two: int, three: int) -> tuple[int, int]:
    """How many of the three are true, as two digits, the last one first."""
    true = cnf.true
    fixed = [x for x in (one, two, three) if abs(x) == true]
    if fixed or len({abs(one), abs(two), abs(three)}) < 3:
        return parity(cnf, (one, two, three)), _majority(cnf, one, two, three)
    turned = ((one < 0) + (two < 0) + (three < 0)) % 2
    a, b, c = sorted((abs(one), abs(two), abs(three)))
    last = cnf.gates.get((_PARITY, a, b, c))
    if last is None:
        last = cnf.gates[_PARITY, a, b, c] = cnf.new()
        for x in (a, -a):
            for y in (b, -b):
                for z in (c, -c):
                    odd = ((x > 0) + (y > 0) + (z > 0)) % 2
                    cnf.add((-x, -y, -z, last if odd else -last))
    return -last if turned else last, _majority(cnf, one, two, three)


def _majority(cnf: Cnf, one: int, two: int, three: int) -> int:
    """True exactly when two are, or all three."""
    true = cnf.true
    for x, y, z in ((one, two, three), (two, three, one), (three, one, two)):
        if x == true:
            return disjunction(cnf, (y, z))
        if x == -true:
            return conjunction(cnf, (y, z))
        if x == y:
            return x
        if x == -y:
            return z
    key = (_MAJORITY, *sorted((one, two, three)))
    whether = cnf.gates.get(key)
    if whether is None:
        whether = cnf.gates[key] = cnf.new()
        for x, y in ((one, two), (one, three), (two, three)):
            cnf.add((-x, -y, whether))
            cnf.add((x, y, -whether))
    return whether
