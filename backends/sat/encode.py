"""Structures as formulas: the direct encoding, and its extension by implied clauses.

Words
-----
one-hot     a Boolean per variable and value of its base domain, exactly one of them true; they are
            the first Booleans of the formula, in the order of variables and values
direct      the one-hot Booleans and what the constraints mean, no more (de Kleer 1989, Walsh 2000)
extended    besides, for an AllDifferent with as many values as variables, that each value is
            taken (what Lynce and Ouaknine, 2006, add for Sudoku); with fewer values than variables,
            the empty clause, since resolution alone is slow to count pigeons

An encoding depends on the structure alone; an instance adds the literals of its givens.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import accumulate
from operator import getitem, itemgetter

from backends.interface.handlers import Handler, Handlers, post
from backends.sat.at_most_one import AtMostOne, most_clauses
from backends.sat.cnf import Clause, Cnf, Literals
from backends.sat.diagram import Term, most_edges
from backends.sat.linear import linear
from backends.sat.table import allow, forbid
from modelling.constraints import AllDifferent, Constraint, Linear, NotEqual, Table
from modelling.problem import Assignment, Problem, Structure


@dataclass(frozen=True, eq=False)
class Encoding:
    """A structure as a formula; compared by identity, so that an engine can keep a solver by it.

    ``first[i]`` is the literal of variable ``i``'s first value, the rest follow on; ``values[l]``
    is the value that literal ``l`` stands for (``values[0]`` is unused); ``one_hot`` is the number
    of those literals and ``top`` that of all variables of the formula. ``by_mask[i]`` says for
    variable ``i`` what the usual masks mean: one value open, its literal; all of them, 0.
    """

    first: tuple[int, ...]
    values: tuple[int, ...]
    one_hot: int
    top: int
    clauses: list[Clause]
    full_masks: tuple[int, ...]
    by_mask: tuple[dict[int, int], ...]


@dataclass(eq=False)
class Draft:
    """A formula that is being written: the one-hot Booleans of each variable, and the rest."""

    structure: Structure
    at_most_one: AtMostOne
    extended: bool
    cnf: Cnf
    first: tuple[int, ...]
    variables: list[Literals]

    def scope(self, constraint: Constraint) -> list[Literals]:
        """The one-hot Booleans of a constraint's variables."""
        return [self.variables[v] for v in constraint.scope]


def begin(structure: Structure, at_most_one: AtMostOne, extended: bool) -> Draft:
    """The formula of the variables alone."""
    cnf = Cnf()
    sizes = [len(domain) for domain in structure.domains]
    first = tuple(accumulate(sizes, initial=1))[:-1]
    cnf.top = sum(sizes)
    variables: list[Literals] = [
        {value: start + k for k, value in enumerate(domain)}
        for start, domain in zip(first, structure.domains, strict=True)
    ]
    for literals in variables:
        cnf.add(list(literals.values()))
        at_most_one(cnf, list(literals.values()))
    return Draft(structure, at_most_one, extended, cnf, first, variables)


def finish(draft: Draft) -> Encoding:
    """The formula as it stands."""
    cnf, structure, one_hot = draft.cnf, draft.structure, sum(map(len, draft.variables))
    if not cnf.top:
        cnf.add([cnf.new()])  # some solvers stumble over a formula without variables
    return Encoding(
        draft.first,
        (0, *(value for domain in structure.domains for value in domain)),
        one_hot,
        cnf.top,
        cnf.clauses,
        structure.full_masks,
        tuple(map(_by_mask, draft.first, structure.full_masks)),
    )


def encode(structure: Structure, at_most_one: AtMostOne, extended: bool) -> Encoding:
    """The formula of a structure that ``HANDLERS`` take.

    Raises ``TooLarge`` for a formula of more than ``cnf.MOST_CLAUSES`` clauses.
    """
    draft = begin(structure, at_most_one, extended)
    post(HANDLERS, draft, structure, "sat")
    return finish(draft)


def _by_mask(first: int, full: int) -> dict[int, int]:
    return {**{1 << k: first + k for k in range(full.bit_length())}, full: 0}


def strengthened(encoding: Encoding, structure: Structure, extra: Linear) -> Encoding:
    """The encoding of ``structure`` with one more Linear; ``encoding`` is left as it is."""
    cnf = Cnf()
    cnf.clauses = encoding.clauses.copy()
    cnf.top = encoding.top
    scope: list[Literals] = [
        {value: encoding.first[v] + k for k, value in enumerate(structure.domains[v])}
        for v in extra.scope
    ]
    linear(cnf, scope, extra.coefficients, extra.relation, extra.constant)
    return Encoding(
        encoding.first,
        encoding.values,
        encoding.one_hot,
        cnf.top,
        cnf.clauses,
        encoding.full_masks,
        encoding.by_mask,
    )


def givens(encoding: Encoding, problem: Problem) -> list[int]:
    """What the masks of an instance say: its fixed values as literals, its closed ones negated."""
    if problem.masks == encoding.full_masks:
        return []
    try:
        return list(filter(None, map(getitem, encoding.by_mask, problem.masks)))
    except KeyError:
        return _givens(encoding, problem)


def _givens(encoding: Encoding, problem: Problem) -> list[int]:
    """The same for an instance that closes some values of a variable and leaves several open."""
    literals = []
    masks = zip(encoding.first, problem.masks, encoding.full_masks, strict=True)
    for first, mask, full in masks:
        if mask == full:
            continue
        if mask and not mask & (mask - 1):
            literals.append(first + mask.bit_length() - 1)
            continue
        closed = full & ~mask
        while closed:
            lowest = closed & -closed
            literals.append(-(first + lowest.bit_length() - 1))
            closed ^= lowest
    return literals


def _all_different(draft: Draft, constraint: AllDifferent) -> None:
    cnf, scope = draft.cnf, draft.scope(constraint)
    takers: dict[int, list[int]] = {}
    for literals in scope:
        for value, literal in literals.items():
            takers.setdefault(value, []).append(literal)
    for literals_of_value in takers.values():
        draft.at_most_one(cnf, literals_of_value)
        if draft.extended and len(takers) == len(scope):
            cnf.add(literals_of_value)
    if draft.extended and len(takers) < len(scope):
        cnf.add([])


def _not_equal(draft: Draft, constraint: NotEqual) -> None:
    one, other = draft.scope(constraint)
    for value in one.keys() & other.keys():
        draft.cnf.exclude(one[value], other[value])


def _linear(draft: Draft, constraint: Linear) -> None:
    scope, factors = draft.scope(constraint), constraint.coefficients
    linear(draft.cnf, scope, factors, constraint.relation, constraint.constant)


def _table(draft: Draft, constraint: Table) -> None:
    pose = allow if constraint.allowed else forbid
    pose(draft.cnf, draft.scope(constraint), constraint.tuples)


HANDLERS: Handlers = {
    AllDifferent: Handler(_all_different),
    NotEqual: Handler(_not_equal),
    Linear: Handler(_linear),
    Table: Handler(_table),
}


# --- models as values ---------------------------------------------------------------------------


def chosen(model: list[int], one_hot: int) -> list[int]:
    """The positive ones among the first ``one_hot`` literals of a model: the variables' order."""
    return [literal for literal in model[:one_hot] if literal > 0]


def values(encoding: Encoding, literals: list[int]) -> Assignment:
    """The values that chosen literals stand for, in the structure's order."""
    if len(literals) < 2:
        return tuple([encoding.values[literal] for literal in literals])
    found: Assignment = itemgetter(*literals)(encoding.values)
    return found


# --- how large a formula becomes, without writing it --------------------------------------------


def most_clauses_of(structure: Structure, amo: str) -> int:
    """At least as many clauses as ``encode`` writes with the at-most-one encoding ``amo``."""
    values = sum(1 + most_clauses(amo, len(domain)) for domain in structure.domains)
    return 1 + values + sum(_of(c, structure, amo) for c in structure.constraints)


def _of(constraint: Constraint, structure: Structure, amo: str) -> int:
    domains = [structure.domains[v] for v in constraint.scope]
    match constraint:
        case AllDifferent():
            takers = Counter(value for domain in domains for value in domain)
            return 1 + sum(1 + most_clauses(amo, n) for n in takers.values())
        case NotEqual():
            return min(map(len, domains))
        case Linear():
            pairs = zip(constraint.coefficients, domains, strict=True)
            terms = [Term(0, factor, domain) for factor, domain in pairs if factor and domain]
            return 1 + 3 * most_edges(terms)
        case Table():
            row = 1 + len(domains) if constraint.allowed else 1
            return 1 + len(constraint.tuples) * row + sum(map(len, domains))
        case _:
            raise AssertionError(f"{type(constraint).__name__} was not rewritten")
