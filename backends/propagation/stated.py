"""The search that a problem states, in the kernel's terms; and a note of what is done instead.

Where the kernel has no such choice it takes another. Halving a domain visits its values in the
order in which ``indomain_min`` does, though by other nodes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from backends.propagation.encode.arena import PhaseCells
from backends.propagation.kernel import stated
from modelling.problem import Phase

CHOICES = {
    "input_order": stated.INPUT_ORDER,
    "first_fail": stated.FIRST_FAIL,
    "anti_first_fail": stated.ANTI_FIRST_FAIL,
    "smallest": stated.SMALLEST_BOUND,
    "largest": stated.LARGEST_BOUND,
    "occurrence": stated.OCCURRENCE,
    "most_constrained": stated.MOST_CONSTRAINED,
    "max_regret": stated.MAX_REGRET,
    "dom_w_deg": stated.DOM_W_DEG,
}
VALUES = {
    "indomain": stated.INDOMAIN_MIN,
    "indomain_min": stated.INDOMAIN_MIN,
    "indomain_max": stated.INDOMAIN_MAX,
    "indomain_median": stated.INDOMAIN_MEDIAN,
    "indomain_middle": stated.INDOMAIN_MIDDLE,
    "indomain_random": stated.INDOMAIN_RANDOM,
}
INSTEAD = {
    "indomain_split": "indomain_min",
    "indomain_interval": "indomain_min",
    "indomain_reverse_split": "indomain_max",
    "indomain_split_random": "indomain_random",
}
"""What is done in place of what the kernel does not do."""


class StatedSearch(NamedTuple):
    """How a call searches: by the phases of the user's structure. The encoding is the only one."""

    phases: Sequence[Phase]
    encoding: str = ""

    def cells(self) -> list[PhaseCells]:
        """The rules of each phase, and its variables."""
        return [
            (
                CHOICES[instead_of(phase.choice, CHOICES)],
                VALUES[instead_of(phase.values, VALUES)],
                phase.variables,
            )
            for phase in self.phases
        ]

    def note(self) -> str:
        """What a result says of it."""
        return "+".join(dict.fromkeys(self._said())) if self.phases else "unstated"

    def _said(self) -> Iterator[str]:
        yield "stated"
        for phase in self.phases:
            for word, known in ((phase.choice, CHOICES), (phase.values, VALUES)):
                taken = instead_of(word, known)
                if taken != word:
                    yield f"{word} as {taken}"


def instead_of(word: str, known: dict[str, int]) -> str:
    """The choice that is made for ``word``."""
    if word in known:
        return word
    return INSTEAD.get(word, "dom_w_deg" if known is CHOICES else "indomain_min")
