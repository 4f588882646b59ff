"""`concord advise` as a person calls it: usage, text of one screen, JSON, a guess."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from within_process import within

from harness.advise import advising, guessing
from harness.advise.neighbours import Example, Examples

pytestmark = pytest.mark.once

LONG = ("--seconds", "600")
"""More than any test needs, on however busy a machine: it ends when it is decided."""

WRONG = {
    "nothing": ((), "name what to solve"),
    "a set": (("nosuch",), "no set and no file is called 'nosuch'"),
    "a solver": (("queens", "-b", "cpsta"), "did you mean 'cpsat'?"),
    "a family": (("queens", "--family", "nosuch"), "--family: no puzzle family"),
    "seconds": (("queens", "--seconds", "2"), "2 seconds are too few"),
    "a count": (("queens", "--count", "0"), "--count must be"),
    "a model": (("--model", "nosuch.py"), "nosuch.py cannot be read"),
    "both forms": (("queens", "--from-features", "--count", "2"), "leave out --count and --out"),
}


def concord(folder: Path, *words: str, status: int = 0) -> Any:
    done = within(folder, *words, COLUMNS="80")
    assert done.returncode == status, done.stderr
    return done


@pytest.mark.parametrize("given", WRONG)
def test_wrong_usage_is_named(given: str, tmp_path: Path) -> None:
    words, said = WRONG[given]
    assert said in concord(tmp_path, "advise", *words, status=2).stderr


def test_an_empty_file_is_nothing_to_advise_on(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").touch()
    done = concord(tmp_path, "advise", "empty.txt", "--family", "queens", status=2)
    assert "nothing to advise on" in done.stderr
    assert not (tmp_path / "results").exists()


def test_advice_is_one_screen_and_its_experiment_runs(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text("5\n6\n")
    words = ("boards.txt", "--family", "queens", "-b", "propagation", "-b", "brute_force", *LONG)
    done = concord(tmp_path, "advise", *words, "--out", "found")
    lines = done.stdout.splitlines()
    assert lines[0] in ("Use propagation.", "Use brute_force.")
    assert len(lines) + len(done.stderr.splitlines()) <= 24
    assert all(len(line) <= 80 for line in lines)
    assert "round 1" in done.stderr
    assert "Use" in concord(tmp_path, "advise", *words, "--quiet", "--out", "quiet").stdout
    again = concord(tmp_path, "run", "found/advice.toml")
    assert "propagation" in again.stdout


def test_json_is_the_advice_alone(tmp_path: Path) -> None:
    (tmp_path / "boards.txt").write_text("6\n")
    words = (
        "boards.txt",
        "--family",
        "queens",
        "-b",
        "propagation",
        "--json",
        "--out",
        "found",
        *LONG,
    )
    done = concord(tmp_path, "advise", *words)
    found = json.loads(done.stdout)
    assert found["solver"] == "propagation"
    assert found["runner_up"] == ""
    assert found["ratio"] is None
    assert found["seconds"] > 0
    assert 'backends = ["propagation"]' in found["toml"]
    assert done.stderr == ""


def test_no_answer_is_status_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(advising.Tournament, "run", lambda tournament: None)
    (tmp_path / "boards.txt").write_text("6\n")
    words = ("boards.txt", "--family", "queens", "-b", "propagation", "--out", "found")
    done = concord(tmp_path, "advise", *words, status=1)
    assert done.stdout.startswith("No solver can be recommended.")


def test_a_guess_has_its_error_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guessing, "load_examples", make_examples)
    words = ("advise", "queens", "-b", "propagation", "-b", "cpsat", "--from-features")
    done = concord(tmp_path, *words)
    lines = done.stdout.splitlines()
    assert lines[0] == "Use cpsat. This is a guess: nothing was run."
    assert "within 1.5 times the virtual best in 3 of 3" in " ".join(done.stdout.split())
    assert all(len(line) <= 80 for line in lines)
    found = json.loads(concord(tmp_path, *words, "--json").stdout)
    assert found["solver"] == "cpsat"
    assert found["validation"]["good"] == 3
    assert not (tmp_path / "results").exists()


def test_who_was_not_measured_cannot_be_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guessing, "load_examples", make_examples)
    words = ("advise", "queens", "-b", "brute_force", "--from-features")
    assert "propagation, cpsat were measured" in concord(tmp_path, *words, status=2).stderr


def make_examples() -> Examples:
    """Three families, of which cpsat is best on each."""
    from harness.advise.features import FEATURES

    places = tuple(0.0 for _ in FEATURES)
    seconds = {"propagation": 2.0, "cpsat": 1.0}
    return Examples("", FEATURES, tuple(Example(name, "1", places, seconds) for name in "abc"))
