"""Reads WCNF: clauses that must hold, and clauses that cost their weight where they do not.

    p wcnf VARIABLES CLAUSES TOP        h 1 -2 0
    9 1 -2 0                            3 2 0
    3 2 0

The left example has the old form: a clause whose weight is at least TOP must hold; without TOP none
must. The right one has the new form, without a header: a clause that begins with h must hold, and
the greatest variable in the file is the last. In the new form each clause is on one line. No header
announces the number of clauses, so a missing 0 would join two of them without an error. The cost,
the sum of the weights of clauses that are false, is minimised. Weights are integers from 1 up, of
any length.

``c concord objective = 12 - cost``, a comment of Concord's own writer, says that this is the
objective and is maximised; ``12 + cost`` is minimised.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from modelling.constraint import Constraint
from modelling.constraints import And, Sum, Truth, equals
from modelling.errors import InstanceError
from modelling.formats.booleans import check_variables, names_of
from modelling.formats.dimacs.cnf import check_clauses, read_header
from modelling.formats.dimacs.numbers import HARD, LONG, Data, numbers_in, place, without_comments
from modelling.problem import Objective, Problem, Structure
from modelling.terms import Affine, Term, constant
from modelling.vocabulary.formulas.clauses import Block, Clauses

MOST_DIGITS = 4000
"""A weight of more digits is refused; Python's own limit is 4300."""


_OBJECTIVE = re.compile(
    rb"c[ \t]+concord[ \t]+objective[ \t]*=[ \t]*(-?[0-9]{1,4000})[ \t]*([+-])[ \t]*cost\b"
)


class File(NamedTuple):
    """The numbers of a file and where each begins; ``first`` and ``last`` are the places of the
    weights and of the zeros. ``top`` is None where only h makes a clause hard."""

    data: Data
    source: str
    values: Any
    starts: Any
    first: Any
    last: Any
    top: int | None

    def fail(self, cause: str, number: int) -> InstanceError:
        """What is wrong with a number."""
        return InstanceError(cause, place(self.data, int(self.starts[number]), self.source))


def read(data: bytes, source: str) -> Problem:
    """The problem that a file states. Raises InstanceError, which says where and why."""
    if not data.strip():
        raise InstanceError("the file is empty", place(data, 0, source))
    told = ObjectiveComment()
    plain = without_comments(data, told.tell)
    old = plain.lstrip()[:1] == b"p"
    body, header, sizes = 0, 0, [0, 0]
    top: int | None = None
    if old:
        body, sizes, header = read_header(plain, source, b"wcnf", (2, 3))
        check_variables(sizes[0], len(data), lambda: place(data, header, source))
        top = sizes[2] if len(sizes) == 3 else None
        if top is not None and top < 1:
            raise InstanceError("TOP is at least 1", place(data, header, source))
    file = _clauses(plain, body, source, old, top)
    if old:
        check_clauses(sizes[1], len(file.first), place(data, header, source))
    variables = _check_literals(file, sizes[0] if old else None)
    check_variables(variables, len(data), lambda: place(data, 0, source))
    must = _must_hold(file, old)
    within = np.repeat(must, file.last - file.first + 1)
    within[file.first] = False
    hard = Block.of_numbers(file.values[within])
    constraints = (Clauses(tuple(range(variables)), hard),) if len(hard) else ()
    return Structure(
        names_of(variables), ((0, 1),) * variables, constraints, _cost(_soft(file, must), told)
    ).problem()


def _clauses(plain: Data, body: int, source: str, old: bool, top: int | None) -> File:
    """The numbers of a file by clauses, each of which has a weight or h."""
    pieces = list(numbers_in(plain, body, len(plain), source, hard=not old))
    values = np.concatenate([piece.values for piece in pieces] or [np.zeros(0, np.int64)])
    starts = np.concatenate([piece.starts for piece in pieces] or [np.zeros(0, np.int64)])
    last = np.flatnonzero(values == 0)
    first = np.concatenate(([0], last + 1))
    file = File(plain, source, values, starts, first[:-1], last, top)
    if first[-1] < len(values):
        raise file.fail("the last clause is not ended by a 0", len(values) - 1)
    if not old:
        _check_lines(file)
    weights = values[file.first]
    low = (weights <= 0) & (weights != HARD)
    if low.any():
        raise file.fail("a weight is at least 1", int(file.first[low.argmax()]))
    return file


def _check_lines(file: File) -> None:
    """Raises InstanceError for a clause that does not end on its line."""
    ends = np.flatnonzero(np.frombuffer(file.data, np.uint8) == ord("\n"))
    begun, ended = (np.searchsorted(ends, file.starts[at]) for at in (file.first, file.last))
    over = begun != ended
    if over.any():
        cause = "a clause stands on one line, and ends with 0 there"
        raise file.fail(cause, int(file.first[over.argmax()]))


def _check_literals(file: File, announced: int | None) -> int:
    """The number of variables; InstanceError for what is not a literal."""
    literals = file.values.copy()
    literals[file.first] = 0
    if (literals == HARD).any():
        raise file.fail("h stands within a clause", int((literals == HARD).argmax()))
    most = np.iinfo(np.int32).max if announced is None else announced
    beyond = abs(literals) > most
    if beyond.any():
        raise file.fail(
            f"a literal of a variable beyond the {most} "
            + ("that are taken" if announced is None else "of the header; correct one of the two"),
            int(beyond.argmax()),
        )
    return int(abs(literals).max(initial=0)) if announced is None else announced


def _must_hold(file: File, old: bool) -> Any:
    """Which clauses are hard."""
    weights = file.values[file.first]
    if not old:
        return weights == HARD
    top = file.top
    if top is None:
        return np.zeros(len(weights), bool)
    if top < LONG:
        return weights >= top
    return np.array([_weight(file, k) >= top for k in range(len(weights))], bool)


def _weight(file: File, clause: int) -> int:
    """The weight of a clause, whatever its length."""
    number = int(file.first[clause])
    value = int(file.values[number])
    if value != LONG:
        return value
    start = int(file.starts[number])
    word = bytes(file.data[start : start + MOST_DIGITS + 1]).split(None, 1)[0]
    if len(word) > MOST_DIGITS:
        raise file.fail(f"a weight has more than {MOST_DIGITS} digits", number)
    return int(word)


def _soft(file: File, must: Any) -> Iterator[tuple[int, list[int]]]:
    """Weight and literals of each clause that need not hold."""
    for clause in np.flatnonzero(~must).tolist():
        begin, end = int(file.first[clause]) + 1, int(file.last[clause])
        yield _weight(file, clause), file.values[begin:end].tolist()


class ObjectiveComment:
    """The objective as a comment states it: ``known + sign * cost``."""

    known, sign = 0, 1

    def tell(self, text: bytes, offset: int) -> None:
        """A comment."""
        found = _OBJECTIVE.match(text)
        if found is not None:
            self.known, self.sign = int(found[1]), 1 if found[2] == b"+" else -1


def _cost(soft: Iterator[tuple[int, list[int]]], told: ObjectiveComment) -> Objective:
    """The objective: the total weight of false clauses, or what the comment makes of it."""
    terms: list[Term] = []
    weights: list[int] = []
    for weight, clause in soft:
        literals = list(dict.fromkeys(clause))
        if not any(-x in literals for x in literals):
            terms.append(_is_false(literals))
            weights.append(told.sign * weight)
    if told.known:
        terms.append(constant(told.known))
        weights.append(1)
    sense: Literal["minimize", "maximize"] = "minimize" if told.sign > 0 else "maximize"
    return Objective(sense, Sum(tuple(terms), tuple(weights)))


def _is_false(literals: Sequence[int]) -> Term:
    """1 where all literals fail, else 0."""
    if not literals:
        return constant(1)
    if len(literals) == 1:
        (x,) = literals
        return Affine(x - 1, -1, 1) if x > 0 else -x - 1
    failing: list[Constraint] = [equals(abs(x) - 1, int(x < 0)) for x in literals]
    return Truth(And(tuple(failing)))
