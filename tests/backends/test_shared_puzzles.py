"""Four kinds of solver on real sets: counts up to 2 as their source says, every solution checked.

The sets lie beside the project, are not part of it, and the tests say so where they are missing.
"""

from itertools import islice
from pathlib import Path

import pytest

from backends import registry
from backends.api import Limits, Solutions
from puzzles.family import Instance, family
from puzzles.sets import instances

SETS = Path(__file__).parents[2].parent / "shared" / "puzzles"

pytestmark = [
    pytest.mark.skipif(
        not SETS.is_dir(), reason="the public puzzle sets do not lie in ../shared/puzzles"
    ),
    pytest.mark.once,
]

COUNTS = {
    "17clue.txt.gz": 1,
    "magictour_top1465.txt": 1,
    "forum_hardest_1905_11plus.txt.gz": 1,
    "norvig_10k.txt": 1,
    "norvig_hardest11.txt": 1,
    "top95.txt": 1,
    "easy50.txt": 1,
    "random_minimal.txt.gz": 1,
    "random_easy.txt": 1,
    "serg_multi_solution.txt": 2,
    "zero_solutions.txt": 0,
}

BACKENDS = {"propagation": 12, "cpsat": 6, "sat": 6, "sat:direct,pycosat": 6}


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", COUNTS)
def test_counts_up_to_2(name, backend):
    if "pycosat" in backend:
        pytest.importorskip("pycosat", reason="pycosat is optional: it has no wheels")
    sudoku, solver = family("sudoku"), registry.get(backend)
    entries = list(islice(instances(str(SETS / name)), BACKENDS[backend]))
    assert entries
    for entry in entries:
        assert isinstance(entry, Instance)
        result = solver.solve(sudoku.problem(entry.text), Solutions(2, 2), Limits(seconds=60))
        assert result.count == COUNTS[name], entry.text
        for values in result.solutions:
            assert sudoku.check(entry.text, values) == []


@pytest.mark.parametrize("name", ["easy50.txt", "random_easy.txt", "serg_multi_solution.txt"])
def test_the_generic_library_on_easy_sets(name):
    sudoku, solver = family("sudoku"), registry.get("python_constraint")
    for entry in islice(instances(str(SETS / name)), 3):
        result = solver.solve(sudoku.problem(entry.text), Solutions(2, 2), Limits(seconds=60))
        assert result.count == COUNTS[name]
        assert all(sudoku.check(entry.text, values) == [] for values in result.solutions)
