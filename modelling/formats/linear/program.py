"""A problem as an integer program: integer variables between bounds, rows, a linear objective.

Constraints other than sums are rewritten to sums with auxiliary variables. If no rewrite expresses
one, an error names it. AllDifferent over few values is written as sums over a variable of 0 and 1
for each value. Domains with gaps and ``!=`` take auxiliary variables, which are determined as all
others are. Solvers of such programs calculate with doubles, so numbers beyond 2 to the 53rd are
refused.

Words
-----
row         ``sum of factor * variable RELATION constant`` with ``<=``, ``>=`` or ``==``
run         consecutive values of a domain
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count, pairwise

from modelling.constraints import AllDifferent, Linear
from modelling.errors import ModelError
from modelling.problem import Problem, runs_of
from modelling.rewriting import Declined, Native, Profile, rewrite
from modelling.rewriting.profile import Variables

MOST_VALUES = 20_000
"""Most variables for values that one AllDifferent is given."""


def has_few_values(constraint: AllDifferent, variables: Variables) -> bool:
    """Whether each value of each variable may be given a variable."""
    return sum(len(variables.domains[v]) for v in constraint.scope) <= MOST_VALUES


PROFILE = Profile((Native(AllDifferent, when=has_few_values), Native(Linear)), output=True)
"""Sums over distinct variables, and what is written by them."""

LARGEST = 2**53
"""Greatest number that every solver of integer programs reads as it is written."""

Terms = Sequence[tuple[int, int]]
"""Factors, each with a variable."""

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,99}")
_NUMBER_LIKE = re.compile(r"[eE][0-9.]*|inf(inity)?|nan", re.IGNORECASE)
_WORDS = frozenset(
    """
    bin binaries binary bound bounds end free gen general generals int integer integers max
    maximise maximize maximum min minimise minimize minimum obj objective sec semi sos sos1 sos2
    st subject such that to
    """.split()  # noqa: SIM905 (as a list of strings it would fill a page)
)
"""Words that mean something to readers of LP."""


@dataclass
class Program:
    """``bounds[v]`` are the least and the greatest value of variable ``v``, an integer.

    ``objective`` is None if the program has no objective.
    """

    names: list[str] = field(default_factory=list)
    bounds: list[tuple[int, int]] = field(default_factory=list)
    rows: list[tuple[Terms, str, int]] = field(default_factory=list)
    maximise: bool = False
    objective: Terms | None = None
    comments: list[str] = field(default_factory=list)
    values: dict[int, dict[int, int]] = field(default_factory=dict)
    """For some variables, the variable of 0 and 1 for each value."""

    def new(self, name: str, low: int, high: int) -> int:
        """Add a variable; return its number."""
        self.names.append(name)
        self.bounds.append((low, high))
        return len(self.names) - 1

    def reach(self, terms: Terms) -> tuple[int, int]:
        """The least and the greatest value of a sum."""
        ends = [sorted((factor * low, factor * high)) for factor, (low, high) in self._pairs(terms)]
        return sum(low for low, _ in ends), sum(high for _, high in ends)

    def _pairs(self, terms: Terms) -> Iterator[tuple[int, tuple[int, int]]]:
        return ((factor, self.bounds[v]) for factor, v in terms)

    def post(self, terms: Terms, relation: str, constant: int) -> None:
        """A row for a comparison, or what says the same."""
        terms = [(factor, v) for factor, v in terms if factor]
        if relation in ("<", ">"):
            constant += 1 if relation == ">" else -1
            relation += "="
        if relation == "!=":
            self._differ(terms, constant)
        elif terms:
            self.rows.append((terms, relation, constant))
        elif not _holds(relation, constant):
            self.fail()

    def fail(self) -> None:
        """A row that nothing satisfies."""
        nothing = self.new("_false", 0, 0)
        self.rows.append(([(1, nothing)], ">=", 1))

    def _differ(self, terms: Terms, constant: int) -> None:
        """Below the number, or, where an auxiliary variable is 1, above it."""
        low, high = self.reach(terms)
        if low > constant or high < constant:
            return
        if low == high:
            self.fail()
        elif low == constant:
            self.rows.append((terms, ">=", constant + 1))
        elif high == constant:
            self.rows.append((terms, "<=", constant - 1))
        else:
            above = self.new("_above", 0, 1)
            self.rows.append(([*terms, (constant - 1 - high, above)], "<=", constant - 1))
            self.rows.append(([*terms, (low - constant - 1, above)], ">=", low))

    def give_values(self, variable: int, values: Sequence[int]) -> None:
        """A variable for each value of a variable: which one it has."""
        self.values[variable] = found = self.choose(values)
        self.link(variable, found)

    def choose(self, values: Sequence[int]) -> dict[int, int]:
        """A variable for each value, of which one is 1."""
        found = {value: self.new("_is", 0, 1) for value in values}
        self.post([(1, one) for one in found.values()], "==", 1)
        return found

    def link(self, variable: int, ones: Mapping[int, int]) -> None:
        """A variable has the value whose own variable is 1."""
        self.post([(1, variable), *((-value, one) for value, one in ones.items())], "==", 0)

    def differ(self, variables: Sequence[int]) -> None:
        """No value is that of two variables, all of which have been given values."""
        takers: dict[int, list[int]] = {}
        for variable in variables:
            for value, one in self.values[variable].items():
                takers.setdefault(value, []).append(one)
        for ones in takers.values():
            if len(ones) > 1:
                self.post([(1, one) for one in ones], "<=", 1)

    def restrict(self, variable: int, values: Sequence[int]) -> None:
        """Let a variable take values with gaps between them."""
        steps = {b - a for a, b in pairwise(values)}
        if len(steps) == 1:
            (step,) = steps
            place = self.new("_place", 0, len(values) - 1)
            self.post([(1, variable), (-step, place)], "==", values[0])
            return
        runs = list(runs_of(values))
        chosen = [self.new("_run", 0, 1) for _ in runs]
        self.post([(1, one) for one in chosen], "==", 1)
        for end, relation in ((0, ">="), (1, "<=")):
            ends = [(-run[end], one) for run, one in zip(runs, chosen, strict=True)]
            self.post([(1, variable), *ends], relation, 0)


def program_of(problem: Problem, name: str) -> Program:
    """The integer program of a problem; ``name`` is the format's, for messages.

    ModelError for what no rewrite expresses, and for numbers beyond ``LARGEST``.
    """
    found = rewrite(problem.structure, PROFILE)
    if isinstance(found, Declined):
        raise ModelError(f"the problem cannot be written as {name}: {found.reason}")
    structure, lifted = found.structure, found.lift(problem)
    program = Program()
    different = [c for c in structure.constraints if isinstance(c, AllDifferent)]
    valued = {v for c in different for v in c.scope}
    gapped: list[tuple[int, Sequence[int]]] = []
    values: Sequence[int]
    for variable, own in enumerate(structure.names):
        values = lifted.values(variable)
        if not values:
            program.new(own, 0, 0)
            program.fail()
            continue
        program.new(own, values[0], values[-1])
        if variable in valued or values[-1] - values[0] + 1 > len(values):
            gapped.append((variable, values))
    for variable, values in gapped:
        if variable in valued:
            program.give_values(variable, values)
        else:
            program.restrict(variable, values)
    for constraint in structure.constraints:
        if isinstance(constraint, AllDifferent):
            program.differ([v for v in constraint.scope if v in program.values])
            continue
        assert isinstance(constraint, Linear)
        terms = list(zip(constraint.coefficients, constraint.terms, strict=True))
        program.post(terms, constraint.relation, constraint.constant)
    objective = structure.objective
    if objective is not None:
        program.maximise = objective.sense == "maximize"
        pairs = zip(objective.coefficients, objective.scope, strict=True)
        program.objective = [(factor, v) for factor, v in pairs if factor]
    _check_numbers(program, name)
    _rename(program, problem.structure.size)
    return program


def _holds(relation: str, constant: int) -> bool:
    """Whether 0 is so related to a number."""
    return {"<=": constant >= 0, ">=": constant <= 0, "==": constant == 0}[relation]


def _check_numbers(program: Program, name: str) -> None:
    """Refuse what a double does not hold."""
    for called, bounds in zip(program.names, program.bounds, strict=True):
        if max(map(abs, bounds)) > LARGEST:
            raise ModelError(
                f"the problem cannot be written as {name}: {called} reaches beyond {LARGEST}, and "
                "solvers would read another number"
            )
    rows = [*program.rows, (program.objective or [], "", 0)]
    for terms, _, constant in rows:
        if any(abs(factor) > LARGEST for factor, _ in terms) or abs(constant) > LARGEST:
            raise ModelError(
                f"the problem cannot be written as {name}: a number of a sum of {len(terms)} "
                f"terms is beyond {LARGEST}, and solvers would read another one"
            )


def _rename(program: Program, declared: int) -> None:
    """Give each variable a name that both formats take, its own where that is one.

    A comment says which is which of those that the problem has.
    """
    taken: set[str] = set()
    for variable, name in enumerate(program.names):
        plain = re.sub(r"[^A-Za-z0-9_.]", "_", name)[:100]
        if not _is_name(plain):
            plain = f"v_{plain}"[:100]
        if plain.lower() in taken:
            others = map(f"{plain[:90]}_{{}}".format, count(2))
            plain = next(other for other in others if other.lower() not in taken)
        taken.add(plain.lower())
        if plain != name and variable < declared:
            program.comments.append(f"{plain} is {json.dumps(name)}")
        program.names[variable] = plain


def _is_name(name: str) -> bool:
    plain = _PLAIN_NAME.fullmatch(name) and not _NUMBER_LIKE.fullmatch(name)
    return bool(plain) and name.lower() not in _WORDS
