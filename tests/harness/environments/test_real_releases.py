"""Releases of OR-Tools from the index that pip uses: the wrong enumeration of 9.12, found again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness.cli.verbs import app
from harness.environments.releases import find_newest, list_releases
from modelling.errors import ConcordError

REFERENCE = Path(__file__).parents[3] / "results" / "reference" / "bisect"


@pytest.mark.once
@pytest.mark.timeout(1800)
def test_the_release_that_ended_repeats_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        releases = list_releases("ortools")
        bad, good = (find_newest(one, releases, "ortools") for one in ("9.12", "9.13"))
    except ConcordError as error:
        pytest.skip(f"needs a package index with OR-Tools 9.12 and 9.13: {error}")
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path))
    words = ["bisect", str(REFERENCE / "implied_sum.py"), "-b", "cpsat:presolve=on"]
    words += ["--package", "ortools", "--count", "all", "--good", good, "--bad", bad]
    ended = CliRunner().invoke(app, [*words, "--yes", "--json"])
    assert ended.exit_code == 0, ended.stderr
    found = json.loads(ended.stdout)
    known = json.loads((REFERENCE / "bisect.json").read_text(encoding="utf-8"))
    for end in ("last", "first"):
        assert found[end] == known[end]
    assert found["installs"] == 2


def test_the_reference_took_few_installs() -> None:
    known = json.loads((REFERENCE / "bisect.json").read_text(encoding="utf-8"))
    assert known["installs"] == len(known["asked"]) == 4
    assert known["releases"] == 6
    assert {one["release"]: one["word"] for one in known["asked"]} == {
        "9.10.4067": "wrong",
        "9.12.4544": "wrong",
        "9.13.4784": "verified",
        "9.15.6755": "verified",
    }
