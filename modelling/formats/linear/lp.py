"""The LP format of CPLEX, read (``lp_reading``) and written: ``Minimize``, ``Subject To``,
``Bounds``, ``General``, ``Binary``.

Names are letters, digits, ``_`` and ``.``; others are replaced, and a comment says which is which.
"""

from __future__ import annotations

from collections.abc import Iterator

from modelling.formats.linear.lp_reading import read
from modelling.formats.linear.program import PROFILE, Program, Terms, program_of
from modelling.problem import Problem

__all__ = ["PROFILE", "read", "write"]

WIDTH = 12
"""Most terms of a line."""

_RELATIONS = {"==": "=", "<=": "<=", ">=": ">="}


def write(problem: Problem) -> Iterator[str]:
    """The problem as text in pieces. ModelError names what the format cannot say."""
    return _pieces(program_of(problem, "LP"))


def _pieces(program: Program) -> Iterator[str]:
    for comment in program.comments:
        yield f"\\ {comment}\n"
    if not program.names:
        program.new("_none", 0, 0)
    names = program.names
    objective = program.objective or [(0, 0)]
    yield f"{'Maximize' if program.maximise else 'Minimize'}\n obj: {_sum(objective, names)}\n"
    yield "Subject To\n"
    for number, (terms, relation, constant) in enumerate(program.rows, 1):
        yield f" c{number}: {_sum(terms, names)} {_RELATIONS[relation]} {constant}\n"
    yield "Bounds\n"
    binary = [bounds == (0, 1) for bounds in program.bounds]
    for name, (low, high), is_binary in zip(names, program.bounds, binary, strict=True):
        if low == high:
            yield f" {name} = {low}\n"
        elif not is_binary:
            yield f" {low} <= {name} <= {high}\n"
    for title, wanted in (("General", False), ("Binary", True)):
        chosen = [n for n, is_binary in zip(names, binary, strict=True) if is_binary is wanted]
        if chosen:
            yield f"{title}\n"
        for begin in range(0, len(chosen), WIDTH):
            yield f" {' '.join(chosen[begin : begin + WIDTH])}\n"
    yield "End\n"


def _sum(terms: Terms, names: list[str]) -> str:
    """``3 x - 2 y``, on several lines where it is long."""
    written = [
        f"{'-' if factor < 0 else '+'} {abs(factor)} {names[variable]}"
        for factor, variable in terms
    ]
    lines = [" ".join(written[k : k + WIDTH]) for k in range(0, len(written), WIDTH)]
    return "\n  ".join(lines).removeprefix("+ ")
