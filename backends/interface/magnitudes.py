"""How large terms and sums get, for solvers whose integers are narrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from math import prod
from operator import mul
from typing import Any

from modelling.constraints import Define, Linear, Sum
from modelling.errors import Unsupported
from modelling.problem import Objective, Structure
from modelling.rewriting.profile import Variables
from modelling.stopping import watched
from modelling.terms import Function, Term, affine, bounds


def every_part(structure: Structure) -> Iterator[Any]:
    """The constraints of a structure, and all formulas and functions within them."""
    for constraint in watched(structure.constraints[::-1]):
        waiting: list[Any] = [constraint]
        while waiting:
            part = waiting.pop()
            waiting += part.parts()
            yield part


def largest(term: Term, variables: Variables) -> int:
    """The greatest absolute value that a term can have."""
    return max(map(abs, bounds(term, variables.domains)))


def terms_fit(terms: Iterable[Term], most: int, variables: Variables) -> bool:
    """Whether no term reaches beyond ``most``."""
    return all(largest(term, variables) <= most for term in terms)


def function_fits(define: Define, most: int, variables: Variables) -> bool:
    """Whether the result and the arguments of a function of some variables fit."""
    function = define.function
    terms = (define.result, *function.terms_within())
    return bool(function.scope) and terms_fit(terms, most, variables)


def product_fits(define: Define, most: int, variables: Variables) -> bool:
    """Whether they do, and all products of the factors, too."""
    factors = [max(1, largest(term, variables)) for term in define.function.terms]
    return function_fits(define, most, variables) and max(accumulate(factors, mul)) <= most


def sum_reach(terms: Iterable[Term], factors: Iterable[int], variables: Variables) -> int:
    """The greatest absolute value that a sum, or a part of it, can have."""
    pairs = zip(terms, factors, strict=True)
    return sum(abs(factor) * largest(term, variables) for term, factor in pairs)


def find_too_large(structure: Structure, most: int, most_of_sum: int | None = None) -> str:
    """Which variable or sum reaches beyond ``most``; empty if none does.

    A sum counts with every partial one, whatever order a solver makes of it. A solver whose
    integers are narrow may compare sums in wider ones, to ``most_of_sum``; factors, terms and the
    constant are bounded by ``most`` all the same.
    """
    for name, domain in zip(structure.names, structure.domains, strict=True):
        if domain and max(-domain[0], domain[-1]) > most:
            return f"{name} reaches beyond {most}"
    for part in every_part(structure):
        if type(part) is Linear or type(part) is Sum:
            factors = part.coefficients or (1,) * len(part.terms)
            reach = sum_reach(part.terms, factors, structure)
            limit = most_of_sum if most_of_sum is not None and type(part) is Linear else most
            if reach + abs(getattr(part, "constant", 0)) > limit:
                return f"a sum of {len(part.terms)} terms reaches beyond {limit}"
            if limit != most:
                parts = [*map(abs, factors), abs(getattr(part, "constant", 0))]
                parts += [largest(term, structure) for term in part.terms]
                if max(parts) > most:
                    return f"a comparison of a sum has a number beyond {most}"
    return ""


def find_wide_function(structure: Structure, most: int) -> str:
    """Which function reaches beyond ``most``, for solvers that are given them within others."""
    for part in every_part(structure):
        if isinstance(part, Function) and largest(part, structure) > most:
            return f"{type(part).__name__} reaches beyond {most}"
    return ""


def find_too_heavy(structure: Structure, most: int) -> str:
    """Which sum has weights of more than ``most`` together; empty if none has.

    What has a literal for each value adds the weights of all, though a term has one of them.
    """
    for part in every_part(structure):
        if type(part) is not Linear or len(part.terms) < 2:
            continue
        if weight_of(part.terms, part.coefficients, structure) > most:
            return f"the weights of a sum of {len(part.terms)} terms reach beyond {most}"
    return ""


def ensure_objective_fits(
    name: str,
    objective: Objective,
    structure: Structure,
    most: int,
    why: str,
    heaviest: int | None = None,
) -> None:
    """Raise ``Unsupported`` for an objective that reaches beyond ``most``, or whose weights are
    more than ``heaviest`` together."""
    of = objective.scope, objective.coefficients, structure
    if sum_reach(*of) > most or (heaviest is not None and weight_of(*of) > heaviest):
        raise Unsupported(name, f"an objective that reaches beyond {most}", why)


def weight_of(terms: Sequence[Term], factors: Sequence[int], variables: Variables) -> int:
    """What all values of all terms weigh together, shifted to be positive: of the sum or of its
    opposite, whichever is more."""
    low = high = 0
    for term, factor in zip(terms, factors, strict=True):
        weights = [factor * value for value in values_of(term, variables)]
        low += sum(weights) - len(weights) * min(weights, default=0)
        high += len(weights) * max(weights, default=0) - sum(weights)
    return max(low, high)


def count_cells(scope: Iterable[int], variables: Variables) -> int:
    """How many combinations of values some variables have."""
    return prod(len(variables.domains[variable]) for variable in scope)


def values_of(term: Term, variables: Variables) -> list[int]:
    """The values of an affine term."""
    variable, factor, offset = affine(term)
    if variable is None:
        return [offset]
    return [factor * value + offset for value in variables.domains[variable]]
