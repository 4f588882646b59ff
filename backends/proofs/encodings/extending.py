"""Whether clauses, or inequalities, have a model that agrees with some literals, by unit
propagation and branching.

Davis, Logemann and Loveland, "A machine program for theorem-proving", Communications of the ACM 5,
1962. The formulas here are the clauses of few constraints; most of what they have is determined.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from backends.interface.proofs import Row

Clauses = Sequence[Sequence[int]]


def has_model(clauses: Clauses, true: Iterable[int]) -> bool:
    """Whether all clauses hold somewhere where these literals are true."""
    known = set(true)
    if any(-literal in known for literal in known):
        return False
    reduced = _propagate(clauses, known)
    if reduced is None:
        return False
    if not reduced:
        return True
    literal = reduced[0][0]
    return any(has_model(reduced, (choice,)) for choice in (literal, -literal))


def _propagate(clauses: Clauses, known: set[int]) -> list[list[int]] | None:
    """What is left of the clauses once every unit clause holds; None if one is false."""
    while True:
        units: set[int] = set()
        reduced = []
        for clause in clauses:
            left = _reduce(clause, known)
            if left is None:
                continue
            if not left:
                return None
            if len(left) == 1:
                units.add(left[0])
            reduced.append(left)
        if not units:
            return reduced
        if any(-literal in units for literal in units):
            return None
        known |= units
        clauses = reduced


def _reduce(clause: Sequence[int], known: Collection[int]) -> list[int] | None:
    """The literals that are open; None where one is true."""
    left = []
    for literal in clause:
        if literal in known:
            return None
        if -literal not in known:
            left.append(literal)
    return left


# --- without some literals -----------------------------------------------------------------------

MOST_RESOLVED = 20_000
"""Most clauses that may be left while Booleans are resolved away."""


def resolve_away(clauses: Iterable[Sequence[int]], booleans: Iterable[int]) -> Clauses | None:
    """Clauses without these Booleans that have the models of ``clauses`` on all others; None where
    there would be too many.

    Davis and Putnam, "A computing procedure for quantification theory", Journal of the ACM 7, 1960.
    """
    known = {frozenset(clause) for clause in clauses}
    of: dict[int, set[frozenset[int]]] = {}
    for clause in known:
        for literal in clause:
            of.setdefault(literal, set()).add(clause)
    left = set(booleans)
    while left:
        boolean = min(left, key=lambda b: len(of.get(b, ())) * len(of.get(-b, ())))
        left.remove(boolean)
        positive, negative = of.pop(boolean, set()), of.pop(-boolean, set())
        if len(known) + len(positive) * len(negative) > MOST_RESOLVED:
            return None
        for clause in positive | negative:
            known.discard(clause)
            for literal in clause:
                of.get(literal, set()).discard(clause)
        for one in positive:
            for other in negative:
                clause = (one - {boolean}) | (other - {-boolean})
                if not any(-literal in clause for literal in clause):
                    known.add(clause)
                    for literal in clause:
                        of.setdefault(literal, set()).add(clause)
    return [tuple(sorted(clause)) for clause in known]


# --- inequalities --------------------------------------------------------------------------------


def extends(rows: Sequence[Row], true: Iterable[int]) -> bool:
    """Whether all inequalities hold somewhere where these literals are true."""
    known = set(true)
    if any(-literal in known for literal in known):
        return False
    while True:
        before = len(known)
        for pairs, degree in rows:
            if not _imply(pairs, degree, known):
                return False
        if len(known) == before:
            break
    for pairs, _ in rows:
        for literal, _ in pairs:
            if literal not in known and -literal not in known:
                return any(extends(rows, {*known, choice}) for choice in (literal, -literal))
    return True


def _imply(pairs: Sequence[tuple[int, int]], degree: int, known: set[int]) -> bool:
    """Add the literals that an inequality makes true; False where it cannot hold."""
    slack = -degree
    for literal, weight in pairs:
        if weight > 0:
            slack += weight if -literal not in known else 0
        else:
            slack += weight if literal in known else 0
    if slack < 0:
        return False
    for literal, weight in pairs:
        wanted = literal if weight > 0 else -literal
        if abs(weight) > slack and -wanted not in known:
            known.add(wanted)
    return True
