"""Changed proofs: what is accepted is right, and a checker that accepts all is found out."""

import pytest

from backends.proofs.certify import Certificate
from backends.proofs.encodings.check import EncodingCheck
from backends.proofs.inferences.program import Verdict
from results.studies.correctness import mutated_proofs
from results.studies.correctness.inequality_lines import Proof as Inequalities
from results.studies.correctness.inference_lines import Proof
from results.studies.correctness.mutated_proofs import KINDS, STUDY, Batch, try_batch
from results.studies.runner import parse

pytest.importorskip("dratify", reason="the extra proof is not installed")
pytest.importorskip("exact", reason="the extra exact is not installed")
pytest.importorskip("pumpkin_solver", reason="the extra pumpkin is not installed")

pytestmark = pytest.mark.once  # many proofs are checked

ACCEPTING = {
    "clauses": (mutated_proofs.proofs, "check_proof", lambda *_: True),
    "learning": (Proof, "verdict", lambda proof: Verdict("checked", "", len(proof.lines))),
    "pumpkin": (Proof, "verdict", lambda proof: Verdict("checked", "", len(proof.lines))),
    "encodings": (mutated_proofs, "check_encoding", lambda *_: EncodingCheck("enumerated")),
    "claims": (mutated_proofs, "certify", lambda *_: Certificate("checked", encoding="agreed")),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_accepted_is_right(kind):
    row = try_batch(kind, 0, 27, 50)
    assert (row.kind, row.mutants, row.faults) == (kind, 50, [])
    assert row.accepted < 50


@pytest.mark.parametrize("kind", ACCEPTING)
def test_a_checker_that_accepts_everything_is_found_out(kind, monkeypatch):
    monkeypatch.setattr(*ACCEPTING[kind])
    try:
        row = try_batch(kind, 0, 27, 40)
    except (ValueError, KeyError, AttributeError):
        return  # a line that cannot be read
    assert row.accepted >= 20  # others are refused before they are looked at
    assert row.faults


def test_a_claim_that_is_false_is_a_fault(monkeypatch):
    """Exact's checker cannot be made to accept all, since its lines are read as they are shown."""
    monkeypatch.setattr(mutated_proofs.inequality_lines.Meaning, "claim_is_true", lambda _: False)
    row = try_batch("cutting-planes", 0, 27, 40)
    assert len(row.faults) == row.accepted > 0
    assert isinstance(mutated_proofs.inequality_lines.Proof([], []), Inequalities)


def test_batches_that_are_there_are_not_tried_again(tmp_path, capsys):
    words = ["--kind", "learning", "--mutants", "6", "--out", str(tmp_path)]
    assert STUDY.main(words) == 0
    capsys.readouterr()
    kept = Batch("learning", 0, 6, 99, [])
    rows = STUDY.read(tmp_path)
    assert [row.mutants for row in rows] == [6]
    STUDY.save(tmp_path, [kept], parse(STUDY, words))
    assert STUDY.main([*words, "--resume"]) == 0
    assert "99" in capsys.readouterr().out
