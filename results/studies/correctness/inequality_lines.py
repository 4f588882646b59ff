"""Proofs of Exact, and what each of their lines must be by definition.

A line is valid if every assignment of the Booleans that satisfies what it refers to satisfies it:
an inequality of ``rup`` all inequalities before it, one of ``pol`` those that it combines. Those of
the formula must be there, an excluded solution must be listed, and an objective must not become
better than what is claimed. A proof that the checker accepts has valid lines only, and its claim is
true, whatever has been done to it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from backends.interface.api import AllOptima, Limits, Optimum, Solutions
from backends.interface.registry import get
from backends.proofs.cutting_planes.program import Verdict, check
from backends.proofs.cutting_planes.text import read_formula, read_inequality
from modelling.problem import Problem

MOST_BOOLEANS = 13


class Proof(NamedTuple):
    """A formula and a proof of it, line by line."""

    formula: list[str]
    lines: list[str]

    def verdict(self) -> Verdict:
        """What the checker says."""
        return check(self.formula, self.lines)

    @property
    def booleans(self) -> int:
        """How many there are."""
        return max(
            map(int, re.findall("x([0-9]+)", "\n".join([*self.formula, *self.lines]))), default=0
        )


def prove(problem: Problem, ask: Any = None) -> list[Proof]:
    """The proofs of Exact's answer."""
    if ask is None:
        ask = Solutions(1) if problem.structure.objective is None else Optimum()
    result = get("exact:proof=check").solve(problem, ask, Limits())
    found = []
    for one in result.refutations or ():
        assert one.proof is not None, one.missing
        formula, proof = one.formula().decode(), one.proof.decode()
        found.append(Proof(formula.splitlines(), proof.splitlines()))
    return found


def ask_for(rng: random.Random, problem: Problem) -> Any:
    """A question that a search to the end answers."""
    if problem.structure.objective is None:
        return Solutions(rng.choice((1, None)))
    return rng.choice((Optimum(), AllOptima()))


class Meaning:
    """What inequalities say: for each assignment of the Booleans whether it satisfies them."""

    def __init__(self, proof: Proof) -> None:
        n = proof.booleans
        self.values = (np.arange(1 << n)[:, None] >> np.arange(n)) & 1
        self.formula = read_formula(proof.formula)

    def total(self, pairs: Any) -> Any:
        """A sum of literals under each assignment."""
        found = np.zeros(len(self.values), dtype=object)
        for literal, weight in pairs:
            column = self.values[:, abs(literal) - 1]
            found = found + weight * (column if literal > 0 else 1 - column)
        return found

    def holds(self, inequality: Any) -> Any:
        """Where an inequality holds."""
        return self.total(inequality.weights.items()) >= inequality.degree

    def better(self) -> Any:
        """Where the objective is as the proof claims that it never is."""
        if self.formula.than is None:
            return np.ones(len(self.values), dtype=bool)
        return self.total(self.formula.objective) < self.formula.than

    def claim_is_true(self) -> bool:
        """Whether the formula has no solution, or none that is better."""
        left = self.better()
        for inequality in self.formula.inequalities:
            left &= self.holds(inequality)
        for pairs, degree in self.formula.excluded:
            left &= self.total(pairs) >= degree
        return not left.any()


def invalid_line(proof: Proof, shown: Sequence[Any]) -> str:
    """The first line that is not valid, of those with these inequalities; empty if all are."""
    meaning = Meaning(proof)
    axioms = [*map(meaning.holds, meaning.formula.inequalities)]
    axioms += [meaning.total(pairs) >= degree for pairs, degree in meaning.formula.excluded]
    held: list[Any] = []
    steps = [line for line in proof.lines[1:] if line.split() and not line.startswith("*")]
    for line, inequality in zip(steps, shown, strict=False):
        kind, *words = line.split()
        now = meaning.holds(inequality)
        given = {
            "rup": held,
            "pol": [held[int(w) - 1] for w in words if w.isdigit() and 0 < int(w) <= len(held)],
            "soli": [meaning.better()],
        }.get(kind)
        if given is None:
            is_valid = any((now == axiom).all() for axiom in axioms)
        else:
            where = np.ones(len(now), dtype=bool)
            for one in given:
                where &= one
            is_valid = bool((now | ~where).all())
        if kind == "rup":
            is_valid &= bool((now == meaning.holds(read_inequality(words))).all())
        if not is_valid:
            return line
        held.append(now)
    return ""


# --- mutants ---


def mutated(rng: random.Random, proof: Proof) -> Proof:
    """The proof with one thing changed: a number, a sign, a word, a line; or the formula."""
    if rng.random() < 0.2:
        return proof._replace(formula=_changed(rng, proof.formula, 0))
    return proof._replace(lines=_changed(rng, proof.lines, 1))


def _changed(rng: random.Random, lines: Sequence[str], first: int) -> list[str]:
    found = list(lines)
    k = rng.randrange(first, len(found))
    words = found[k].split()
    kind = rng.choice(("number", "literal", "drop", "double", "swap", "remove", "move"))
    numbers = [p for p, word in enumerate(words) if re.fullmatch(r"[+-]?\d+", word)]
    literals = [p for p, word in enumerate(words) if re.fullmatch(r"~?x\d+", word)]
    if kind == "remove" or not words:
        del found[k]
        return found
    if kind == "move":
        found.insert(rng.randrange(first, len(found)), found.pop(k))
        return found
    if kind == "number" and numbers:
        p = rng.choice(numbers)
        number = int(words[p]) + rng.choice((-3, -1, 1, 2))
        words[p] = f"{number:+d}" if words[p][0] in "+-" else str(number)
    elif kind == "literal" and literals:
        p = rng.choice(literals)
        word = words[p]
        words[p] = rng.choice((word[1:] if word[0] == "~" else f"~{word}", f"x{rng.randint(1, 9)}"))
    elif kind == "swap" and len(words) > 2:
        p = rng.randrange(1, len(words) - 1)
        words[p], words[p + 1] = words[p + 1], words[p]
    elif kind == "double":
        p = rng.randrange(len(words))
        words.insert(p, words[p])
    else:
        del words[rng.randrange(len(words))]
    found[k] = " ".join(words)
    return found
