"""Two ways to pose a structure to CP-SAT, and how an instance narrows what was posed.

alldifferent   one integer variable a variable, constraints posed as CP-SAT has them
booleans       one Boolean a value with exactly-one for each variable; for AllDifferent exactly-one
               (as many values as variables) or at-most-one for each value

A model is made of the variables; ``HANDLERS`` add the constraints, and ``finish`` ends it. It is
built once for a structure. ``narrow`` closes the values that an instance leaves out,
``widen`` opens them again. Reading a solution is a good part of enumeration: from Python each
number of CP-SAT's answer costs a tenth of a microsecond, so of 729 Booleans only those are read
that decide.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Protocol

from backends.interface.handlers import Handler, Handlers, post
from modelling.constraints import RELATIONS, AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.problem import Assignment, Problem, Structure

Read = Callable[[Any], Assignment]
"""CP-SAT's solution, its repeated field, as an assignment."""


class Model(Protocol):
    """A structure as a CpModel; ``expressions[v]`` is variable ``v`` in a linear expression."""

    model: Any
    expressions: tuple[Any, ...]

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


class Integers:
    """One integer variable for each variable; variable ``v`` has index ``v`` in the model."""

    def __init__(self, cp: Any, structure: Structure) -> None:
        self.model = cp.CpModel()
        self._size = structure.size
        self._base = [intervals(domain or (0,)) for domain in structure.domains]
        self.expressions = tuple(
            self.model.new_int_var_from_domain(cp.Domain.from_flat_intervals(flat), name)
            for name, flat in zip(structure.names, self._base, strict=True)
        )
        self._cp = cp
        self._domains: list[Any] = []
        self._tables: list[Table] = []

    def finish(self) -> Integers:
        for table in merged(self._tables):
            if table.tuples:
                self.model.add_allowed_assignments(self._scope(table), list(table.tuples))
            else:
                self.model.add_bool_or([])  # it takes an empty table for no constraint at all
        variables = self.model.proto.variables
        # Asking the model for a domain takes longer than changing one.
        self._domains = [variables[v].domain for v in range(self._size)]
        return self

    def _scope(self, constraint: Constraint) -> list[Any]:
        return [self.expressions[v] for v in constraint.scope]

    def narrow(self, problem: Problem) -> None:
        for variable in problem.narrowed():
            _fill(self._domains[variable], intervals(problem.domain(variable)))

    def widen(self, problem: Problem) -> None:
        for variable in problem.narrowed():
            _fill(self._domains[variable], self._base[variable])

    def reader(self, problem: Problem) -> Read:
        size = self._size
        return lambda solution: tuple(list(solution)[:size])

    def all_different(self, constraint: AllDifferent) -> None:
        self.model.add_all_different(self._scope(constraint))

    def not_equal(self, constraint: NotEqual) -> None:
        one, other = self._scope(constraint)
        self.model.add(one != other)

    def linear(self, constraint: Linear) -> None:
        _add_linear(self._cp, self.model, self._scope(constraint), constraint)

    def table(self, constraint: Table) -> None:
        """Allowed tuples are kept until all tables are known, and then merged."""
        if constraint.allowed:
            self._tables.append(constraint)
        elif constraint.tuples:
            scope = self._scope(constraint)
            self.model.add_forbidden_assignments(scope, list(constraint.tuples))


class Booleans:
    """One Boolean for each value of each variable, and nothing but Booleans.

    Channelling to integers for tables is what one would try first; that is where CP-SAT 9.15 lost
    solutions in presolve (docs/disagreements.md), so tables are posed row by row. The Booleans of
    a variable follow one another in the order of its values.

    What an instance closes stands in one conjunction. It is replaced in one call, where the domains
    of hundreds of Booleans took longer to set than the puzzle to solve; and it stands first, since
    CP-SAT simplifies what comes after it while it copies the model.
    """

    def __init__(self, cp: Any, structure: Structure) -> None:
        self.model = cp.CpModel()
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
        self._cp = cp
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
        self._closed.clear()

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

    def all_different(self, constraint: AllDifferent | NotEqual) -> None:
        """Each value at most once; exactly once where there are as many values as variables."""
        literals = [self._literals[v] for v in constraint.scope]
        values = {value for of in literals for value in of}
        exact = len(values) == len(literals)
        post = self.model.add_exactly_one if exact else self.model.add_at_most_one
        for value in sorted(values):
            post([of[value] for of in literals if value in of])

    not_equal = all_different

    def linear(self, constraint: Linear) -> None:
        """A sum of Booleans; a clause for each conflict where two variables merely differ."""
        if constraint.relation == "!=" and len(constraint.scope) == 2:
            self._apart(constraint)
        else:
            scope = [self.expressions[v] for v in constraint.scope]
            _add_linear(self._cp, self.model, scope, constraint)

    def _apart(self, constraint: Linear) -> None:
        (a, b), total = constraint.coefficients, constraint.constant
        first, second = (self._literals[v] for v in constraint.scope)
        for x, one in first.items():
            for y, other in second.items():
                if a * x + b * y == total:
                    self.model.add_bool_or([one.negated(), other.negated()])

    def table(self, constraint: Table) -> None:
        """A clause for each conflict, a selector for each support.

        An assignment matches exactly one selector, so selectors do not multiply solutions.
        """
        literals = [self._literals[v] for v in constraint.scope]
        rows = [
            [of[value] for of, value in zip(literals, row, strict=True)]
            for row in dict.fromkeys(constraint.tuples)
            if all(value in of for of, value in zip(literals, row, strict=True))
        ]
        if not constraint.allowed:
            for row in rows:
                self.model.add_bool_or([literal.negated() for literal in row])
            return
        selectors = [self.model.new_bool_var("") for _ in rows]
        self.model.add_exactly_one(selectors)
        for selector, row in zip(selectors, rows, strict=True):
            self.model.add_bool_and(row).only_enforce_if(selector)


FORMULATIONS: Mapping[str, Callable[[Any, Structure], Model]] = {
    "alldifferent": Integers,
    "booleans": Booleans,
}


HANDLERS: Handlers = {
    AllDifferent: Handler(lambda model, constraint: model.all_different(constraint)),
    NotEqual: Handler(lambda model, constraint: model.not_equal(constraint)),
    Linear: Handler(lambda model, constraint: model.linear(constraint)),
    Table: Handler(lambda model, constraint: model.table(constraint)),
}


def formulate(cp: Any, formulation: str, structure: Structure) -> Model:
    """A structure that ``HANDLERS`` take as a model."""
    model = FORMULATIONS[formulation](cp, structure)
    post(HANDLERS, model, structure, "cpsat")
    return model.finish()


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


def _add_linear(cp: Any, model: Any, terms: Sequence[Any], constraint: Linear) -> None:
    total = cp.LinearExpr.weighted_sum(list(terms), list(constraint.coefficients))
    model.add(RELATIONS[constraint.relation](total, constraint.constant))


def _fill(field: Any, numbers: list[int]) -> None:
    """Let a repeated field of the model hold these numbers."""
    field.clear()
    field.extend(numbers)


def intervals(values: Sequence[int]) -> list[int]:
    """Ascending values as CP-SAT writes a domain: [1, 2, 5] -> [1, 2, 5, 5]."""
    if len(values) == 1:
        return [values[0], values[0]]
    flat: list[int] = []
    for value in values:
        if flat and value == flat[-1] + 1:
            flat[-1] = value
        else:
            flat += [value, value]
    return flat
