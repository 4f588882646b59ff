"""Variables that are equal to a function of others: Element, Minimum and Maximum, and any function
of few values.

Each is written so that what it depends on implies its value, one clause for each way, and no
selector (what a table of it would have). So the result is determined.

element     where the index is k, the result equals the term at k
extremes    by steps: the maximum is at least v exactly where one of the terms is
mapping     a function of one or two variables: each pair of values implies the result's
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TypeGuard

from backends.sat.draft import SatDraft
from backends.sat.integers.direct import Direct
from backends.sat.integers.integer import View
from backends.sat.sums.comparison import compare
from modelling.constraint import Constraint
from modelling.constraints import Define, Function
from modelling.rewriting.profile import Variables
from modelling.terms import is_constant
from modelling.vocabulary.functions.extremes import Maximum

MOST_MAPPED = 10_000
"""A function of more combinations of values is rewritten."""

MOST_STEPS = 20_000
"""Extremes of terms with more values, all together, are rewritten."""


def element(draft: SatDraft, constraint: Define) -> None:
    """``result == terms[index]``, and the index is inside."""
    function = constraint.function
    index, result = draft.view(function.index), draft.view(constraint.result)
    cnf, terms = draft.cnf, [draft.view(term) for term in function.terms]
    cnf.say(index.step(0))
    cnf.say(-index.step(len(terms)))
    reached: dict[int, list[int]] = {}
    for k, term in enumerate(terms):
        chosen = index.value_literal(k)
        if chosen == -cnf.true:
            continue
        _equal(draft, result, term, [-chosen])
        if term.size == 1:
            reached.setdefault(term.low, []).append(chosen)
    if isinstance(result.integer, Direct) and all(term.size == 1 for term in terms):
        for value in result:  # implied: a value needs a place that has it
            cnf.say(-result.value_literal(value), *reached.get(value, ()))


def _equal(draft: SatDraft, one: View, other: View, unless: list[int]) -> None:
    terms = (one.factor, one.integer), (-other.factor, other.integer)
    draft.writer.post(compare(terms, "==", other.offset - one.offset), unless)


def extreme(draft: SatDraft, constraint: Define) -> None:
    """``result == min(terms)`` or ``max(terms)``."""
    function = constraint.function
    # The minimum is the maximum of the opposites, its sign turned.
    sign = 1 if type(function) is Maximum else -1
    result, *terms = (
        View(view.integer, sign * view.factor, sign * view.offset)
        for view in map(draft.view, (constraint.result, *function.terms))
    )
    for value in sorted({value for view in (result, *terms) for value in view}):
        reached = result.step(value)
        steps = [term.step(value) for term in terms]
        draft.cnf.say(-reached, *steps)
        for step in steps:
            draft.cnf.say(reached, -step)


def mapping(draft: SatDraft, constraint: Define) -> None:
    """``result == function`` for a function of few combinations of values."""
    function = constraint.function
    result = draft.view(constraint.result)
    integers = [draft.integer(variable) for variable in function.scope]
    domains = [integer.domain for integer in integers]
    draft.cnf.expect(prod(map(len, domains)))
    for values in product(*domains):
        pairs = zip(integers, values, strict=True)
        given = [-integer.value_literal(value) for integer, value in pairs]
        value = function.value_at(dict(zip(function.scope, values, strict=True)))
        if value is None:
            draft.cnf.say(*given)
        else:
            draft.cnf.say(*given, result.value_literal(value))


def is_mapped(constraint: Constraint, variables: Variables) -> bool:
    """Whether a function of one or two variables defines another one, with few combinations."""
    if not _is_definition(constraint):
        return False
    scope = constraint.function.scope
    combinations = prod(len(variables.domains[v]) for v in scope)
    return 1 <= len(scope) <= 2 and combinations <= MOST_MAPPED


def has_few_steps(constraint: Constraint, variables: Variables) -> bool:
    """Whether the steps of a minimum or maximum and of its terms are few enough to be written."""
    values = sum(len(variables.domains[v]) for v in constraint.scope)
    return _is_definition(constraint) and values <= MOST_STEPS


def is_element(constraint: Constraint, variables: Variables) -> bool:
    """Whether it is an element of variables, or of more constants than are listed in a table,
    which is a little faster (``results/reference/sat_encodings``)."""
    if not _is_definition(constraint):
        return False
    few = len(constraint.function.terms) <= MOST_MAPPED
    return not (few and all(map(is_constant, constraint.function.terms)))


def _is_definition(constraint: Constraint) -> TypeGuard[Define]:
    """Whether a variable, or a view or constant, is equal to a function."""
    return type(constraint) is Define and not isinstance(constraint.result, Function)
