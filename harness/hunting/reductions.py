"""Smaller problems from one: each kind of reduction is a function from candidate to candidates.

Words
-----
candidate   a problem with the solutions that are known of it; what is known of a problem that is
            too large to be enumerated comes along from the problem that it was made of
kind        the name of a reduction, as the report of shrinking counts it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from harness.hunting.delta_debugging import minimise
from harness.hunting.simpler_parts import Put, find_rows, find_variants, lower
from modelling.constraint import Constraint
from modelling.errors import ConcordError
from modelling.problem import Assignment, Objective, Problem, Structure
from modelling.terms import constant, substitute

NAMES = ("x", "y", "z", "w", "u", "v")
"""What the variables of a small problem are called."""

LARGEST_FIXED = 6
"""How many of its values are tried in the place of a variable."""

FEW_VALUES = 8
"""Domains of no more values than this have each value brought nearer to 0."""


@dataclass(frozen=True)
class Candidate:
    """A problem and full assignments to it that may be solutions."""

    problem: Problem
    known: tuple[Assignment, ...] = ()

    def with_structure(self, **changes: object) -> Candidate:
        """The candidate with other parts of its structure."""
        structure = replace(self.problem.structure, **changes)  # type: ignore[arg-type]
        return Candidate(Problem(structure, self.problem.masks), self.known)

    def with_domains(self, domains: Sequence[Sequence[int]]) -> Candidate:
        """The candidate with these domains, all of them open."""
        structure = replace(self.problem.structure, domains=tuple(map(_freeze, domains)))
        return Candidate(structure.problem(), self.known)


def _freeze(values: Sequence[int]) -> Any:
    """A tuple, or a range, which may be too large for one."""
    return values if isinstance(values, range) else tuple(values)


Fails = Callable[[Candidate], bool]
"""Whether the dispute is still there."""

Reduce = Callable[[Candidate, Fails], Candidate]
"""Return the candidate after all that a reduction can take away; itself where that is nothing."""


def _first(candidate: Candidate, offers: Iterable[Candidate], fails: Fails) -> Candidate:
    """The first of the offers that fails, else the candidate."""
    return next((offer for offer in offers if fails(offer)), candidate)


def _all_in_turn(
    candidate: Candidate, offer: Callable[[Candidate], Iterator[Candidate]], fails: Fails
) -> Candidate:
    """Take the first of the offers that fails, and begin again, until none does."""
    while (smaller := _first(candidate, offer(candidate), fails)) is not candidate:
        candidate = smaller
    return candidate


# --- what is beside the constraints --------------------------------------------------------------


def drop_beside(candidate: Candidate, fails: Fails) -> Candidate:
    """Close what the masks close for good, and leave out objective, output and size."""
    structure = candidate.problem.structure
    if candidate.problem.narrowed() or candidate.problem.size is not None:
        candidate = _first(
            candidate, [candidate.with_domains(_list_domains(candidate.problem))], fails
        )
    if structure.output is not None:
        candidate = _first(candidate, [candidate.with_structure(output=None)], fails)
    if structure.objective is not None:
        candidate = _first(candidate, [candidate.with_structure(objective=None)], fails)
    return candidate


def drop_constraints(candidate: Candidate, fails: Fails) -> Candidate:
    """Leave out constraints."""
    constraints = candidate.problem.structure.constraints

    def is_enough(kept: list[Constraint]) -> bool:
        return fails(candidate.with_structure(constraints=tuple(kept)))

    kept = minimise(constraints, is_enough)
    return (
        candidate.with_structure(constraints=tuple(kept))
        if len(kept) < len(constraints)
        else candidate
    )


# --- variables -----------------------------------------------------------------------------------


def drop_variables(candidate: Candidate, fails: Fails) -> Candidate:
    """Leave out variables that occur nowhere; then put a value or another one in their place."""
    structure = candidate.problem.structure
    used = {v for c in structure.constraints for v in c.scope}
    used |= set(structure.objective.scope if structure.objective else ())
    free = [v for v in range(structure.size) if v not in used]
    if free:

        def leave_out_others(kept: Sequence[int]) -> Candidate:
            return _leave_out(candidate, {*free} - {*kept})

        least = int(len(free) == structure.size)  # one variable is left: none is hard to read
        kept = minimise(free, lambda kept: fails(leave_out_others(kept)), least)
        candidate = leave_out_others(kept) if len(kept) < len(free) else candidate
    return _all_in_turn(candidate, _replace_variables, fails)


def _replace_variables(candidate: Candidate) -> Iterator[Candidate]:
    problem = candidate.problem
    if problem.structure.size == 1:
        return
    for variable in range(problem.structure.size):
        domain = problem.values(variable)
        for value in sorted(domain, key=abs)[:LARGEST_FIXED]:
            made = _try_leaving_out(candidate, variable, value)
            if made is not None:
                yield made
    for variable in range(problem.structure.size):
        for other in range(variable):
            made = _try_merging(candidate, variable, other)
            if made is not None:
                yield made


def _try_leaving_out(candidate: Candidate, variable: int, value: int) -> Candidate | None:
    try:
        return _leave_out(candidate, {variable: value})
    except (ConcordError, ValueError, TypeError):
        return None  # a constraint takes variables only


def _leave_out(candidate: Candidate, gone: Iterable[int]) -> Candidate:
    """Without some variables; a mapping gives the values in the place of those that occur."""
    structure, masks = candidate.problem.structure, candidate.problem.masks
    values = gone if isinstance(gone, dict) else {}
    kept = [v for v in range(structure.size) if v not in set(gone)]
    place = {v: k for k, v in enumerate(kept)}

    def find(variable: int) -> object:
        return constant(values[variable]) if variable in values else place[variable]

    output = structure.output
    made = Structure(
        tuple(structure.names[v] for v in kept),
        tuple(structure.domains[v] for v in kept),
        tuple(c.mapped(find) for c in structure.constraints),
        structure.objective
        and Objective(structure.objective.sense, substitute(structure.objective.term, find)),
        None if output is None else tuple(place[v] for v in output if v in place),
        structure.uncountable,
    )
    known = tuple(tuple(values[v] for v in kept) for values in candidate.known)
    return Candidate(Problem(made, tuple(masks[v] for v in kept)), known)


def _try_merging(candidate: Candidate, variable: int, other: int) -> Candidate | None:
    """One variable in the place of two, with the values that both have."""
    structure = candidate.problem.structure
    shared = {*candidate.problem.values(variable)} & {*candidate.problem.values(other)}
    if not shared:
        return None
    domains = _list_domains(candidate.problem)
    domains[other] = tuple(sorted(shared))

    def find(at: int) -> int:
        return other if at == variable else at

    try:
        constraints = tuple(c.mapped(find) for c in structure.constraints)
        objective = structure.objective
        if objective is not None:
            objective = Objective(objective.sense, substitute(objective.term, find))
        merged = candidate.with_structure(constraints=constraints, objective=objective)
        return _leave_out(merged.with_domains(domains), {variable})
    except (ConcordError, ValueError, TypeError, KeyError):
        return None


# --- domains -------------------------------------------------------------------------------------


def cut_domains(candidate: Candidate, fails: Fails) -> Candidate:
    """Leave out values: halves first, then one by one."""
    for variable in range(candidate.problem.structure.size):
        candidate = _cut_domain(candidate, variable, fails)
    return _all_in_turn(candidate, _shift_domains, fails)


def _list_domains(problem: Problem) -> list[Sequence[int]]:
    return [problem.values(v) for v in range(problem.structure.size)]


def _cut_domain(candidate: Candidate, variable: int, fails: Fails) -> Candidate:
    problem = candidate.problem
    while len(problem.values(variable)) > 64:  # halves alone, as far as they go: a range is large
        values = problem.values(variable)
        middle = len(values) // 2
        halves = [_with_domain(candidate, variable, v) for v in (values[:middle], values[middle:])]
        smaller = _first(candidate, halves, fails)
        if smaller is candidate:
            return candidate
        candidate, problem = smaller, smaller.problem
    values = problem.values(variable)
    kept = minimise(values, lambda kept: fails(_with_domain(candidate, variable, kept)), least=1)
    return _with_domain(candidate, variable, kept) if len(kept) < len(values) else candidate


def _with_domain(candidate: Candidate, variable: int, values: Sequence[int]) -> Candidate:
    problem = candidate.problem
    domains = _list_domains(problem)
    domains[variable] = tuple(values)
    return candidate.with_domains(domains)


def _shift_domains(candidate: Candidate) -> Iterator[Candidate]:
    """Values nearer to 0, whatever they mean: a domain that begins at 0, or without gaps."""
    problem = candidate.problem
    for variable in range(problem.structure.size):
        values = problem.values(variable)
        if not values:
            continue
        dense = range(values[0], values[0] + len(values))
        offers = [tuple(v - values[0] for v in values), tuple(dense), tuple(range(len(values)))]
        for offer in dict.fromkeys(offers):
            if _weigh(offer) < _weigh(values):
                yield _with_domain(candidate, variable, offer)
        for k, value in enumerate(values if len(values) <= FEW_VALUES else ()):
            for new in lower(value):
                if new not in values:
                    moved = sorted((*values[:k], new, *values[k + 1 :]))
                    yield _with_domain(candidate, variable, moved)


def _weigh(values: Sequence[int]) -> tuple[int, int]:
    """Gaps, and how far from 0 the values are; negative ones count more."""
    return values[-1] - values[0], sum(2 * abs(v) + (v < 0) for v in values)


# --- within constraints --------------------------------------------------------------------------


def drop_rows(candidate: Candidate, fails: Fails) -> Candidate:
    """Leave out tuples of tables, transitions of automata, and arcs of diagrams."""
    for number, constraint in enumerate(candidate.problem.structure.constraints):
        for place in range(sum(1 for _ in find_rows(constraint))):
            candidate = _drop_rows_at(candidate, number, place, fails)
    return candidate


def _drop_rows_at(candidate: Candidate, number: int, place: int, fails: Fails) -> Candidate:
    rows, put = list(find_rows(candidate.problem.structure.constraints[number]))[place]

    def is_enough(kept: list[tuple[object, ...]]) -> bool:
        made = _with_rows(candidate, number, put, kept)
        return made is not None and fails(made)

    kept = minimise(rows, is_enough)
    made = _with_rows(candidate, number, put, kept) if len(kept) < len(rows) else None
    return made or candidate


def _with_rows(
    candidate: Candidate, number: int, put: Put, rows: Sequence[object]
) -> Candidate | None:
    try:
        return _with_constraint(candidate, number, put(rows))
    except (ConcordError, ValueError, TypeError, IndexError):
        return None


def simplify_parts(candidate: Candidate, fails: Fails) -> Candidate:
    """Flatten formulas, leave out terms, and bring numbers nearer to 0."""
    for number in range(len(candidate.problem.structure.constraints)):

        def offer(now: Candidate, number: int = number) -> Iterator[Candidate]:
            for variant in find_variants(now.problem.structure.constraints[number]):
                try:
                    yield _with_constraint(now, number, variant)
                except ConcordError:
                    continue

        candidate = _all_in_turn(candidate, offer, fails)
    return _all_in_turn(candidate, _simplify_objective, fails)


def _with_constraint(candidate: Candidate, number: int, new: Constraint) -> Candidate:
    constraints = list(candidate.problem.structure.constraints)
    constraints[number] = new
    return candidate.with_structure(constraints=tuple(constraints))


def _simplify_objective(candidate: Candidate) -> Iterator[Candidate]:
    objective = candidate.problem.structure.objective
    if objective is None:
        return
    if objective.is_linear:
        pairs = list(zip(objective.scope, objective.coefficients, strict=True))
        for k in range(len(pairs)):
            yield _with_sum(candidate, objective, [*pairs[:k], *pairs[k + 1 :]])
        for k, (variable, factor) in enumerate(pairs):
            for new in lower(factor):
                yield _with_sum(
                    candidate, objective, [*pairs[:k], (variable, new), *pairs[k + 1 :]]
                )
        return
    for variable in objective.scope:
        yield candidate.with_structure(objective=Objective(objective.sense, variable))


def _with_sum(
    candidate: Candidate, objective: Objective, pairs: Sequence[tuple[int, int]]
) -> Candidate:
    scope, factors = [v for v, _ in pairs], [f for _, f in pairs]
    return candidate.with_structure(objective=Objective(objective.sense, scope, factors))


def rename_variables(candidate: Candidate, fails: Fails) -> Candidate:
    """Short names."""
    size = candidate.problem.structure.size
    names = NAMES[:size] if size <= len(NAMES) else tuple(f"x{k}" for k in range(size))
    if names == candidate.problem.structure.names:
        return candidate
    return _first(candidate, [candidate.with_structure(names=names)], fails)


REDUCTIONS: tuple[tuple[str, Reduce], ...] = (
    ("beside", drop_beside),
    ("constraints", drop_constraints),
    ("variables", drop_variables),
    ("domains", cut_domains),
    ("tuples", drop_rows),
    ("constants", simplify_parts),
    ("names", rename_variables),
)
"""In this order, from what takes most away to what takes least."""
