"""Reads a formula, and the lines of a proof in the format of VeriPB 1.1.

``ValueError`` says what cannot be read. A formula is one of OPB, with lines of its own::

    min: +3 x1 -2 ~x2 ;        the objective, without a constant
    than: 7                    what is refuted: a value of the objective that is less than this
    +1 x1 +2 ~x3 >= 2 ;        an inequality
    excluded: +1 x1 +1 x2 >= 1 ;    one that excludes a solution that was found
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from backends.proofs.cutting_planes.inequality import Inequality, normalise

LITERAL = re.compile(r"(~?)x([1-9][0-9]*)$")
NUMBER = re.compile(r"[+-]?[0-9]+$")


@dataclass
class Formula:
    """What a proof is about. The inequalities are numbered from 1 on; ``than`` is what the
    objective is claimed never to be less than, None where nothing is claimed of it."""

    inequalities: list[Inequality] = field(default_factory=list)
    excluded: set[tuple[frozenset[tuple[int, int]], int]] = field(default_factory=set)
    objective: tuple[tuple[int, int], ...] = ()
    than: int | None = None


def read_literal(word: str) -> int:
    """``x3`` or ``~x3``."""
    found = LITERAL.match(word)
    if found is None:
        raise ValueError(f"{word!r} is not a literal")
    return -int(found[2]) if found[1] else int(found[2])


def read_number(word: str) -> int:
    """An integer, with or without a sign."""
    if not word.isdecimal() and not NUMBER.match(word):
        raise ValueError(f"{word!r} is not an integer")
    return int(word)


def read_sum(words: Sequence[str]) -> list[tuple[int, int]]:
    """``+3 x1 -2 ~x2`` as literals with their weights."""
    if len(words) % 2:
        raise ValueError("a sum has a weight for each literal")
    return [
        (read_literal(literal), read_number(weight))
        for weight, literal in zip(words[::2], words[1::2], strict=True)
    ]


def read_inequality(words: Sequence[str]) -> Inequality:
    """``+3 x1 -2 ~x2 >= 1 ;`` in normal form."""
    *left, relation, degree, end = words
    if (relation, end) != (">=", ";"):
        raise ValueError("an inequality ends with '>= DEGREE ;'")
    return normalise(read_sum(left), read_number(degree))


def key(inequality: Inequality) -> tuple[frozenset[tuple[int, int]], int]:
    """What two equal inequalities have in common."""
    return frozenset(inequality.weights.items()), inequality.degree


def read_formula(lines: Iterable[str]) -> Formula:
    """The formula in some lines."""
    formula = Formula()
    for line in lines:
        first, *words = line.split()
        if first == "min:":
            formula.objective = tuple(read_sum(words[:-1]))
        elif first == "than:":
            formula.than = read_number(words[0])
        elif first == "excluded:":
            formula.excluded.add(key(read_inequality(words)))
        elif first != "*":
            formula.inequalities.append(read_inequality([first, *words]))
    return formula
