"""Problems as texts over names, in XCSP3 or FlatZinc, and the way back to values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from backends.interface.programs.answers.reader import Garbled, Reader, integer, shorten
from modelling.constraint import Constraint
from modelling.constraints import Linear, Or, Table
from modelling.formats import find_format
from modelling.problem import Assignment, Problem

_TRUTH: Mapping[str, int] = {"true": 1, "false": 0}


class Named:
    """A text over names, in XCSP3 or FlatZinc; what is excluded is written with the rest, as a
    table of what is not allowed or as clauses. ``names`` are the identifiers of the variables, and
    ``make_reader`` makes what reads an answer."""

    def __init__(
        self,
        problem: Problem,
        optimum: bool,
        name: str,
        names: Sequence[str],
        make_reader: Callable[[], Reader],
    ) -> None:
        self._problem = _plain(problem, optimum)
        self._format = name
        self._names = names
        self._make_reader = make_reader
        self._excluded: list[tuple[int, ...]] = []
        self.cost: int | None = None
        self._on: tuple[int, ...] = ()

    def pieces(self) -> Iterator[str]:
        problem = self._problem
        if self._excluded:
            structure = problem.structure
            constraints = (*structure.constraints, *self._left_out())
            structure = replace(structure, constraints=constraints)
            problem = Problem(structure, problem.masks)
        return find_format(self._format).write(problem)

    def _left_out(self) -> Iterator[Constraint]:
        if self._format == "xcsp3" or not self._on:
            yield Table(self._on, tuple(self._excluded), allowed=False)
            return
        for row in self._excluded:
            pairs = zip(self._on, row, strict=True)
            yield Or(tuple([Linear((v,), (1,), "!=", value) for v, value in pairs]))

    def reader(self, in_file: bool) -> Reader:
        return self._make_reader()

    def values(self, sighting: Mapping[str, str]) -> Assignment:
        problem = self._problem
        found = []
        for variable, name in enumerate(self._names):
            word = sighting.get(name)
            if word is None or word == "*":  # any value will do, if the solver has it right
                found.append(problem.values(variable)[0])
                continue
            value = _TRUTH[word] if word in _TRUTH else integer(word)
            if value is None:
                raise Garbled(f"a solution has {name} = {shorten(word)}")
            found.append(value)
        objective = problem.structure.objective
        if objective is not None:
            self.cost = objective.value(found)
        return tuple(found)

    def exclude(self, values: Assignment, on: Sequence[int]) -> None:
        self._on = tuple(on)
        self._excluded.append(tuple([values[v] for v in on]))


def _plain(problem: Problem, optimum: bool) -> Problem:
    """Without what is not asked for: all variables are to be shown, and the driver projects."""
    structure = problem.structure
    objective = structure.objective if optimum else None
    if structure.output is None and structure.objective is objective:
        return problem
    return Problem(replace(structure, output=None, objective=objective), problem.masks)
