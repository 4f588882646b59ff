"""MPS, read (``mps_reading``), and written in free form, with the section ``OBJSENSE`` where the
objective is maximised.

Names are as in LP. Every variable is an integer with both bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

from modelling.formats.linear.mps_reading import read
from modelling.formats.linear.program import PROFILE, Program, program_of
from modelling.problem import Problem

__all__ = ["PROFILE", "read", "write"]

_RELATIONS = {"==": "E", "<=": "L", ">=": "G"}


def write(problem: Problem) -> Iterator[str]:
    """The problem as text in pieces. ModelError names what the format cannot say."""
    return _pieces(program_of(problem, "MPS"))


def _pieces(program: Program) -> Iterator[str]:
    for comment in program.comments:
        yield f"* {comment}\n"
    if not program.names:
        program.new("_none", 0, 0)
    yield "NAME concord\n"
    if program.maximise:
        yield "OBJSENSE\n    MAX\n"
    yield "ROWS\n N obj\n"
    columns: list[list[tuple[str, int]]] = [[] for _ in program.names]
    for factor, variable in program.objective or ():
        columns[variable].append(("obj", factor))
    for number, (terms, relation, _) in enumerate(program.rows, 1):
        yield f" {_RELATIONS[relation]} c{number}\n"
        for factor, variable in terms:
            columns[variable].append((f"c{number}", factor))
    yield "COLUMNS\n    INTBEGIN 'MARKER' 'INTORG'\n"
    for name, column in zip(program.names, columns, strict=True):
        for row, factor in column or [("obj", 0)]:
            yield f"    {name} {row} {factor}\n"
    yield "    INTFINISH 'MARKER' 'INTEND'\nRHS\n"
    for number, (_, _, constant) in enumerate(program.rows, 1):
        if constant:
            yield f"    RHS c{number} {constant}\n"
    yield "BOUNDS\n"
    for name, (low, high) in zip(program.names, program.bounds, strict=True):
        if low == high:
            yield f" FX BND {name} {low}\n"
        else:
            yield f" LO BND {name} {low}\n UP BND {name} {high}\n"
    yield "ENDATA\n"
