"""Four kinds of solver on the samples, and on real sets where they lie beside the project: counts
up to 2 as their source says, every solution checked."""

from itertools import islice

import pytest

from backends.interface import registry
from backends.interface.api import Limits, Solutions
from puzzles.family import Instance, family
from puzzles.sets import instances
from tests.data import samples

pytestmark = pytest.mark.once

BACKENDS = {"propagation": 12, "cpsat": 6, "sat": 6, "sat:direct,pycosat": 6}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", samples.SETS)
def test_counts_up_to_2(name, backend):
    if "pycosat" in backend:
        pytest.importorskip("pycosat", reason="pycosat is optional: it has no wheels")
    sudoku, solver = family("sudoku"), registry.get(backend)
    entries = list(islice(instances(str(samples.path(name))), BACKENDS[backend]))
    assert entries
    for entry in entries:
        assert isinstance(entry, Instance)
        result = solver.solve(sudoku.problem(entry.text), Solutions(2, 2), Limits(seconds=60))
        assert result.count == samples.SETS[name][1], entry.text
        for values in result.solutions:
            assert sudoku.check(entry.text, values) == []
