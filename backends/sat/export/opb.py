"""Writes OPB: sums stay sums over the literals of integers, everything else is clauses.

A sum that must hold is one line. One that holds under a condition, or whose truth is asked for, is
two lines, each with a term that lets it be void (big M). Only ``>=``, ``=`` and ``min:`` are
written, over variables that are not negated, as every solver reads them.

What the format cannot say of an objective, its sense and a constant, is in a comment, which our own
reader takes: ``* concord objective = 12 - cost``. If an output distinguishes solutions, another
comment has its literals: ``* concord output x1 x2``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from backends.sat.cnf import Cnf, Literals
from backends.sat.draft import SatDraft
from backends.sat.export.formula import (
    PROFILE,
    Formula,
    begun,
    formula_of,
    objective_comment,
    pieces,
    weights,
)
from backends.sat.gates import conjunction
from backends.sat.sums.comparison import Comparison, compare
from backends.sat.sums.merging import Weighted
from backends.sat.sums.writing import Writer, as_clause
from modelling.problem import Objective, Problem, Structure

__all__ = ["PROFILE", "write"]


def write(problem: Problem) -> Iterator[str]:
    """The problem as text in pieces. ModelError for what is too large."""
    formula = formula_of(problem, "OPB", begin_sums)
    return pieces(_lines(formula, formula.structure.objective))


def _lines(formula: Formula, objective: Objective | None) -> Iterator[str]:
    known = 0
    cost: list[tuple[int, int]] = []
    if objective is not None and not formula.impossible:
        known, cost = formula.cost(objective)
    comments = list(formula.map())
    cnf = formula.draft.cnf
    assert isinstance(cnf, SumsAndClauses)
    variables = max(1, formula.top)
    yield f"* #variable= {variables} #constraint= {formula.number + len(cnf.sums)}"
    for line in comments:
        yield f"* {line}"
    output = formula.output()
    if output is not None:
        yield " ".join(["* concord output", *(f"x{x}" for x in output)])
    if objective is not None:
        yield f"* {objective_comment(objective.sense, known)}"
        yield f"min: {''.join(f'{weight:+} x{x} ' for weight, x in cost)};"
    if formula.impossible:
        yield "+1 x1 >= 2 ;"
        return
    for terms, relation, constant in cnf.sums:
        yield _line(terms, relation, constant)
    for clause in formula.clauses():
        yield _line([(1, x) for x in dict.fromkeys(clause)], ">=", 1) if clause else "+1 x1 >= 2 ;"


def _line(terms: Sequence[tuple[int, int]], relation: str, constant: int) -> str:
    """A sum over literals, written over variables."""
    written = []
    for weight, x in terms:
        if x < 0:
            constant, weight, x = constant - weight, -weight, -x
        written.append(f"{weight:+} x{x} ")
    return f"{''.join(written)}{relation} {constant} ;"


# --- sums as they are -----------------------------------------------------------------------------


class SumsAndClauses(Cnf):
    """A formula that has sums besides: weighted literals, ``>=`` or ``=``, and a number."""

    __slots__ = ("sums",)

    def __init__(self) -> None:
        super().__init__()
        self.sums: list[tuple[list[tuple[int, int]], str, int]] = []

    def at_least(self, terms: Sequence[tuple[int, int]], least: int, unless: Sequence[int]) -> None:
        """The true literals weigh ``least`` together, or one of ``unless`` is true."""
        missing = least - sum(min(0, weight) for weight, _ in terms)
        if missing > 0:
            merged: dict[int, int] = {}
            for weight, x in (*terms, *((missing, x) for x in unless)):
                if x < 0:
                    least, weight, x = least - weight, -weight, -x
                merged[x] = merged.get(x, 0) + weight
            kept = [(weight, x) for x, weight in merged.items() if weight]
            self.sums.append((kept, ">=", least))

    def equal(self, terms: Sequence[tuple[int, int]], constant: int) -> None:
        """The true literals weigh ``constant`` together."""
        self.sums.append((list(terms), "=", constant))


def begin_sums(structure: Structure) -> SatDraft:
    """A formula with sums, to which nothing has been written."""
    cnf = SumsAndClauses()
    return begun(structure, cnf, at_most_one, SumWriter(cnf))


def at_most_one(cnf: Cnf, literals: Sequence[int]) -> None:
    """As one sum."""
    assert isinstance(cnf, SumsAndClauses)
    if len(literals) > 1:
        cnf.at_least([(-1, x) for x in literals], -1, ())


class SumWriter(Writer):
    """Writes comparisons of sums as they are; what one clause says is a clause."""

    cnf: SumsAndClauses

    def __init__(self, cnf: SumsAndClauses) -> None:
        super().__init__(cnf, "auto")

    def post(self, comparison: Comparison | bool, unless: Sequence[int] = ()) -> None:
        if (
            isinstance(comparison, bool)
            or len(comparison.terms) == 1
            or self._known(comparison) is not None
            or as_clause(comparison) is not None
        ):
            super().post(comparison, unless)
        elif comparison.relation == "<=":
            self._at_most(comparison.terms, comparison.constant, unless)
        elif comparison.relation == "==" and unless:
            self._at_most(comparison.terms, comparison.constant, unless)
            self._at_most(_turned(comparison.terms), -comparison.constant, unless)
        elif comparison.relation == "==":
            known, terms = _weighed(comparison.terms)
            self.cnf.equal(terms, comparison.constant - known)
        elif len(comparison.terms) == 2 and self._is_paired(comparison):
            super().post(comparison, unless)
        else:
            self.cnf.say(self.literal(comparison), *unless)

    def draw(
        self, scope: Sequence[Literals], factors: Sequence[int], relation: str, constant: int
    ) -> bool:
        return False

    def _compared(self, comparison: Comparison) -> int:
        terms, constant = comparison.terms, comparison.constant
        if comparison.relation == "<=":
            whether = self.cnf.new()
            self._at_most(terms, constant, [-whether])
            self._at_most(_turned(terms), -constant - 1, [whether])
            return whether
        below = self.literal(compare(terms, "<=", constant))
        above = self.literal(compare(terms, ">=", constant))
        equal = conjunction(self.cnf, (below, above))
        return equal if comparison.relation == "==" else -equal

    def _at_most(self, terms: Sequence[Weighted], most: int, unless: Sequence[int]) -> None:
        known, weighed = _weighed(terms)
        self.cnf.at_least([(-weight, x) for weight, x in weighed], known - most, unless)


def _turned(terms: Sequence[Weighted]) -> list[Weighted]:
    return [(-factor, integer) for factor, integer in terms]


def _weighed(terms: Sequence[Weighted]) -> tuple[int, list[tuple[int, int]]]:
    """A sum of integers as a number and weighted literals."""
    known = 0
    found: list[tuple[int, int]] = []
    for factor, integer in terms:
        offset, weighted = weights(integer)
        known += factor * offset
        found += [(factor * weight, x) for weight, x in weighted]
    return known, found
