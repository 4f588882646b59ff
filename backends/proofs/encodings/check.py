"""The check of an encoding: no solution of the problem is lost in the clauses of a refutation.

How each group is checked
-------------------------
a clause of pins    the assignments that it excludes are enumerated, on its variables and on those
                    of one constraint at a time: each has to break a constraint, or to be a solution
                    that is excluded anyway. Where these are too many, the second engine says that
                    the constraint has no solution among them (``boxes``)
other clauses       the assignments of its variables that keep the constraints over them are
                    enumerated: each has to extend to the clauses. Where these are too many, the
                    literals without owner are resolved away, and the clauses that are left are
                    checked as those of pins (``linked``)
inequalities        see ``inequalities``
added variables     every value of their definitions is in their domains (``rewriting``)

An assignment that fails is asked of the second engine, of one constraint and then of the whole
problem. If that finds a solution there, the clauses are wrong, by a checked solution.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Sized
from functools import partial
from typing import NamedTuple

from backends.interface.proofs import EncodingState, Refutation, Row
from backends.proofs.encodings.boxes import check_box, check_clause
from backends.proofs.encodings.groups import Clause, Owners, split
from backends.proofs.encodings.inequalities import check_inequalities
from backends.proofs.encodings.inquiry import Doubt, Inquiry, Wrong
from backends.proofs.encodings.linked import check_linked
from backends.proofs.encodings.meaning import Condition, Meaning
from backends.proofs.encodings.rewriting import check_added, check_constraints, derive_conditions
from backends.proofs.encodings.second import SECOND
from modelling.constraints import Linear
from modelling.errors import ConcordError
from modelling.problem import Problem
from modelling.vocabulary.comparisons import RELATIONS

MOST_CLAUSES = 300_000
"""A longer formula is not looked at."""


class EncodingCheck(NamedTuple):
    """What became of it, and by what means, or why not."""

    state: EncodingState
    said: str = ""


def check_encoding(one: Refutation, problem: Problem, until: float) -> EncodingCheck:
    """Whether a refutation's clauses, or the constraints in place of them, lose no solution.

    ``until`` is a time of ``perf_counter``; what is not checked by then is unchecked.
    """
    if one.rewritten is None or (one.model is None and one.literals is None):
        return EncodingCheck("unchecked", "the backend does not say what its literals mean")
    meaning = Meaning(problem, one.rewritten, tuple(_bounds(one, problem)))
    try:
        inquiry = Inquiry(one, problem, until, meaning)
        _check_all(inquiry)
    except Doubt as doubt:
        return EncodingCheck("unchecked", str(doubt))
    except Wrong as wrong:
        return EncodingCheck("wrong", str(wrong))
    except ConcordError as error:  # of the second engine, or of a value beyond all bounds
        return EncodingCheck("unchecked", f"{type(error).__name__}: {error}")
    return EncodingCheck("agreed" if inquiry.asked else "enumerated", _describe(inquiry))


def _describe(inquiry: Inquiry) -> str:
    """By what means, for the record."""
    by = f", of {inquiry.asked} {SECOND} said it" if inquiry.asked else ""
    kind = "clauses" if inquiry.one.rows is None else "inequalities"
    return f"{inquiry.groups} groups of {kind}{by}"


def _bounds(one: Refutation, problem: Problem) -> Iterator[Condition]:
    """What the refutation says of the objective."""
    objective = problem.structure.objective
    if objective is None or (one.than is None and one.value is None):
        return
    if one.value is not None:
        relation, constant = "==", one.value
    else:
        assert one.than is not None
        relation, constant = "<" if objective.sense == "minimize" else ">", one.than
    if objective.is_linear:
        bound = Linear(objective.scope, objective.coefficients, relation, constant)
        yield Condition(tuple(bound.scope), bound.holds, bound)
        return
    scope, full = tuple(objective.scope), [0] * problem.structure.size

    def holds(values: Sequence[int]) -> bool:
        for variable, value in zip(scope, values, strict=True):
            full[variable] = value
        return RELATIONS[relation](objective.value(full), constant)

    yield Condition(scope, holds)


def _check_all(inquiry: Inquiry) -> None:
    """Check everything; raises ``Doubt`` or ``Wrong``."""
    one = inquiry.one
    check_added(inquiry)
    derive_conditions(inquiry)
    if one.rows is not None:
        _check_rows(inquiry, one.rows())
    elif one.model is not None:
        check_constraints(inquiry)
    else:
        _check_clauses(inquiry)


def _check_clauses(inquiry: Inquiry) -> None:
    one = inquiry.one
    _mind_the_number(sum(len(part) for part in one.clauses if isinstance(part, Sized)), "clauses")
    _own(inquiry)
    clauses: list[Clause] = [c for part in one.clauses for c in part]
    found = split([*clauses, *_blocks(one)], inquiry.owners)
    for clause in dict.fromkeys(tuple(sorted(clause)) for clause in found.plain):
        inquiry.settle(partial(check_clause, inquiry, clause))
    for group in found.linked:
        inquiry.settle(partial(check_linked, inquiry, group))


def _check_rows(inquiry: Inquiry, rows: Sequence[Row]) -> None:
    _mind_the_number(len(rows), "inequalities")
    _own(inquiry)
    check_inequalities(inquiry, rows)


def _mind_the_number(number: int, what: str) -> None:
    if number > MOST_CLAUSES:
        raise Doubt(f"{number:,} {what} are too many to be checked")


def _own(inquiry: Inquiry) -> None:
    """Which Booleans belong to which variables; those that share one agree on it."""
    inquiry.owners = Owners(_known_pins(inquiry))
    for boolean, variables in inquiry.owners.shared():
        _check_shared(inquiry, boolean, variables)


def _known_pins(inquiry: Inquiry) -> list[Mapping[int, Clause]]:
    assert inquiry.one.literals is not None
    pins = inquiry.one.literals()
    return [by if inquiry.meaning.is_known(v) else {} for v, by in enumerate(pins)]


def _check_shared(inquiry: Inquiry, boolean: int, variables: list[int]) -> None:
    """Variables that share a Boolean agree on it in every solution."""
    one, owners = variables[0], inquiry.owners
    for other in variables[1:]:
        for literal in (boolean, -boolean):
            box = {one: owners.values(one, literal), other: owners.values(other, -literal)}
            inquiry.settle(partial(check_box, inquiry, box, "two variables share a literal"))


def _blocks(one: Refutation) -> Iterator[Clause]:
    """The clauses of arrays that are not, number by number, those of a constraint."""
    rows = set[Clause]()
    for block in one.blocks:
        rows.update(_rows(block.tolist()))
    _mind_the_number(len(rows), "clauses")
    yield from rows


def _rows(numbers: list[int]) -> Iterator[Clause]:
    start = 0
    for place, number in enumerate(numbers):
        if not number:
            yield tuple(numbers[start:place])
            start = place + 1
