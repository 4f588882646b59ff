"""``concord generate`` of families other than those of square grids."""

import re
from functools import partial

import pytest
from within_process import clean, invoke

from puzzles.family import Generated, families, family
from puzzles.generators import find_parameters
from puzzles.sets import instances

concord = partial(invoke, "generate")


SMALL = {
    "cryptarithm": ["--letters", 6],
    "futoshiki": ["--order", 4],
    "kakuro": ["--rows", 2, "--columns", 2],
    "kenken": ["--order", 3, "--largest", 2],
    "killer_sudoku": ["--order", 4],
    "nonogram": ["--rows", 5, "--columns", 5],
    "zebra": ["--houses", 3, "--attributes", 2],
}
"""Those that ask a solver."""

DRAWN = [one.name for one in families() if isinstance(one, Generated)]


@pytest.mark.parametrize("name", DRAWN)
def test_instances_of_every_family_are_drawn(name, tmp_path):
    kind = family(name)
    option = next(one for one in kind.parameters if one.name != "order")
    told = [option.option] if option.default is False else [option.option, str(option.default)]
    told = SMALL.get(name, told)
    done = clean(concord(name, "--number", 3, "--seed", 4, *told))
    lines = done.stdout.splitlines()
    assert len({line.partition("#")[0] for line in lines}) > 1
    assert [line.partition("  # ")[2] for line in lines] == [f"{name}-4-{k}" for k in range(3)]
    again = clean(concord("--family", name, "--seed", 4, "--start", 1, "-n", 2, *told))
    assert again.stdout.splitlines() == lines[1:]
    out = tmp_path / "set.txt"
    clean(concord(name, "--number", 3, "--seed", 4, *told, "--out", out))
    made = out.read_text().splitlines()[1].removeprefix("# made by: concord generate ").split()
    assert clean(concord(*made)).stdout == done.stdout  # every parameter stands in the command
    found = list(instances(str(out)))
    assert [(one.family, one.text) for one in found] == [
        (name, line.partition("  # ")[0]) for line in lines
    ]


def test_files_of_other_families_are_continued_and_drawn(tmp_path):
    whole, part = tmp_path / "whole.txt", tmp_path / "part.txt"
    words = ["knapsack", "--items", 3, "-n", 5]
    clean(concord(*words, "--out", whole))
    part.write_bytes(whole.read_bytes()[:-20])
    clean(concord(*words, "--out", part, "--resume"))
    assert part.read_bytes() == whole.read_bytes()
    done = clean(concord("queens", "--show", "-n", 2))
    assert done.stdout.count("Q") == 4


def test_sizes_follow_each_other():
    assert clean(concord("costas", "--size", 5, "-n", 2)).stdout == "5  # costas-5\n6  # costas-6\n"


@pytest.mark.parametrize("name", [*DRAWN, "costas"])
def test_the_help_of_a_family_has_its_parameters(name):
    more = ["--kind", "holes"] if name == "latin" else []
    shown = clean(concord(name, *more, "--help")).stdout
    assert max(map(len, shown.splitlines())) <= 80
    for one in find_parameters(family(name)):
        assert one.option in shown
        assert re.fullmatch(r"[A-Z].*[^.]\.", one.about)
