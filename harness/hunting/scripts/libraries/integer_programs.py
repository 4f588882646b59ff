"""Scripts for SCIP and HiGHS: columns, rows, one solution or the best one.

Enumeration is Concord's own there, so a script asks for one solution.
"""

from __future__ import annotations

from dataclasses import dataclass

from backends.integer_programs.instance import Instance
from harness.hunting.scripts.recording import Unwritable
from harness.hunting.scripts.task import Native, Task, write_sum


@dataclass(frozen=True)
class Words:
    """What a library says: each text has places for names and numbers."""

    imports: tuple[str, ...]
    begin: tuple[str, ...]
    column: str
    row: str
    sense: str
    solve: tuple[str, ...]
    values: str
    is_found: str


def write_program(task: Task, words: Words) -> Native:
    """The program of a call, in the words of a library."""
    question = task.finding.question
    if question.limit != 1:
        raise Unwritable("the search for several solutions is not the library's")
    draft, call = task.prepare()
    instance = Instance(draft, call)
    names = tuple(f"c[{k}]" for k in range(len(instance.program.bounds)))
    ends = list(instance.program.bounds)
    build = [*words.begin, f"c = [{words.column} for low, high in {ends}]"]
    for terms, relation, constant in instance.program.rows:
        total = write_sum(tuple(names[k] for _, k in terms), tuple(f for f, _ in terms))
        build.append(words.row.format(total=total, relation=relation, constant=constant))
    objective = task.problem.structure.objective
    search: list[str] = []
    if question.optimum and objective is not None:
        terms = instance.terms(objective.scope, objective.coefficients)
        total = write_sum(tuple(names[k] for _, k in terms), tuple(f for f, _ in terms))
        search.append(
            words.sense.format(
                total=total, sense=objective.sense, Sense=objective.sense.capitalize()
            )
        )
    search += [*words.solve, f"values = {words.values}"]
    size = task.problem.structure.size
    read = ", ".join(_write_reader(instance, variable) for variable in range(size))
    search.append(f"found = [({read},)] if {words.is_found} else []")
    if question.optimum and objective is not None:
        pairs = zip(objective.scope, objective.coefficients, strict=True)
        worth = " + ".join(f"{factor} * found[0][{variable}]" for variable, factor in pairs)
        search.append(f"best = {worth} if found else None")
    return Native(words.imports, tuple(build), tuple(search), ())


def _write_reader(instance: Instance, variable: int) -> str:
    """What the value of a variable is, of the columns' values."""
    column, literals, default = instance._readers[variable]
    if column is not None:
        return f"round(values[{column}])"
    text = str(default)
    for value, literal in literals.items():
        is_one = f"values[{abs(literal) - 1}] {'>' if literal > 0 else '<'} 0.5"
        text = f"({value} if {is_one} else {text})"
    return text
