"""An instance as a model of Pumpkin that writes a proof, and as the text that is checked.

Variables are called x0, x1, ... as in the text; those that are not the structure's own come after
them. Every constraint is posted after all variables and literals are made: Pumpkin's proofs leave
out literals without a name that are fixed when they are made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from backends.interface.evidence.model_text import parts_of, write_constraint, write_domain
from backends.interface.handlers import Condition
from backends.interface.libraries.recipes import Recipe
from backends.pumpkin.model import Model, Pair

DOMAINS = "-"
"""What follows from the domains alone, in the place of a constraint's name."""


class NotedModel(Model):
    """``lines`` is the text of the constraints; ``sources`` has for each tag of Pumpkin's the name
    of the constraint there."""

    def __init__(self, place: Path, *arguments: Any) -> None:
        self.place = place
        self.lines: list[str] = []
        self.sources: dict[int, str] = {}
        self.source = DOMAINS
        self.made = 0
        self.has_known = False
        self.constraints = 0
        self.pending: list[tuple[str, Sequence[Any], Any, str]] | None = []
        super().__init__(*arguments)
        self.lines = [write_domain(k, domain) for k, domain in enumerate(self.domains)]

    def begin(self, seed: int) -> Any:
        return self.pumpkin.Model(proof=str(self.place), seed=seed)

    def pose(self, recipe: Recipe) -> None:
        super().pose(recipe)
        self.flush()

    def flush(self) -> None:
        """Post what was put off; from now on constraints are posted at once."""
        pending, self.pending = self.pending or [], None
        tags = [self.model.new_constraint_tag() for _ in pending]
        self.sources.update({int(tag): one[3] for tag, one in zip(tags, pending, strict=True)})
        for tag, (kind, arguments, premise, _) in zip(tags, pending, strict=True):
            self.post(kind, arguments, premise, tag)

    # --- variables ---

    def integer(self, low: int, high: int) -> Any:
        return self.model.new_integer_variable(low, high, name=self._name((low, high)))

    def boolean(self) -> Any:
        return self.model.new_boolean_variable(name=self._name((0, 1)))

    def reified(self, predicate: Any) -> Any:
        tag = self.model.new_constraint_tag()
        self.sources[int(tag)] = (
            DOMAINS  # Pumpkin writes the comparison in the place of its literal
        )
        return self.model.predicate_as_boolean(predicate, tag, name=f"r{int(tag)}")

    def known(self, value: bool) -> Any:
        if not self.has_known:
            self.has_known, source, self.source = True, self.source, DOMAINS
            super().known(True)
            self.lines[-1] = write_domain(self.made - 1, (1,))
            self.source = source
        return super().known(value)

    def _name(self, ends: tuple[int, int]) -> str:
        number, self.made = self.made, self.made + 1
        if number >= len(self.domains):
            self.lines.append(write_domain(number, range(ends[0], ends[1] + 1)))
        return f"x{number}"

    # --- constraints ---

    @contextmanager
    def noted(self, text: str) -> Iterator[str]:
        """What is posted meanwhile comes from a constraint, which gets a name."""
        self.constraints += 1
        name = self.source = f"c{self.constraints}"
        self.lines.append(f"{name} {text}")
        yield name
        self.source = DOMAINS

    def impose(self, pair: Pair, constraint: Any, condition: Condition | None) -> None:
        for part in parts_of(constraint):
            with self.noted(write_constraint(part, condition)):
                super().impose(pair, part, condition)

    def add(self, kind: str, *arguments: Any, premise: Any = None) -> None:
        if self.pending is not None:
            self.pending.append((kind, arguments, premise, self.source))
            return
        tag = self.model.new_constraint_tag()
        self.sources[int(tag)] = self.source
        self.post(kind, arguments, premise, tag)
