"""Proofs by inferences, and what each of their lines must be by the definitions.

A line is valid if what it says follows by brute force: an inference from its constraint, a nogood
from its hints, both within the domains and with the lines of one literal before it. A proof that
the checker accepts has valid lines only, whatever has been done to it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from backends.proofs.inferences.box import Literal, opposite
from backends.proofs.inferences.program import Verdict, check
from backends.proofs.inferences.rules import Linear as Sum
from backends.proofs.inferences.rules import is_true
from backends.proofs.inferences.text import Model, Step, read_model, read_step


class Proof(NamedTuple):
    """A model and a proof of it, line by line; what was answered."""

    model: list[str]
    lines: list[str]
    result: Any

    def verdict(self) -> Verdict:
        """What the checker says."""
        return check(self.model, self.lines)


class Valid:
    """Whether the lines of a proof are valid, in their order."""

    def __init__(self, model_lines: Sequence[str]) -> None:
        self.model: Model = read_model(iter(model_lines))
        self.units: list[Literal] = []
        self.clauses: dict[str, tuple[Literal, ...]] = {}
        self.bound: int | None = None

    def takes(self, step: Step) -> bool:
        """Whether a line is valid; it is then kept."""
        if step.kind == "o":
            self.bound = step.bound
            return step.bound >= self.model.bound
        clause = (*map(opposite, step.premises), *step.literals)
        is_valid = self._follows(step, clause)
        self.clauses[step.name] = clause
        if len(clause) == 1:
            self.units += clause
        return is_valid

    def _follows(self, step: Step, clause: tuple[Literal, ...]) -> bool:
        holds: list[Callable[[Any], bool]] = []
        scope = {literal.variable for literal in clause}
        for name in step.reason:
            constraint: Any = self.model.constraints.get(name)
            if name == "o" and self.bound is not None:
                constraint = Sum(self.model.objective, "<=", self.bound)
            if name in self.clauses and step.kind == "n":
                known = self.clauses[name]
                scope |= {literal.variable for literal in known}
                holds.append(partial(satisfied, known))
            elif constraint is not None:
                scope |= set(constraint.scope())
                holds.append(constraint.holds)
        return all(
            satisfied(clause, values)
            for values in self._assignments(sorted(scope))
            if all(hold(values) for hold in holds)
        )

    def _assignments(self, scope: Sequence[int]) -> Iterator[dict[int, int]]:
        open_values = [
            [
                v
                for v in self.model.box.values(x)
                if all(is_true(u, v) for u in self.units if u[0] == x)
            ]
            for x in scope
        ]
        for row in product(*open_values):
            yield dict(zip(scope, row, strict=True))


def satisfied(clause: Sequence[Literal], values: Any) -> bool:
    """Whether an assignment satisfies a clause."""
    return any(is_true(literal, values[literal.variable]) for literal in clause)


def invalid_line(proof: Proof) -> str:
    """The first line up to where the checker stops that is not valid; empty if all are."""
    valid = Valid(proof.model)
    for line in proof.lines[: proof.verdict().steps]:
        if not valid.takes(read_step(line)):
            return line
    return ""


# --- mutants ---


def mutated(rng: random.Random, proof: Proof) -> Proof:
    """The proof with one thing changed: a literal dropped, a value, a relation, a name, a line."""
    lines = list(proof.lines)
    k = rng.randrange(len(lines))
    words = lines[k].split()
    places = [p for p, word in enumerate(words) if word.startswith("x")]
    kind = rng.choice(("drop", "nudge", "relate", "source", "remove", "move"))
    if kind == "remove" or not places:
        del lines[k]
        return proof._replace(lines=lines)
    place = rng.choice(places)
    if kind == "drop":
        del words[place]
    elif kind == "nudge":
        head, relation, value = split(words[place])
        words[place] = f"{head}{relation}{int(value) + rng.choice((-2, -1, 1, 2))}"
    elif kind == "relate":
        head, relation, value = split(words[place])
        other = rng.choice([r for r in (">=", "<=", "==", "!=") if r != relation])
        words[place] = f"{head}{other}{value}"
    elif kind == "source":
        names = [line.split()[0] for line in proof.model if line.startswith("c")]
        at = 2 if words[0] == "i" else len(words) - 1
        words[at] = rng.choice([*names, "-", "o"])
    else:
        lines.insert(rng.randrange(len(lines)), lines.pop(k))
        return proof._replace(lines=lines)
    lines[k] = " ".join(words)
    return proof._replace(lines=lines)


def mutated_text(rng: random.Random, lines: Sequence[str]) -> list[str]:
    """A proof as Pumpkin writes it, with one thing changed."""
    found = list(lines)
    k = rng.randrange(len(found))
    words = found[k].split()
    kind = rng.choice(("number", "drop", "double", "remove", "move"))
    if kind == "remove":
        del found[k]
    elif kind == "move":
        found.insert(rng.randrange(len(found)), found.pop(k))
    else:
        place = rng.randrange(1, len(words))
        if kind == "number":
            words[place] = _shifted(words[place], rng.choice((-2, -1, 1, 2)))
        elif kind == "drop":
            del words[place]
        else:
            words.insert(place, words[place])
        found[k] = " ".join(words)
    return found


def _shifted(word: str, shift: int) -> str:
    """A word with its first number changed."""
    number = re.search("-?[0-9]+", word)
    if number is None:
        return word
    return f"{word[: number.start()]}{int(number[0]) + shift}{word[number.end() :]}"


def split(word: str) -> tuple[str, str, str]:
    """A literal in three parts."""
    for relation in (">=", "<=", "==", "!="):
        head, found, value = word.partition(relation)
        if found:
            return head, relation, value
    raise AssertionError(word)
