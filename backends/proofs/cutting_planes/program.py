"""The checker as a program: ``python -m ...program FORMULA PROOF MB SECONDS``.

It goes through the lines, and keeps the inequality that each adds under the next number. What it
found is written as one line of JSON: ``checked`` where a line that follows is contradictory, else
``rejected``.

Lines
-----
rup INEQUALITY  follows by unit propagation: together with its opposite all are contradictory
pol STEPS       in reverse Polish notation: numbers of inequalities, literals (which are 0 at
                least), ``+``, ``NUMBER *``, ``NUMBER d`` (divided, rounded up), ``s`` (saturated),
                ``VARIABLE w`` (weakened)
l NUMBER        an inequality of the formula
a INEQUALITY    one that excludes a solution that was found; the formula has to list it
soli LITERALS   a solution: from here on the objective is less. That it is a solution need not be
                checked: nothing is added that is more than what is claimed
c NUMBER        the inequality is contradictory, or all that was shown is by unit propagation

The format is that of VeriPB (Gocht and Nordström, "Certifying parity reasoning efficiently using
pseudo-Boolean proofs", AAAI 2021).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from backends.proofs.checker import limit
from backends.proofs.cutting_planes.inequality import Inequality, normalise
from backends.proofs.cutting_planes.propagation import Propagation
from backends.proofs.cutting_planes.text import (
    Formula,
    key,
    read_formula,
    read_inequality,
    read_literal,
    read_number,
)

CHECKER = "the checker of cutting planes"
HEAD = "pseudo-Boolean proof version 1."


class Verdict(NamedTuple):
    """What there is to say of a proof."""

    state: str
    said: str
    steps: int = 0


class Rejected(Exception):
    """A line does not follow."""


class Single(NamedTuple):
    """A literal is 0 at least, multiplied by a positive weight."""

    literal: int
    weight: int


Operand = str | Single | Inequality
"""What a combination is made of: a number, which may be that of an inequality; the axiom of a
literal; a result."""


def main() -> None:
    """Check one proof."""
    formula, proof, memory_mb, seconds = sys.argv[1:]
    limit(int(memory_mb), int(seconds))
    try:
        found = check(Path(formula).read_text().splitlines(), Path(proof).read_text().splitlines())
    except MemoryError:
        found = Verdict("unchecked", f"its check needs more than {memory_mb} MB")
    print(json.dumps(found._asdict()))


def check(formula_lines: Iterable[str], proof: Iterable[str]) -> Verdict:
    """Whether a proof shows that a formula has no solution, or none that is better."""
    try:
        checker = Checker(read_formula(formula_lines))
    except (ValueError, IndexError) as error:
        return Verdict("unchecked", f"the formula cannot be read: {error}")
    number = 0
    try:
        for number, line in enumerate(proof, 1):
            checker.add(line, number)
            if checker.is_refuted:
                return Verdict("checked", CHECKER, number)
    except (Rejected, ValueError, IndexError) as error:
        return Verdict("rejected", f"line {number}: {error}", number)
    return Verdict("rejected", "it ends without a contradiction", number)


class Checker:
    """The inequalities that were shown, by their numbers, and what follows by propagation:
    ``given`` has those of the formula and single literals, which mostly suffice, ``known`` all."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.shown: list[Inequality] = []
        self.given = Propagation()
        self.known = Propagation()
        self.waiting: list[Inequality] = []
        self.is_refuted = False
        self.axioms: dict[str, Single] = {}
        self.rules: Mapping[str, Callable[[Sequence[str]], Inequality]] = {
            "rup": self._propagate,
            "pol": self._combine,
            "l": self._load,
            "a": self._exclude,
            "soli": self._improve,
        }

    def add(self, line: str, number: int) -> None:
        """Check a line, and keep what it adds."""
        if number == 1:
            if not line.startswith(HEAD):
                raise Rejected(f"a proof begins with {HEAD!r}")
            return
        kind, *words = line.split() or ["*"]
        if kind == "c":
            is_contradictory = self._inequality(words[0]).slack < 0
            self.is_refuted = is_contradictory or self._catch_up().contradicted
            if not self.is_refuted:
                raise Rejected(f"inequality {words[0]} is not contradictory")
        elif kind in self.rules:
            found = self.rules[kind](words)
            self.shown.append(found)
            self.waiting.append(found)
            if kind not in ("pol", "rup") or len(found.weights) < 2:
                self.given.add(found)
        elif kind != "*":
            raise Rejected(f"{kind!r} is not a rule that is known here")

    def _inequality(self, word: str) -> Inequality:
        number = read_number(word)
        if not 0 < number <= len(self.shown):
            raise Rejected(f"{number} is not the number of an inequality before this line")
        return self.shown[number - 1]

    def _catch_up(self) -> Propagation:
        """Everything that was shown."""
        for inequality in self.waiting:
            self.known.add(inequality)
        self.waiting.clear()
        return self.known

    # --- rules ---

    def _propagate(self, words: Sequence[str]) -> Inequality:
        found = read_inequality(words)
        opposite = found.copy().negate()
        if not self.given.refutes(opposite) and not self._catch_up().refutes(opposite):
            raise Rejected("it does not follow by unit propagation")
        return found

    def _load(self, words: Sequence[str]) -> Inequality:
        number = read_number(words[0])
        if not 0 < number <= len(self.formula.inequalities):
            raise Rejected(f"the formula has no inequality {number}")
        return self.formula.inequalities[number - 1]

    def _exclude(self, words: Sequence[str]) -> Inequality:
        found = read_inequality(words)
        if key(found) not in self.formula.excluded:
            raise Rejected("it is assumed, and excludes no solution that was found")
        return found

    def _improve(self, words: Sequence[str]) -> Inequality:
        if self.formula.than is None:
            raise Rejected("the formula has no objective")
        true = set(map(read_literal, words))
        value = 0
        for literal, weight in self.formula.objective:
            if (literal in true) == (-literal in true):
                raise Rejected(f"it says nothing of x{abs(literal)}, or both")
            value += weight * (literal in true)
        if value < self.formula.than:
            raise Rejected(f"the objective is {value}, less than what is claimed")
        opposite = [(literal, -weight) for literal, weight in self.formula.objective]
        return normalise(opposite, 1 - value)

    def _combine(self, words: Sequence[str]) -> Inequality:
        stack: list[Operand] = []
        for word in words:
            if word == "+":
                other, found = stack.pop(), self._own(stack.pop())
                if isinstance(other, Single):
                    stack.append(found.add_literal(other.literal, other.weight))
                else:
                    stack.append(found.add(self._read(other)))
            elif word == "s":
                stack.append(self._own(stack.pop()).saturate())
            elif word in ("*", "d", "w"):
                operand = stack.pop()
                stack.append(self._apply(word, stack.pop(), operand))
            elif word[-1:].isdigit() and word[:1] in ("x", "~"):
                stack.append(self._single(word))
            else:
                stack.append(word)
        result = self._own(stack.pop())
        if stack:
            raise Rejected(f"its steps leave {1 + len(stack)} inequalities")
        return result

    def _single(self, word: str) -> Single:
        """The axiom of a literal; the same ones come again and again."""
        found = self.axioms.get(word)
        if found is None:
            found = self.axioms[word] = Single(read_literal(word), 1)
        return found

    def _apply(self, word: str, operand: Operand, by: Operand) -> Operand:
        if word == "w":
            if not isinstance(by, Single):
                raise Rejected("'w' has no variable")
            return self._own(operand).weaken(abs(by.literal))
        if not isinstance(by, str):
            raise Rejected(f"{word!r} has no number")
        number = read_number(by)
        if word == "*" and isinstance(operand, Single) and number > 0:
            return Single(operand.literal, operand.weight * number)
        found = self._own(operand)
        return found.multiply(number) if word == "*" else found.divide(number)

    def _read(self, found: Operand) -> Inequality:
        """What an operand means, not to be changed."""
        return self._inequality(found) if isinstance(found, str) else self._own(found)

    def _own(self, found: Operand) -> Inequality:
        """What an operand means, to be changed."""
        if isinstance(found, Inequality):
            return found
        if isinstance(found, Single):
            return Inequality({found.literal: found.weight}, 0)
        return self._inequality(found).copy()


if __name__ == "__main__":
    main()
