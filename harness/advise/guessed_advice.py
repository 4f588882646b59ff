"""Advice that rests on a guess, as a value; how good such guesses are is part of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from harness.advise.neighbours import WITHIN, Ranked, Validation, count_good
from harness.statistics import percentiles


@dataclass(frozen=True)
class GuessedAdvice:
    """Which solver was fast on measured instances that look like those that are asked about.

    ``ranking`` has the candidates, the best first, each with how many times as long as the best one
    it took there; ``nearest`` names those instances, the nearest first. ``validation`` says how
    good such advice is about families that were not measured. ``asked`` instances were looked at,
    of ``instances``; ``measured`` is the number of those that they are compared with.
    """

    ranking: tuple[Ranked, ...]
    nearest: tuple[str, ...]
    validation: Validation
    asked: int
    instances: int
    measured: int

    @property
    def solver(self) -> str:
        """The first of the ranking."""
        return self.ranking[0].name

    def as_table(self) -> dict[str, Any]:
        """What JSON has of it."""
        found = self.validation
        return {
            "solver": self.solver,
            "ranking": [one._asdict() for one in self.ranking],
            "nearest": list(self.nearest),
            "asked": self.asked,
            "instances": self.instances,
            "measured": self.measured,
            "validation": {
                "families": len(found.factors),
                "within": WITHIN,
                "good": found.good,
                "median": find_median(found),
                "single_best": found.best,
                "single_good": count_good(found.single),
            },
        }


def find_median(found: Validation) -> float:
    """The median factor of the families."""
    return percentiles(list(found.factors.values()), 50)[0]
