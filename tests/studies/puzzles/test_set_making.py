"""The generated sets that ship: their heads are true, and small ones come out again bit for bit."""

import re
from hashlib import sha256
from importlib import resources

import numpy as np
import pytest

from backends.counting import counter
from modelling.errors import NotAsWished
from puzzles.grid import model
from puzzles.grid.layout import Layout
from puzzles.sets import facts, instances, sets
from puzzles.sudoku import SUDOKU, canonical
from puzzles.sudoku.effort import effort
from puzzles.sudoku.grading.path import grade
from results.studies.puzzles.set_making.__main__ import main
from results.studies.puzzles.set_making.making import Puzzle, _verify
from results.studies.puzzles.set_making.recipes import RECIPES
from results.studies.puzzles.set_making.writing import text_of

pytestmark = pytest.mark.once

BY_NAME = {recipe.name: recipe for recipe in RECIPES}
SMALL = ("sudoku-4x4", "sudoku-6x6")


def text(name):
    return (resources.files("puzzles.sets") / f"{name}.txt").read_text(encoding="utf-8")


def grids(name):
    found = [SUDOKU.parse(entry.text) for entry in instances(name)]
    assert {layout for layout, _ in found} == {BY_NAME[name].layout}
    return np.array([list(grid) for _, grid in found], np.uint8)


def solutions_told(remark):
    """The number in ``26 clues, 10 solutions``; one where nothing is said."""
    told = re.search(r"(no|\d+) solutions?", remark)
    return 1 if told is None else 0 if told[1] == "no" else int(told[1])


def test_every_recipe_ships_and_is_small():
    shipped = {one.name: one for one in sets()}
    for recipe in RECIPES:
        one = shipped[recipe.name]
        assert (one.about, one.family) == (recipe.about, "sudoku")
        assert one.number == recipe.number * len(recipe.specs)
    whole = sum(len(text(one.name)) for one in sets())
    assert whole < 3_000_000


@pytest.mark.parametrize("name", BY_NAME)
def test_the_head_of_a_set_is_true(name):
    told = facts(name)
    head, _, body = text(name).partition("\n\n")
    assert told["sha256"] == sha256(body.encode()).hexdigest()
    found = grids(name)
    clues = (found > 0).sum(axis=1)
    assert told["clues"] == f"{clues.min()} to {clues.max()}"
    assert told["puzzles"] == str(len(found))
    remarks = [line.rsplit("# ", 1)[1] for line in body.splitlines()]
    assert [int(remark.split()[0]) for remark in remarks] == clues.tolist()
    numbers = list(map(solutions_told, remarks))
    assert told["solutions"].split() == [str(k) for k in sorted(set(numbers))]
    for spec in BY_NAME[name].specs:
        assert spec.solutions in numbers
    assert len(head.splitlines()) >= 9


@pytest.mark.parametrize("name", BY_NAME)
def test_a_puzzle_has_as_many_solutions_as_it_says(name):
    """Samples, with a pure-Python counter; a SAT solver counted all of them when they were made."""
    recipe = BY_NAME[name]
    lines = text(name).partition("\n\n")[2].splitlines()
    large = recipe.layout.order > 12
    picked = list(range(len(lines)))
    count = counter(model.structure(recipe.layout), "propagation" if large else "ladder:trail")
    if large:
        picked = [k for k in picked if "305" not in lines[k] and " 98 clues" not in lines[k]]
    picked = picked[:: len(picked) // (2 if large else 12)]
    assert picked
    for k in picked:
        told = solutions_told(lines[k].rsplit("# ", 1)[1])
        _, grid = SUDOKU.parse(lines[k].split("#")[0])
        assert count(np.array([list(grid)], np.uint8), told + 1).tolist() == [told], lines[k]


@pytest.mark.parametrize("name", [one for one in BY_NAME if BY_NAME[one].layout.order <= 9])
def test_no_puzzle_is_another_in_disguise(name):
    found = [entry.text for entry in instances(name)]
    assert list(canonical.duplicates(found)) == []


def test_grades_and_efforts_are_what_is_told():
    for name, every in (("sudoku-easy", 100), ("sudoku-medium", 100), ("sudoku-minimal", 100)):
        lines = text(name).partition("\n\n")[2].splitlines()[::every]
        for line in lines:
            assert line.endswith(f", {grade(line.split('#')[0].strip()).grade}")
    hard = text("sudoku-hard").partition("\n\n")[2].splitlines()
    told = [float(line.rsplit("effort ", 1)[1]) for line in hard]
    assert told == sorted(told, reverse=True)
    some = grids("sudoku-hard")[::100]
    found = effort(Layout(9, (3, 3)), some)
    assert [f"{one:.2f}" for one in found] == [f"{one:.2f}" for one in told[::100]]


def test_all_minimal_4x4_are_there():
    """Every set of cells of one grid of each of the two classes is looked at."""
    layout = Layout(4, (2, 2))
    count = counter(model.structure(layout))
    subsets = (np.arange(1 << 16)[:, None] >> np.arange(16) & 1).astype(np.uint8)
    forms = set()
    for full in ("1234341221434321", "1234341223414123"):
        puzzles = subsets * np.array(list(map(int, full)), np.uint8)
        unique = np.zeros(1 << 16, bool)
        asked = np.flatnonzero(subsets.sum(axis=1) >= 4)
        unique[asked] = count(puzzles[asked], 2) == 1
        minimal = unique.copy()
        for cell in range(16):
            minimal &= ~(unique[np.arange(1 << 16) & ~(1 << cell)] & (subsets[:, cell] > 0))
        texts = [SUDOKU.text(layout, grid) for grid in puzzles[minimal].tolist()]
        forms |= set(canonical.texts(texts))
    shipped = set(canonical.texts(entry.text for entry in instances("sudoku-4x4")))
    assert len(forms) == 36
    assert shipped == forms


@pytest.mark.parametrize("name", SMALL)
def test_small_sets_come_out_again_bit_for_bit(name, tmp_path):
    assert main([name, "--out", str(tmp_path)]) == 0
    assert (tmp_path / f"{name}.txt").read_text() == text(name)


def test_a_check_tells_whether_a_set_is_what_comes_out(tmp_path, capsys):
    name = SMALL[0]
    assert main([name, "--check"]) == 0
    assert "as it was" in capsys.readouterr().out
    (tmp_path / f"{name}.txt").write_text("# other\n")
    assert main([name, "--check", "--out", str(tmp_path)]) == 1
    assert (tmp_path / f"{name}.txt").read_text() == "# other\n"


def test_a_wrong_number_of_solutions_is_found_out():
    recipe = BY_NAME["sudoku-4x4"]
    puzzle = next(iter(instances("sudoku-4x4"))).text
    _verify(recipe, [Puzzle(puzzle, 1)])
    with pytest.raises(NotAsWished, match="finds 1 solutions"):
        _verify(recipe, [Puzzle(puzzle, 2)])
    assert "# 4x4-1 # " in text_of(recipe, [Puzzle(puzzle, 1)])


def test_an_unknown_recipe(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["sudoku-esay"])
    assert stopped.value.code == 2
    assert "no recipe is called 'sudoku-esay'" in capsys.readouterr().err
