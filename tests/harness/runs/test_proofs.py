"""Proofs through a run: checked outside the clock, in the record, the tables and the verdicts."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest

import concord
from modelling.constraints import NotEqual
from modelling.problem import Problem, build_problem

pytestmark = pytest.mark.once

pytest.importorskip("dratify", reason="the extra proof is not installed")


def pigeons(holes: int) -> Problem:
    pairs = combinations(range(holes + 1), 2)
    return build_problem(
        {f"p{i}": range(holes) for i in range(holes + 1)}, [NotEqual(p) for p in pairs]
    )


def test_a_run_with_proofs(tmp_path: Path) -> None:
    asked = {
        "none": pigeons(5),
        "many": build_problem({"x": range(4), "y": range(4)}, [NotEqual((0, 1))]),
    }
    backends = ["sat:proof=check", "sat:glucose4,proof=check"]
    run = concord.compare(asked, backends, count="all", out=tmp_path / "run")
    jobs = run.jobs
    assert set(jobs["verdict"]) == {"verified"}
    assert set(jobs["proof"]) == {"checked"}
    assert jobs["evidence"].str.contains("proof checked").all()
    assert (jobs["proof_bytes"] > 0).all()
    assert (jobs["proof_s"] > 0.01).all()
    assert (jobs["elapsed_s"] < jobs["wall_s"] + jobs["proof_s"]).all()
    assert jobs["proof_note"].str.startswith("by dratify").all()
    told = "of 2 answers with proofs 2 checked; a checked proof verifies what one family claims"
    assert sum(told in text for text in run.footnotes) == 2


def test_a_check_may_take_longer_than_the_job(tmp_path: Path) -> None:
    run = concord.compare(
        {"none": pigeons(6)}, ["sat:proof=check"], seconds=1.0, out=tmp_path / "run"
    )
    (job,) = run.jobs.to_dict("records")
    assert (job["outcome"], job["proof"], job["verdict"]) == ("finished", "checked", "verified")
    assert job["elapsed_s"] < job["limit_s"]
