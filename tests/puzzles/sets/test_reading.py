"""Instances and problems of files: their names and places, what is drawn of them, bad lines."""

import io
import random
from collections import Counter
from types import SimpleNamespace

import pytest

from modelling.errors import InputError, InstanceError
from modelling.formats import find_format
from puzzles.family import Instance
from puzzles.sets.reading import (
    draw_sample,
    read_problems,
    read_set,
    read_sizes,
    read_texts,
    take,
)

CNF = "p cnf 2 1\n1 2 0\n"


def test_the_problem_of_a_file_is_named_by_its_path(tmp_path):
    path = tmp_path / "formula.txt"
    path.write_text(CNF)
    ((name, place, problem),) = read_problems(str(path), None, find_format("cnf"))
    assert name == place == str(path)
    assert len(problem.structure.domains) == 2


def test_the_problem_of_standard_input_is_named_so(monkeypatch):
    stream = SimpleNamespace(buffer=io.BytesIO(CNF.encode()))
    monkeypatch.setattr("sys.stdin", stream)
    ((name, place, _),) = read_problems("-", None, find_format("cnf"))
    assert name == place == "stdin"


def test_a_bad_file_comes_as_its_error(tmp_path):
    path = tmp_path / "formula.txt"
    path.write_text("p cnf 2 1\n1 3 0\n")
    (error,) = read_problems(str(path), None, find_format("cnf"))
    assert isinstance(error, InstanceError)
    assert str(path) in str(error)


def test_problems_of_a_set_and_its_bad_lines(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("# family: queens\n4\n4: 1=9\n5\n")
    first, bad, last = read_problems(str(path), "queens", None)
    assert (first[1], last[1]) == (f"{path}:2", f"{path}:4")
    assert isinstance(bad, InstanceError)
    assert f"{path}:3" in str(bad)


def test_names_that_occur_again_get_a_number(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("# family: queens\n4 # one\n5 # one\n6\n")
    assert [one.name for one in read_set(str(path))] == ["one", "one (2)", "own:4"]
    assert {one.set for one in read_set(str(path), set_name="mine")} == {"mine"}


def test_a_name_made_of_an_earlier_line_counts_as_used(tmp_path):
    path = tmp_path / "own.txt"
    path.write_text("# family: queens\n4\n5 # own:2\n6 # own:9\n")
    assert [one.name for one in read_set(str(path))] == ["own:2", "own:2 (2)", "own:9"]


def test_a_family_of_ones_own_reads_no_set_that_ships():
    with pytest.raises(InputError, match="a family of your own reads files"):
        next(read_set("queens", "py:somewhere:Family"))


def test_sizes_are_instances_with_names():
    found = list(read_sizes("boards", "queens", [4, 6]))
    assert [(one.name, one.source, one.set) for one in found] == [
        ("queens-4", "queens of size 4", "boards"),
        ("queens-6", "queens of size 6", "boards"),
    ]
    with pytest.raises(InputError, match="has no sizes"):
        next(read_sizes("boards", "nonogram", [4]))


def test_texts_keep_their_names_and_errors_their_place():
    good, bad = read_texts("mine", "queens", {"a": "4", "b": "4: 1=9"})
    assert (good.name, good.source, good.set) == ("a", "mine: a", "mine")
    assert isinstance(bad, InstanceError)
    assert "mine: b" in str(bad)


def entries(number):
    for i in range(number):
        yield Instance("queens", str(i), "4", f"x:{i}", "x")
        if i == 1:
            yield InstanceError("bad", "x:bad")


def test_the_first_ones_come_with_the_bad_lines_among_them():
    found = list(take(entries(5), 3))
    assert [getattr(one, "name", "bad") for one in found] == ["0", "1", "bad", "2"]
    assert not list(take(entries(5), 0))


def test_a_sample_keeps_the_order_and_all_bad_lines():
    bad, *drawn = draw_sample(entries(9), 4, random.Random(1))
    assert isinstance(bad, InstanceError)
    numbers = [int(one.name) for one in drawn]
    assert len(numbers) == 4
    assert numbers == sorted(set(numbers))


def test_each_instance_is_drawn_as_often_as_any_other():
    chance = random.Random(5)
    counts = Counter(
        one.name
        for _ in range(3000)
        for one in draw_sample(entries(6), 2, chance)
        if isinstance(one, Instance)
    )
    assert len(counts) == 6
    assert max(counts.values()) < 1.15 * min(counts.values())
