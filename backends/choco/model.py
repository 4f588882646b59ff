"""An instance as a model of Choco.

Words
-----
made       the constraints of Choco's that are equivalent to one of ours together
condition  the 0-1 variable that implies a constraint, or is equivalent to it
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from backends.interface.handlers import Condition
from backends.interface.libraries.formulas import Builders, FormulaBuilder
from backends.interface.options import Value
from modelling.constraint import Constraint
from modelling.constraints import Linear
from modelling.problem import Problem
from modelling.terms import Affine, Term, affine

Made = list[Any]
"""Constraints of Choco that are neither posted nor reified yet."""


def keep_settings(module: Any, calls: Any, values: Mapping[str, Value] = {}) -> Callable[[], Any]:
    """What makes empty models as ``Model("", **values)`` of a ``module`` of pychoco does, only
    sooner.

    That makes settings anew for each, by fourteen calls into Choco, and always the same: those of
    one model are kept. Where a release of pychoco makes them otherwise, nothing is.
    """
    own, kept = module.Settings, []

    def settings() -> Any:
        kept.append(own())
        return kept[-1]

    module.Settings = settings
    try:
        module.Model("", **values)
    finally:
        module.Settings = own
    if len(kept) != 1:
        return lambda: module.Model("", **values)
    return lambda: module.Model(_handle=calls.create_model_s_s("", kept[0].handle))


class Model(FormulaBuilder[Made, Any]):
    """One instance as Choco has it."""

    def __init__(
        self,
        choco: Any,
        empty: Any,
        problem: Problem,
        builders: Builders,
    ) -> None:
        super().__init__(builders)
        self.choco = choco
        self.model = empty
        self.domains = tuple(map(problem.values, range(problem.structure.size)))
        self.variables = [self._variable(domain) for domain in self.domains]
        self._terms: dict[Affine, Any] = {}

    def _variable(self, domain: Sequence[int]) -> Any:
        first, last = domain[0], domain[-1]
        if first >= 0 and last <= 1:
            return self.model.boolvar(None if first < last else bool(first))
        if last - first == len(domain) - 1:
            return self.model.intvar(first, last)
        return self.model.intvar(list(domain))

    # --- terms ---

    def term(self, term: Term) -> Any:
        """An affine term: a variable, a constant or a view."""
        if type(term) is int:
            return self.variables[term]
        key = affine(term)
        found = self._terms.get(key)
        if found is None:
            found = self._terms[key] = self._made_term(*key)
        return found

    def _made_term(self, variable: int | None, factor: int, offset: int) -> Any:
        if variable is None:
            return self.model.intvar(offset)
        if (factor, offset) == (1, 0):
            return self.variables[variable]
        return self.model.int_affine_view(factor, self.variables[variable], offset)

    def terms(self, terms: Iterable[Term]) -> list[Any]:
        """Each of them."""
        variables = self.variables
        return [variables[term] if type(term) is int else self.term(term) for term in terms]

    # --- constraints ---

    def impose(self, made: Made, condition: Condition | None) -> None:
        if condition is None:
            for constraint in made:
                constraint.post()
            return
        literal = self.variables[condition.variable]
        if condition.value == 0:
            literal = self.model.bool_not_view(literal)
        if condition.full:
            self.join(made).reify_with(literal)
        else:
            for constraint in made:
                constraint.implied_by(literal)

    def join(self, made: Made) -> Any:
        """One constraint that holds where all of them do."""
        if len(made) == 1:
            return made[0]
        if not made:
            return self._constant(True)
        return self.model.and_([constraint.reify() for constraint in made])

    def conjoin(self, made: Made) -> Any:
        return self.join(made).reify()

    def _constant(self, value: bool) -> Any:
        return self.model.arithm(self.term(Affine(None, 0, 1)), "=", int(value))

    def known(self, value: bool) -> Made:
        return [self._constant(value)]

    def all_of(self, parts: Iterable[Made]) -> Made:
        return [constraint for made in parts for constraint in made]

    def any_of(self, literals: Iterable[Any]) -> Made:
        known = list(literals)
        return [self.model.or_(known)] if known else self.known(False)

    def denied(self, literal: Any) -> Made:
        return [self.model.arithm(literal, "=", 0)]

    def implied(self, condition: Any, literal: Any) -> Made:
        return [self.model.arithm(condition, "<=", literal)]

    def same(self, one: Any, other: Any) -> Made:
        return [self.model.arithm(one, "=", other)]

    def reified(self, constraint: Constraint) -> Any:
        literal = self._literal(constraint)
        return super().reified(constraint) if literal is None else literal

    def _literal(self, constraint: Constraint) -> Any:
        """The Boolean that a comparison of one with 0 or 1 is; None for anything else."""
        if type(constraint) is not Linear or not constraint.is_plain:
            return None
        value, relation = constraint.constant, constraint.relation
        alone = len(constraint.terms) == 1 and constraint.coefficients == (1,)
        if not alone or value not in (0, 1) or relation not in ("==", "!="):
            return None
        variable = constraint.terms[0]
        if not set(self.domains[variable]) <= {0, 1}:
            return None
        literal = self.variables[variable]
        return literal if (value == 1) is (relation == "==") else self.model.bool_not_view(literal)


def moved(term: Term, by: int) -> Affine:
    """``term + by``."""
    variable, factor, offset = affine(term)
    return Affine(variable, factor, offset + by)
