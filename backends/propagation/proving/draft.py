"""A draft that notes which constraint everything in it comes from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any

from backends.interface.evidence.model_text import parts_of, write_constraint, write_sum
from backends.interface.handlers import Condition, Handler, Handlers
from backends.propagation.encode.draft import Draft, Layout, Posted, begin
from backends.propagation.propagators.scheduling.orders import in_order
from modelling.constraint import Constraint
from modelling.constraints import Cumulative, NoOverlap
from modelling.problem import Structure

DOMAINS = "-"
"""What follows from the domains alone, in the place of a constraint's name."""


@dataclass
class NotedDraft(Draft):
    """``constraints`` has what the checker is given, by name. A source is the name of a constraint:
    that of each propagator, clause and group by its number, of each pair of rivals and their shift;
    ``impossible`` is that of what leaves nothing to search. ``views`` are variable, factor and
    offset of each variable that is an affine term; ``orders`` name, for each truth value that
    orders two tasks, the constraint and the numbers of the tasks there; ``totals`` name, for each
    variable that a sum defines, the constraint that does so."""

    constraints: dict[str, str] = field(default_factory=dict)
    source: str = DOMAINS
    sources: dict[int, str] = field(default_factory=dict)
    rival_sources: dict[tuple[int, int, int], str] = field(default_factory=dict)
    clause_sources: list[str] = field(default_factory=list)
    group_sources: list[str] = field(default_factory=list)
    views: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    orders: dict[int, tuple[str, int, int]] = field(default_factory=dict)
    totals: dict[int, str] = field(default_factory=dict)
    before: int = 0
    impossible: str = DOMAINS

    def post(self, posted: Posted | Layout) -> None:
        super().post(posted)
        self.sources[len(self.propagators) - 1] = self.source

    def differ(self, x: int, y: int, shift: int) -> None:
        super().differ(x, y, shift)
        self.rival_sources.setdefault((x, y, shift), self.source)
        self.rival_sources.setdefault((y, x, -shift), self.source)

    def _view(self, variable: int, factor: int, constant: int) -> int:
        source, self.source = self.source, DOMAINS
        found = super()._view(variable, factor, constant)
        self.source = source
        self.views[found] = variable, factor, constant
        return found

    def begin_constraint(self, constraint: Constraint, condition: Condition | None) -> None:
        """Whatever comes now comes from this constraint."""
        self.before = len(self.propagators)
        self.source = f"c{len(self.constraints) + 1}"
        self.constraints[self.source] = write_constraint(constraint, condition)

    def end_constraint(self, constraint: Constraint) -> None:
        """Note what has come."""
        if isinstance(constraint, NoOverlap | Cumulative):
            self._number_orders(constraint)
        self.clause_sources += [self.source] * (len(self.clauses) - len(self.clause_sources))
        self.group_sources += [self.source] * (len(self.groups) - len(self.group_sources))
        if not self.possible and self.impossible == DOMAINS:
            self.impossible = self.source
        self.source = DOMAINS

    def new_variables(self) -> list[str]:
        """For each truth value that orders two tasks: the constraint, and their numbers there; for
        each total the constraint."""
        orders = [
            f"order x{variable} {source} {first} {second}"
            for variable, (source, first, second) in self.orders.items()
        ]
        return orders + [f"total x{total} {name}" for total, name in self.totals.items()]

    def begin_total(self, terms: Sequence[tuple[int, int]]) -> None:
        """The next variable is a sum: what comes now says so."""
        total = len(self.domains)
        self.source = self.totals[total] = f"c{len(self.constraints) + 1}"
        scope, factors = zip(*terms, (total, -1), strict=True)
        self.constraints[self.source] = write_sum(scope, factors, "==", 0)

    def _number_orders(self, constraint: NoOverlap | Cumulative) -> None:
        """Note the numbers of the tasks that truth values order."""
        lengths = constraint.lengths if isinstance(constraint, NoOverlap) else constraint.durations
        numbers: dict[tuple[int, int], int] = {}
        for number, (start, length) in enumerate(zip(constraint.starts, lengths, strict=True)):
            known = self.domains[self.view(length)]
            if len(known) == 1:
                numbers.setdefault((self.view(start), known[0]), number)
        for posted in self.propagators[self.before :]:
            if isinstance(posted, Posted) and posted.propagate is in_order:
                n, *rest = posted.constants
                tasks = [numbers[task] for task in zip(posted.scope, rest[:n], strict=False)]
                for k, variable in enumerate(posted.scope[n:]):
                    i, j = rest[n + 2 * k], rest[n + 2 * k + 1]
                    self.orders[variable] = self.source, tasks[i], tasks[j]


def begin_noted(structure: Structure) -> NotedDraft:
    """The variables of a structure, and nothing that binds them."""
    return NotedDraft(**vars(begin(structure, explains=True)))


def copy_draft(draft: NotedDraft) -> NotedDraft:
    """The same, to which constraints can be added."""
    own: dict[str, Any] = {one.name: getattr(draft, one.name) for one in fields(draft)}
    copies: dict[str, Any] = {
        name: copy(value) for name, value in own.items() if isinstance(value, list | dict)
    }
    copies["rivals"] = [dict(row) for row in draft.rivals]
    return replace(draft, **copies)


def noted(handlers: Handlers) -> Mapping[Any, Handler]:
    """Handlers that post to a draft that notes."""
    return {
        kind: Handler(
            partial(_post, handler.post),
            handler.modes,
            handler.when,
            handler.repeats,
            handler.arguments,
            handler.within,
        )
        for kind, handler in handlers.items()
    }


def _post(
    post: Any, draft: NotedDraft, constraint: Constraint, condition: Condition | None = None
) -> None:
    for part in parts_of(constraint):
        draft.begin_constraint(part, condition)
        if condition is None:
            post(draft, part)
        else:
            post(draft, part, condition)
        draft.end_constraint(part)
