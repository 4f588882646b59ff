"""A problem without what solvers of XCSP3 stumble over, and the way back.

A constraint over one variable narrows its domain, and a condition over one that all its values
fulfil, or none, is no condition; a variable that stands in no constraint is not declared, and each
solution of the rest stands for as many as it has values; sums have no part with the factor 0, nor
of one value; of an objective what is constant is left out, and one that is constant is none. Where
no constraint is left, variables have their best values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from modelling.constraint import Constraint, Predicate
from modelling.constraints import And, Linear, Table
from modelling.problem import Assignment, Objective, Problem, Structure
from modelling.rewriting import simplify
from modelling.terms import Function, bounds
from modelling.vocabulary.formulas.connectives import FALSE, TRUE

MANY = 10_000
"""Domains of more values are not looked through."""


@dataclass(frozen=True, slots=True)
class Condensed:
    """What is left to be asked.

    ``structure`` is over the variables ``kept``, in their order, and None where there is no
    solution; ``domains`` are those of all variables of the problem.
    """

    structure: Structure | None
    kept: tuple[int, ...] = ()
    domains: tuple[Sequence[int], ...] = ()

    def spread(self, shown: Mapping[str, str]) -> Iterator[Assignment]:
        """The solutions of the problem for which one stands that was shown: values by the names of
        the structure. A variable whose value does not matter has the value ``*``, or none."""
        choices = list(self.domains)
        for position, variable in enumerate(self.kept):
            value = shown.get(f"x{position}", "*")
            if value != "*":
                choices[variable] = (int(value),)
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
        tuple([f"x{position}" for position in range(len(kept))]),
        tuple([tuple(domains[variable]) for variable in kept]),
        tuple([constraint.mapped(place.__getitem__) for constraint in left]),
        asked,
    )
    return Condensed(rest, kept, tuple(domains))


def _settle(
    constraints: Iterable[Constraint], domains: list[Sequence[int]]
) -> list[Constraint] | None:
    """What is left when constraints over one variable have narrowed its domain; None where nothing
    holds."""
    while True:
        fixed = sum(len(domain) == 1 for domain in domains)
        left: dict[Constraint, None] = {}
        for constraint in _simple(fold(constraint, domains) for constraint in constraints):
            if type(constraint) is Linear and constraint.is_plain:
                constraint = _without_fixed(constraint, domains)
            if not constraint.scope:
                if not constraint.holds(()):
                    return None
            elif len(constraint.scope) == 1:
                variable = constraint.scope[0]
                domains[variable] = [v for v in domains[variable] if constraint.holds((v,))]
            else:
                left[constraint] = None
        if not all(domains):
            return None
        if sum(len(domain) == 1 for domain in domains) == fixed:
            return list(left)
        constraints = left


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


def fold(constraint: Constraint, domains: Sequence[Sequence[int]]) -> Constraint:
    """Without conditions over one variable that all its values fulfil, or none, and without values
    of sets that it cannot have: ACE 2.6 takes ``ne(x,9)`` for false where ``x`` cannot be 9."""
    if not isinstance(constraint, Predicate) or constraint.is_plain:
        return constraint

    def in_term(term: Any) -> Any:
        return term.rebuilt(in_term, in_formula) if isinstance(term, Function) else term

    def in_formula(formula: Any) -> Any:
        if not isinstance(formula, Predicate):
            return formula
        if not formula.is_plain:
            formula = formula.rebuilt(in_term, in_formula)
        known = _find_truth(formula, domains)
        if known is not None:
            return known
        if len(formula.scope) != 1 or len(domains[formula.scope[0]]) > MANY:
            return formula
        domain = domains[formula.scope[0]]
        fulfil = [value for value in domain if formula.holds((value,))]
        if len(fulfil) in (0, len(domain)):
            return TRUE if fulfil else FALSE
        return formula if type(formula) is Linear else _say(formula.scope[0], fulfil, domain)

    folded = simplify(constraint.rebuilt(in_term, in_formula))
    return _find_truth(folded, domains) or folded


def _say(variable: int, fulfil: Sequence[int], domain: Sequence[int]) -> Constraint:
    """The condition that a variable has one of some values of its domain."""
    if len(fulfil) == 1:
        return Linear((variable,), (1,), "==", fulfil[0])
    if tuple(domain[: len(fulfil)]) == tuple(fulfil):
        return Linear((variable,), (1,), "<=", fulfil[-1])
    if tuple(domain[-len(fulfil) :]) == tuple(fulfil):
        return Linear((variable,), (1,), ">=", fulfil[0])
    return Table((variable,), tuple([(value,) for value in fulfil]))


def _find_truth(formula: Constraint, domains: Sequence[Sequence[int]]) -> Constraint | None:
    """TRUE or FALSE where a comparison of functions is decided by what they can reach."""
    if type(formula) is not Linear or formula.is_plain or not all(map(len, domains)):
        return None
    low = high = 0
    for term, factor in zip(formula.terms, formula.coefficients, strict=True):
        ends = [factor * end for end in bounds(term, domains)]
        low, high = low + min(ends), high + max(ends)
    constant, relation = formula.constant, formula.relation
    if (
        (relation in ("==", ">=") and high < constant)
        or (relation in ("==", "<=") and low > constant)
        or (relation == ">" and high <= constant)
        or (relation == "<" and low >= constant)
        or (relation == "!=" and low == high == constant)
    ):
        return FALSE
    holds = (
        (relation == ">=" and low >= constant)
        or (relation == "<=" and high <= constant)
        or (relation == ">" and low > constant)
        or (relation == "<" and high < constant)
        or (relation == "!=" and not low <= constant <= high)
        or (relation == "==" and low == high == constant)
    )
    return TRUE if holds and all(map(_is_total, formula.parts())) else None


def _is_total(part: Any) -> bool:
    """Whether a function has a value wherever its terms have."""
    return not part.guards() and all(
        _is_total(within) for within in part.parts() if isinstance(within, Function)
    )


def _simple(constraints: Iterable[Constraint]) -> Iterator[Constraint]:
    for constraint in constraints:
        simple = simplify(constraint)
        if type(simple) is And:
            yield from simple.formulas
        else:
            yield simple
