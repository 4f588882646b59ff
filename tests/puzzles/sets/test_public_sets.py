"""The samples, and the large public sets where they lie beside the project, are read whole."""

import pytest

from modelling.errors import InstanceError
from puzzles.sets import instances
from puzzles.sudoku import SUDOKU
from tests.data import samples

pytestmark = pytest.mark.once


@pytest.mark.parametrize("name", samples.SETS)
def test_every_line_is_a_9x9_puzzle(name):
    number = 0
    for entry in instances(str(samples.path(name))):
        assert not isinstance(entry, InstanceError), entry
        assert len(entry.text) == 81
        if number % 50 == 0:
            problem = SUDOKU.problem(entry.text)
            assert len(problem.narrowed()) == sum(sign != "." for sign in entry.text)
        number += 1
    assert number == samples.SETS[name][0]
