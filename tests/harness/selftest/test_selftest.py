"""`concord selftest`: every liar has its trial, and who is not caught makes the exit status 1."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from typer.testing import CliRunner

from backends.conformance.liars import LIARS, liar, solutions
from harness.cli.verbs import app
from harness.selftest import hunt as hunting
from harness.selftest.checks import CHECKS, OTHER, name_check
from harness.selftest.trials import Trial, list_trials

FEW = Trial((solutions.WrongValue, solutions.FalseUnsatisfiable), asks={"count": 1})
HONEST = Trial((liar.Liar,), asks={"count": 1})
"""A liar who tells the truth cannot be caught."""


def test_every_liar_has_one_trial() -> None:
    tried = Counter(liar for trial in list_trials() for liar in trial.liars)
    assert tried == Counter(LIARS)


@pytest.mark.once
def test_who_is_caught_and_who_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hunting, "list_trials", lambda: [FEW])
    done = CliRunner().invoke(app, ["selftest"])
    assert done.exit_code == 0, done.output
    first, second, *_, last = done.stdout.splitlines()
    assert first.split()[:3] == ["WrongValue", "solutions", "checked"]
    assert second.split()[:4] == ["FalseUnsatisfiable", "counts", "against", "solutions"]
    assert last == "2 of 2 liars caught"
    monkeypatch.setattr(hunting, "list_trials", lambda: [HONEST])
    done = CliRunner().invoke(app, ["selftest", "--json"])
    assert done.exit_code == 1
    assert json.loads(done.stdout)["caught"] == 0
    assert "Liar was not caught" in done.stderr


@pytest.mark.parametrize(
    ("said", "check"),
    [
        ("solution 1 fails by the rules: no", "solutions checked"),
        ("its proof is rejected: it excludes nothing", "proofs checked"),
        ("2 solutions must be shown; it claims stopped by 'sink'", "what is claimed is shown"),
        ("something else", OTHER),
    ],
)
def test_checks_have_names(said: str, check: str) -> None:
    assert name_check(said) == check
    assert check == OTHER or check in dict(CHECKS)
