"""The problems of an examination: drawn ones and small puzzles, the smallest first.

The first that a solver fails on is then the smallest of those that it fails on. Drawn problems come
from the suite of conformance; puzzles can be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import prod
from typing import Any, NamedTuple

from backends.conformance.drawn_problems import drawn_problems
from modelling.constraints import AllDifferent, Constraint, Linear, Table
from modelling.problem import Problem, Structure
from puzzles.family import Instance, family
from puzzles.generators import generate
from puzzles.problem import instance

PUZZLES: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("latin", 2, {"order": 2}),
    ("latin", 3, {"order": 3}),
    ("latin", 3, {"order": 4}),
    ("queens", 1, {"size": 4, "placed": 0}),
    ("queens", 1, {"size": 5, "placed": 0}),
    ("queens", 3, {"size": 6, "placed": 1}),
    ("graph_colouring", 2, {"vertices": 4, "colours": 2, "degree": 2}),
    ("graph_colouring", 3, {"vertices": 6, "colours": 3, "degree": 3}),
    ("knapsack", 3, {"items": 4, "largest": 10}),
)
"""The family, how many are drawn, and the parameters of its generator."""

DEGENERATE = "no variables"
"""The kind of those that each examination has, however few problems are drawn."""

PLAIN = (
    "mixed",
    "free variables",
    "permutation",
    "gapped",
    "spare",
    "unsatisfiable",
    "latin",
    "dense",
    DEGENERATE,
)
"""The beginnings of the kinds of drawn problems whose smallest is the easiest to understand."""


class Posed(NamedTuple):
    """An instance, from which another process states the problem again, and the problem."""

    instance: Instance
    problem: Problem


def draw_problems(
    number: int, seed: object, vocabulary: Sequence[type[Constraint]]
) -> Sequence[Posed]:
    """So many drawn problems of a vocabulary, and the degenerate ones; the smallest first."""
    drawn = [*islice(drawn_problems(seed, vocabulary), number), *_list_degenerate(vocabulary)]
    return sorted((Posed(instance(one, kind), one) for kind, one in drawn), key=_size_of)


def _list_degenerate(vocabulary: Sequence[type[Constraint]]) -> Iterator[tuple[str, Problem]]:
    """No variables, or one variable and a constraint over none that always holds, or never."""
    yield DEGENERATE, Structure((), (), ()).problem()
    closed = AllDifferent(()), Linear((), (), "==", 1), Table((), ((),)), Table((), ())
    for constraint in closed:
        if type(constraint) in vocabulary:
            yield DEGENERATE, Structure(("x0",), ((1, 2),), (constraint,)).problem()


def draw_puzzles(seed: int) -> Sequence[Posed]:
    """Small puzzles of several families, the smallest first."""
    return sorted(
        (Posed(one, family(one.family).problem(one.text)) for one in _draw(seed)), key=_size_of
    )


def _draw(seed: int) -> Iterator[Instance]:
    for name, number, parameters in PUZZLES:
        yield from generate(family(name), number, seed=seed, **parameters)


def _size_of(posed: Posed) -> tuple[bool, int, int, int]:
    """Whether it is of a rare kind, then how many assignments, variables and constraints it has."""
    instance, problem = posed
    structure = problem.structure
    is_rare = instance.family == "problem" and not instance.name.startswith(PLAIN)
    assignments = prod(map(len, problem.domains()))
    return is_rare, assignments, structure.size, len(structure.constraints)
