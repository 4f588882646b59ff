"""A problem without what solvers of XCSP3 stumble over, and the way back.

A constraint over one variable narrows its domain. A condition over one variable that all its values
fulfil, or none, is folded away. A variable that is neither in a constraint nor in the objective is
not declared; a solution of the rest stands for one solution with each of its values. Sums lose
parts with the factor 0 or of one value. An objective loses its constant part, and a constant
objective is left out. Where no constraint is left, variables of the objective have their best
values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from backends.interface.programs.answers.reader import Garbled, integer, shorten
from backends.xcsp3.folding import fold
from modelling.constraint import Constraint
from modelling.constraints import And, Linear
from modelling.problem import Assignment, Objective, Problem, Structure
from modelling.rewriting import simplify


@dataclass(frozen=True, slots=True)
class Condensed:
    """What is left to be asked.

    ``structure`` is over the variables ``kept``, in their order, and None for a problem without
    solutions; ``domains`` are those of all variables of the problem. The variables of ``structure``
    are an array ``x``, so that cosoco reads a Sudoku in four fifths of the time.
    """

    structure: Structure | None
    kept: tuple[int, ...] = ()
    domains: tuple[Sequence[int], ...] = ()

    @property
    def arrays(self) -> dict[str, tuple[int, ...]]:
        """The sizes of the arrays of the structure."""
        return {"x": (len(self.kept),)}

    def spread(self, shown: Mapping[str, str]) -> Iterator[Assignment]:
        """The solutions of the problem that a shown solution stands for.

        ``shown`` has values by the names of the structure. A variable whose value does not matter
        has the value ``*``, or none. Raises Garbled for any other value that is not a number.
        """
        choices = list(self.domains)
        names = () if self.structure is None else self.structure.names
        for variable, name in zip(self.kept, names, strict=True):
            value = shown.get(name, "*")
            if value != "*":
                found = integer(value)
                if found is None:
                    raise Garbled(f"a solution has {name} = {shorten(value)}")
                choices[variable] = (found,)
        return product(*choices)


def condense(
    problem: Problem, more: Sequence[Constraint], objective: Objective | None
) -> Condensed:
    """``problem`` and some more constraints, and the objective that is asked for, if one is."""
    structure = problem.structure
    domains: list[Sequence[int]] = [
        own if mask == full else problem.domain(variable)
        for variable, (own, mask, full) in enumerate(
            zip(structure.domains, problem.masks, structure.full_masks, strict=True)
        )
    ]
    left = _settle((*structure.constraints, *more), domains)
    if left is None:
        return Condensed(None)
    parts = (
        [
            (variable, factor)
            for variable, factor in zip(objective.scope, objective.coefficients, strict=True)
            if factor and len(domains[variable]) > 1
        ]
        if objective
        else []
    )
    if objective is not None and not left:  # without a constraint ACE 2.6 crashes
        for variable, factor in parts:
            best = max if (factor > 0) is (objective.sense == "maximize") else min
            domains[variable] = [best(domains[variable])]
        parts = []
    busy = {variable for variable, _ in parts}
    busy.update(variable for constraint in left for variable in constraint.scope)
    kept = tuple(sorted(busy))
    place = {variable: position for position, variable in enumerate(kept)}
    asked = None
    if objective is not None and parts:
        scope, factors = zip(*parts, strict=True)
        asked = Objective(objective.sense, [place[variable] for variable in scope], factors)
    rest = Structure(
        tuple([f"x[{position}]" for position in range(len(kept))]),
        tuple([tuple(domains[variable]) for variable in kept]),
        tuple([constraint.mapped(place.__getitem__) for constraint in left]),
        asked,
    )
    return Condensed(rest, kept, tuple(domains))


def _settle(
    constraints: Iterable[Constraint], domains: list[Sequence[int]]
) -> list[Constraint] | None:
    """What is left when constraints over one variable that is not fixed have narrowed its domain;
    None where nothing holds. ACE 2.6 fails on tables of which fixed variables leave nothing."""
    while True:
        fixed = sum(len(domain) == 1 for domain in domains)
        left: dict[Constraint, None] = {}
        for constraint in _simple(fold(constraint, domains) for constraint in constraints):
            if type(constraint) is Linear and constraint.is_plain:
                constraint = _without_fixed(constraint, domains)
            free = [variable for variable in constraint.scope if len(domains[variable]) != 1]
            if len(free) > 1:
                left[constraint] = None
            elif free:
                domains[free[0]] = _allowed(constraint, free[0], domains)
            elif not constraint.holds(tuple([domains[v][0] for v in constraint.scope])):
                return None
        if not all(domains):
            return None
        if sum(len(domain) == 1 for domain in domains) == fixed:
            return list(left)
        constraints = left


def _allowed(
    constraint: Constraint, variable: int, domains: Sequence[Sequence[int]]
) -> Sequence[int]:
    """The values of a variable with which a constraint holds, whose others have one value each."""
    return [
        value
        for value in domains[variable]
        if constraint.holds(
            tuple([value if v == variable else domains[v][0] for v in constraint.scope])
        )
    ]


def _without_fixed(linear: Linear, domains: Sequence[Sequence[int]]) -> Constraint:
    """The variables of one value are part of the constant: ACE 2.6 crashes on ``ne`` otherwise."""
    if all(len(domains[variable]) != 1 for variable in linear.scope):
        return linear
    free, total = [], 0
    for term, factor in zip(linear.terms, linear.coefficients, strict=True):
        domain = domains[term]
        if len(domain) == 1:
            total += factor * domain[0]
        else:
            free.append((term, factor))
    terms, factors = zip(*free, strict=True) if free else ((), ())
    return Linear(terms, factors, linear.relation, linear.constant - total)


def _simple(constraints: Iterable[Constraint]) -> Iterator[Constraint]:
    for constraint in constraints:
        simple = simplify(constraint)
        if type(simple) is And:
            yield from simple.formulas
        else:
            yield simple
