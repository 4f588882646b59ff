"""What an integer program is given natively: sums, values that differ, tables and clauses.

A comparison of one variable, or ``!=`` of two, is said by the literals of their values where these
are few: that is tighter than what a large factor ("big M") says. Some columns that are made here
do not follow from the others, so sessions distinguish solutions by variables of the problem.
"""

from __future__ import annotations

from backends.integer_programs.draft import FEW, IntegerProgramDraft
from backends.interface.handlers import Condition, Handler, Handlers
from backends.interface.libraries.literals import find_takers
from modelling.constraints import AllDifferent, Linear, NotEqual, Table
from modelling.formats.linear.program import has_few_values
from modelling.rewriting.profile import Mode, Variables
from modelling.terms import ANY
from modelling.vocabulary.comparisons import OPPOSITES, RELATIONS
from modelling.vocabulary.formulas.clauses import Clauses

ALL: tuple[Mode, ...] = ("root", "half", "full")

SMALL = 50
"""Most values of variables whose pairs are listed, or whose values a bound is said by."""

MOST_CELLS = 200_000
"""Most values in a table that has a column for each row."""


def linear(
    draft: IntegerProgramDraft, constraint: Linear, condition: Condition | None = None
) -> None:
    """A row; under a condition by a large factor; of one or two variables by their values."""
    pairs = zip(constraint.coefficients, constraint.terms, strict=True)
    terms = [(factor, variable) for factor, variable in pairs if factor]
    relation, constant = constraint.relation, constraint.constant
    when = None if condition is None else draft.literal(condition.variable, condition.value)
    full = condition is not None and condition.full
    if not terms:
        if not RELATIONS[relation](0, constant):
            draft.any_of(() if when is None else (-when,))
        elif full and when is not None:
            draft.any_of((when,))
    elif len(terms) == 1 and _is_by_values(draft, relation, terms[0][1]):
        _of_one(draft, terms[0], relation, constant, when, full)
    else:
        _compare(draft, terms, relation, constant, when)
        if full and when is not None:
            _compare(draft, terms, OPPOSITES[relation], constant, -when)


def _is_by_values(draft: IntegerProgramDraft, relation: str, variable: int) -> bool:
    most = FEW if relation in ("==", "!=") else SMALL
    return variable in draft.ones or len(draft.domains[variable]) <= most


def _of_one(
    draft: IntegerProgramDraft,
    term: tuple[int, int],
    relation: str,
    constant: int,
    when: int | None,
    full: bool,
) -> None:
    """One of the values that do it."""
    factor, variable = term
    holds = RELATIONS[relation]
    does = [
        (1, literal)
        for value, literal in draft.literals(variable).items()
        if holds(factor * value, constant)
    ]
    if when is None:
        draft.row(does, "==", 1)
    else:
        draft.row([*does, (-1, when)], "==" if full else ">=", 0)


def _compare(
    draft: IntegerProgramDraft,
    terms: list[tuple[int, int]],
    relation: str,
    constant: int,
    when: int | None,
) -> None:
    sizes = [len(draft.domains[variable]) for _, variable in terms]
    if relation == "!=" and len(terms) == 2 and max(sizes) <= SMALL:
        _apart(draft, terms, constant, when)
    else:
        draft.compare(terms, relation, constant, when)


def _apart(
    draft: IntegerProgramDraft, terms: list[tuple[int, int]], constant: int, when: int | None
) -> None:
    """No two values have that sum."""
    (a, one), (b, other) = terms
    others = draft.literals(other)
    for value, literal in draft.literals(one).items():
        rest, remainder = divmod(constant - a * value, b)
        if not remainder and rest in others:
            draft.any_of([-literal, -others[rest], *(() if when is None else (-when,))])


def not_equal(draft: IntegerProgramDraft, constraint: NotEqual) -> None:
    """The difference is not 0."""
    one, other = constraint.scope
    _compare(draft, [(1, one), (-1, other)], "!=", 0, None)


def all_different(draft: IntegerProgramDraft, constraint: AllDifferent) -> None:
    """Each value at most once, and once where there are as many values as variables."""
    takers = find_takers(map(draft.values, constraint.terms), constraint.except_)
    every = len(takers) == len(constraint.terms) and not constraint.except_
    for literals in takers.values():
        if every or len(literals) > 1:
            draft.row([(1, literal) for literal in literals], "==" if every else "<=", 1)


def table(draft: IntegerProgramDraft, constraint: Table) -> None:
    """A column for each row of which one is 1; or no row that is forbidden."""
    ones = [draft.values(term) for term in constraint.terms]
    rows = constraint.rows_among(ones)
    if not constraint.allowed:
        for row in rows:
            draft.any_of(-of[value] for value, of in zip(row, ones, strict=True))
        return
    chosen = [draft.program.new("row", 0, 1) + 1 for _ in rows]
    draft.row([(1, one) for one in chosen], "==", 1)
    for place, of in enumerate(ones):
        having: dict[int, list[tuple[int, int]]] = {value: [] for value in of}
        for one, row in zip(chosen, rows, strict=True):
            having[row[place]].append((1, one))
        for value, literal in of.items():
            draft.row([*having[value], (-1, literal)], "==", 0)


def is_listed(constraint: Table, variables: Variables) -> bool:
    """Whether a table has few cells, all of them known, and variables with few values."""
    rows = constraint.tuples
    return (
        len(rows) * len(constraint.scope) <= MOST_CELLS
        and all(len(variables.domains[v]) <= FEW for v in constraint.scope)
        and not any(value is ANY for row in rows for value in row)
    )


def clauses(draft: IntegerProgramDraft, constraint: Clauses) -> None:
    """A literal of each holds."""
    zero = [draft.values(term).get(0, -draft.true) for term in constraint.terms]
    for clause in constraint.literals:
        draft.any_of([-zero[x - 1] if x > 0 else zero[-x - 1] for x in clause])


HANDLERS: Handlers = {
    Linear: Handler(linear, ALL),
    NotEqual: Handler(not_equal),
    AllDifferent: Handler(all_different, when=has_few_values, repeats=False, arguments="affine"),
    Table: Handler(table, when=is_listed, repeats=False, arguments="affine"),
    Clauses: Handler(clauses, repeats=False, arguments="affine"),
}
