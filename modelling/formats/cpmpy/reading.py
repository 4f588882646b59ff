"""CPMpy's expressions read as Concord's: what a CPMpy model means, as a Problem.

Words
-----
expression    a ``cpmpy`` object: a variable, an operator, a comparison, a global constraint or
              function; an integer or truth value stands for itself
reading       the variables that were met so far, by their names, and the constraints posted
auxiliary     a variable that CPMpy itself adds where it decomposes a constraint of somebody else's

Meanings are CPMpy's: division truncates, what is undefined makes the nearest enclosing Boolean
expression false, and an objective must be defined, which a separate constraint requires. Variables
keep their names, and their order is that of their first use in the model; a Boolean is a
variable that is 0 or 1. What CPMpy defines itself is read by ``OPERATORS`` and ``WORDS``; a
global constraint or function of somebody else's is read by its own ``decompose``.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from cpmpy.expressions.core import BoolVal, Comparison, Expression, Operator
from cpmpy.expressions.variables import NegBoolView, _NumVarImpl
from cpmpy.transformations.get_variables import get_variables

from modelling.constraint import Constraint
from modelling.definedness import can_be_undefined
from modelling.errors import ModelError
from modelling.expressions.expression import Variable, flatten, operand, to_formula, to_sum, to_term
from modelling.expressions.space import Space
from modelling.formats.cpmpy.global_constraints import WORDS
from modelling.formats.cpmpy.operators import OPERATORS, compare, conjunction, flat
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Function
from modelling.vocabulary.comparisons import make_total
from modelling.vocabulary.formulas.connectives import TRUE
from modelling.vocabulary.formulas.linear import defined


def from_cpmpy(model: Any) -> Problem:
    """A CPMpy model as a Problem: its variables under their names, its constraints and objective.

    Raises ModelError for what Concord has no word for, and for two variables of one name.
    """
    reading = Reading()
    reading.add(model.constraints)
    if model.objective_ is not None:
        reading.set_objective(model.objective_, minimize=bool(model.objective_is_min))
    return reading.problem()


class Reading:
    """A model that is being read; constraints can be added after a problem was taken."""

    def __init__(self) -> None:
        self.space = Space()
        self.constraints: list[Constraint] = []
        self.objective: Objective | None = None
        self.variables: dict[str, _NumVarImpl] = {}
        self._guards: tuple[Constraint, ...] = ()
        self._handles: dict[str, Variable] = {}
        self._domains: dict[tuple[int, int], Any] = {}
        self._auxiliary: set[int] = set()
        self._decomposing = 0

    # --- what is asked ---

    def add(self, constraints: Any) -> None:
        """Post a constraint, or those of nested lists; nothing is posted if one is refused."""
        found: list[Constraint] = []
        posted = self.constraints
        self.constraints = found  # also of those that define auxiliaries
        try:
            for one in flat(constraints):
                found.append(self.formula(one))
        except RecursionError:
            raise ModelError(
                "an expression of this CPMpy model is nested too deeply to be read; name parts of "
                "it by variables of their own"
            ) from None
        finally:
            self.constraints = posted
        posted += [one for one in found if one != TRUE]

    def set_objective(self, expression: Any, minimize: bool) -> None:
        """Let this be the objective, in the place of any other."""
        before = len(self.constraints)
        read = operand(self.read(expression), "an objective")
        term = to_term(read)
        if not isinstance(term, Function):
            term = to_sum(*flatten(read))
        self._guards = tuple(self.constraints[before:])  # what defines auxiliaries of it
        del self.constraints[before:]
        if can_be_undefined(term, self.space.domains):
            self._guards += defined((term,))
            term = make_total(term)
        self.objective = Objective("minimize" if minimize else "maximize", term)

    def problem(self) -> Problem:
        """What was read so far. Two solutions differ in a variable that the model itself uses."""
        own = [k for k in range(len(self.space.names)) if k not in self._auxiliary]
        return Structure(
            tuple(self.space.names),
            tuple(self.space.domains),  # type: ignore[arg-type]
            (*self.constraints, *self._guards),
            self.objective,
            tuple(own) if self._auxiliary else None,
        ).problem()

    def variable(self, variable: _NumVarImpl) -> Variable:
        """The handle of a CPMpy variable, which is met here or was met before."""
        known = self.variables.get(variable.name)
        if known is None:
            ends = int(variable.lb), int(variable.ub)
            domain = self._domains.setdefault(ends, range(ends[0], ends[1] + 1))
            position = self.space.extend([variable.name], domain)
            self.variables[variable.name] = variable
            self._handles[variable.name] = Variable(self.space, position)
            if self._decomposing:
                self._auxiliary.add(position)
        elif known is not variable:
            raise ModelError(
                f"two variables of this CPMpy model are called {variable.name!r}, and CPMpy would "
                "take them for one; give each a name of its own, or make the variable once"
            )
        return self._handles[variable.name]

    # --- expressions ---

    def formula(self, expression: Any) -> Constraint:
        """A Boolean expression as the core's constraint."""
        return to_formula(self.read(expression))

    def read(self, expression: Any) -> Any:
        """An expression of Concord's for any of CPMpy's; integers and truth values as they are."""
        if isinstance(expression, (bool, int, np.integer, np.bool_)):
            return expression.item() if isinstance(expression, np.generic) else expression
        if isinstance(expression, _NumVarImpl):
            if isinstance(expression, NegBoolView):
                return ~self.variable(expression._bv)
            return self.variable(expression)
        kind = type(expression)
        if kind is Comparison:
            left, right = map(self.read, expression.args)
            return compare(left, expression.name, right)
        word = OPERATORS.get(expression.name) if kind is Operator else None
        if word is None and kind.__module__.partition(".")[0] == "cpmpy":
            word = WORDS.get(kind.__name__)
        if word is not None:
            return word(self, expression)
        if kind is BoolVal:
            return bool(expression.args[0])
        if isinstance(expression, Expression) and hasattr(expression, "decompose"):
            return self._decompose(expression)
        what = f"{expression!r:.80}" if isinstance(expression, Expression) else repr(expression)
        raise ModelError(
            f"CPMpy's {kind.__name__} cannot be read: {what}. Concord takes variables, integers, "
            "operators and the global constraints and functions that it has a word for; write it "
            "by these"
        )

    def every(self, expressions: Any) -> list[Any]:
        """Those of a list, an array or nested ones, in order."""
        return [self.read(one) for one in flat(expressions)]

    def _decompose(self, expression: Any) -> Any:
        """A constraint or function of somebody else's, by the decomposition that it brings.

        What that adds beside are total definitions of auxiliaries, and holds everywhere.
        """
        for variable in get_variables(list(expression.args)):
            self.read(variable)
        found, definitions = expression.decompose()
        self._decomposing += 1
        try:
            self.constraints += [self.formula(one) for one in flat(definitions)]
            if not expression.is_bool():
                return self.read(found)
            return conjunction(self.every(found))
        finally:
            self._decomposing -= 1
