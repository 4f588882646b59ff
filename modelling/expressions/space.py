"""The variables of a model under construction, as expressions over them see them.

Words
-----
space       names and domains of a model's variables so far; each expression belongs to one, and
            those of different spaces cannot be combined
"""

from __future__ import annotations

from collections.abc import Sequence


class Space:
    """Names and base domains by position; they grow, and never change."""

    __slots__ = ("domains", "names", "taken")

    def __init__(self) -> None:
        self.names: list[str] = []
        self.domains: list[Sequence[int]] = []
        self.taken: set[str] = set()

    def extend(self, names: Sequence[str], domain: Sequence[int]) -> int:
        """Add variables of one domain, and new names; the position of the first."""
        self.taken.update(names)
        first = len(self.names)
        self.names.extend(names)
        self.domains.extend([domain] * len(names))
        return first

    def is_boolean(self, position: int) -> bool:
        """Whether a variable can be 0 and 1 only, so that it can be a condition."""
        domain = self.domains[position]
        return not domain or (domain[0] >= 0 and domain[-1] <= 1)
