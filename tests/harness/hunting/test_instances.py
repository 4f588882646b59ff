"""Real instances are changed alike for every solver."""

import pytest

from harness.hunting.fuzzing.drawing.instances import EVERY, Draws
from harness.hunting.fuzzing.drawing.problems import draw
from harness.hunting.fuzzing.hunt import Plan, hunt
from modelling.errors import InputError

CNF = "p cnf 3 3\n1 -2 0\n2 3 0\n-1 0\n"


@pytest.fixture
def place(tmp_path):
    (tmp_path / "one.cnf").write_text(CNF)
    return str(tmp_path / "one.cnf")


def test_one_in_three_draws_is_an_instance(place):
    draws = Draws(4, (place,))
    made = [draws.draw(number) for number in range(3 * EVERY)]
    changed = [one for one in made if one.origin == "an instance, changed"]
    assert len(changed) == 3
    assert {one.problem.structure.size for one in changed} == {3}
    assert all(one.key.startswith("4/") for one in made)
    again = Draws(4, (place,)).draw(0)
    assert again.problem == made[0].problem


def test_without_instances_the_same_is_drawn():
    assert Draws(4).draw(6).problem == draw(4, 6).problem


@pytest.mark.parametrize(
    ("name", "said"),
    [("nosuch", "no set and no file"), ("-", "more than once"), ("empty.txt", "no instance has")],
)
def test_places_without_instances_are_named(name, said, tmp_path, monkeypatch):
    (tmp_path / "empty.txt").write_text("")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=said):
        hunt(Plan((), tmp_path / "hunt", rounds=1, instances=(name,)))
    assert not (tmp_path / "hunt").exists()


def test_a_hunt_keeps_its_instances(place, tmp_path):
    hunt(Plan((), tmp_path / "hunt", rounds=1, instances=(place,)))
    with pytest.raises(InputError, match="--instances"):
        hunt(Plan((), tmp_path / "hunt", rounds=1))


@pytest.mark.once
def test_instances_and_files_are_hunted(place, tmp_path):
    names = ("propagation", "file:cnf")
    summary = hunt(Plan(names, tmp_path / "hunt", rounds=9, jobs=1, instances=(place,)))
    assert summary.found == ()
    assert {lane.rounds for lane in summary.lanes} == {9}
