"""Problems that somebody stated in Python, as a family beside the puzzles.

Text is that of ``modelling.text``, one line a problem. ``concord.compare`` writes it for every
Problem that it is given; ``concord.instance`` writes it for a file of one's own. Or it names a
model in a Python file (``modelling.expressions.files``), as ``concord compare --model`` does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from typing import Any

from modelling.check import violations
from modelling.constraints import Affine, Constraint, Function, Predicate
from modelling.errors import ModelError, PuzzleError
from modelling.expressions import files
from modelling.problem import Problem, Structure
from modelling.text import from_text, to_text
from puzzles.drawing import beside
from puzzles.family import Instance
from puzzles.files import LONGEST_PIECE
from puzzles.formats import Locate, entries

MOST_DRAWN = 40
"""Of the constraints of a problem, and of the values of a field, this many are drawn."""


class Stated:
    """Implements ``puzzles.family.Family``."""

    name = "problem"
    about = "problems that were stated in Python, each as one line of text"

    def read(self, lines: Iterable[str], source: str) -> Iterator[Instance | PuzzleError]:
        """See ``Family.read``: one problem a line."""
        return entries(lines, source, self.name, _canonical)

    def problem(self, text: str) -> Problem:
        """See ``Family.problem``; problems whose structures are equal share one."""
        try:
            return files.find_problem(text) if files.is_place(text) else from_text(text)
        except ModelError as error:
            raise PuzzleError(str(error)) from error

    def check(self, text: str, values: Sequence[int]) -> list[str]:
        """See ``Family.check``: by the definitions of the constraints."""
        return [str(violation) for violation in violations(self.problem(text), values)]

    def render(self, text: str, values: Sequence[int] | None = None) -> str:
        """See ``Family.render``: each variable with its open values, then the constraints."""
        problem = self.problem(text)
        names = [_shown(name) for name in problem.structure.names]
        width = max(map(len, names), default=0)
        rows = [f"{name:{width}}  {_domain(problem.domain(i))}" for i, name in enumerate(names)]
        rows += _drawn(problem.structure, names)
        drawn = "\n".join(rows or ["a problem without variables"])
        if values is None:
            return drawn
        found = [f"{names[i]:{width}} = {v}" for i, v in enumerate(_sized(problem, values))]
        return beside(drawn, "\n".join(found))

    def write(self, text: str, values: Sequence[int]) -> str:
        """Names and values: ``x=1, y=2``."""
        problem = self.problem(text)
        pairs = zip(problem.structure.names, _sized(problem, values), strict=True)
        return ", ".join(f"{_shown(name)}={value}" for name, value in pairs)


def instance(problem: Problem, name: str = "problem") -> Instance:
    """The problem as an instance, whose text can be kept in a file or sent to another process."""
    return Instance(Stated.name, name, to_text(problem))


def _canonical(body: str, locate: Locate) -> str:
    try:
        if files.is_place(body.strip()):
            return files.complete(body.strip())
        from_text(body)
    except ModelError as error:
        if len(body) >= LONGEST_PIECE:
            cause = f"a line of a file is read up to {LONGEST_PIECE} characters, and this is longer"
            raise PuzzleError(cause, locate(LONGEST_PIECE)) from error
        raise PuzzleError(str(error), locate(len(body) - len(body.lstrip()) + 1)) from error
    return " ".join(body.split())


def _sized(problem: Problem, values: Sequence[int]) -> Sequence[int]:
    if len(values) != problem.structure.size:
        raise PuzzleError(f"{len(values)} values for {problem.structure.size} variables")
    return values


def _shown(name: str) -> str:
    """A name as it is, or in quotes where it would be hard to read among others."""
    plain = name.isprintable() and name and not any(sign in name for sign in " ,='\"")
    return name if plain else repr(name)


def _domain(values: Sequence[int]) -> str:
    if not values:
        return "no value"
    if len(values) > 2 and values[-1] - values[0] == len(values) - 1:
        return f"{values[0]}..{values[-1]}"
    return _listed(values)


def _listed(values: Sequence[object]) -> str:
    more = ", ..." if len(values) > MOST_DRAWN else ""
    return ", ".join(map(str, values[:MOST_DRAWN])) + more


def _drawn(structure: Structure, names: Sequence[str]) -> list[str]:
    rows = [_constraint(constraint, names) for constraint in structure.constraints[:MOST_DRAWN]]
    left = len(structure.constraints) - len(rows)
    if left:
        rows.append(f"and {left} more constraints")
    if structure.objective is not None:
        goal = structure.objective
        if goal.is_linear:
            told = _sum(goal.coefficients, [names[i] for i in goal.scope])
        else:
            told = _part(goal.term, names)
        rows.append(f"{goal.sense} {told}")
    return rows


def _constraint(constraint: Constraint, names: Sequence[str]) -> str:
    """``Linear(x, y; coefficients = 1, 2; relation = ==; constant = 7)``"""
    if isinstance(constraint, Predicate) and not constraint.is_plain:
        return _nested(constraint, names)
    parts = [_listed([names[i] for i in constraint.scope])]
    for field in fields(constraint):
        if field.init and field.name not in ("scope", "terms", "except_"):
            value = getattr(constraint, field.name)
            told = _listed(value) if isinstance(value, tuple) else str(value)
            parts.append(f"{field.name} = {told}")
    return f"{type(constraint).__name__}({'; '.join(parts)})"


def _nested(item: Predicate | Function, names: Sequence[str]) -> str:
    """``Linear(x, Element(y, z; index = t); coefficients = 1, 2; relation = ==; constant = 7)``"""
    parts = []
    for field, value in item.held():
        many = isinstance(value, tuple) and not isinstance(value, Affine)
        speaks = field.kind.value.startswith(("Term", "Formula"))
        drawn = [_part(part, names) if speaks else part for part in (value if many else (value,))]
        told = _listed(drawn)
        parts.append(told if field.name in ("terms", "formulas") else f"{field.name} = {told}")
    return f"{type(item).__name__}({'; '.join(parts)})"


def _part(part: Any, names: Sequence[str]) -> str:
    """A term or a formula within a constraint."""
    if isinstance(part, Affine):
        if part.variable is None:
            return str(part.offset)
        return f"{part.factor}*{names[part.variable]} + {part.offset}"
    if isinstance(part, (Function, Predicate)):
        return _nested(part, names)
    return _constraint(part, names) if isinstance(part, Constraint) else names[part]


def _sum(coefficients: Sequence[int], names: Sequence[str]) -> str:
    terms = [f"{c}*{name}" for c, name in zip(coefficients, names, strict=True)]
    return " + ".join(terms[:MOST_DRAWN]) + (" + ..." if len(terms) > MOST_DRAWN else "")


PROBLEM = Stated()
