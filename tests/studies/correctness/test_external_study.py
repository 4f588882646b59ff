"""The study of other people's files, on a collection of four files, of which one is wrong."""

import json

import pytest

from results.studies.correctness import external

INDEX = """
[[instance]]
file = "job-shop/two.txt"
family = "job-shop"
status = "optimal"
optimum = 3
stated = "here"
resolved_with = "CP-SAT 9.15, one worker: agrees in 0.1 s"

[[instance]]
file = "colouring/wrong.col"
family = "colouring"
status = "optimal"
optimum = 3
stated = "here"

[[instance]]
file = "car-sequencing/cars.txt"
family = "car-sequencing"
status = "mixed"
stated = "results: a/1, 60-* to 70-* satisfiable; 5/5 infeasible. NB"

[[instance]]
file = "qwh/damaged.pls"
family = "qwh"
status = "sat"
stated = "here"
resolved_with = "CP-SAT 9.15, one worker: no proof in 15 s (unknown)"

[[instance]]
file = "xcsp3/other.xml"
family = "xcsp3"
status = "sat"
"""
FILES = {
    "INDEX.toml": INDEX,
    "job-shop/two.txt": "2 2\n0 1 1 2\n1 1 0 2\n",
    "colouring/wrong.col": "p edge 2 1\ne 1 2\n",
    "car-sequencing/cars.txt": "# Problem a/1\n3 1 2\n1\n2\n0 2 1\n1 1 0\n"
    "# Problem 5/5\n3 1 2\n1\n2\n0 3 1\n1 0 0\n# Problem 61-02\n1 1 1\n1\n2\n0 1 0\n"
    "# Problem 9/9\n1 1 1\n1\n2\n0 1 0\n",
    "qwh/damaged.pls": "order 2\n0 x\n1 0\n",
}


@pytest.fixture
def collection(tmp_path):
    for name, content in FILES.items():
        path = tmp_path / "collection" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return tmp_path / "collection"


def test_what_is_stated(collection):
    files = external.read_index(collection, ())
    assert [file.file for file in files] == [name for name in FILES if name != "INDEX.toml"]
    job_shop, _, cars, squares = files
    assert (job_shop.resolved, cars.resolved, squares.resolved) == (0.1, None, None)
    assert squares.problem.startswith("qwh/damaged.pls:2:")
    assert [external.tell_stated(cars.stated, name) for name in ("a/1", "5/5", "61-02", "9/9")] == [
        "sat",
        "unsat",
        "sat",
        "nothing",
    ]
    assert [file.collection for file in external.read_index(collection, ["qwh"])] == ["qwh"]


@pytest.mark.once
def test_answers_are_compared_and_a_run_is_resumed(collection, tmp_path, capsys):
    asked = [
        str(collection),
        "--backend",
        "cpsat",
        "--seconds",
        "20",
        "--out",
        str(tmp_path / "out"),
    ]
    asked += ["--run", str(tmp_path / "run")]
    assert external.main(asked) == 1  # for what is stated of wrong.col is wrong
    lines = (tmp_path / "out" / "external.jsonl").read_text().splitlines()
    found = {(a["file"], a["instance"]): (a["found"], a["agreed"]) for a in map(json.loads, lines)}
    assert found == {
        ("job-shop/two.txt", "two"): ("optimum 3", "agrees"),
        ("colouring/wrong.col", "wrong"): ("optimum 2", "differs"),
        ("car-sequencing/cars.txt", "a/1"): ("sat", "agrees"),
        ("car-sequencing/cars.txt", "5/5"): ("unsat", "agrees"),
        ("car-sequencing/cars.txt", "61-02"): ("sat", "agrees"),
        ("car-sequencing/cars.txt", "9/9"): ("sat", "not stated"),
    }
    report = (tmp_path / "out" / "external.md").read_text()
    assert "- 1 of 1 files that were solved again within 5 s" in report
    assert "- `qwh/damaged.pls`: qwh/damaged.pls:2:" in report
    assert str(tmp_path) not in report + "".join(lines)
    assert "answers differ" in capsys.readouterr().out
    assert external.main([*asked, "--only", "job-shop", "--run", str(tmp_path / "other")]) == 0
    assert external.main(asked) == 1
    assert (tmp_path / "out" / "external.jsonl").read_text().splitlines() == lines
