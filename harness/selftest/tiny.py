"""A family of small problems for trials: ``n d sum [sense]``.

``n`` variables with the values 0 to d-1, all different, that add up to ``sum`` (``-``: to
anything). With ``min`` or ``max`` (and a scale) the sum 1x0 + 2x1 + ... is to be made best.
``slow`` and a number in front make it take that number of seconds to state.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from modelling.constraints import AllDifferent, Constraint, Linear
from modelling.errors import InstanceError
from modelling.problem import Objective, Problem, build_problem
from puzzles.family import Instance


class Tiny:
    """See the head of this file."""

    name = "tiny"
    about = "a few different numbers with a given sum"

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | InstanceError]:
        """A line is an instance."""
        for number, line in enumerate(lines, 1):
            text = line.strip()
            if not text:
                continue
            try:
                self.problem(text)
            except (ValueError, IndexError) as error:
                yield InstanceError(f"not an instance: {error}", f"{source}:{number}:1")
                continue
            yield Instance(self.name, text, text, f"{source}:{number}")

    def problem(self, text: str) -> Problem:
        """As it says."""
        words = text.split()
        if words[0] == "slow":
            time.sleep(float(words[1]))
            words = words[2:]
        number, values = int(words[0]), int(words[1])
        names = [f"x{i}" for i in range(number)]
        constraints: list[Constraint] = [AllDifferent(tuple(names))]
        if words[2] != "-":
            constraints.append(Linear(tuple(names), (1,) * number, "==", int(words[2])))
        objective = None
        if len(words) > 3:
            sense = {"min": "minimize", "max": "maximize"}[words[3]]
            scale = int(words[4]) if len(words) > 4 else 1
            weights = tuple(scale * weight for weight in range(1, number + 1))
            objective = Objective(sense, tuple(names), weights)  # type: ignore[arg-type]
        return build_problem(dict.fromkeys(names, range(values)), constraints, objective=objective)

    def check(self, text: str, values: Sequence[int]) -> list[str]:
        """By its own rules."""
        words = text.split()
        number, most, total = (words[2:] if words[0] == "slow" else words)[:3]
        wrong = []
        if len(values) != int(number):
            wrong.append(f"{len(values)} numbers instead of {number}")
        wrong += [f"{value} is too large" for value in values if not 0 <= value < int(most)]
        if len(set(values)) < len(values):
            wrong.append("two numbers are equal")
        if total != "-" and sum(values) != int(total):
            wrong.append(f"the sum is {sum(values)}, not {total}")
        return wrong

    def render(self, text: str, values: Sequence[int] | None = None) -> str:
        """The text, and the numbers."""
        return text if values is None else f"{text} --> {self.write(text, values)}"

    def write(self, text: str, values: Sequence[int]) -> str:
        """The numbers."""
        return " ".join(map(str, values))
