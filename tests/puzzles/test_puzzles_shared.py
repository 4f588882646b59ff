"""The large public sets, where they lie beside the project."""

from pathlib import Path

import pytest

from modelling.errors import PuzzleError
from puzzles.sets import instances
from puzzles.sudoku import SUDOKU

pytestmark = pytest.mark.once

FOLDER = Path(__file__).resolve().parents[2].parent / "shared" / "puzzles"
NUMBERS = {
    "17clue.txt.gz": 48_658,
    "magictour_top1465.txt": 1_172,
    "forum_hardest_1905_11plus.txt.gz": 48_135,
    "serg_multi_solution.txt": 9_494,
    "norvig_10k.txt": 9_500,
    "top95.txt": 95,
    "easy50.txt": 49,
    "norvig_hardest11.txt": 11,
    "random_minimal.txt.gz": 19_500,
    "random_easy.txt": 4_500,
    "zero_solutions.txt": 1_600,
    "anchor_17clue_200.txt": 200,
    "anchor_magictour_200.txt": 200,
    "anchor_hardest_11plus_100.txt": 100,
}


@pytest.mark.parametrize("name", NUMBERS)
def test_every_line_is_a_9x9_puzzle(name):
    path = FOLDER / name
    if not path.exists():
        pytest.skip(f"the public sets are not here: no ../shared/puzzles/{name}")
    number = 0
    for entry in instances(str(path)):
        assert not isinstance(entry, PuzzleError), entry
        assert len(entry.text) == 81
        if number % 50 == 0:
            problem = SUDOKU.problem(entry.text)
            assert len(problem.narrowed()) == sum(sign != "." for sign in entry.text)
        number += 1
    assert number == NUMBERS[name]
