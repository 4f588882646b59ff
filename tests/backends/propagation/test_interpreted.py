"""What the interpreted form has in place of functions of the kernel takes the same steps."""

import random

import pytest

from backends.interface.api import Limits, Optimum, Solutions
from backends.interface.driver import Driver
from backends.propagation.interpreted.neighbours import NODES_APART
from backends.propagation.solver import Configuration, Propagation
from modelling.constraints import AllDifferent, Linear, NotEqual
from modelling.problem import build_problem
from puzzles.family import family
from tests.backends.propagation.short_words import short_form

OPTIONS = [
    {},
    {"branching": "activity"},
    {"branching": "smallest"},
    {"restarts": "luby"},
    {"recorded": 9},
]


def colouring(vertices, colours):
    """A graph whose vertices may take some of the colours."""
    draw = random.Random(vertices)
    edges = [(x, y) for x in range(vertices) for y in range(x) if draw.random() < 0.3]
    domains = {f"v{x}": range(x % 2, colours + x % 2) for x in range(vertices)}
    return build_problem(domains, [NotEqual(edge) for edge in edges])


def square(order, watched):
    """A Latin square with rows that add up, whose sums some events wake."""
    cells = [[order * row + column for column in range(order)] for row in range(order)]
    lines = [*cells, *map(list, zip(*cells, strict=True))]
    constraints = [AllDifferent(tuple(line)) for line in lines]
    constraints += [NotEqual((0, order * order - 1))]
    for row in range(watched):
        scope = tuple(lines[row][: order - 1])
        constraints.append(Linear(scope, tuple(range(1, order)), ">=", order * (row + 2)))
    return build_problem({f"c{k}": range(order) for k in range(order * order)}, constraints)


PROBLEMS = {
    "colouring": (colouring(24, 4), Solutions(1)),
    "colouring, all": (colouring(12, 4), Solutions(60, None)),
    "square": (square(6, 0), Solutions(300, None)),
    "square and sums": (square(5, 4), Solutions(300, None)),
    "queens": (family("queens").problem("8"), Solutions(None, None)),
    "Golomb": (family("golomb").problem("5"), Optimum()),
}


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("name", PROBLEMS)
def test_interpreted_functions_take_the_steps_of_the_kernel(name, options):
    problem, ask = PROBLEMS[name]
    found = []
    for form in (None, short_form()):
        solver = Propagation("propagation", Configuration(form="pure", **options))
        solver.form = form or solver.form
        found.append(Driver("propagation", solver).solve(problem, ask, Limits(nodes=600)))
    pure, short = found
    assert pure.statistics == short.statistics
    assert pure.solutions == short.solutions


def test_lists_change_within_these_searches():
    problem, ask = PROBLEMS["square"]
    solver = Propagation("propagation", Configuration(form="pure"))
    result = Driver("propagation", solver).solve(problem, ask, Limits(nodes=600))
    assert result.statistics["nodes"] > 2 * NODES_APART
