"""Golomb rulers for the tests, ``marks longest``: all distances differ; the shortest is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from tiny_family import Tiny

from modelling.constraints import AllDifferent, Constraint, Linear
from modelling.problem import Objective, Problem, build_problem


class Ruler(Tiny):
    name = "ruler"
    about = "the shortest Golomb ruler"

    def problem(self, text: str) -> Problem:
        marks, longest = map(int, text.split())
        domains = {f"m{i}": range(longest + 1 if i else 1) for i in range(marks)}
        constraints: list[Constraint] = []
        distances = []
        for i, j in combinations(range(marks), 2):
            name = f"d{i}_{j}"
            domains[name] = range(1, longest + 1)
            distances.append(name)
            constraints.append(Linear((f"m{j}", f"m{i}", name), (1, -1, -1), "==", 0))
        constraints.append(AllDifferent(tuple(distances)))
        objective = Objective("minimize", (f"m{marks - 1}",), (1,))
        return build_problem(domains, constraints, objective=objective)

    def check(self, text: str, values: Sequence[int]) -> list[str]:
        marks = values[: int(text.split()[0])]
        distances = [b - a for a, b in combinations(marks, 2)]
        return [] if len(set(distances)) == len(distances) else ["two distances are equal"]
