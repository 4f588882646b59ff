"""A structure as an integer program under construction.

Words
-----
column   a variable of the program, by its position
literal  k + 1 says that column k is 1, -(k + 1) that it is 0
ones     of a variable the literal for each value; of two values one is not the other
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from modelling.formats.linear.program import Program
from modelling.problem import Structure
from modelling.terms import Term, affine

FEW = 1000
"""Most values of a variable that are each given a column where a constraint asks for values."""

Weighed = Iterable[tuple[int, int]]
"""Factors, each with a literal or a variable of the structure."""


class IntegerProgramDraft:
    """Columns are made when they are asked for: a variable that constraints know by its values
    alone has no column of its own."""

    def __init__(self, structure: Structure) -> None:
        self.program = Program()
        # the driver has answered where a domain is empty, and what is posed then does not matter
        self.domains = tuple(domain or (0,) for domain in structure.domains)
        self.columns: dict[int, int] = {}
        self.ones: dict[int, dict[int, int]] = {}
        self.loose = False
        """Whether some column may differ while all variables are the same."""
        self._true = 0
        for variable, domain in enumerate(self.domains):
            if len(domain) == 2 and tuple(domain) == (0, 1):
                column = self.program.new("x", 0, 1)
                self.columns[variable] = column
                self.ones[variable] = {0: -column - 1, 1: column + 1}
        for variable in structure.objective.scope if structure.objective is not None else ():
            self.column(variable)

    @property
    def true(self) -> int:
        """A literal that holds."""
        if not self._true:
            self._true = self.program.new("true", 1, 1) + 1
        return self._true

    def column(self, variable: int) -> int:
        """The column of a variable."""
        found = self.columns.get(variable)
        if found is not None:
            return found
        domain = self.domains[variable]
        column = self.columns[variable] = self.program.new("x", domain[0], domain[-1])
        if variable in self.ones:
            self._link(variable)
        elif has_gaps(domain) and len(domain) <= FEW:
            self.literals(variable)
        elif has_gaps(domain):
            self.program.restrict(column, domain)
        return column

    def literals(self, variable: int) -> Mapping[int, int]:
        """The literal for each value of a variable."""
        if variable not in self.ones:
            self.ones[variable] = self._choose(self.domains[variable])
            if variable in self.columns:
                self._link(variable)
        return self.ones[variable]

    def literal(self, variable: int, value: int) -> int:
        """Whether a variable has a value."""
        return self.literals(variable).get(value, -self.true)

    def values(self, term: Term) -> Mapping[int, int]:
        """The literal for each value of an affine term."""
        variable, factor, offset = affine(term)
        if variable is None:
            return {offset: self.true}
        ones = self.literals(variable)
        if (factor, offset) == (1, 0):
            return ones
        return {factor * value + offset: literal for value, literal in ones.items()}

    def _choose(self, values: Sequence[int]) -> dict[int, int]:
        if len(values) == 1:
            return {values[0]: self.true}
        if len(values) == 2:
            column = self.program.new("is", 0, 1)
            return {values[0]: -column - 1, values[1]: column + 1}
        return {value: column + 1 for value, column in self.program.choose(values).items()}

    def _link(self, variable: int) -> None:
        terms = [(-value, literal) for value, literal in self.ones[variable].items()]
        self.row(terms, "==", 0, [(1, self.columns[variable])])

    def row(self, weighed: Weighed, relation: str, constant: int, terms: Weighed = ()) -> None:
        """A comparison of a sum of literals and columns (``terms``)."""
        together: dict[int, int] = {}
        for factor, column in terms:
            together[column] = together.get(column, 0) + factor
        for factor, literal in weighed:
            column = abs(literal) - 1
            if literal < 0:
                constant -= factor
                factor = -factor
            together[column] = together.get(column, 0) + factor
        pairs = [(factor, column) for column, factor in together.items()]
        self.program.post(pairs, relation, constant)

    def any_of(self, literals: Iterable[int]) -> None:
        """One literal holds at least; of negated ones alone, that not all columns are 1."""
        literals = list(literals)
        if literals and max(literals) < 0:
            self.row([(1, -literal) for literal in literals], "<=", len(literals) - 1)
        else:
            self.row([(1, literal) for literal in literals], ">=", 1)

    def compare(
        self, terms: Sequence[tuple[int, int]], relation: str, constant: int, when: int | None
    ) -> None:
        """A comparison of a sum of variables, if the literal ``when`` holds (None: always)."""
        if relation in ("<", ">"):
            constant += 1 if relation == ">" else -1
            relation += "="
        columns = [(factor, self.column(variable)) for factor, variable in terms]
        if when is None:
            if len(columns) != 1 or not self._tighten(columns[0], relation, constant):
                self.row((), relation, constant, columns)
        elif relation == "!=":
            self.loose = True  # where ``when`` does not hold, unless that says the opposite
            below, above = (self.program.new("side", 0, 1) + 1 for _ in range(2))
            self.row([(1, below), (1, above), (-1, when)], ">=", 0)
            self._if(below, columns, "<=", constant - 1)
            self._if(above, columns, ">=", constant + 1)
        else:
            for side in ("<=", ">=") if relation == "==" else (relation,):
                self._if(when, columns, side, constant)

    def _tighten(self, term: tuple[int, int], relation: str, constant: int) -> bool:
        """State a comparison of one column by its bounds, which no tolerance blurs; whether it
        could be."""
        factor, column = term
        low, high = self.program.bounds[column]
        value, rest = divmod(constant, factor)
        if factor < 0:
            relation = relation.translate(str.maketrans("<>", "><"))
        if relation == "<=":
            high = min(high, value)
        elif relation == ">=":
            low = max(low, value + (rest != 0))
        elif relation == "!=":
            if not rest and low < value < high:
                return False
            low, high = low + (not rest and low == value), high - (not rest and high == value)
        elif not rest:
            low, high = max(low, value), min(high, value)
        if low > high or (relation == "==" and rest):
            self.program.fail()
        else:
            self.program.bounds[column] = low, high
        return True

    def _if(self, when: int, columns: Weighed, relation: str, constant: int) -> None:
        """A row that says nothing where the literal does not hold ("big M")."""
        columns = list(columns)
        low, high = self.program.reach(columns)
        if relation == "<=" and high > constant:
            self.row([(high - constant, when)], "<=", high, columns)
        elif relation == ">=" and low < constant:
            self.row([(low - constant, when)], ">=", low, columns)


def has_gaps(values: Sequence[int]) -> bool:
    """Whether ascending values leave some out."""
    return values[-1] - values[0] + 1 > len(values)
