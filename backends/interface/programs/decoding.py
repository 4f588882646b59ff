"""What literals of a formula mean, by the comments of our writers: ``c map x = 3: 17``."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass

from modelling.problem import Structure


@dataclass(frozen=True, slots=True)
class Decoded:
    """A variable by its literals: the value that each stands for (``direct``), the least value and
    the value from each on (``steps``), or a number and what each true one adds (``digits``)."""

    kind: str
    low: int
    literals: tuple[tuple[int, int], ...]

    def value(self, true: set[int]) -> int | None:
        """The value, or None where the literals contradict each other."""
        held = [value for value, x in self.literals if (abs(x) in true) == (x > 0)]
        if self.kind == "direct":
            return held[0] if len(held) == 1 else None
        if self.kind == "steps":
            steps = [value for value, _ in self.literals[: len(held)]]
            return None if held != steps else held[-1] if held else self.low
        return self.low + sum(held)

    def clause(self, value: int) -> list[int]:
        """Literals that are all true where the variable has the value, and nowhere else."""
        if self.kind == "direct":
            return [x for own, x in self.literals if own == value]
        if self.kind == "steps":  # the last that is reached, and the next, which is not
            reached = [x for own, x in self.literals if own <= value][-1:]
            return reached + [-x for own, x in self.literals if own > value][:1]
        lowest, weighed = self._raised()
        left, found = value - lowest, []
        for weight, x in reversed(weighed):
            found.append(x if left >= weight else -x)
            left -= weight if left >= weight else 0
        return found

    def _raised(self) -> tuple[int, list[tuple[int, int]]]:
        """Digits without negative weights, the least first: where one is, its literal is negated
        and the number that all of them are added to is lower."""
        weighed = sorted((abs(weight), x if weight > 0 else -x) for weight, x in self.literals)
        return self.low + sum(weight for weight, _ in self.literals if weight < 0), weighed

    def beyond(self, value: int, is_less: bool) -> list[list[int]] | None:
        """Clauses that say ``x < value``, or ``x > value``; None unless digits are a binary number.

        A binary number is at most another one if, wherever that has a 0, it has a 0 as well, or
        has one in a higher place where the other has a 1.
        """
        if self.kind == "direct":
            far = [x for own, x in self.literals if (own >= value if is_less else own <= value)]
            return [[-x] for x in far]
        if self.kind == "steps":
            if is_less:
                above = [[-x] for own, x in self.literals if own >= value]
                return above[:1] if value > self.low else [[]]
            above = [[x] for own, x in self.literals if own > value]
            return above[:1] or [[]] if value >= self.low else []
        lowest, weighed = self._raised()
        if any(weight != 1 << place for place, (weight, _) in enumerate(weighed)):
            return None
        number = value - lowest + (-1 if is_less else 1)
        if not 0 <= number < 1 << len(weighed):
            return [[]] if is_less is (number < 0) else []
        clauses: list[list[int]] = []
        higher: list[int] = []
        for weight, x in reversed(weighed):
            literal = -x if is_less else x
            if bool(number & weight) is is_less:
                higher.append(literal)
            else:
                clauses.append([*higher, literal])
        return clauses


_MAP = re.compile(r'[c*] map ("(?:[^"\\]|\\.)*"|[^\s:=<>"]+)( = | >= |: )(.*)')


def read_map(structure: Structure, lines: Iterable[str]) -> list[Decoded]:
    """What the comments of a formula say of each variable.

    One that they do not name is called as the literal that it is, ``x7``, or has one value.
    """
    exact: dict[str, list[tuple[int, int]]] = {}
    steps: dict[str, list[tuple[int, int]]] = {}
    digits: dict[str, tuple[int, list[tuple[int, int]]]] = {}
    for line in lines:
        found = _MAP.fullmatch(line)
        if found is None:
            continue
        name, relation, rest = found.groups()
        name = json.loads(name) if name.startswith('"') else name
        if relation == ": ":
            offset, *weighed = rest.split()
            pairs = [word.split("*") for word in weighed]
            digits[name] = int(offset), [(int(weight), int(x)) for weight, x in pairs]
        else:
            value, x = map(int, rest.split(": "))
            (exact if relation == " = " else steps).setdefault(name, []).append((value, x))
    made = []
    for number, (name, domain) in enumerate(
        zip(structure.names, structure.domains, strict=True), 1
    ):
        if name in exact:
            made.append(Decoded("direct", domain[0], tuple(exact[name])))
        elif name in steps:
            made.append(Decoded("steps", domain[0], tuple(steps[name])))
        elif name in digits:
            offset, weighed_pairs = digits[name]
            made.append(Decoded("digits", offset, tuple(weighed_pairs)))
        elif name == f"x{number}" and domain == (0, 1):
            made.append(Decoded("steps", 0, ((1, number),)))
        else:
            made.append(Decoded("steps", domain[0], ()))
    return made
