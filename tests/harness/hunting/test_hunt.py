"""A hunt finds planted bugs, counts what it asks, and is the same when it is continued."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import hunted
import msgspec
import pytest

from harness.hunting.findings import Finding
from harness.hunting.fuzzing.coverage import summarise
from harness.hunting.fuzzing.hunt import Plan, hunt
from harness.hunting.fuzzing.playing.lane import Lane, read_lane
from harness.hunting.fuzzing.playing.rounds import Player
from modelling.errors import InputError

BUGS = {
    hunted.LosesOne: "missing solution",
    hunted.FindsNone: "false unsatisfiable",
    hunted.ShowsAnother: "wrong solution",
    hunted.StopsShort: "false optimum",
    hunted.Raises: "crash",
}


def play(backend: str, folder: Path, rounds: int, questions: int = 1) -> Lane:
    player = Player(3, Lane(backend), folder, lambda *place: None, questions=questions)
    for _ in range(rounds):
        player.play()
    return player.lane


def name_of(kind: type) -> str:
    return f"py:hunted:{kind.__name__}"


def read_findings(folder: Path) -> list[Finding]:
    return [Finding.read(path.parent) for path in sorted(folder.rglob("finding.json"))]


def read_state(folder: Path) -> list[dict]:
    """The lanes and the findings, but for the time."""
    lanes = [msgspec.json.decode(path.read_bytes()) for path in sorted(folder.glob("lanes/*"))]
    for lane in lanes:
        lane["seconds"] = 0
    found = sorted(folder.rglob("finding.json"))
    return [*lanes, *({str(path.relative_to(folder)): path.read_text()} for path in found)]


@pytest.mark.parametrize("kind", BUGS, ids=lambda kind: kind.__name__)
def test_a_planted_bug_is_found_and_has_a_cause_of_few_parts(kind, tmp_path):
    lane = play(name_of(kind), tmp_path, 60)
    faults = {finding.fault for finding in read_findings(tmp_path)}
    assert BUGS[kind] in faults
    assert all(cause.startswith(name_of(kind)) for cause in lane.wrong)
    smallest = min(len(f.problem.structure.constraints) for f in read_findings(tmp_path))
    assert smallest <= 1


def test_a_right_solver_has_no_findings(tmp_path):
    lane = play(name_of(hunted.Right), tmp_path, 60)
    assert not lane.wrong
    assert lane.comparisons > 50
    assert not read_findings(tmp_path)


def test_more_questions_are_different_ones_about_the_same_problems(tmp_path, monkeypatch):
    asked: list[tuple] = []

    def solve(self, problem, ask, limits):
        asked.append((problem, ask, replace(limits, seed=None)))
        return solve_right(self, problem, ask, limits)

    solve_right = hunted.Right.solve
    monkeypatch.setattr(hunted.Right, "solve", solve)
    one = play(name_of(hunted.Right), tmp_path, 40)
    asked.clear()
    lane = play(name_of(hunted.Right), tmp_path, 40, questions=6)
    assert lane.comparisons > 3 * one.comparisons
    assert not lane.wrong
    structures = {problem.structure for problem, _, _ in asked}
    assert any(problem.masks != problem.structure.full_masks for problem, _, _ in asked)
    assert len(structures) < len(set(asked)) / 2


def test_further_questions_find_what_one_finds(tmp_path):
    lane = play(name_of(hunted.LosesOne), tmp_path, 20, questions=4)
    found = read_findings(tmp_path)
    assert "missing solution" in {finding.fault for finding in found}
    assert lane.rounds == 20


def test_findings_of_one_bug_are_counted_together(tmp_path):
    lane = play(name_of(hunted.Raises), tmp_path, 60, questions=6)
    assert list(lane.wrong) == [f"{name_of(hunted.Raises)}: crash with IndexError: no place N"]
    assert sum(lane.wrong.values()) > len(read_findings(tmp_path))


def test_coverage_counts_each_question_by_constraint_position_and_ask(tmp_path):
    lane = play("propagation", tmp_path, 40)
    covered = summarise(lane.cells)
    assert covered.classes > 15
    assert covered.positions > 5
    assert {"all", "1"} <= {cell.split("|")[3] for cell in lane.cells}
    assert any(cell.split("|")[2].startswith("search=") for cell in lane.cells)
    assert not set(covered.missing) & {cell.split("|")[0] for cell in lane.cells}


def test_problems_that_were_new_are_kept_and_mutated(tmp_path):
    lane = play("propagation", tmp_path, 40)
    assert 0 < len(lane.corpus) <= lane.rounds
    assert any(entry.chosen for entry in lane.corpus)


@pytest.mark.once
def test_a_hunt_that_is_continued_finds_what_one_in_a_single_session_finds(tmp_path):
    names = tuple(map(name_of, (hunted.LosesOne, hunted.Dies)))
    plan = Plan(names, tmp_path / "whole", rounds=60, jobs=1)
    whole = hunt(plan)
    for rounds in (5, 33, 60):
        continued = hunt(replace(plan, folder=tmp_path / "parts", rounds=rounds))
    assert read_state(tmp_path / "parts") == read_state(tmp_path / "whole")
    assert [one.cause for one in continued.found] == [one.cause for one in whole.found]
    causes = " ".join(one.cause for one in whole.found)
    assert "crash with SIGABRT" in causes
    assert "missing solution" in causes
    assert {lane.rounds for lane in whole.lanes} == {60}


@pytest.mark.once
def test_a_solver_that_hangs_is_ended_and_hunted_on(tmp_path):
    plan = Plan(
        (name_of(hunted.Hangs),), tmp_path, rounds=12, jobs=1, is_guided=False, hang_seconds=2
    )
    summary = hunt(plan)
    (lane,) = summary.lanes
    assert lane.rounds == 12
    assert any("hang with" in cause for cause in lane.wrong)


@pytest.mark.once
def test_a_solver_that_is_not_there_is_said_to_be(tmp_path):
    summary = hunt(Plan(("py:hunted:Nobody",), tmp_path, rounds=3, jobs=1))
    assert "Nobody" in summary.broken["py:hunted:Nobody"]


def test_a_folder_of_something_else_is_refused(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(InputError, match="holds files and no hunt"):
        hunt(Plan(("propagation",), tmp_path, rounds=1))


def test_another_seed_needs_another_folder(tmp_path):
    hunt(Plan((), tmp_path, seed=1, rounds=1))
    with pytest.raises(InputError, match="--seed 1"):
        hunt(Plan((), tmp_path, seed=2, rounds=1))


def test_another_number_of_questions_needs_another_folder(tmp_path):
    hunt(Plan((), tmp_path, rounds=1, questions=4))
    with pytest.raises(InputError, match="--questions 4"):
        hunt(Plan((), tmp_path, rounds=1))


def test_a_damaged_lane_is_named(tmp_path):
    (tmp_path / "sat.json").write_text("{")
    with pytest.raises(InputError, match=r"sat\.json"):
        read_lane(tmp_path, "sat")
