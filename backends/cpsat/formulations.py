"""Two ways to pose a structure to CP-SAT, and how an instance narrows what was posed.

alldifferent   one integer variable a variable, constraints posed as CP-SAT has them
booleans       one Boolean a value with exactly-one for each variable; for AllDifferent exactly-one
               (as many values as variables) or at-most-one for each value

A model is made of the variables; handlers add the constraints, and ``finish`` ends it. What they
make besides comes after the variables. A model is built once for a structure. ``narrow`` closes the
values that an instance leaves out, ``widen`` opens them again. Reading a solution is a good part of
enumeration: from Python each number of CP-SAT's answer costs a tenth of a microsecond, so of 729
Booleans only those are read that decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Protocol

from backends.cpsat.views import Literal, Literals, Views
from modelling.constraints import Constraint, Linear, NotEqual, Table
from modelling.problem import Assignment, Problem, Structure
from modelling.terms import Term, affine
from modelling.vocabulary.comparisons import OPPOSITES

Read = Callable[[Any], Assignment]
"""CP-SAT's solution, its repeated field, as an assignment."""


class Model(Protocol):
    """A structure as a CpModel; ``expressions[v]`` is variable ``v`` in a linear expression;
    ``other`` is the same in the other formulation, once that was needed; ``merges_tables`` says
    whether tables over the same variables become one."""

    other: Model | None
    merges_tables: bool

    @property
    def model(self) -> Any: ...

    @property
    def expressions(self) -> tuple[Any, ...]: ...

    def finish(self) -> Model:
        """The model itself, once all constraints are posed."""
        ...

    def narrow(self, problem: Problem) -> None:
        """Close what ``problem`` closes."""
        ...

    def widen(self, problem: Problem) -> None:
        """Take back what ``narrow`` did."""
        ...

    def reader(self, problem: Problem) -> Read:
        """What reads the solutions of one search, in the order found."""
        ...


class Integers(Views):
    """One integer variable for each variable; variable ``v`` has index ``v`` in the model."""

    def __init__(self, cp: Any, structure: Structure) -> None:
        super().__init__(cp, structure)
        self._size = structure.size
        self._base = [intervals(domain or (0,)) for domain in structure.domains]
        self.expressions = tuple(
            self.model.new_int_var_from_domain(cp.Domain.from_flat_intervals(flat), name)
            for name, flat in zip(structure.names, self._base, strict=True)
        )
        self._domains: list[Any] = []
        self._tables: list[Table] = []
        self._values: dict[tuple[int, int], Literal] = {}

    def finish(self) -> Integers:
        for table in merged(self._tables) if self.merges_tables else self._tables:
            if table.tuples:
                self.model.add_allowed_assignments(self._scope(table), list(table.tuples))
            else:
                self.forbid()  # it takes an empty table for no constraint at all
        variables = self.model.proto.variables
        # Asking the model for a domain takes longer than changing one.
        self._domains = [variables[v].domain for v in range(self._size)]
        return self

    def _scope(self, constraint: Constraint) -> list[Any]:
        return [self.expressions[v] for v in constraint.scope]

    def narrow(self, problem: Problem) -> None:
        for variable in problem.narrowed():
            _fill(self._domains[variable], intervals(problem.values(variable)))

    def widen(self, problem: Problem) -> None:
        for variable in problem.narrowed():
            _fill(self._domains[variable], self._base[variable])

    def reader(self, problem: Problem) -> Read:
        size = self._size
        return lambda solution: tuple(list(solution)[:size])

    def integer(self, variable: int) -> Any:
        return self.expressions[variable]

    def has_value(self, variable: int, value: int) -> Literal:
        """The variable itself where it is 0 or 1, else a Boolean for the value."""
        found = self._values.get((variable, value))
        if found is not None:
            return found
        integer, domain = self.expressions[variable], self.domains[variable]
        if len(domain) == 2 and tuple(domain) == (0, 1):
            return integer if value else integer.negated()
        found = self.literal()
        self._values[variable, value] = found
        self.post(integer == value, [found])
        self.post(integer != value, [found.negated()])
        if len(domain) == 2:
            self._values[variable, domain[0] + domain[1] - value] = found.negated()
        return found

    def total(self, terms: Sequence[Term], factors: Sequence[int] | None = None) -> Any:
        views = [affine(term) for term in terms]
        numbers = factors or [1] * len(views)
        there = [(view, n) for view, n in zip(views, numbers, strict=True) if n]
        offset = sum(view.offset * n for view, n in there)
        found = self.cp.LinearExpr.weighted_sum(
            [self.expressions[view.variable] for view, _ in there if view.variable is not None],
            [view.factor * n for view, n in there if view.variable is not None],
        )
        return found + offset if offset else found

    def all_different(self, terms: Sequence[Term], enforced: Literals = ()) -> None:
        self.post(self.model.add_all_different(self.expressions_of(terms)), enforced)

    def not_equal(self, constraint: NotEqual, enforced: Literals = ()) -> None:
        one, other = self._scope(constraint)
        self.post(one != other, enforced)

    def linear(self, constraint: Linear, enforced: Literals = (), opposite: bool = False) -> None:
        """The comparison, or its opposite."""
        scope = [self.expressions[v] for v in constraint.terms]
        total = self.cp.LinearExpr.weighted_sum(scope, list(constraint.coefficients))
        relation = OPPOSITES[constraint.relation] if opposite else constraint.relation
        self.compare(total, relation, constraint.constant, enforced)

    def table(self, constraint: Table, enforced: Literals = (), opposite: bool = False) -> None:
        """The table, or its opposite.

        Allowed tuples at the root are kept until all tables are known, and then merged.
        """
        rows, allowed = list(constraint.tuples), constraint.allowed is not opposite
        if allowed and not enforced:
            self._tables.append(constraint)
        elif not allowed and rows:
            table = self.model.add_forbidden_assignments(self._scope(constraint), rows)
            self.post(table, enforced)
        elif rows:
            self.post(self.model.add_allowed_assignments(self._scope(constraint), rows), enforced)
        elif allowed:
            self.forbid(enforced)


class Booleans(Views):
    """One Boolean for each value of each variable, and nothing but Booleans.

    Channelling to integers for tables is what one would try first; that is where CP-SAT 9.15 lost
    solutions in presolve (docs/disagreements.md), so tables are posed row by row. The Booleans of
    a variable follow one another in the order of its values.

    One conjunction has all values that an instance closes. One call replaces it; to set the domains
    of hundreds of Booleans took longer than to solve the puzzle. It is the first constraint, since
    CP-SAT simplifies what comes after it while it copies the model.
    """

    def __init__(self, cp: Any, structure: Structure) -> None:
        super().__init__(cp, structure)
        self._literals = [
            {value: self.model.new_bool_var(f"{name}={value}") for value in domain}
            for name, domain in zip(structure.names, structure.domains, strict=True)
        ]
        self._starts = [0, *accumulate(map(len, structure.domains))]
        self._flat = [value for domain in structure.domains for value in domain]
        self.expressions = tuple(
            cp.LinearExpr.weighted_sum(list(of.values()), list(of)) if of else 0
            for of in self._literals
        )
        self.model.add_bool_and([])
        for of in self._literals:
            self.model.add_exactly_one(of.values())
        self._integers: dict[int, Any] = {}
        self._closed: Any = None

    def finish(self) -> Booleans:
        self._closed = self.model.proto.constraints[0].bool_and.literals
        return self

    def narrow(self, problem: Problem) -> None:
        literals: list[int] = []
        for variable in problem.narrowed():
            start, mask = self._starts[variable], problem.masks[variable]
            if mask & (mask - 1) == 0:
                literals.append(start + mask.bit_length() - 1)
                continue
            stop = self._starts[variable + 1]
            # CP-SAT writes the negation of literal n as -n - 1.
            literals.extend(~n for n in range(start, stop) if not mask >> (n - start) & 1)
        _fill(self._closed, literals)

    def widen(self, problem: Problem) -> None:
        _fill(self._closed, [])

    def reader(self, problem: Problem) -> Read:
        """Solutions found one after another differ in a few variables.

        So it is looked first whether a variable's Boolean of the solution before is still true;
        and not at all where the instance has left one value.
        """
        starts, flat = self._starts, self._flat
        true: list[int] = []
        open_ = []
        for variable, mask in enumerate(problem.masks):
            true.append(starts[variable] + (mask & -mask).bit_length() - 1)
            if mask & (mask - 1):
                open_.append(variable)

        def read(solution: Any) -> Assignment:
            is_true = solution.__getitem__
            for variable in open_:
                literal = true[variable]
                if not is_true(literal):
                    literal = starts[variable]
                    while not is_true(literal):  # exactly one of them is
                        literal += 1
                    true[variable] = literal
            return tuple([flat[literal] for literal in true])

        return read

    def integer(self, variable: int) -> Any:
        """An integer beside the Booleans, for constraints that CP-SAT has over integers alone."""
        found = self._integers.get(variable)
        if found is None:
            flat = intervals(self.domains[variable] or (0,))
            domain = self.cp.Domain.from_flat_intervals(flat)
            found = self._integers[variable] = self.model.new_int_var_from_domain(domain, "")
            self.model.add(self.expressions[variable] == found)
        return found

    def has_value(self, variable: int, value: int) -> Literal:
        return self._literals[variable][value]

    def total(self, terms: Sequence[Term], factors: Sequence[int] | None = None) -> Any:
        total = 0
        for term, times in zip(terms, factors or [1] * len(terms), strict=True):
            variable, factor, offset = affine(term)
            total = total + offset * times
            if variable is not None:
                total = total + self.expressions[variable] * (factor * times)
        return total

    def all_different(self, terms: Sequence[Term], enforced: Literals = ()) -> None:
        """Each value at most once; exactly once where there are as many values as terms."""
        literals = list(map(self._by_value, terms))
        values = {value for of in literals for value in of}
        exact = len(values) == len(literals)
        post = self.model.add_exactly_one if exact else self.model.add_at_most_one
        for value in sorted(values):
            having = [of[value] for of in literals if value in of]
            if not enforced:
                post(having)
            elif len(having) > 1:
                self.compare(self.weight(having), "<=", 1, enforced)

    def _by_value(self, term: Term) -> Mapping[int, Literal]:
        """The literals of a term, by its values."""
        variable, factor, offset = affine(term)
        if variable is None:
            return {offset: self.model.new_constant(1)}
        of: Mapping[int, Literal] = self._literals[variable]
        if (factor, offset) == (1, 0):
            return of
        return {factor * value + offset: literal for value, literal in of.items()}

    def not_equal(self, constraint: NotEqual, enforced: Literals = ()) -> None:
        self.all_different(constraint.terms, enforced)

    def linear(self, constraint: Linear, enforced: Literals = (), opposite: bool = False) -> None:
        """A sum of Booleans; a clause for each conflict where two variables merely differ."""
        relation = OPPOSITES[constraint.relation] if opposite else constraint.relation
        if relation == "!=" and len(constraint.scope) == 2:
            self._apart(constraint, enforced)
            return
        scope = [self.expressions[v] for v in constraint.terms]
        total = self.cp.LinearExpr.weighted_sum(scope, list(constraint.coefficients))
        self.compare(total, relation, constraint.constant, enforced)

    def _apart(self, constraint: Linear, enforced: Literals) -> None:
        (a, b), total = constraint.coefficients, constraint.constant
        first, second = (self._literals[v] for v in constraint.scope)
        for x, one in first.items():
            for y, other in second.items():
                if a * x + b * y == total:
                    self.clause((one.negated(), other.negated()), enforced)

    def table(self, constraint: Table, enforced: Literals = (), opposite: bool = False) -> None:
        """A clause for each conflict, a selector for each support.

        An assignment matches exactly one selector, so selectors do not multiply solutions; where
        the table need not hold, none is selected.
        """
        literals = [self._literals[v] for v in constraint.scope]
        rows = [
            [of[value] for of, value in zip(literals, row, strict=True)]
            for row in dict.fromkeys(constraint.tuples)
            if all(value in of for of, value in zip(literals, row, strict=True))
        ]
        if constraint.allowed is opposite:
            for row in rows:
                self.clause([literal.negated() for literal in row], enforced)
            return
        selectors = [self.model.new_bool_var("") for _ in rows]
        if not enforced:
            self.model.add_exactly_one(selectors)
        else:
            self.model.add_at_most_one(selectors)
            self.clause(selectors, enforced)
        for selector, row in zip(selectors, rows, strict=True):
            self.model.add_bool_and([*row, *enforced]).only_enforce_if(selector)


FORMULATIONS: Mapping[str, Callable[[Any, Structure], Model]] = {
    "alldifferent": Integers,
    "booleans": Booleans,
}


def merged(tables: Sequence[Table]) -> list[Table]:
    """Tables with the same solutions, none over variables that all are in another's.

    CP-SAT merges such tables itself, and in 9.15 without presolve ends the process where no tuple
    is left (docs/disagreements.md).
    """
    left = sorted(tables, key=lambda table: len(table.scope))
    found = []
    for place, table in enumerate(left):
        within = set(table.scope)
        for other in range(place + 1, len(left)):
            if within <= set(left[other].scope):
                left[other] = _joined(table, left[other])
                break
        else:
            found.append(table)
    return found


def _joined(table: Table, larger: Table) -> Table:
    """The tuples of ``larger`` that ``table`` allows, too."""
    rows = set(table.tuples)
    places = [larger.scope.index(variable) for variable in table.scope]
    kept = [row for row in larger.tuples if tuple([row[k] for k in places]) in rows]
    return Table(larger.scope, tuple(kept))


def _fill(field: Any, numbers: list[int]) -> None:
    """Let a repeated field of the model hold these numbers."""
    try:
        field.clear()
    except AttributeError:  # protobuf's own before its 6.31, which releases before 9.13 ask for
        del field[:]
    field.extend(numbers)


def intervals(values: Sequence[int]) -> list[int]:
    """Ascending values as CP-SAT writes a domain: [1, 2, 5] -> [1, 2, 5, 5]."""
    if len(values) == 1 or (isinstance(values, range) and values and values.step == 1):
        return [values[0], values[-1]]
    flat: list[int] = []
    for value in values:
        if flat and value == flat[-1] + 1:
            flat[-1] = value
        else:
            flat += [value, value]
    return flat
