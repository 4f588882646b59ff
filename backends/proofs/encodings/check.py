"""The check of an encoding: no solution of the problem is lost in the clauses of a refutation.

How each group is checked
-------------------------
a clause of pins    the assignments that it excludes are enumerated, on its variables and on those
                    of one constraint at a time: each has to break a constraint, or to be a solution
                    that is excluded anyway. Where these are too many, the second engine says that
                    the constraint has no solution among them
other clauses       the assignments of its variables that keep the constraints over them are
                    enumerated: each has to extend to the clauses. Where these are too many, the
                    literals without owner are resolved away, and the clauses that are left are
                    checked as those of pins
added variables     every value of their definitions is in their domains (``added``)

An assignment that fails is asked of the second engine, of one constraint and then of the whole
problem. If that finds a solution there, the clauses are wrong, by a checked solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set, Sized
from contextlib import suppress
from dataclasses import dataclass, replace
from math import prod
from time import perf_counter
from typing import Any, NamedTuple

from backends.interface.proofs import EncodingState, Refutation, Row
from backends.proofs.encodings.added import derive, is_excluded, missing_values, opposite
from backends.proofs.encodings.extending import has_model, resolve_away
from backends.proofs.encodings.groups import Clause, Owners, Pins, split
from backends.proofs.encodings.inequalities import check_inequalities
from backends.proofs.encodings.meaning import Condition, Meaning, TooMany
from backends.proofs.encodings.second import ASKED, SECOND, Alone
from modelling.check import violations
from modelling.errors import ConcordError
from modelling.problem import Assignment, Problem

MOST_CLAUSES = 300_000
"""A longer formula is not looked at."""

MOST_STEPS = 20_000
"""Most steps of one enumeration."""

FEW_STEPS = 1_000
"""The same where it may be that all steps are not enough."""

MOST_CONSTRAINTS = 20
"""Most constraints that are tried for one clause."""

MOST_FAILING = 2_000
"""Most assignments of one enumeration that are asked of the second engine."""

Box = Mapping[int, Set[int]]


class EncodingCheck(NamedTuple):
    """What became of it, and by what means, or why not."""

    state: EncodingState
    said: str = ""


class Doubt(Exception):
    """What was not shown of a group; ``box`` has the assignments in question."""

    def __init__(self, said: str, box: Box | None = None) -> None:
        super().__init__(said)
        self.box = box


def check_encoding(one: Refutation, problem: Problem, until: float) -> EncodingCheck:
    """Whether a refutation's clauses, or the constraints in place of them, lose no solution.

    ``until`` is a time of ``perf_counter``; what is not checked by then is unchecked.
    """
    if one.rewritten is None or (one.model is None and one.literals is None):
        return EncodingCheck("unchecked", "the backend does not say what its literals mean")
    try:
        check = _Check(one, problem, until)
        check.run()
    except Doubt as doubt:
        return EncodingCheck("unchecked", str(doubt))
    except _Wrong as wrong:
        return EncodingCheck("wrong", str(wrong))
    except ConcordError as error:  # of the second engine, or of a value beyond all bounds
        return EncodingCheck("unchecked", f"{type(error).__name__}: {error}")
    return EncodingCheck(check.state, check.said)


class _Wrong(Exception):
    """A solution of the problem is lost, and was checked."""


@dataclass
class _Check:
    one: Refutation
    problem: Problem
    until: float
    groups: int = 0
    asked: int = 0

    def __post_init__(self) -> None:
        assert self.one.rewritten is not None
        self.meaning = Meaning(self.problem, self.one.rewritten, tuple(self._bounds()))
        output = self.problem.structure.output
        self.output = range(self.problem.structure.size) if output is None else output
        self.alone = Alone(self.meaning, self.until, FEW_STEPS * 3)
        self.excluded = {tuple(s[v] for v in self.output) for s in self.one.excluded}

    @property
    def state(self) -> EncodingState:
        """Enumerated, unless the second engine was asked."""
        return "agreed" if self.asked else "enumerated"

    @property
    def said(self) -> str:
        """By what means, for the record."""
        by = f", of {self.asked} {SECOND} said it" if self.asked else ""
        kind = "clauses" if self.one.rows is None else "inequalities"
        return f"{self.groups} groups of {kind}{by}"

    def _bounds(self) -> Iterator[Condition]:
        """What the refutation says of the objective."""
        objective, one = self.problem.structure.objective, self.one
        if objective is None or (one.than is None and one.value is None):
            return
        scope, size = tuple(objective.scope), self.problem.structure.size

        def holds(values: Any) -> bool:
            full = [0] * size
            for variable, value in zip(scope, values, strict=True):
                full[variable] = value
            found = objective.value(full)
            if one.value is not None:
                return found == one.value
            assert one.than is not None
            return found < one.than if objective.sense == "minimize" else found > one.than

        yield Condition(scope, holds)

    def run(self) -> None:
        """Check everything; raises ``Doubt`` or ``_Wrong``."""
        self._check_added()
        self._derive()
        if self.one.rows is not None:
            self._check_rows(self.one.rows())
            return
        if self.one.model is not None:
            self._check_constraints()
            return
        assert self.one.literals is not None
        number = sum(len(part) for part in self.one.clauses if isinstance(part, Sized))
        if number > MOST_CLAUSES:
            raise Doubt(f"{number:,} clauses are too many to be checked")
        self._own(self._known_pins())
        clauses: list[Clause] = [c for part in self.one.clauses for c in part]
        found = split([*clauses, *self._blocks()], self.owners)
        for clause in dict.fromkeys(tuple(sorted(clause)) for clause in found.plain):
            self.settle(lambda clause=clause: self.check_clause(clause))
        for group in found.linked:
            self.settle(lambda group=group: self._check_linked(group))

    def settle(self, check: Any) -> None:
        """One group; what is in doubt is asked about the whole problem."""
        self.groups += 1
        self._settle(check)

    def _settle(self, check: Any) -> None:
        self._mind_the_time()
        try:
            check()
        except Doubt as doubt:
            if doubt.box is None or not self._ask_whole(doubt.box, str(doubt)):
                raise

    def _mind_the_time(self) -> None:
        if perf_counter() > self.until:
            raise Doubt(f"its time was up after {self.groups} groups")

    def _own(self, pins: Pins) -> None:
        self.owners = Owners(pins)
        for boolean, variables in self.owners.shared():
            self._check_shared(boolean, variables)

    def _check_rows(self, rows: Sequence[Row]) -> None:
        if len(rows) > MOST_CLAUSES:
            raise Doubt(f"{len(rows):,} inequalities are too many to be checked")
        self._own(self._known_pins())
        objective, value = self.problem.structure.objective, self.one.value
        fixed = None if objective is None or value is None else (objective, value)
        check_inequalities(self, rows, fixed)

    def check_together(self, variables: Iterable[int], holds: Any, what: str) -> None:
        """Each assignment of some variables that counts, and keeps the constraints over them,
        ``holds``; of those that do not the second engine says that they are part of no solution."""
        failing = 0
        for found in self._enumerate(variables, {}, MOST_STEPS):
            if holds(found) or self._is_excluded(found):
                continue
            failing += 1
            if failing > MOST_FAILING:
                raise Doubt(f"{what} excludes {failing} assignments, {_show(found)} and others")
            self._settle(lambda found=found: self._check_box(_fix(found), what))

    def _known_pins(self) -> list[Mapping[int, Clause]]:
        assert self.one.literals is not None
        pins = self.one.literals()
        return [by if self.meaning.is_known(v) else {} for v, by in enumerate(pins)]

    def _blocks(self) -> Iterator[Clause]:
        """The clauses of arrays that are not, number by number, those of a constraint."""
        rows = set[Clause]()
        for block in self.one.blocks:
            rows.update(_rows(block.tolist()))
        if len(rows) > MOST_CLAUSES:
            raise Doubt(f"{len(rows):,} clauses are too many to be checked")
        yield from rows

    # --- what is checked -------------------------------------------------------------------

    def _derive(self) -> None:
        """From now on added variables are in their domains, and derived constraints hold."""
        added = self.meaning.functions
        inside = [
            Condition(
                (v,),
                lambda values, domain=frozenset(self.meaning.domain(v)): (  # type: ignore[misc]
                    values[0] in domain
                ),
            )
            for v in added
        ]
        at_once = list(derive(self.problem, self.meaning))
        more = [c for c in self._far_reaching() if c not in at_once and self._is_by_definition(c)]
        found = [Condition(tuple(c.scope), c.holds, c) for c in (*at_once, *more)]
        self.meaning = replace(self.meaning, derived=(*inside, *found))
        self.alone = Alone(self.meaning, self.until, FEW_STEPS * 3)

    def _far_reaching(self) -> Iterator[Any]:
        """What rewriting made of added variables that depend on too many others."""
        for constraint in self.meaning.rewritten.structure.constraints:
            known = all(map(self.meaning.is_known, constraint.scope))
            if known and self._is_far_reaching(constraint.scope):
                yield constraint

    def _is_far_reaching(self, variables: Iterable[int]) -> bool:
        """Whether added variables are among these that depend on too many others."""
        closed = self.meaning.close(variables)
        return len(closed) > len({*variables}) and self._size(closed, {}) > MOST_STEPS

    def _is_by_definition(self, constraint: Any) -> bool:
        """Whether the second engine says that definitions alone imply it."""
        self._mind_the_time()
        self.asked += 1
        return self.alone.excludes([], {}, (opposite(constraint),))

    def _check_added(self) -> None:
        """Every added variable has, in each solution, a value of its domain."""
        for variable in self.meaning.functions:
            self._mind_the_time()
            values = missing_values(self.meaning, variable, MOST_STEPS)
            if not values:
                continue
            box = {variable: {value for value in values if value is not None}}
            near = self.meaning.conditions_near(self.meaning.close(box))[:MOST_CONSTRAINTS]
            if None in values or not self._is_excluded_by_engine(near, box):
                raise Doubt(f"rewriting leaves an added variable without {values[0]}")

    def _is_excluded_by_engine(
        self, near: Iterable[Condition], box: Box, more: tuple[Any, ...] = ()
    ) -> bool:
        own = self.problem.structure.constraints
        self.asked += 1
        return is_excluded(self.alone, near, own, box, more)

    def _check_constraints(self) -> None:
        """Each constraint that rewriting made follows from those of the problem."""
        own = set(self.problem.structure.constraints)
        own.update(c.constraint for c in self.meaning.derived if c.constraint is not None)
        assert self.one.rewritten is not None
        for constraint in self.one.rewritten.structure.constraints:
            if constraint in own:
                self.groups += 1
                continue
            if not all(map(self.meaning.is_known, constraint.scope)):
                raise Doubt(f"rewriting does not say what the variables of {constraint!r} are")
            self.settle(lambda constraint=constraint: self._check_constraint(constraint))

    def _check_constraint(self, constraint: Any) -> None:
        try:
            failing = self._find_failing(constraint)
            if failing is None:
                return
            doubt = Doubt(f"{constraint!r} excludes {_show(failing)}")
        except Doubt as too_many:
            failing, doubt = None, too_many
        near = self.meaning.conditions_near(constraint.scope)[:MOST_CONSTRAINTS]
        if self._is_excluded_by_engine(near, {}, (opposite(constraint),)):
            return
        if failing is not None:
            self._ask_whole(_fix(failing), str(doubt))  # it may be part of a solution
        raise doubt

    def _find_failing(self, constraint: Any) -> dict[int, Any] | None:
        for found in self._enumerate(constraint.scope, {}, MOST_STEPS):
            values = [found[v] for v in constraint.scope]
            if None in values or not constraint.holds(values):
                return found
        return None

    def _check_shared(self, boolean: int, variables: list[int]) -> None:
        """Variables that share a Boolean agree on it in every solution."""
        one = variables[0]
        for other in variables[1:]:
            for literal in (boolean, -boolean):
                box = {
                    one: self.owners.values(one, literal),
                    other: self.owners.values(other, -literal),
                }
                self.settle(lambda box=box: self._check_box(box, "two variables share a literal"))

    def check_clause(self, clause: Clause) -> None:
        box = self.owners.excluded(clause)
        if all(box.values()):
            self._check_box(box, f"the clause {' '.join(map(str, clause))}")

    def _check_box(self, box: Box, what: str) -> None:
        """No solution that counts lies within the box."""
        if any(self._is_derived(box, condition) for condition in self.meaning.derived_near(box)):
            return
        if self._is_far_reaching(box) and self.alone.excludes([], box):
            self.asked += 1
            return
        known: Box = {}
        try:
            most = MOST_STEPS if self._size(box, box) <= MOST_STEPS else FEW_STEPS
            witness = self._find_witness(box, (), most)
            if witness is None:
                return
            known, shown = _fix(witness), _show(witness)
        except TooMany:
            shown = f"assignments of {len(box)} variables"
        near = self.meaning.conditions_near(self.meaning.close(box))[:MOST_CONSTRAINTS]
        if any(self._is_refuted(box, c) for c in near if not known.keys() >= {*c.scope}):
            return
        if self.excluded and self._is_excluded_throughout(box):
            return
        added = any(v in self.meaning.functions for v in box)
        if added and self._is_excluded_by_engine(near[:1], box):
            return
        declared = {v: set(values) for v, values in box.items() if v not in self.meaning.functions}
        raise Doubt(f"{what} excludes {shown}, which no constraint alone does", declared)

    def _is_derived(self, box: Box, condition: Condition) -> bool:
        """Whether a constraint over added variables excludes a box of them."""
        if condition.constraint is None or not box.keys() <= {*condition.scope}:
            return False
        how = self.alone.refutes(condition.constraint, box)
        self.asked += how == ASKED
        return bool(how)

    def _is_refuted(self, box: Box, condition: Condition) -> bool:
        """Whether no solution of one constraint, and of those over its variables, is in the box."""
        if condition.constraint is not None and box.keys() <= {*condition.scope}:
            how = self.alone.refutes(condition.constraint, box)
            self.asked += how == ASKED
            if how:
                return True
        if self._size({*box, *condition.scope}, box) > MOST_STEPS:
            return False
        with suppress(TooMany):
            return self._find_witness(box, condition.scope, MOST_STEPS) is None
        return False

    def _size(self, variables: Iterable[int], box: Box) -> int:
        return prod(len(box[v]) if v in box else len(self.meaning.domain(v)) for v in variables)

    def _find_witness(self, box: Box, more: Iterable[int], most: int) -> dict[int, Any] | None:
        for found in self.meaning.assignments(self.meaning.close([*box, *more]), box, most):
            if not self._is_excluded(found):
                return found
        return None

    def _is_excluded(self, found: Mapping[int, Any]) -> bool:
        if not self.excluded or not all(v in found for v in self.output):
            return False
        return tuple(found[v] for v in self.output) in self.excluded

    def _is_excluded_throughout(self, box: Box) -> bool:
        """Whether a box has, on all variables, excluded solutions only."""
        try:
            return self._find_witness(box, self.output, MOST_STEPS) is None
        except TooMany:
            return False

    def _check_linked(self, group: list[Clause]) -> None:
        booleans = {abs(literal) for clause in group for literal in clause}
        variables = {v for b in booleans if b in self.owners for v in self.owners.of(b)}
        if self._size(self.meaning.close(variables), {}) > MOST_STEPS:
            free = [b for b in booleans if b not in self.owners]
            clauses = resolve_away(group, free)
            if clauses is not None:
                for clause in clauses:
                    self._settle(lambda clause=clause: self.check_clause(clause))
                return

        def extends(found: Mapping[int, Any]) -> bool:
            pins = [x for v in variables for x in self.owners.pins[v].get(found[v], (0,))]
            true = [literal for literal in pins if abs(literal) in booleans]
            return 0 not in pins and has_model(group, true)

        self.check_together(variables, extends, f"a group of {len(group)} clauses")

    def _enumerate(self, variables: Iterable[int], box: Box, most: int) -> Iterator[dict[int, Any]]:
        closed = self.meaning.close(variables)
        try:
            for k, found in enumerate(self.meaning.assignments(closed, box, most)):
                if not k % 256 and perf_counter() > self.until:
                    raise Doubt(f"its time was up after {self.groups} groups")
                yield found
        except TooMany:
            names = self.problem.structure.names
            some = [names[v] for v in sorted(closed) if v < len(names)][:3]
            raise Doubt(
                f"{len(closed)} variables ({', '.join(some)}, ...) have too many assignments"
            ) from None

    # --- the whole problem -----------------------------------------------------------------

    def _ask_whole(self, box: Box, said: str) -> bool:
        """Whether the second engine finds no solution within the box in the whole problem."""
        declared = {v: values for v, values in box.items() if v < self.problem.structure.size}
        searched, found = self.alone.find(declared)
        if found is None:
            self.asked += searched
            return searched
        if not violations(self.problem, found) and self._is_lost(found):
            raise _Wrong(f"{said}; that is part of the solution {_shorten(found)}, which holds")
        return False

    def _is_lost(self, found: Assignment) -> bool:
        excluded = tuple(found[v] for v in self.output) in self.excluded
        return not excluded and all(
            condition.holds([found[v] for v in condition.scope]) for condition in self.meaning.more
        )


def _rows(numbers: list[int]) -> Iterator[Clause]:
    start = 0
    for place, number in enumerate(numbers):
        if not number:
            yield tuple(numbers[start:place])
            start = place + 1


def _fix(found: Mapping[int, int | None]) -> dict[int, set[int]]:
    return {v: {value} for v, value in found.items() if value is not None}


def _show(found: Mapping[int, int | None]) -> str:
    some = [f"#{v} = {value}" for v, value in sorted(found.items())]
    return ", ".join(some[:6]) + (", ..." if len(some) > 6 else "")


def _shorten(values: Assignment) -> str:
    return repr(values) if len(values) <= 20 else f"{values[:20]} ..."
