"""Reads DIMACS CNF: a formula as clauses, also with the variables that a count is projected on.

    c a comment
    p cnf VARIABLES CLAUSES
    1 -2 0
    c p show 1 2 0

Variable ``k`` is called ``xk`` and is 0 or 1; the clauses are one ``Clauses`` over all of them.
``c p show`` (model counting competition) and ``c ind`` (older) name the ``output``, on one line or
on several. Weights of weighted counting (``c p weight``) are comments like any other. A clause may
continue on further lines. A line ``%`` ends the file, as in SATLIB.

A literal of a variable beyond the header is an error, as for most solvers. Fewer clauses than the
header announces are an error, because the file is cut short. More are an error too: solvers that
stop after the announced number answer another question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from modelling.errors import InstanceError
from modelling.formats.booleans import check_variables, names_of
from modelling.formats.dimacs.numbers import Data, numbers_in, place, without_comments
from modelling.problem import Problem, Structure
from modelling.vocabulary.formulas.clauses import Block, Clauses

_HEADER = re.compile(rb"[ \t]*p[ \t]+(\S+)[ \t]*([^\r\n]*)")
_PERCENT = re.compile(rb"^[ \t]*%", re.MULTILINE)
_SHOWN = re.compile(rb"[ \t]*c[ \t]+(?:p[ \t]+show|ind)(?![^\s])([^\n]*)")


def read(data: bytes, source: str) -> Problem:
    """The problem that a file states. Raises InstanceError, which says where and why."""
    shown = ProjectionComments(data, source)
    plain = without_comments(data, shown.tell)
    body, (variables, clauses), header = read_header(plain, source, b"cnf", (2,))
    check_variables(variables, len(data), lambda: place(data, header, source))
    end = _end(plain, body, source)
    pieces: list[Any] = []
    for numbers in numbers_in(plain, body, end, source):
        beyond = abs(numbers.values) > variables
        if beyond.any():
            at = int(numbers.starts[beyond.argmax()])
            raise InstanceError(
                f"a literal of a variable beyond the {variables} of the header; correct one of "
                "the two",
                place(data, at, source),
            )
        pieces.append(numbers.values.astype("<i4"))
    found = np.concatenate(pieces) if pieces else np.zeros(0, "<i4")
    pieces.clear()
    if len(found) and found[-1]:
        raise InstanceError(
            "the last clause is not ended by a 0", place(data, len(plain[:end].rstrip()), source)
        )
    block = Block.of_numbers(found)
    check_clauses(clauses, len(block), place(data, header, source))
    return Structure(
        names_of(variables),
        ((0, 1),) * variables,
        (Clauses(tuple(range(variables)), block),) if len(block) else (),
        output=shown.output(variables),
    ).problem()


def check_clauses(announced: int, found: int, where: str) -> None:
    """Refuse a file with fewer clauses, or more."""
    if found != announced:
        what = "missing" if found < announced else "too much"
        raise InstanceError(
            f"the header announces {announced} clauses, and the file has {found}; look for what is "
            f"{what}, or correct the header",
            where,
        )


def read_header(
    plain: Data, source: str, kind: bytes, lengths: Sequence[int]
) -> tuple[int, list[int], int]:
    """Where the body begins, the numbers of the header, and where the header begins.

    ``lengths`` are the counts of numbers that a header may have.
    """
    start = len(plain) - len(plain.lstrip())
    found = _HEADER.match(plain, start)
    form = f"p {kind.decode()} VARIABLES CLAUSES"
    if found is None:
        raise InstanceError(
            f"the header is missing; the first line that is no comment must be {form!r}",
            place(plain, start, source),
        )
    words = found[2].split()
    if found[1] != kind or len(words) not in lengths or not all(w.isdigit() for w in words):
        text = found[0].decode("ascii", "backslashreplace")[:80]
        raise InstanceError(
            f"the header {text!r} is not of the form {form!r}", place(plain, start, source)
        )
    if max(map(len, words)) > 4000:
        raise InstanceError("a number of the header is too long", place(plain, start, source))
    return found.end(), list(map(int, words)), start


def _end(plain: Data, body: int, source: str) -> int:
    """Where the clauses end: at a line that begins with %, if there is one."""
    found = _PERCENT.search(plain, body) if plain.find(b"%", body) >= 0 else None
    if found is None:
        return len(plain)
    rest = plain[found.end() :].split()
    if rest not in ([], [b"0"]):
        raise InstanceError(
            "a line % ends the file, and more than a 0 follows", place(plain, found.end(), source)
        )
    return found.start()


class ProjectionComments:
    """The variables of the output, as comments name them."""

    def __init__(self, data: bytes, source: str) -> None:
        self.data = data
        self.source = source
        self.named: dict[int, int] | None = None

    def tell(self, text: bytes, offset: int) -> None:
        """A comment."""
        found = _SHOWN.match(text)
        if found is None:
            return
        self.named = {} if self.named is None else self.named
        words = found[1].split()
        if words and words[-1] == b"0":
            words.pop()
        for word in words:
            if not word.isdigit() or len(word) > 9 or not int(word):
                what = word.decode("ascii", "backslashreplace")[:40]
                raise InstanceError(
                    f"{what!r} is no variable to show", place(self.data, offset, self.source)
                )
            self.named.setdefault(int(word), offset)

    def output(self, variables: int) -> tuple[int, ...] | None:
        """The output of a structure with this number of variables.

        None where all are shown, or where the file has no such comment.
        """
        if self.named is None:
            return None
        for variable, offset in self.named.items():
            if variable > variables:
                raise InstanceError(
                    f"variable {variable} is to be shown, and the header has {variables}",
                    place(self.data, offset, self.source),
                )
        if len(self.named) == variables:
            return None
        return tuple(variable - 1 for variable in self.named)
