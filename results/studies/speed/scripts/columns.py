"""The five models for integer programs: a column of 0 and 1 for each value of a variable.

``highs``, ``mathopt`` and ``scip`` have a ``Program`` each, by the functions of their library. A
solution is cut off by a row over its columns, and the model is solved anew.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import partial
from itertools import combinations, pairwise
from typing import Any

from results.studies.speed import small_models as five
from results.studies.speed.small_models import Script, Solutions, built_each_call

Choices = list[dict[int, Any]]


class Program(ABC):
    """A model of a library, whose columns and sums of them are written with its operators."""

    @abstractmethod
    def binary(self) -> Any:
        """A column of 0 and 1."""

    @abstractmethod
    def integer(self, high: int) -> Any:
        """A column from 0 to ``high``."""

    @abstractmethod
    def total(self, terms: Iterable[Any]) -> Any:
        """A sum, by the library's own function."""

    @abstractmethod
    def post(self, row: Any) -> None:
        """Add a row."""

    @abstractmethod
    def fix(self, column: Any) -> None:
        """Set a column of 0 and 1 to 1."""

    @abstractmethod
    def solve(self) -> Callable[[Any], float] | None:
        """The value of each column in a solution; None if there is none."""

    @abstractmethod
    def minimise(self, column: Any) -> Callable[[Any], float]:
        """The value of each column in the best solution."""

    def choices(self, domains: list[range]) -> Choices:
        """For each variable a column for each of its values, of which one is 1."""
        variables = [{value: self.binary() for value in domain} for domain in domains]
        for ones in variables:
            self.post(self.total(ones.values()) == 1)
        return variables

    def differ(self, variables: Choices) -> None:
        """Each value at most once."""
        for value in dict.fromkeys(value for ones in variables for value in ones):
            self.post(self.total(ones[value] for ones in variables if value in ones) <= 1)

    def solutions(self, variables: Choices, limit: int | None = None) -> Solutions:
        """Solutions until there is none, each of them cut off."""
        answers: Solutions = []
        while len(answers) != limit and (value := self.solve()):
            ones = [next(v for v, one in ones.items() if value(one) > 0.5) for ones in variables]
            answers.append(tuple(ones))
            if len(answers) != limit:
                true = [columns[v] for columns, v in zip(variables, ones, strict=True)]
                self.cut(self.total(true) <= len(true) - 1)
        return answers

    def cut(self, row: Any) -> None:
        """Add a row to a model that has been solved."""
        self.post(row)


Start = Callable[[], Program]


def place_queens(program: Program) -> Choices:
    """One in each row, at most one on each diagonal."""
    size = five.QUEENS
    columns = program.choices([range(size)] * size)
    for row in range(size):
        program.post(program.total(column[row] for column in columns) == 1)
    for sign in (1, -1):
        for line in range(-size, 2 * size):
            on = [c[line - sign * i] for i, c in enumerate(columns) if line - sign * i in c]
            if len(on) > 1:
                program.post(program.total(on) <= 1)
    return columns


def queens(start: Start) -> Solutions:
    """At most one in each row and on each diagonal."""
    program = start()
    return program.solutions(place_queens(program))


def sudoku(start: Start) -> Solutions:
    """Each value once in each unit."""
    program = start()
    cells = program.choices([range(1, 10)] * 81)
    for unit in five.UNITS:
        for value in range(1, 10):
            program.post(program.total(cells[i][value] for i in unit) == 1)
    for i, given in five.GIVENS.items():
        program.fix(cells[i][given])
    return program.solutions(cells, five.MOST_GRIDS)


def send_more(start: Start) -> Solutions:
    """One equation over the values."""
    program = start()
    letters = program.choices([range(int(x in five.LEADING), 10) for x in five.LETTERS])
    program.differ(letters)
    terms = (
        five.WEIGHTS[x] * value * one
        for x, ones in zip(five.LETTERS, letters, strict=True)
        for value, one in ones.items()
    )
    program.post(program.total(terms) == 0)
    return program.solutions(letters, 1)


def golomb(start: Start) -> Solutions:
    """A column for each value of each distance."""
    program = start()
    marks = [program.integer(five.LONGEST if i else 0) for i in range(five.MARKS)]
    for one, other in pairwise(marks):
        program.post(other - one >= 1)
    pairs = list(combinations(marks, 2))
    distances = program.choices([range(1, five.LONGEST + 1)] * len(pairs))
    for (one, other), ones in zip(pairs, distances, strict=True):
        distance = program.total(value * column for value, column in ones.items())
        program.post(other - one - distance == 0)
    program.differ(distances)
    value = program.minimise(marks[-1])
    return [tuple(round(value(mark)) for mark in marks)]


def pigeons(start: Start) -> Solutions:
    """No two in a hole."""
    program = start()
    holes = program.choices([range(1, five.HOLES + 1)] * five.PIGEONS)
    for one, other in combinations(holes, 2):
        for hole in one:
            program.post(one[hole] + other[hole] <= 1)
    return program.solutions(holes, 1)


def list_scripts(start: Start) -> list[Callable[[], Script]]:
    """The scripts of a library: queens, Sudoku, SEND + MORE, Golomb, pigeons."""
    models = (queens, sudoku, send_more, golomb, pigeons)
    return [built_each_call(partial(model, start)) for model in models]
