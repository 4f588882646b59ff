"""`concord diff`, as a person and as a workflow call it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from harness_samples import QUICK, experiment, tiny_file
from within_process import within

from harness.report.run import run_experiment

TEXTS = [f"{n} {m} -" for n in (2, 3, 4) for m in (2, 3, 4)]
LIAR = "py:liars:FalseUnsatisfiable"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the runs `base`, and `lied` with another backend that lies."""
    folder = tmp_path_factory.mktemp("made")
    path = tiny_file(folder, *TEXTS)
    run_experiment(experiment(path, "brute_force", count="all"), folder / "base", settings=QUICK)
    both = experiment(path, "brute_force", LIAR, count="all")
    run_experiment(both, folder / "lied", settings=QUICK)
    return folder


def test_a_run_passes_beside_itself(folder: Path) -> None:
    done = within(folder, "diff", "base", "base", "--fail-slower", "1.2", "--fail-worse")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("No backend is faster or slower beyond noise.\n")
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_verdict_that_got_worse_fails(folder: Path) -> None:
    pair = ("diff", "lied", "lied", "--pair", "brute_force", LIAR)
    done = within(folder, *pair, "--fail-worse")
    assert done.returncode == 1
    assert "6 verdicts got worse" in done.stderr
    assert "worse: brute_force -> py:liars:FalseUnsatisfiable on " in done.stdout
    assert within(folder, *pair).returncode == 0


def test_a_backend_of_one_run_is_named(folder: Path) -> None:
    done = within(folder, "diff", "base", "lied")
    assert f"1 backend in NEW alone: {LIAR}" in done.stdout


def test_markdown_and_json_go_to_a_file(folder: Path) -> None:
    words = ("diff", "base", "base", "--format", "markdown", "--out", "summary.md")
    assert within(folder, *words).returncode == 0
    assert "| brute_force |" in (folder / "summary.md").read_text()
    refused = within(folder, *words)
    assert refused.returncode == 2
    assert "add --force to replace it" in refused.stderr
    printed = json.loads(within(folder, "diff", "base", "base", "--json").stdout)
    assert printed["passed"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("base", "nowhere"), "nowhere does not exist"),
        (("base", "base", "--fail-slower", "0.5"), "must be a number of at least 1"),
        (("base", "base", "--fail-slower", "nan"), "must be a number of at least 1"),
        (("base", "base", "-b", "brute_forc"), "did you mean 'brute_force'?"),
        (("base", "lied", "--pair", "brute_force", "x"), "NEW has no backend 'x'"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(
    folder: Path, words: tuple[str, ...], message: str
) -> None:
    done = within(folder, "diff", *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
