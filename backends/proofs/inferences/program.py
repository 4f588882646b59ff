"""The checker as a program: ``python -m ...program MODEL PROOF MB SECONDS``.

It goes through the lines, and keeps what each adds as a clause; a clause of one literal narrows the
box of the problem. What it found is written as one line of JSON: ``checked`` where the end is
contradictory, ``rejected`` where a line does not follow, ``unchecked`` where it cannot say.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from backends.proofs.checker import limit
from backends.proofs.inferences.box import Literal, opposite
from backends.proofs.inferences.rules import Case, Constraint, Linear, enumerated
from backends.proofs.inferences.text import Model, Step, read_model, read_step

CHECKER = "the checker of inferences"


class Verdict(NamedTuple):
    """What there is to say of a proof."""

    state: str
    said: str
    steps: int = 0


class Rejected(Exception):
    """A line does not follow."""


class Unknown(Exception):
    """Whether a line follows is not known."""


def main() -> None:
    """Check one proof."""
    model, proof, memory_mb, seconds = sys.argv[1:]
    limit(int(memory_mb), int(seconds))
    try:
        found = check(Path(model).read_text().splitlines(), Path(proof).read_text().splitlines())
    except MemoryError:
        found = Verdict("unchecked", f"its check needs more than {memory_mb} MB")
    print(json.dumps(found._asdict()))


def check(model_lines: Iterable[str], proof: Iterable[str]) -> Verdict:
    """Whether a proof shows that a model has no solution."""
    try:
        model = read_model(iter(model_lines))
    except (ValueError, KeyError, IndexError, TypeError) as error:
        return Verdict("unchecked", f"the model cannot be read: {error}")
    if model.empty:
        return Verdict("checked", f"{CHECKER}: {model.empty} has no value")
    checker = Checker(model)
    number = 0
    try:
        for number, line in enumerate(proof, 1):
            checker.add(_step(line))
            if checker.is_refuted:
                return Verdict("checked", CHECKER, number)
    except Rejected as error:
        return Verdict("rejected", f"line {number}: {error}", number)
    except Unknown as error:
        return Verdict("unchecked", f"line {number}: {error}", number)
    return Verdict("rejected", "it ends without a contradiction", number)


def _step(line: str) -> Step:
    try:
        return read_step(line)
    except (ValueError, IndexError) as error:
        raise Rejected(f"{line!r} cannot be read: {error}") from None


class Checker:
    """The clauses that have been shown, and what is known of the variables."""

    def __init__(self, model: Model) -> None:
        self.box = model.box
        self.constraints = model.constraints
        self.objective, self.claimed = model.objective, model.bound
        self.bound: int | None = None
        self.clauses: dict[str, tuple[Literal, ...]] = {}
        self.is_refuted = False

    def add(self, step: Step) -> None:
        """Check a line, and keep what it adds."""
        if step.kind == "o":
            self._bound(step.bound)
            return
        for x in {literal.variable for literal in (*step.premises, *step.literals)}:
            if x not in self.box.low:
                raise Rejected(f"x{x} is not a variable of the model")
        if step.name in self.clauses:
            raise Rejected(f"there are two lines {step.name}")
        mark = self.box.mark()
        added = (*map(opposite, step.premises), *step.literals)
        is_open = all(self.box.narrow(opposite(literal)) for literal in added)
        if is_open and step.kind == "i":
            self._infer(step)
        elif is_open:
            self._propagate(step)
        self.box.undo(mark)
        self._keep(step.name, added)

    def _bound(self, bound: int) -> None:
        """Let the objective be at most a bound, which is not less than what is claimed."""
        if not self.objective:
            raise Rejected("the model has no objective")
        if bound < self.claimed:
            raise Rejected(f"at most {bound} is less than what is claimed, {self.claimed}")
        self.bound = bound

    def _keep(self, name: str, literals: tuple[Literal, ...]) -> None:
        self.clauses[name] = literals
        if len(literals) == 1:
            self.is_refuted = not self.box.narrow(literals[0])
            self.box.trail.clear()
        elif not literals:
            self.is_refuted = True

    def _constraint(self, name: str) -> Constraint:
        if name == "o":
            if self.bound is None:
                raise Rejected("the objective has no bound yet")
            return Linear(self.objective, "<=", self.bound)
        if name not in self.constraints:
            raise Rejected(f"{name} is not a constraint of the model")
        return self.constraints[name]

    def _infer(self, step: Step) -> None:
        """Show that a constraint has no solution within the box."""
        (name,) = step.reason
        if name == "-":
            raise Rejected("the conclusion does not follow from the domains")
        constraint = self._constraint(name)
        touched = {literal.variable for literal in (*step.premises, *step.literals)}
        about = step.literals[0].variable if step.literals else None
        if constraint.is_refuted(self.box, Case(touched, about)):
            return
        found = enumerated(constraint, self.box)
        if found is False:
            raise Unknown(f"no rule shows that it follows from {name}, which is too large to list")
        if found is not True:
            said = " ".join(f"x{x}=={value}" for x, value in found.items())
            raise Rejected(f"it does not follow from {name}: {said}")

    def _propagate(self, step: Step) -> None:
        """Show that the hints contradict the box, each as soon as one of its literals is left."""
        waiting = [self._hint(name) for name in step.reason]
        while True:
            later = []
            for clause in waiting:
                left = [literal for literal in clause if not self.box.is_false(literal)]
                if not left:
                    return
                if len({*left}) > 1:
                    later.append(clause)
                elif not self.box.narrow(left[0]):
                    return
            if len(later) == len(waiting):
                raise Rejected("it does not follow from its hints")
            waiting = later

    def _hint(self, name: str) -> tuple[Literal, ...]:
        if name in self.clauses:
            return self.clauses[name]
        found = self.constraints.get(name)
        literals: tuple[Literal, ...] | None = getattr(found, "literals", None)
        if literals is None:
            raise Rejected(f"{name} is not a line before this one")
        return literals


if __name__ == "__main__":
    main()
