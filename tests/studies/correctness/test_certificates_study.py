"""The study of what proofs cost: one small problem, and the page."""

import pytest

import concord
from results.studies.correctness import certificates
from results.studies.correctness.proofs import pigeons

pytest.importorskip("dratify", reason="the extra proof is not installed")


def test_a_small_problem_is_certified_and_told_of(monkeypatch, capsys, tmp_path):
    small = {"pigeonhole 3": (lambda: pigeons(3), concord.Solutions(1))}
    monkeypatch.setattr(certificates, "PROBLEMS", small)
    monkeypatch.setattr(certificates, "KINDS", {"sat": "clauses"})
    assert certificates.main(["--out", str(tmp_path)]) == 0
    (row,) = certificates.STUDY.read(tmp_path)
    assert (row.state, row.encoding) == ("checked", "enumerated")
    assert row.size > 0
    assert "| pigeonhole 3 | sat | checked |" in capsys.readouterr().out
