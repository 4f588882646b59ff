"""The integer program of one call: the columns' bounds after its givens, rows, and the way back.

Words
-----
draft     what is kept of the structure (``draft``)
apart     the variables that distinguish solutions. Solutions differ in some of these literals:
          those of the values of a variable, those of a binary column, or of the binary digits of
          a column that has no literals
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backends.integer_programs.draft import FEW, IntegerProgramDraft, has_gaps
from backends.interface.session import Call
from modelling.check import violations
from modelling.formats.linear.program import Program, Terms
from modelling.problem import Assignment

Row = tuple[Terms, str, int]
Reader = tuple[int | None, Mapping[int, int], int]
"""How a variable is read: its column, its literals, and a value where it has neither."""


class Instance:
    """The draft is left as it is: what is added for this call is added to copies."""

    def __init__(self, draft: IntegerProgramDraft, call: Call) -> None:
        self.problem = call.problem
        self._draft = draft
        kept = draft.program
        self.program = Program(kept.names.copy(), kept.bounds.copy(), kept.rows.copy())
        self._digits: dict[int, list[int]] = {}
        self._free: dict[int, int] = {}
        self._ones: dict[int, Mapping[int, int]] = {}
        masks, full = self.problem.masks, self.problem.structure.full_masks
        for variable in range(self.problem.structure.size):
            if masks[variable] != full[variable]:
                self._narrow(variable)
        self.apart: tuple[int, ...] = ()
        if call.several:
            self.apart = tuple(range(call.declared)) if call.on is None else call.on
            for variable in self.apart:
                self._tell_apart(variable)
        self.loose = draft.loose or call.on is not None
        """Whether several points may have the same values of the ``apart`` variables."""
        self._readers = [self._reader(v) for v in range(self.problem.structure.size)]

    # --- givens ---

    def _narrow(self, variable: int) -> None:
        """Leave only the open values."""
        values = self.problem.values(variable)
        bounds = self.program.bounds
        ones = self._draft.ones.get(variable, {})
        opened = set(values)
        for value, literal in ones.items():
            if value not in opened:
                self._fix(-literal)
            elif len(values) == 1:
                self._fix(literal)
        column = self._draft.columns.get(variable)
        if column is None:
            return
        low, high = bounds[column]
        bounds[column] = max(low, values[0]), min(high, values[-1])
        if bounds[column][0] > bounds[column][1]:
            bounds[column] = values[0], values[-1]
            self.program.fail()
        if not ones and has_gaps(values):
            self.program.restrict(column, values)

    def _fix(self, literal: int) -> None:
        self.program.bounds[abs(literal) - 1] = (1, 1) if literal > 0 else (0, 0)

    # --- the variables that distinguish solutions ---

    def _tell_apart(self, variable: int) -> None:
        if variable in self._draft.ones:
            return
        values = self.problem.values(variable)
        column = self._draft.columns.get(variable)
        if column is not None:
            self._digits[variable] = self._spell(column, values[0], values[-1])
        elif len(values) <= FEW:
            found = self.program.choose(values)
            self._ones[variable] = {value: one + 1 for value, one in found.items()}
        else:
            column = self.program.new("x", values[0], values[-1])
            self._free[variable] = column
            if has_gaps(values):
                self.program.restrict(column, values)
            self._digits[variable] = self._spell(column, values[0], values[-1])

    def _spell(self, column: int, low: int, high: int) -> list[int]:
        """A column for each binary digit of what a column is above its least value."""
        digits = [self.program.new("digit", 0, 1) for _ in range((high - low).bit_length())]
        terms = [(-(1 << place), digit) for place, digit in enumerate(digits)]
        self.program.post([(1, column), *terms], "==", low)
        return digits

    def literals_of(self, variable: int) -> list[int]:
        """The literals by which the values of an ``apart`` variable differ."""
        if variable in self._digits:
            return [digit + 1 for digit in self._digits[variable]]
        ones = self._ones.get(variable) or self._draft.ones[variable]
        return [literal for literal in ones.values() if literal > 0]

    def signature(self, values: Sequence[int]) -> list[int]:
        """Literals that hold together for this solution, and for no other that differs from it."""
        found: list[int] = []
        for variable in self.apart:
            if variable in self._digits:
                above = values[variable] - self.problem.values(variable)[0]
                for place, digit in enumerate(self._digits[variable]):
                    found.append(digit + 1 if above >> place & 1 else -digit - 1)
            else:
                ones = self._ones.get(variable) or self._draft.ones[variable]
                found.append(ones[values[variable]])
        return found

    def without(self, values: Sequence[int]) -> Row:
        """A row that excludes this solution, and no other that differs in an ``apart`` variable."""
        terms, constant = [], -1
        for literal in self.signature(values):
            terms.append((1 if literal > 0 else -1, abs(literal) - 1))
            constant += literal > 0
        return _merged(terms), "<=", constant

    # --- the way back ---

    def _reader(self, variable: int) -> Reader:
        column = self._draft.columns.get(variable, self._free.get(variable))
        ones = self._ones.get(variable) or self._draft.ones.get(variable) or {}
        first = self.problem.values(variable)[0]
        return column, ones if column is None else {}, first

    def read(self, numbers: Sequence[float]) -> Assignment | None:
        """The values of columns, rounded; None if they violate a constraint."""
        values = tuple([_value(reader, numbers) for reader in self._readers])
        return None if violations(self.problem, values) else values

    def terms(self, scope: Sequence[int], coefficients: Sequence[int]) -> Terms:
        """A sum of variables, as one of columns."""
        pairs = zip(coefficients, scope, strict=True)
        return [(factor, self._draft.columns[variable]) for factor, variable in pairs if factor]


def _value(reader: Reader, numbers: Sequence[float]) -> int:
    column, ones, value = reader
    if column is not None:
        return round(numbers[column])
    for one, literal in ones.items():
        if (numbers[literal - 1] > 0.5) if literal > 0 else (numbers[-literal - 1] < 0.5):
            return one
    return value


def _merged(terms: Terms) -> Terms:
    """Each column once."""
    together: dict[int, int] = {}
    for factor, column in terms:
        together[column] = together.get(column, 0) + factor
    return [(factor, column) for column, factor in together.items() if factor]
