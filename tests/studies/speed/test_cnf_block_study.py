"""The study of large files of clauses, on a small one."""

import json

from results.studies.speed import cnf_block


def test_a_small_file_is_measured(tmp_path):
    words = ["--repeat", "1", "--variables", "300", "--clauses", "600", "--out", str(tmp_path)]
    assert cnf_block.main(words) == 0
    (measured,) = json.loads((tmp_path / "cnf_block.json").read_text("utf-8"))["rows"]
    assert {"read", "read clock", "digest", "solve", "phase load", "memory"} <= set(measured)
    table = (tmp_path / "cnf_block.md").read_text("utf-8")
    assert "300 variables, 600 clauses of three literals" in table
    assert "| read |" in table
    assert "| - load |" in table


def test_the_file_is_what_was_asked_for(tmp_path):
    size = cnf_block.draw(tmp_path / "f.cnf", 50, 70)
    lines = (tmp_path / "f.cnf").read_text("ascii").splitlines()
    assert lines[:2] == ["c random clauses", "p cnf 50 70"]
    assert len(lines) == 72
    assert size == sum(len(line) + 1 for line in lines)
