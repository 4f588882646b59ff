"""A model: variables, constraints and an objective, as a person writes them; out goes a Problem.

Domains of the same values are one object, so that ten thousand variables take the memory of one.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from itertools import product
from math import prod
from typing import Any, Literal

from modelling.constraint import Constraint
from modelling.definedness import can_be_undefined
from modelling.errors import ModelError
from modelling.expressions.arrays import Array, flat_items
from modelling.expressions.expression import (
    Condition,
    Expression,
    Variable,
    common_space,
    flatten,
    operand,
    to_formula,
    to_sum,
    to_term,
)
from modelling.expressions.solution import Solution
from modelling.expressions.space import Space
from modelling.problem import Assignment, Objective, Problem, Structure, ascending, check_size
from modelling.terms import Function
from modelling.vocabulary.formulas.connectives import TRUE

Number = int
Sense = Literal["minimize", "maximize"]


class Model:
    """Variables, constraints, an objective.

    ``size`` is how large the instance is among others of the same model, as the number of queens;
    tables and plots order instances by it.

    >>> m = Model()
    >>> x, y = m.int(1, 9, "x"), m.int(1, 9, "y")
    >>> m.add(x + 2 * y == 7, x < y)
    >>> m.problem().structure.constraints[1].relation
    '<'
    """

    def __init__(self, *, size: float | None = None) -> None:
        if size is not None:
            check_size(size)
        self._size = size
        self._space = Space()
        self._called: dict[str, Any] = {}
        self._domains: dict[Any, Sequence[Number]] = {}
        self._constraints: list[Constraint] = []
        self._objective: Objective | None = None
        self._output: tuple[Number, ...] | None = None
        self._problem: Problem | None = None

    # --- what is asked ---

    def add(self, *conditions: Any) -> None:
        """Post conditions: each by itself, or in lists, arrays and generators, however nested.

        Truth values are also accepted: True adds nothing, and with False the model has no solution.
        """
        self._problem = None
        space, post = self._space, self._constraints.append
        for condition in conditions:
            for one in (condition,) if isinstance(condition, Condition) else flat_items(condition):
                formula = to_formula(one)
                if isinstance(one, Expression) and one._space is not space and one._space:
                    raise ModelError(f"{one!r} is over variables of another model")
                if formula != TRUE:
                    post(formula)

    def minimize(self, expression: Any) -> None:
        """Ask for a solution in which ``expression`` is least."""
        self._set_objective("minimize", expression)

    def maximize(self, expression: Any) -> None:
        """Ask for a solution in which ``expression`` is greatest."""
        self._set_objective("maximize", expression)

    def _set_objective(self, sense: Sense, expression: Any) -> None:
        if self._objective is not None:
            raise ModelError("the model has an objective already; a model has one")
        expression = operand(expression, "an objective")
        self._check_own(expression)
        term = to_term(expression)
        if not isinstance(term, Function):
            term = to_sum(*flatten(expression))
        if can_be_undefined(term, self._space.domains):
            raise ModelError(
                f"the objective {expression!r} has no value for some values of the base domains, "
                "as where an index is beyond its array or a divisor is 0. Narrow the domains, or "
                "name it: z = m.int(least, most); m.add(z == expression); then take z as objective"
            )
        self._objective = Objective(sense, term)
        self._problem = None

    def output(self, *variables: Any) -> None:
        """Tell solutions apart by these variables only; solutions that agree on them are one."""
        chosen: list[Number] = []
        for variable in flat_items(variables):
            if not isinstance(variable, Variable):
                raise ModelError(f"{variable!r} is no variable; an output is made of variables")
            self._check_own(variable)
            chosen.append(variable.position)
        self._output = tuple(chosen)
        self._problem = None

    def _check_own(self, item: Any) -> None:
        if common_space(item) not in (None, self._space):
            raise ModelError(f"{item!r} is over variables of another model")

    # --- what it comes to ---

    def problem(self) -> Problem:
        """The model as the core's Problem, which all of Concord takes."""
        if self._problem is None:
            structure = Structure(
                tuple(self._space.names),
                tuple(self._space.domains),  # type: ignore[arg-type]
                tuple(self._constraints),
                self._objective,
                self._output,
            )
            self._problem = Problem(structure, structure.full_masks, self._size)
        return self._problem

    def solution(self, values: Assignment) -> Solution:
        """Values in the order of the problem's structure, by the names of the model."""
        goal = self._objective
        return Solution(self._space, self._called, values, goal.value(values) if goal else None)

    def __repr__(self) -> str:
        kind = f", {self._objective.sense}" if self._objective else ""
        return (
            f"<Model: {len(self._space.names)} variables, {len(self._constraints)} "
            f"constraints{kind}>"
        )

    # --- variables; these methods come last, for in here they hide what they are called by ---

    def _domain(self, low: Any, high: Any) -> Sequence[Number]:
        """The values from ``low`` to ``high``, or those of an iterable; equal ones are shared."""
        if high is None:
            values = low if isinstance(low, range) else _integers(low)
        else:
            first, last = _integer(low), _integer(high)
            values = range(first, last + 1)
        key = values if isinstance(values, range) else tuple(values)
        found = self._domains.get(key)
        if found is None:
            found = ascending(values)
            self._domains[key] = found
        return found

    def int(self, low: Any, high: Any = None, name: str | None = None) -> Variable:
        """An integer from ``low`` to ``high``, or one of the values of an iterable ``low``."""
        if isinstance(high, str):
            raise ModelError(
                f"{high!r} stands where the greatest value must; write name={high!r} for a name"
            )
        return self._variable(self._domain(low, high), name)

    def bool(self, name: str | None = None) -> Variable:
        """A variable that is 0 or 1, and can be used as a condition."""
        return self._variable(self._domain(0, 1), name)

    def ints(self, shape: Any, low: Any, high: Any = None, name: str | None = None) -> Array:
        """An array of integers; ``shape`` is a length or a tuple of them. ``x[0,2]`` is a name."""
        return self._array(shape, self._domain(low, high), name)

    def bools(self, shape: Any, name: str | None = None) -> Array:
        """An array of variables that are 0 or 1."""
        return self._array(shape, self._domain(0, 1), name)

    def _variable(self, domain: Sequence[Number], name: str | None) -> Variable:
        self._problem = None
        called = name or self._unused()
        self._check_unused(called)
        made = Variable(self._space, self._space.extend([called], domain))
        self._called[made.name] = made
        return made

    def _array(self, shape: Any, domain: Sequence[Number], name: str | None) -> Array:
        self._problem = None
        lengths = tuple(map(_integer, shape)) if isinstance(shape, Iterable) else (_integer(shape),)
        if any(length < 0 for length in lengths):
            raise ModelError(f"the shape {shape!r} has a negative length")
        called = name or self._unused()
        self._check_unused(called)
        places = product(*map(range, lengths))
        names = [f"{called}[{','.join(map(str, place))}]" for place in places]
        first = self._space.extend(names, domain)
        every = range(first, first + prod(lengths))
        made = Array([Variable(self._space, position) for position in every], lengths)
        self._called[called] = made
        return made

    def _check_unused(self, name: str) -> None:
        if name in self._called or name in self._space.taken:
            raise ModelError(f"a variable is called {name!r} already; choose another name")

    def _unused(self) -> str:
        """A name for what was given none."""
        number = len(self._space.names)
        while f"v{number}" in self._space.taken or f"v{number}" in self._called:
            number += 1
        return f"v{number}"


def _integer(value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise ModelError(f"{value!r} is no integer, as domains and shapes are made of") from None


def _integers(values: Any) -> list[int]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise ModelError(
            f"{values!r} is no domain; give the least and the greatest value, or a list of values"
        )
    return [_integer(value) for value in values]
