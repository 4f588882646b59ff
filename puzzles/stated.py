"""What families of problems that people stated have in common: checked, drawn and written by name.

A family of puzzles has rules of its own; of these all that is known is the problem itself, and so
its constraints, by their definitions, say what a solution is.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from modelling.check import violations
from modelling.constraints import Affine, Constraint, Function, Predicate
from modelling.errors import InstanceError
from modelling.problem import Problem, Structure
from puzzles.drawing import beside

_INTRODUCED = re.compile(r"X_INTRODUCED_[0-9]+_")

MOST_DRAWN = 40
"""The most constraints of a problem, and values of a field, that are drawn."""


class Stated(ABC):
    """The part of ``puzzles.family.Family`` that follows from the problem."""

    @abstractmethod
    def problem(self, text: str) -> Problem:
        """See ``Family.problem``."""

    def check(self, text: str, values: Sequence[int]) -> list[str]:
        """See ``Family.check``: by the definitions of the constraints."""
        return [str(violation) for violation in violations(self.problem(text), values)]

    def render(self, text: str, values: Sequence[int] | None = None) -> str:
        """See ``Family.render``: each variable with its open values, then the constraints."""
        problem = self.problem(text)
        names = [_format_name(name) for name in problem.structure.names]
        width = max(map(len, names), default=0)
        rows = [
            f"{name:{width}}  {_format_domain(problem.domain(i))}" for i, name in enumerate(names)
        ]
        rows += _list_rows(problem.structure, names)
        drawn = "\n".join(rows or ["a problem without variables"])
        if values is None:
            return drawn
        found = [f"{names[i]:{width}} = {v}" for i, v in enumerate(_require_size(problem, values))]
        return beside(drawn, "\n".join(found))

    def write(self, text: str, values: Sequence[int]) -> str:
        """Names and values: ``x=1, y=2``, without what MiniZinc has added beside the output."""
        problem = self.problem(text)
        names, output = problem.structure.names, problem.structure.output
        given = set(range(len(names)) if output is None else output)
        return ", ".join(
            f"{_format_name(names[k])}={value}"
            for k, value in enumerate(_require_size(problem, values))
            if k in given or not _INTRODUCED.fullmatch(names[k])
        )


def _require_size(problem: Problem, values: Sequence[int]) -> Sequence[int]:
    if len(values) != problem.structure.size:
        raise InstanceError(f"{len(values)} values for {problem.structure.size} variables")
    return values


def _format_name(name: str) -> str:
    """A name as it is, or in quotes where it would be hard to read among others."""
    plain = name.isprintable() and name and not any(sign in name for sign in " ,='\"")
    return name if plain else repr(name)


def _format_domain(values: Sequence[int]) -> str:
    if not values:
        return "no value"
    if len(values) > 2 and values[-1] - values[0] == len(values) - 1:
        return f"{values[0]}..{values[-1]}"
    return _join_values(values)


def _join_values(values: Sequence[object]) -> str:
    more = ", ..." if len(values) > MOST_DRAWN else ""
    return ", ".join(map(str, values[:MOST_DRAWN])) + more


def _list_rows(structure: Structure, names: Sequence[str]) -> list[str]:
    rows = [
        _format_constraint(constraint, names) for constraint in structure.constraints[:MOST_DRAWN]
    ]
    left = len(structure.constraints) - len(rows)
    if left:
        rows.append(f"and {left} more constraints")
    if structure.objective is not None:
        goal = structure.objective
        if goal.is_linear:
            given = _format_sum(goal.coefficients, [names[i] for i in goal.scope])
        else:
            given = _format_part(goal.term, names)
        rows.append(f"{goal.sense} {given}")
    return rows


def _format_constraint(constraint: Constraint, names: Sequence[str]) -> str:
    """``Linear(x, y; coefficients = 1, 2; relation = ==; constant = 7)``"""
    if isinstance(constraint, Predicate) and not constraint.is_plain:
        return _format_nested(constraint, names)
    parts = [_join_values([names[i] for i in constraint.scope])]
    for field in fields(constraint):
        if field.init and field.name not in ("scope", "terms", "except_"):
            value = getattr(constraint, field.name)
            given = _join_values(value) if isinstance(value, tuple) else str(value)
            parts.append(f"{field.name} = {given}")
    return f"{type(constraint).__name__}({'; '.join(parts)})"


def _format_nested(item: Predicate | Function, names: Sequence[str]) -> str:
    """``Linear(x, Element(y, z; index = t); coefficients = 1, 2; relation = ==; constant = 7)``"""
    parts = []
    for field, value in item.present_fields():
        many = isinstance(value, tuple) and not isinstance(value, Affine)
        speaks = field.kind.value.startswith(("Term", "Formula"))
        drawn = [
            _format_part(part, names) if speaks else part for part in (value if many else (value,))
        ]
        given = _join_values(drawn)
        parts.append(given if field.name in ("terms", "formulas") else f"{field.name} = {given}")
    return f"{type(item).__name__}({'; '.join(parts)})"


def _format_part(part: Any, names: Sequence[str]) -> str:
    """A term or a formula within a constraint."""
    if isinstance(part, Affine):
        if part.variable is None:
            return str(part.offset)
        return f"{part.factor}*{names[part.variable]} + {part.offset}"
    if isinstance(part, (Function, Predicate)):
        return _format_nested(part, names)
    return _format_constraint(part, names) if isinstance(part, Constraint) else names[part]


def _format_sum(coefficients: Sequence[int], names: Sequence[str]) -> str:
    terms = [f"{c}*{name}" for c, name in zip(coefficients, names, strict=True)]
    return " + ".join(terms[:MOST_DRAWN]) + (" + ..." if len(terms) > MOST_DRAWN else "")
