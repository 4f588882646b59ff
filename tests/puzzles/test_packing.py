"""Knapsack, bin packing and Model RB: files as they are, generators."""

import pytest

from backends.interface.api import Solutions
from backends.interface.registry import get
from modelling.errors import InputError, InstanceError
from puzzles import model_rb
from puzzles.arithmetic import bin_packing, knapsack
from puzzles.arithmetic.bin_packing import BIN_PACKING
from puzzles.arithmetic.knapsack import KNAPSACK
from puzzles.generators import generate
from puzzles.model_rb import MODEL_RB
from puzzles.sets import instances
from tests.seeds import for_each

FILES = [
    ("bin_packing", "n3.txt", "3\n10\n6\n5\n4\n", "n3", "10: 6 5 4"),
    ("bin_packing", "u.bpa", "u3_00\n10 3 2\n6\n5\n4\n", "u3_00", "10: 6 5 4"),
    ("bin_packing", "N1.bpp", "3\n10\n6\n5\n4\n", "N1.bpp", "10: 6 5 4"),
    ("bin_packing", "t.txt", "1\n t3_00\n 10.0 3 2\n6.25\n5\n4.5\n", "t3_00", "1000: 625 500 450"),
    ("bin_packing", "lines.txt", "10 2: 6 5 4 # two\n", "two", "10 2: 6 5 4"),
    ("knapsack", "kp.txt", "3 10\n 7 5\n 8 4\n9 6\n1 0 1\n", None, None),
    ("knapsack", "kp.txt", "3 10\n 7 5\n 8 4\n9 6\n", "kp", "10: 5=7 4=8 6=9"),
    ("knapsack", "lines.txt", "10: 5=7 4=8 # two\n", "two", "10: 5=7 4=8"),
]


@pytest.mark.parametrize(("family", "file", "content", "name", "text"), FILES)
def test_files_are_read_as_they_are(tmp_path, family, file, content, name, text):
    path = tmp_path / file
    path.write_text(content)
    (entry,) = instances(str(path), family)
    if text is None:
        assert str(entry) == f"{path}:5:1: 3 words, where there are two"
    else:
        assert (entry.name, entry.text) == (name, text)
        assert entry.source == f"{path}:{2 if file == 't.txt' else 1}"


def test_several_problems_in_a_file_of_or_library(tmp_path):
    path = tmp_path / "binpack1.bpa"
    path.write_text(" 3 \n u1\n 10 2 1\n5\n4\n u2\n 10 2 1\n5\n u3\n9 1 1\n7\n")
    one, damaged, three = instances(str(path))
    assert (one.name, one.text, one.source) == ("u1", "10: 5 4", f"{path}:2")
    assert str(damaged) == f"{path}:7:5: 1 sizes follow, not 2"
    assert (three.name, three.text, three.source) == ("u3", "9: 7", f"{path}:9")


@pytest.mark.parametrize(
    ("kind", "form", "lines", "message"),
    [
        (BIN_PACKING, "scholl", [], "f:1:1: the file ends before the first size"),
        (BIN_PACKING, "scholl", ["2", "10", "5"], "f:1:1: 1 sizes follow, not 2"),
        (BIN_PACKING, "scholl", ["1", "10", "11"], "f:3:1: a size is 11; it must be from 1 to 10"),
        (BIN_PACKING, "scholl", ["3", "u", "10 1 1", "5"], "f:1:1: '3' is not how many problems"),
        (BIN_PACKING, "bpa", ["3", "4", "u"], "f:1:1: expected the name of a problem, or how"),
        (BIN_PACKING, "scholl", ["1", "10", " x"], "f:3:2: 'x' is not a number; expected a size"),
        (BIN_PACKING, "bpa", ["u", "10 1 x"], "f:1:1: the file ends before the first size"),
        (KNAPSACK, "plain", [], "f:1:1: there is no puzzle in the input"),
        (KNAPSACK, "plain", ["2 9", "1 1"], "f:1:1: 1 items follow, not 2"),
        (KNAPSACK, "plain", ["1 9", "1 x"], "f:2:1: 'x' is not a number; expected a weight"),
    ],
)
def test_damaged_files(kind, form, lines, message):
    (error,) = kind.in_format(form).read(lines, "f")
    assert isinstance(error, InstanceError)
    assert str(error).startswith(message)


def test_drawings_of_packings():
    assert BIN_PACKING.render("10: 6 5 4", [1, 2, 1]).splitlines() == [
        "as few bins as can be of 10: 6 5 4         1: 6 4",
        "                                     -->   2: 5",
    ]
    assert BIN_PACKING.value("10: 6 5 4", [1, 2, 1]) == 2
    assert KNAPSACK.write("10: 5=10 4=40", [0, 1]) == "2"
    assert KNAPSACK.value("10: 5=10 4=40", [0, 1]) == 40
    assert KNAPSACK.render("10: 5=10 4=40").splitlines()[1:] == [
        "weight 5, value 10",
        "weight 4, value 40",
    ]


def draw(kind, seed, item, /, **told):
    return next(generate(kind, seed=seed, start=item, **told)).text


def test_generated_knapsacks_are_of_their_kind():
    made = {
        kind: KNAPSACK.parse(draw(KNAPSACK, 2, 0, items=40, kind=kind))[1]
        for kind in knapsack.KINDS
    }
    assert all(value == weight for weight, value in made["subset-sum"])
    assert all(value == weight + 100 for weight, value in made["strong"])
    assert all(abs(value - weight) <= 100 for weight, value in made["weak"])
    assert any(abs(value - weight) > 100 for weight, value in made["uncorrelated"])
    assert draw(KNAPSACK, 2, 1, items=4, kind="weak") != draw(KNAPSACK, 2, 0, items=4, kind="weak")
    with pytest.raises(InputError, match="kind cannot be 'strng'; did you mean 'strong'"):
        draw(KNAPSACK, 2, 0, items=4, kind="strng")
    with pytest.raises(InputError, match="items must be from 1 to 2000, not 0"):
        draw(KNAPSACK, 2, 0, items=0, kind="weak")


def test_generated_sizes():
    capacity, bins, sizes = BIN_PACKING.parse(draw(BIN_PACKING, 1, 0, items=500))
    assert (capacity, bins, len(sizes)) == (150, None, 500)
    assert (min(sizes), max(sizes)) == (20, 100)
    assert bin_packing.pack_largest_first(7, (5, 3, 3, 2, 2, 2, 2, 2)) == 4
    with pytest.raises(InputError, match="no 5 sizes from 20 to 100 for bins of 50"):
        draw(BIN_PACKING, 1, 0, items=5, capacity=50)


def test_the_shipped_ones_are_those_of_the_generators():
    texts = {
        entry.name: entry.text for name in ("bin_packing", "knapsack") for entry in instances(name)
    }
    for kind in knapsack.KINDS:
        assert draw(KNAPSACK, 1, 0, items=15, kind=kind, largest=100) == texts[kind]
    assert draw(BIN_PACKING, 1, 0, items=14) == texts["uniform-14"]


def test_model_rb_is_drawn_from_its_text_alone():
    text = model_rb.write_rb(2, 10, 0.8, 0.8, 0.5, seed=4)
    assert text == "2 10 6 18 18: 4"
    told = MODEL_RB.parse(text)
    drawn = model_rb.draw_constraints.__wrapped__(told)
    assert drawn == model_rb.draw_constraints(told)
    assert len(drawn) == 18
    for scope, rows in drawn:
        assert len(set(scope)) == 2
        assert len(set(rows)) == 18
        assert all(0 <= value < 6 for row in rows for value in row)
    assert {v for scope, _ in drawn for v in scope} == set(range(10))
    assert model_rb.find_threshold(0.8, 0.8) == pytest.approx(0.6321, abs=1e-4)
    with pytest.raises(InputError, match="no problem of Model RB: the number of values is 158"):
        model_rb.write_rb(2, 10, 2.2, 0.8, 0.5, seed=4)


@for_each("seed", range(12))
def test_forced_problems_have_a_solution(seed):
    text = model_rb.write_rb(2, 12, 0.8, 1.5, 0.9, seed=seed, forced=True)
    assert get("sat").solve(MODEL_RB.problem(text), Solutions(1)).count == 1
    free = text.removesuffix(" forced")
    assert get("sat").solve(MODEL_RB.problem(free), Solutions(1)).count == 0
