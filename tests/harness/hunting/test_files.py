"""Files are changed by their grammar; a reader that is wrong about one has a finding."""

from __future__ import annotations

import json
import random

import pytest

from harness.hunting.findings import Answer
from harness.hunting.fuzzing.drawing.instances import Draws
from harness.hunting.fuzzing.files import grammar, others, playing
from harness.hunting.fuzzing.files.others import Claim
from harness.hunting.fuzzing.files.playing import FilePlayer
from harness.hunting.fuzzing.files.reading import READABLE, find_format, list_families, read
from harness.hunting.fuzzing.files.seeds import Seeds
from harness.hunting.fuzzing.playing.lane import Lane
from modelling.errors import InstanceError, ModelError
from puzzles.family import family

CNF = "p cnf 3 3\n1 -2 0\n2 3 0\n-1 0\n"
FLAT = "var 1..2: x;\nconstraint int_lin_le([1],[x],0);\nsolve satisfy;\n"
XCSP3 = (
    '<instance format="XCSP3" type="CSP">\n<variables> <var id="x"> 0..2 </var> </variables>\n'
    "<constraints> <intension> gt(x,0) </intension> </constraints>\n</instance>\n"
)


def play(name, folder, rounds, **more):
    player = FilePlayer(1, Lane(f"file:{name}"), folder, lambda *place: None, **more)
    for _ in range(rounds):
        player.play()
    return player.lane


# --- the grammar ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "form", "number"), [(CNF, "cnf", 4), (XCSP3, "xcsp3", 20)])
def test_sections_and_tokens_are_the_whole(text, form, number):
    sections = grammar.split(text, form)
    assert "".join(sections) == text == "".join(grammar.split_tokens(text))
    assert len(sections) <= number
    assert any("1 -2" in part or "gt(x,0)" in part for part in sections)


def test_statements_end_with_a_semicolon():
    assert grammar.split("min: 1 x1 ;\n1 x1 >= 1 ;\n", "opb") == ["min: 1 x1 ;\n", "1 x1 >= 1 ;\n"]


@pytest.mark.parametrize("change", grammar.CHANGES, ids=lambda one: one.__name__)
@pytest.mark.parametrize("text", [CNF, XCSP3, "", "x", "7"])
def test_a_change_changes_something_or_leaves_what_cannot_be(change, text):
    form = "xcsp3" if text == XCSP3 else "cnf"
    made = {change(random.Random(seed), text, form) for seed in range(30)}
    assert all(isinstance(one, str) for one in made)
    if text in (CNF, XCSP3) and "names" not in change.__name__:
        assert made != {text}


def test_changes_depend_on_the_stream_alone():
    one, other = (grammar.mutate(random.Random(5), CNF, "cnf") for _ in range(2))
    assert one == other


# --- reading -------------------------------------------------------------------------------------


def test_a_file_is_read_or_refused_with_its_place():
    form = find_format("cnf")
    assert read(form, CNF).problem is not None
    refused = read(form, "p cnf x\n")
    assert (refused.problem, refused.fault) == (None, "")
    assert refused.said.startswith("bug.cnf:1:")


class Raises:
    """A reader that raises what it is made of."""

    endings = (".cnf",)
    writes = False

    def __init__(self, error):
        self.error = error

    def read(self, data, source):
        raise self.error


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (KeyError("x"), "KeyError in read"),
        (InstanceError("it is wrong"), "an error without a place"),
        (InstanceError("it is wrong", "bug.cnf:99:1"), "an error without a place"),
        (InstanceError("it is wrong", "bug.cnf:1:1"), ""),
        (ModelError(""), "an error without a text"),
        (ModelError("no variable"), ""),
    ],
)
def test_anything_but_an_error_with_a_place_is_a_fault(error, fault):
    assert read(Raises(error), "p\n").fault == fault


# --- families ------------------------------------------------------------------------------------


def test_the_files_of_each_family_are_read_or_refused_with_their_place():
    assert {"sudoku", "job_shop"} <= set(list_families())
    assert not {"cnf", "problem"} & set(list_families())
    form = find_format("job_shop")
    assert read(form, "0=3 1=2 | 1=4\n").problem is not None
    for text in ("0=3 1=2 | 1=\n", "", "\n"):
        refused = read(form, text)
        assert (refused.problem, refused.fault) == (None, "")
        assert "bug.txt" in refused.said
    assert find_format("tsp").endings == (".tsp", ".atsp")


def test_what_a_family_divides_a_line_into_is_a_section():
    assert grammar.split("0=3 1=2 | 1=4\n", "job_shop") == ["0=3 1=2 | ", "1=4\n"]


def test_the_rules_of_a_family_contradict_a_problem_that_is_another_one(monkeypatch):
    kind = family("golomb")
    text = next(find_format("golomb").list_texts())
    ask = find_format("golomb").others["the rules"]
    assert ask(text) == others.solve(kind.problem(text.strip()))
    monkeypatch.setattr(type(kind), "check", lambda self, text, values: ["wrong"])
    assert ask(text) == Claim(False)


@pytest.mark.parametrize("name", ["sudoku", "job_shop", "knapsack"])
def test_families_that_are_right_have_no_findings(name, tmp_path):
    lane = play(name, tmp_path, 20)
    assert lane.wrong == {}
    assert lane.refused > 0
    assert lane.comparisons > 20


# --- rounds --------------------------------------------------------------------------------------


@pytest.mark.once
@pytest.mark.parametrize("name", [name for name in READABLE if name != "minizinc"])
def test_readers_that_are_right_have_no_findings(name, tmp_path):
    lane = play(name, tmp_path, 25)
    assert lane.wrong == {}
    assert lane.refused > 0
    assert lane.comparisons > 25 - lane.refused


def test_a_reader_that_raises_has_a_small_finding(tmp_path, monkeypatch):
    def fail(form, text):
        if "0" in text:
            return playing.Reading(said="KeyError: 0", fault="KeyError in f")
        return playing.Reading(said="bug.cnf:1:1: no")

    monkeypatch.setattr(playing, "read", fail)
    lane = play("cnf", tmp_path, 8)
    (cause,) = lane.wrong
    assert cause == "file:cnf: crash with KeyError in f"
    found = sorted(tmp_path.glob("*/*/reading.json"))
    assert 0 < len(found) <= playing.MOST_FOLDERS
    small = (found[0].parent / "bug.cnf").read_text()
    assert "0" in small
    assert len(grammar.split_tokens(small)) <= 3, "one token, and what is around it"
    said = json.loads(found[0].read_text())
    assert (said["fault"], said["ours"], said["name"]) == ("crash", "KeyError: 0", "bug.cnf")


def test_readers_that_contradict_each_other_have_a_finding(tmp_path, monkeypatch):
    """One that takes every file for one that has no solution."""
    liar = {"cnf": {"a liar": lambda path: Claim(False)}}
    monkeypatch.setattr(others, "OTHERS", liar)
    monkeypatch.setattr(playing, "MOST_TRIALS", 10)
    lane = play("cnf", tmp_path, 4)
    assert list(lane.wrong) == ["file:cnf: wrong count with cnf read by a liar"]
    said = json.loads(next(tmp_path.glob("*/1/reading.json")).read_text())
    assert said["by"] == "a liar"
    assert said["theirs"] == "Claim(is_satisfiable=False, best=None)"


def test_a_file_that_ended_the_process_is_a_finding_and_not_read_again(tmp_path):
    lost = {"1/1": Answer(outcome="crashed", note="SIGSEGV: boo")}
    lane = play("cnf", tmp_path, 1, lost=lost)
    assert lane.wrong == {"file:cnf: crash with SIGSEGV of the reader": 1}
    lost = {"1/1": Answer(outcome="timeout", note="no answer after 30 s")}
    assert list(play("cnf", tmp_path, 1, lost=lost).wrong) == [
        "file:cnf: hang with no end of the reader"
    ]


def test_claims_are_compared():
    assert others.disagree(Claim(True, 3), Claim(True, 3)) is None
    assert others.disagree(Claim(True, 3), Claim(True)) is None
    assert others.disagree(Claim(True, 3), Claim(True, 4)) == "false optimum"
    assert others.disagree(Claim(True), Claim(False)) == "wrong count"
    assert others.disagree(Claim(False), Claim(True)) == "false unsatisfiable"


def test_long_numbers_and_strict_relations_are_not_compared(tmp_path):
    def never(path):
        raise AssertionError(path)

    assert others.ask(lambda path: Claim(True), "bug.cnf", CNF) == Claim(True)
    assert others.ask(lambda path: Claim(True), "bug.cnf", "1234567") is None
    assert others.ask(never, "bug.cnf", CNF) is None
    path = tmp_path / "bug.opb"
    path.write_text("1 x1 > 0 ;\n")
    assert others.OTHERS["opb"]["SCIP"](path) is None


@pytest.mark.parametrize(
    ("name", "text", "claim"),
    [
        ("cnf", CNF, Claim(True)),
        ("cnf", "p cnf 1 2\n1 0\n-1 0\n", Claim(False)),
        ("wcnf", "p wcnf 2 2 5\n5 1 0\n2 -1 0\n", Claim(True, 2)),
        ("opb", "min: 1 x1 2 x2 ;\n1 x1 1 x2 >= 1 ;\n", Claim(True, 1)),
        ("lp", "max\n x\nst\n c: x <= 2\nbounds\n x <= 9\ngeneral\n x\nend\n", Claim(True, 2)),
        (
            "flatzinc",
            FLAT,
            Claim(False),
        ),
        ("xcsp3", XCSP3, Claim(True)),
    ],
)
def test_each_reader_says_the_same_as_ours(name, text, claim):
    reading = read(find_format(name), text)
    assert others.solve(reading.problem) == claim
    for by, other in others.OTHERS[name].items():
        said = others.ask(other, f"bug{find_format(name).endings[0]}", text)
        if said is None:
            continue  # it is not installed
        assert others.disagree(claim, said) is None, by


# --- seeds ---------------------------------------------------------------------------------------


def test_files_of_a_folder_are_taken_as_they_are(tmp_path):
    (tmp_path / "one.cnf").write_text(CNF)
    (tmp_path / "other.txt").write_text("nothing")
    seeds = Seeds(find_format("cnf"), (str(tmp_path),), Draws(1))
    assert seeds.files == (CNF,)
    assert CNF in {seeds.choose(random.Random(seed), seed) for seed in range(8)}


def test_drawn_files_have_no_comment_of_our_own():
    seeds = Seeds(find_format("opb"), (), Draws(1))
    texts = [seeds.choose(random.Random(seed), seed) for seed in range(6)]
    assert all(texts)
    assert not any("concord" in text for text in texts)
