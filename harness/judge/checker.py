"""Solutions checked, each distinct one once, against the puzzle's own rules and the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from modelling.check import violations
from modelling.problem import Assignment, Objective, Problem
from puzzles.family import Family, family

LONGEST_NOTE = 500
"""So many characters of an objection are kept."""


@dataclass(frozen=True)
class Checked:
    """What is wrong with one solution, by the puzzle's rules and by the model; empty is nothing."""

    rules: str
    model: str

    @property
    def good(self) -> bool:
        return not (self.rules or self.model)


class Checker:
    """Checks solutions of one instance, each distinct one once."""

    def __init__(self, family_name: str, text: str) -> None:
        self.family: Family = family(family_name)
        self.text = text
        self.problem: Problem = self.family.problem(text)
        self.objective: Objective | None = self.problem.structure.objective
        self._known: dict[Assignment, Checked] = {}

    def check(self, values: Assignment) -> Checked:
        """Both checks of one solution."""
        if values not in self._known:
            model = [str(violation) for violation in violations(self.problem, values)]
            self._known[values] = Checked(note(self._rules(values)), note(model))
        return self._known[values]

    def _rules(self, values: Assignment) -> list[str]:
        try:
            return self.family.check(self.text, values)
        except Exception as error:  # a check may stumble over values that are no solution at all
            return [f"the check itself failed: {type(error).__name__}: {error}"]

    def value(self, values: Assignment) -> int | None:
        """The objective of a solution that passed the checks; None without an objective."""
        return None if self.objective is None else self.objective.value(values)


def note(objections: Sequence[str]) -> str:
    return "; ".join(objections)[:LONGEST_NOTE]
