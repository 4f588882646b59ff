"""Bisection over releases: on verdicts that are made up, and on wheels without a network."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from math import ceil, log2
from pathlib import Path
from typing import Any

import pytest
from harness_samples import job
from tiny_wheels import SOLVER, make_wheels
from typer.testing import CliRunner

from harness.cli.verbs import app
from harness.environments import releases as listing
from harness.environments.releases import find_newest, is_yanked, list_releases, order
from harness.runs import bisecting
from harness.runs.bisecting import LEFT_OUT, Case, ReleaseAnswer, bisect
from modelling.errors import BackendUnavailable, InputError


def make_up(monkeypatch: pytest.MonkeyPatch, words: dict[str, str]) -> None:
    def ask(case: Case, release: str, provide: object) -> ReleaseAnswer:
        return ReleaseAnswer(release, words[release], installed=words[release] != LEFT_OUT)

    monkeypatch.setattr(bisecting, "_ask", ask)


def search(words: dict[str, str], good: str, bad: str) -> bisecting.Bisection:
    return bisect(Case(job(1)), list(words), good, bad, lambda names: [])


@pytest.mark.parametrize("number", [2, 3, 4, 5, 7, 8, 16, 33, 100])
@pytest.mark.parametrize("fixed", [True, False])
def test_neighbours_are_found_with_few_installs(
    number: int, fixed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [str(release) for release in range(number)]
    for change in range(1, number):
        older, newer = ("wrong", "verified") if fixed else ("verified", "wrong")
        words = {name: older if int(name) < change else newer for name in names}
        make_up(monkeypatch, words)
        ends = (names[-1], names[0]) if fixed else (names[0], names[-1])
        found = search(words, *ends)
        assert {found.good.release, found.bad.release} == {str(change - 1), str(change)}  # type: ignore[union-attr]
        assert found.installs <= ceil(log2(number)) + 2
        assert [one.release for one in found.in_order()] == sorted(
            (one.release for one in found.asked), key=int
        )


def test_what_cannot_be_asked_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {
        "1": "wrong",
        "2": LEFT_OUT,
        "3": LEFT_OUT,
        "4": "crashed",
        "5": LEFT_OUT,
        "6": "verified",
    }
    make_up(monkeypatch, words)
    found = search(words, "6", "1")
    assert found.good is not None
    assert found.bad is not None
    assert (found.bad.release, found.good.release) == ("4", "6")
    assert [one.word for one in found.in_order()].count(LEFT_OUT) >= 1
    assert "5" in {one.release for one in found.asked}


def test_ends_that_are_alike_or_cannot_be_asked_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    make_up(monkeypatch, {"1": "verified", "2": "verified"})
    with pytest.raises(InputError, match="releases 2 and 1 are both verified"):
        search({"1": "", "2": ""}, "2", "1")
    make_up(monkeypatch, {"1": LEFT_OUT, "2": "verified"})
    with pytest.raises(BackendUnavailable, match="release 1 cannot be asked"):
        search({"1": "", "2": ""}, "2", "1")


def test_releases_are_in_the_order_of_their_numbers() -> None:
    wanted = ["1.8.dev17", "1.8a1", "1.8rc1", "1.8", "1.8.post1", "1.9", "1.10.1", "2"]
    assert sorted(set(wanted), key=order) == wanted
    assert find_newest("1.8", wanted, "x") == "1.8.post1"
    assert find_newest("1.10", wanted, "x") == "1.10.1"
    with pytest.raises(InputError, match=r"x has no release 1.7 for this Python \(there are: "):
        find_newest("1.7", wanted, "x")
    with pytest.raises(BackendUnavailable, match="'latest' is not a release"):
        order("latest")


def test_an_index_that_is_not_reached_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(words: Sequence[str], *more: Any) -> list[str]:
        raise listing.ToolFailed(["WARNING: Retrying after connection broken by 'x'"])

    monkeypatch.setattr(listing, "run", fail)
    with pytest.raises(BackendUnavailable, match="the package index is not reached"):
        list_releases("ortools")


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    right = ["94.0", "95.0", "96.0", "97.0", "98.0rc1"]
    return make_wheels(folder, right, wrong=["90.0", "91.0", "92.0", "93.0"])


@pytest.fixture
def _offline(wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable))
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))


MODEL = """
import concord
model = concord.Model()
x = model.ints(3, 0, 2, "x")
model.add(x[0] + x[1] != x[2])
"""


@pytest.mark.once
@pytest.mark.usefixtures("_offline")
def test_the_release_that_repairs_a_solver_is_found(tmp_path: Path) -> None:
    model = tmp_path / "model.py"
    model.write_text(MODEL)
    words = ["bisect", str(model), "--package", SOLVER, "--count", "all", "--bad", "90"]
    refused = CliRunner().invoke(app, words)
    assert refused.exit_code == 2
    assert "--yes" in refused.stderr
    ended = CliRunner().invoke(app, [*words, "--yes", "--json"])
    assert ended.exit_code == 0, ended.stderr
    found = json.loads(ended.stdout)
    assert found["last"]["release"] == "93.0"
    assert found["last"]["word"] == "wrong"
    assert found["first"]["release"] == "94.0"
    assert found["first"]["word"] == "verified"
    assert found["releases"] == 8  # without the pre-release
    assert found["installs"] <= log2(8) + 2
    again = CliRunner().invoke(app, [*words, "--offline"])
    assert again.exit_code == 0, again.stderr
    assert "is wrong up to 93.0" in " ".join(again.stdout.split())
    assert "0 installs for 8 releases." in again.stdout


@pytest.mark.once
@pytest.mark.usefixtures("_offline")
def test_the_dispute_of_a_run_is_bisected(tmp_path: Path) -> None:
    words = ["compare", "--model", str(tmp_path / "model.py"), "--count", "all", "--yes"]
    (tmp_path / "model.py").write_text(MODEL)
    run = tmp_path / "run"
    backends = ["-b", "python_constraint@93:recursive", "-b", "propagation"]
    assert CliRunner().invoke(app, [*words, *backends, "--out", str(run)]).exit_code == 1
    words = ["bisect", str(run), "--package", SOLVER, "--good", "94", "--yes"]
    ended = CliRunner().invoke(app, words)
    assert ended.exit_code == 0, ended.stderr
    said = " ".join(ended.stdout.split())
    assert "python_constraint@93:recursive is wrong up to 93.0, and verified from 94.0 on" in said
    assert "1 install for 2 releases." in said
    refused = CliRunner().invoke(app, ["bisect", str(run), "--package", "ortools"])
    assert refused.exit_code == 2
    assert "has no dispute of a backend whose solver is in ortools" in refused.stderr


@pytest.mark.once
@pytest.mark.usefixtures("_offline")
def test_a_release_that_was_withdrawn_is_seen(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "simple" / SOLVER
    folder.mkdir(parents=True)
    links = [
        f'<a href="{one.as_uri()}"{" data-yanked=lost" if "-91" in one.name else ""}>{one.name}</a>'
        for one in wheels.glob("python_constraint2*")
    ]
    (folder / "index.html").write_text(f"<!DOCTYPE html><html><body>{''.join(links)}</body></html>")
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.delenv("PIP_FIND_LINKS")
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "simple").as_uri())
    assert is_yanked(SOLVER, "91.0")
    assert not is_yanked(SOLVER, "92.0")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--package", "numpy"], "no backend that ships has its solver in 'numpy'"),
        (["--package", "ortools", "-b", "sat"], "the solver of sat is not in ortools"),
        (["--package", "ortools", "-b", "cpsat@9.12"], "write cpsat without a release"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], says: str, tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    refused = CliRunner().invoke(app, ["bisect", str(tmp_path / "model.py"), *words])
    assert refused.exit_code == 2
    assert says in refused.stderr
