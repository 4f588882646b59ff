"""The studies of formats, on small folders and claims of our own."""

from __future__ import annotations

import gzip
import json
import lzma
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from modelling.constraint import Constraint
from modelling.constraints import FALSE, AllDifferent, Linear, Table, Truth
from modelling.formats import find_format
from modelling.laws.drawing import structure_over
from modelling.problem import Problem
from puzzles.family import family
from results.studies.formats import (
    flatzinc_solutions,
    instances,
    mutated,
    round_trips,
    same_structure,
)
from results.studies.formats.samples import list_samples
from results.studies.puzzles.mutations import FINE

pytestmark = pytest.mark.once

CNF = b"p cnf 2 2\n1 2 0\n-1 -2 0\n"
PAIR = b"var 1..3: x :: output_var;\nvar 1..3: y :: output_var;\nconstraint int_lt(x, y);\n"
BEST = PAIR + b"solve minimize y;\n"
XCSP3 = (
    b'<instance format="XCSP3" type="CSP"><variables><var id="a">0..2</var></variables>'
    b"<constraints><intension>gt(a,0)</intension></constraints></instance>"
)
MAGIC = "3 4\n1 1 2\n1 2 7\n2 2 5\n1 1 2\n"
FOUND = ((1, 2), (1, 3), (2, 3))
PRINTED = "".join(f"x = {x};\ny = {y};\n----------\n" for x, y in FOUND) + "==========\n"


def write_folder(folder: Path, **changes: Any) -> Path:
    """A folder of instances with its index."""
    with zipfile.ZipFile(folder / "squares.zip", "w") as packed:
        packed.writestr("some/nine.dat", MAGIC)
    files: dict[str, tuple[bytes, str]] = {
        "cnf-count/two.cnf.gz": (gzip.compress(CNF), 'status = "sat"\ncount = 2'),
        "cnf/none.cnf": (CNF.replace(b"2 2", b"2 4", 1) + b"1 -2 0\n-1 2 0\n", 'status = "unsat"'),
        "cnf/bad.cnf": (b"p cnf 1 1\n3 0\n", 'status = "sat"'),
        "flatzinc-constraint/pair.fzn": (
            PAIR + b"solve satisfy;\n",
            'status = "sat"\ncount = 3\nanswers = "flatzinc-constraint/pair.expected"',
        ),
        "flatzinc-optimum/best.fzn": (BEST, 'status = "optimal"\noptimum = 2\nsense = "minimize"'),
        "xcsp3/one.xml.lzma": (lzma.compress(XCSP3, lzma.FORMAT_ALONE), 'status = "sat"'),
        "magic-square-completion/squares.zip": (
            (folder / "squares.zip").read_bytes(),
            'status = "sat"',
        ),
        "tsp/other.tsp": (b"of no concern", 'status = "sat"'),
    }
    lines = []
    for name, (data, told) in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        told = changes.get(name.partition("/")[0], told)
        lines.append(f'[[instance]]\nfile = "{name}"\n{told}\nstated = "a book"\n')
    (folder / "flatzinc-constraint" / "pair.expected").write_text(PRINTED)
    (folder / "INDEX.toml").write_text("\n".join(lines))
    return folder


def run_instances(folder: Path, **changes: Any) -> tuple[int, str, list[dict[str, Any]]]:
    words = ["--seconds", "20", "--backend", "sat", "--backend", "cpsat"]
    places = ["--run", str(folder / "run"), "--out", str(folder / "out")]
    if not (folder / "INDEX.toml").exists():
        write_folder(folder, **changes)
    status = instances.main([str(folder), *words, *places])
    text = (folder / "out" / "instances.md").read_text()
    return status, text, json.loads((folder / "out" / "instances.json").read_text())["rows"]


def test_files_with_known_answers(tmp_path: Path) -> None:
    status, text, rows = run_instances(tmp_path)
    assert status == 0
    assert "| all | 7 | 6 | 6 | 0 | 6 | 6 | 0 |" in text
    assert "## Not read: 1" in text
    assert "- bad.cnf: " in text
    assert "| magic-square-completion | nine |" in text
    stated = {row["instance"]: row["verdict"] for row in rows if row["backend"] == "stated"}
    assert stated == dict.fromkeys(
        ("two.cnf.gz", "none.cnf", "pair.fzn", "best.fzn", "one.xml.lzma", "nine"), "verified"
    )
    assert run_instances(tmp_path)[1:] == (text, rows)  # it continues where it was


def test_a_stated_answer_that_is_wrong_is_found(tmp_path: Path) -> None:
    better = 'status = "optimal"\noptimum = 3\nsense = "minimize"'
    status, text, _ = run_instances(tmp_path, **{"flatzinc-optimum": better})
    assert status == 1
    assert "## Contradicted: 1" in text
    assert "stated on flatzinc-optimum best.fzn: wrong, 3 is not the best" in text


def test_a_magic_square_says_a_cell_twice() -> None:
    text = instances.read_magic_square(MAGIC)
    assert text == "3: 2 7 . . 5 . . . ."
    assert family("magic_square").problem(text).structure.size == 9


def test_all_solutions_of_flatzinc(tmp_path: Path) -> None:
    folder = write_folder(tmp_path)
    words = [str(folder), "--backend", "sat", "--out", str(tmp_path / "out")]
    assert flatzinc_solutions.main(words) == 0
    table = (tmp_path / "out" / "flatzinc_solutions.md").read_text()
    assert "| pair.fzn | 3 | all |" in table
    expected = folder / "flatzinc-constraint" / "pair.expected"
    expected.write_text(PRINTED.replace("x = 2", "x = 3"))
    assert flatzinc_solutions.main(words) == 1
    assert "**3 others**" in (tmp_path / "out" / "flatzinc_solutions.md").read_text()


@pytest.mark.parametrize(("name", "text"), list(list_samples()))
def test_samples_are_whole_files(name: str, text: str) -> None:
    assert find_format(name).read(text.encode(), "sample").structure.names


@pytest.mark.parametrize("name", mutated.SAMPLES)
def test_mutants_end_well(name: str, tmp_path: Path) -> None:
    form, path = find_format(name), tmp_path / f"mutant{find_format(name).endings[0]}"
    for number in range(40):
        path.write_bytes(mutated.make_mutant(name, number))
        assert mutated.make_mutant(name, number) == path.read_bytes()
        assert mutated.outcome(form, path) in FINE


def test_blocks_of_mutants_are_not_read_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["--number", "3", "--format", "cnf", "--out", str(tmp_path)]
    assert mutated.main(words) == 0
    assert "| cnf | 3 |" in capsys.readouterr().err
    assert mutated.main(words) == 0
    shown = capsys.readouterr()
    assert shown.err == ""
    assert "| cnf | 3 |" in shown.out


def test_what_a_damaged_file_must_not_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mutant.cnf"
    path.write_bytes(CNF)
    form = find_format("cnf")
    monkeypatch.setattr(type(form), "read", lambda *_: 1 // 0)
    assert mutated.outcome(form, path).startswith("traceback: ZeroDivisionError")


def test_problems_go_round(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(round_trips, "BLOCK", 6)
    monkeypatch.setattr(round_trips, "list_instances", lambda _: round_trips.draw_problems(7))
    words = ["--problems", "6", "--format", "flatzinc", "--format", "opb", "--out", str(tmp_path)]
    assert round_trips.main(words) == 0
    assert "opb 0: 6 problems, 0 faults" in capsys.readouterr().err
    assert round_trips.main(words) == 0
    assert capsys.readouterr().err == ""
    assert "| flatzinc | 6 | 6 |" in (tmp_path / "round_trips.md").read_text()


def test_a_problem_that_comes_back_as_another_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = family("queens").problem("4")
    known = round_trips.Case("queens 4", problem, 2, None, None)
    form, block = find_format("flatzinc"), round_trips.Block("flatzinc", "0", refused={}, faults=[])
    round_trips.examine(form, known, 10.0, block)
    assert (block.problems, block.faults) == (1, [])
    other = family("queens").problem("5")
    monkeypatch.setattr(type(form), "read", lambda *_: other)
    round_trips.examine(form, known, 10.0, block)
    assert block.faults[0].startswith("queens 4: 10 solutions, not 2")
    less = replace(problem.structure, constraints=problem.structure.constraints[1:])
    monkeypatch.setattr(type(form), "read", lambda *_: less.problem())
    monkeypatch.setattr(round_trips, "has_words_for", lambda *_: True)
    round_trips.examine(form, known, 10.0, block)
    assert block.other_words == {"AllDifferent -> nothing": 1}
    assert same_structure.is_same(problem, problem)
    assert not same_structure.is_same(problem, other)
    assert any(isinstance(one, AllDifferent) for one in problem.structure.constraints)


def state(*constraints: Constraint, top: int = 4) -> Problem:
    return structure_over((tuple(range(top)),) * 3, constraints).problem()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (Linear((0, 1), (1, -1), "<", 0), Linear((1, 0), (1, -1), ">=", 1)),
        (Table((0, 1), ((1, 2), (0, 3)), True), Table((0, 1), ((0, 3), (1, 2)), True)),
        (Linear((0,), (1,), "<", 0), FALSE),
    ],
)
def test_order_and_signs_make_no_other_structure(one: Constraint, other: Constraint) -> None:
    assert same_structure.is_same(state(one), state(other))
    assert not same_structure.is_same(state(one), state(Linear((0, 1), (1, -1), "<=", 0)))


def test_a_clause_is_the_same_with_any_weights_that_make_it_one() -> None:
    clause = Linear((0, 1, 2), (1, 1, -1), ">=", 0)
    assert same_structure.is_same(
        state(clause, top=2), state(Linear((0, 1, 2), (3, 2, -2), ">=", -1), top=2)
    )
    assert not same_structure.is_same(state(clause), state(Linear((0, 1, 2), (3, 2, -2), ">=", -1)))


def test_what_no_format_has_words_for_is_not_said_as_it_stands() -> None:
    assert same_structure.has_words_for("xcsp3", state(AllDifferent((0, 1, 2))))
    assert not same_structure.has_words_for("xcsp3", state(Table((0, 1), ((7, 7),), True)))
    assert not same_structure.has_words_for(
        "flatzinc", state(Linear((Truth(AllDifferent((0, 1))), 2), (1, 1), ">", 2))
    )
