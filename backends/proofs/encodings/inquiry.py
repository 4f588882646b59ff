"""The check of one refutation while it lasts: what is known, was asked, and is in doubt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from math import prod
from time import perf_counter
from typing import Any

from backends.interface.proofs import Refutation
from backends.proofs.encodings.groups import Owners
from backends.proofs.encodings.meaning import Condition, Meaning, TooMany
from backends.proofs.encodings.second import Alone
from modelling.check import violations
from modelling.problem import Assignment, Problem

MOST_STEPS = 20_000
"""Most steps of one enumeration."""

FEW_STEPS = 1_000
"""The same where it may be that all steps are not enough."""

MOST_CONSTRAINTS = 20
"""Most constraints that are tried for one clause."""

Box = Mapping[int, Set[int]]


class Doubt(Exception):
    """What was not shown of a group; ``box`` has the assignments in question."""

    def __init__(self, said: str, box: Box | None = None) -> None:
        super().__init__(said)
        self.box = box


class Wrong(Exception):
    """A solution of the problem is lost, and was checked."""


@dataclass
class Inquiry:
    """One refutation and its problem; ``until`` is a time of ``perf_counter``.

    ``groups`` counts the groups that were checked, ``asked`` what the second engine has said.
    """

    one: Refutation
    problem: Problem
    until: float
    meaning: Meaning
    groups: int = 0
    asked: int = 0
    owners: Owners = field(default_factory=lambda: Owners([]))

    def __post_init__(self) -> None:
        output = self.problem.structure.output
        self.output = range(self.problem.structure.size) if output is None else output
        self.excluded = {tuple(s[v] for v in self.output) for s in self.one.excluded}
        self.derive(())

    def derive(self, derived: Iterable[Condition]) -> None:
        """From now on these conditions over added variables hold."""
        self.meaning = replace(self.meaning, derived=tuple(derived))
        self.alone = Alone(self.meaning, self.until, FEW_STEPS * 3)

    def settle(self, check: Callable[[], None]) -> None:
        """One group; what is in doubt is asked about the whole problem."""
        self.groups += 1
        self.settle_part(check)

    def settle_part(self, check: Callable[[], None]) -> None:
        """The same for a part of a group."""
        self.mind_the_time()
        try:
            check()
        except Doubt as doubt:
            if doubt.box is None or not self.ask_whole(doubt.box, str(doubt)):
                raise

    def mind_the_time(self) -> None:
        """Raise ``Doubt`` when the time is up."""
        if perf_counter() > self.until:
            raise Doubt(f"its time was up after {self.groups} groups")

    # --- assignments -----------------------------------------------------------------------

    def size(self, variables: Iterable[int], box: Box) -> int:
        """How many assignments some variables have within a box."""
        return prod(len(box[v]) if v in box else len(self.meaning.domain(v)) for v in variables)

    def is_far_reaching(self, variables: Iterable[int]) -> bool:
        """Whether added variables are among these that depend on too many others."""
        closed = self.meaning.close(variables)
        return len(closed) > len({*variables}) and self.size(closed, {}) > MOST_STEPS

    def enumerate(self, variables: Iterable[int]) -> Iterator[dict[int, Any]]:
        """The assignments of some variables, and of those that they depend on, that keep the
        constraints over them; ``Doubt`` where these are too many."""
        closed = self.meaning.close(variables)
        try:
            for k, found in enumerate(self.meaning.assignments(closed, {}, MOST_STEPS)):
                if not k % 256:
                    self.mind_the_time()
                yield found
        except TooMany:
            names = self.problem.structure.names
            some = [names[v] for v in sorted(closed) if v < len(names)][:3]
            raise Doubt(
                f"{len(closed)} variables ({', '.join(some)}, ...) have too many assignments"
            ) from None

    def find_witness(self, box: Box, more: Iterable[int], most: int) -> dict[int, Any] | None:
        """An assignment within a box that counts; ``more`` variables are assigned besides."""
        for found in self.meaning.assignments(self.meaning.close([*box, *more]), box, most):
            if not self.is_excluded(found):
                return found
        return None

    def is_excluded(self, found: Mapping[int, Any]) -> bool:
        """Whether an assignment is a solution that is excluded anyway."""
        if not self.excluded or not all(v in found for v in self.output):
            return False
        return tuple(found[v] for v in self.output) in self.excluded

    # --- the second engine -----------------------------------------------------------------

    def is_excluded_by_engine(
        self, near: Iterable[Condition], box: Box, more: tuple[Any, ...] = ()
    ) -> bool:
        """Whether the second engine says that definitions alone, or one constraint with them, or
        all, have no solution in a box in which ``more`` holds."""
        self.asked += 1
        single = [[c.constraint] for c in near if c.constraint is not None]
        few = [[], *single, list(self.problem.structure.constraints)]
        return any(self.alone.excludes(asked, box, more) for asked in few)

    def ask_whole(self, box: Box, said: str) -> bool:
        """Whether the second engine finds no solution within the box in the whole problem; raises
        ``Wrong`` if it finds one that is lost."""
        declared = {v: values for v, values in box.items() if v < self.problem.structure.size}
        searched, found = self.alone.find(declared)
        if found is None:
            self.asked += searched
            return searched
        if not violations(self.problem, found) and self._is_lost(found):
            raise Wrong(f"{said}; that is part of the solution {_shorten(found)}, which holds")
        return False

    def _is_lost(self, found: Assignment) -> bool:
        excluded = tuple(found[v] for v in self.output) in self.excluded
        return not excluded and all(
            condition.holds([found[v] for v in condition.scope]) for condition in self.meaning.more
        )


def fix(found: Mapping[int, int | None]) -> dict[int, set[int]]:
    """The box of one assignment."""
    return {v: {value} for v, value in found.items() if value is not None}


def show(found: Mapping[int, int | None]) -> str:
    """An assignment for a message."""
    some = [f"#{v} = {value}" for v, value in sorted(found.items())]
    return ", ".join(some[:6]) + (", ..." if len(some) > 6 else "")


def _shorten(values: Assignment) -> str:
    return repr(values) if len(values) <= 20 else f"{values[:20]} ..."
