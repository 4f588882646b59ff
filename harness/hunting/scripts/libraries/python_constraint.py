"""Scripts for python-constraint.

The library's own constraints are written with their numbers. A function of Concord's becomes one
that looks its values up among the rows that it allows.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from backends.python_constraint import SOLVERS
from harness.hunting.scripts.recording import Unwritable
from harness.hunting.scripts.recording import write as write_value
from harness.hunting.scripts.task import Native, Task

SUMS = {
    "ExactSumConstraint": "_exactsum",
    "MaxSumConstraint": "_maxsum",
    "MinSumConstraint": "_minsum",
}
"""The library's sums, with the attribute that has their bound."""


def write(task: Task) -> Native:
    """The library's problem, and its own search."""
    task.enumerate_for_optimum()
    forms, call = task.prepare()
    domains, names = call.problem.domains(), task.names
    chosen = SOLVERS[task.solver.choose(call.problem.structure)]
    build, kinds = [f"problem = Problem({chosen}())"], {"Problem", chosen}
    for name, domain in zip(names, domains, strict=True):
        build.append(f"problem.addVariable({write_value(name)}, {list(domain)})")
    for make, scope in forms:
        text = _write_constraint(make(), [domains[v] for v in scope])
        kinds.add(text.partition("(")[0])
        build.append(f"problem.addConstraint({text}, {write_value([names[v] for v in scope])})")
    values = write_value(list(names))
    solutions = "[problem.getSolution()]" if task.is_single else "problem.getSolutionIter()"
    search = [
        f"solutions = {solutions}",
        f"found = [tuple(map(one.get, {values})) for one in solutions if one]",
    ]
    return Native(
        (f"from constraint import {', '.join(sorted(kinds))}",), tuple(build), tuple(search), ()
    )


def _write_constraint(made: Any, domains: list[tuple[int, ...]]) -> str:
    """A constraint of the library, as it is made."""
    kind = type(made).__name__
    if kind == "AllDifferentConstraint":
        return f"{kind}()"
    if kind in SUMS:
        bound, factors = getattr(made, SUMS[kind]), made._multipliers
        return f"{kind}({bound}, {list(factors)})" if factors else f"{kind}({bound})"
    if kind == "FunctionConstraint":
        rows = [row for row in product(*domains) if made._func(*row)]
        return f"FunctionConstraint(lambda *row: row in {rows})"
    raise Unwritable(f"{kind} is a constraint of Concord's own")
