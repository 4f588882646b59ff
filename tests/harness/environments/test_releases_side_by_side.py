"""Releases of a solver in environments of their own, installed from a folder, without a network."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest
from harness_samples import job
from tiny_wheels import SOLVER, make_wheels
from typer.testing import CliRunner, Result

import concord
from harness.cli.consent import make_provider
from harness.cli.screen import Screen
from harness.cli.verbs import app
from harness.environments import installing, interpreter, making, recipe
from harness.environments.interpreter import interpreter_for
from harness.environments.making import find, list_made, make, make_missing
from harness.environments.recipe import recipe_for
from harness.job import Question
from harness.runs.progress import RunProgress
from harness.supervise.settings import Settings
from harness.supervise.supervisor import supervise
from modelling.errors import BackendUnavailable, InputError
from puzzles.sets.locking import locked

pytestmark = pytest.mark.once

OLD, NEW = "python_constraint@90", "python_constraint@91"
ALL = Question(limit=None, keep=10)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Wheels of two releases, and a cache folder in which their environments are made once.

    Once also for all processes that share out the tests.
    """
    root = tmp_path_factory.getbasetemp()
    folder = (root.parent if "PYTEST_XDIST_WORKER" in os.environ else root) / "side-by-side"
    folder.mkdir(exist_ok=True)
    with locked(folder / "lock"):
        if not (folder / "wheels").exists():
            made = make_wheels(folder / "new", right=["91.5", "91.10"], wrong=["90.1"])
            made.rename(folder / "wheels")
    return folder


@pytest.fixture(autouse=True)
def _without_network(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONCORD_CACHE", str(place / "cache"))
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable))  # pip, though uv be installed
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(place / "wheels"))
    monkeypatch.setenv("PIP_DISABLE_PIP_VERSION_CHECK", "1")


@pytest.fixture
def made(place: Path) -> Path:
    """The cache folder with both environments."""
    make_missing([OLD, NEW], lambda missing: True)
    return place / "cache" / "environments"


def call(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_an_environment_has_the_newest_of_its_release_and_no_other_solver(made: Path) -> None:
    recipe = recipe_for(NEW)
    assert recipe is not None
    environment = find(recipe)
    assert environment is not None
    assert environment.version == "91.10"
    assert "ortools" not in environment.installed
    assert set(environment.installed) >= {SOLVER, "msgspec", "psutil"}
    assert len(environment.digest) == 16
    assert [one.version for one in list_made()] == ["90.1", "91.10"]
    assert not list(made.glob(".making-*"))
    assert not list(made.glob("*.lock"))


def test_an_exact_release_is_served_by_the_environment_that_came_to_it(made: Path) -> None:
    exact = interpreter_for("python_constraint@91.10")
    assert exact == interpreter_for(NEW)
    assert interpreter_for("python_constraint@91.5").environment == ""


ONCE = pytest.mark.once


@pytest.mark.parametrize(
    "mode", ["pooled", pytest.param("isolated", marks=ONCE), pytest.param("fresh", marks=ONCE)]
)
def test_releases_answer_side_by_side(mode: str, made: Path) -> None:
    if mode == "isolated" and sys.platform != "linux":
        pytest.skip("mode isolated needs Linux")
    backends = [OLD, NEW, "python_constraint"]
    versions = {}
    jobs = [job(number, "3 3 -", name, ALL) for number, name in enumerate(backends * 2, 1)]
    heard = lambda version: versions.update({version.backend: version})  # noqa: E731
    records = [one for one in supervise(jobs, Settings(mode=mode), heard) if one is not None]
    outcomes = Counter((jobs[one.job - 1].backend, one.outcome) for one in records)
    assert outcomes == {
        (OLD, "error"): 2,
        (NEW, "finished"): 2,
        ("python_constraint", "finished"): 2,
    }
    wrong = [one.error for one in records if one.outcome == "error"]
    assert all("reported more than once" in error for error in wrong), wrong
    assert versions[OLD].solver == "90.1"
    assert versions[NEW].solver == "91.10"
    assert versions[OLD].environment != versions[NEW].environment != ""
    assert versions["python_constraint"].environment == ""
    assert versions["python_constraint"].solver not in ("90.1", "91.10")


@ONCE
def test_a_run_is_resumed_with_its_releases(made: Path, tmp_path: Path) -> None:
    def stop(progress: RunProgress) -> None:
        if progress.done:
            raise KeyboardInterrupt

    queens = {"sets": [{"family": "queens", "sizes": [5]}], "backends": [NEW], "repeat": 20}
    with pytest.raises(KeyboardInterrupt):
        concord.compare(**queens, count="all", out=tmp_path / "run", on_progress=stop)
    assert 0 < concord.load(tmp_path / "run").ended < 20
    run = concord.resume(tmp_path / "run")
    assert run.ended == 20
    assert set(run.jobs["status"]) == {"SATISFIABLE"}
    [version] = run.versions
    assert version.solver == "91.10"
    assert version.environment


def test_without_a_terminal_nothing_is_made_unasked(place: Path, tmp_path: Path) -> None:
    words = [
        "compare",
        "--set",
        "queens",
        "-b",
        "python_constraint@91.5",
        "--out",
        str(tmp_path / "r"),
    ]
    refused = call(*words)
    assert refused.exit_code == 2
    assert "--yes" in refused.stderr
    assert "concord environments make python_constraint@91.5 --yes" in refused.stderr
    offline = call(*words, "--offline", "--yes")
    assert offline.exit_code == 2
    assert (
        "--offline: 1 environment (python-constraint2 91.5) would have to be made" in offline.stderr
    )
    with pytest.raises(InputError, match="yes=True"):
        concord.compare("queens", ["python_constraint@91.5"])
    assert not (tmp_path / "r").exists()


@ONCE
def test_a_release_that_is_not_there_is_told_in_a_line(place: Path) -> None:
    failed = call("environments", "make", "python_constraint@92", "--yes")
    assert failed.exit_code == 2
    last = failed.stderr.strip().splitlines()[-1]
    assert last.startswith("concord: python-constraint2 has no release 92 with a wheel for")
    assert "there are: 90.1, 91.5, 91.10" in last
    assert not list((place / "cache" / "environments").glob(f"{SOLVER}-92*"))


def test_this_process_has_one_release(made: Path) -> None:
    with pytest.raises(BackendUnavailable, match="python_constraint@90 needs release 90 of"):
        concord.solve(concord.read("sudoku")[0], backend=OLD)
    here = concord.get_backend("python_constraint").version.partition(".")[0]  # type: ignore[attr-defined]
    name = concord.get_backend("python_constraint").name
    assert concord.get_backend(f"python_constraint@{here}").name == name


def test_a_worker_without_its_environment_says_what_to_make(place: Path) -> None:
    [record] = filter(None, supervise([job(1, backend="python_constraint@91.5")]))
    assert record.outcome == "error"
    assert "concord environments make python_constraint@91.5" in record.error


@ONCE
def test_environments_are_listed_and_removed(made: Path) -> None:
    listed = json.loads(call("environments", "--json").stdout)
    assert [(one["version"], one["made_by"]) for one in listed] == [
        ("90.1", "pip"),
        ("91.10", "pip"),
    ]
    assert "91.10" in call("environments").stdout
    assert call("environments", "remove", "python_constraint@7").exit_code == 2


def test_two_who_want_the_same_make_it_once(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path))
    filled, told, begun = [], [], threading.Event()

    def fill(folder: Path, recipe: recipe.Recipe, on_line: installing.OnLine) -> str:
        filled.append(folder)
        begun.set()
        while "waiting for another process" not in told:
            on_line("still at it")
        python = making.interpreter_path(folder)
        python.parent.mkdir(parents=True)
        python.touch()
        return "test"

    monkeypatch.setattr(making, "fill", fill)
    monkeypatch.setattr(making, "_describe", describe)
    wanted = recipe_for(OLD)
    assert wanted is not None
    first = threading.Thread(target=make, args=(wanted,))
    first.start()
    assert begun.wait(30)
    second = make(wanted, lambda recipe, text: told.append(text))
    first.join()
    assert len(filled) == 1
    assert second == find(wanted)


def describe(folder: Path, recipe: recipe.Recipe, made_by: str) -> making.Environment:
    from datetime import UTC, datetime

    return making.Environment(recipe, {SOLVER: "90.1"}, "0" * 16, made_by, datetime.now(UTC))


@pytest.mark.parametrize("ends", [KeyboardInterrupt, installing.ToolFailed])
def test_an_environment_is_whole_or_not_there(
    ends: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path))
    wanted = recipe_for(OLD)
    assert wanted is not None

    def fill(folder: Path, recipe: recipe.Recipe, on_line: installing.OnLine) -> str:
        folder.mkdir()
        (folder / "half").touch()
        raise ends([])

    monkeypatch.setattr(making, "fill", fill)
    with pytest.raises(ends):
        make(wanted)
    assert find(wanted) is None
    assert not list((tmp_path / "environments").iterdir())


def test_who_ends_the_wait_ends_the_tool(tmp_path: Path) -> None:
    script = "import os, sys, time; print(os.getpid(), flush=True); time.sleep(600)"
    seen = []

    def interrupt(line: str) -> None:
        seen.append(int(line))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        installing.run([sys.executable, "-c", script], interrupt)
    with pytest.raises(ProcessLookupError):
        os.kill(seen[0], 0)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGTERM ends a process of Windows at once")
def test_sigterm_ends_the_tool_and_what_was_begun_is_removed(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    tool = "import os, time; print(os.getpid(), flush=True); time.sleep(600)"
    script = f"""
import pathlib, signal, sys
from harness.environments import installing
begun = pathlib.Path({str(begun)!r})
begun.touch()
try:
    installing.run([sys.executable, "-c", {tool!r}], lambda line: print(line, flush=True))
finally:
    begun.unlink()
"""
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        number = int(process.stdout.readline())
        assert begun.exists()
        process.terminate()
    assert process.returncode == 128 + signal.SIGTERM
    assert not begun.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (
            [
                "WARNING: Retrying after connection broken by 'NewConnectionError'",
                "ERROR: Could not find a version that satisfies the requirement "
                "python-constraint2==90.* (from versions: none)",
            ],
            "the package index is not reached",
        ),
        (
            ["error: Failed to fetch: `x`", "Caused by: dns error"],
            "the package index is not reached",
        ),
        (["there is no version of python-constraint2==90.*"], "has no release 90 with a wheel for"),
        (
            [
                "error: No solution found when resolving dependencies",
                "  cause: Because only python-constraint2<=2.9.0 is available and you require "
                "python-constraint2==90.*, your requirements are unsatisfiable.",
            ],
            "has no release 90 with a wheel for",
        ),
        (
            ["error: No solution found", "  cause: Because x==1 needs y, there is none."],
            "cannot be installed: error: No solution found cause: Because x==1 needs y",
        ),
        (["ERROR: No space left on device"], "cannot be installed: ERROR: No space left on device"),
        ([], "without a word"),
    ],
)
def test_what_went_wrong_is_one_line(lines: list[str], says: str) -> None:
    wanted = recipe_for(OLD)
    assert wanted is not None
    told = installing.explain(wanted, lines)
    assert says in told
    assert "\n" not in told


def test_uv_is_told_what_pip_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: Path
) -> None:
    """A program called uv that notes how it was called, and makes nothing."""
    uv = tmp_path / "uv"
    uv.write_text(f'#!/bin/sh\necho "$* $UV_NO_INDEX $UV_FIND_LINKS" >> {tmp_path}/calls\n')
    uv.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}{os.pathsep}/bin")
    wanted = recipe_for(OLD)
    assert wanted is not None
    assert installing.fill(tmp_path / "made", wanted, lambda line: None) == "uv"
    first, second = (tmp_path / "calls").read_text().splitlines()
    assert first.startswith(f"venv --no-project --python {sys.executable}")
    assert "pip install --python" in second
    assert second.endswith(f"python-constraint2==90.* 1 {place / 'wheels'}")


def test_an_installed_concord_is_linked_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CONCORD_CACHE", str(tmp_path / "cache"))
    site = tmp_path / "site-packages"
    for name in ("modelling", "puzzles", "backends", "harness", "other"):
        (site / name).mkdir(parents=True)
    (site / "concord.py").touch()
    monkeypatch.setattr(interpreter, "SOURCE", site)
    for _ in range(2):
        linked = Path(interpreter._source_alone())
        there = {one.name for one in linked.iterdir()}
        assert there == {"concord.py", "modelling", "puzzles", "backends", "harness"}
        assert (linked / "harness").resolve() == site / "harness"


class Terminal:
    """Standard input or error of somebody who sits there."""

    def isatty(self) -> bool:
        return True


def test_who_sits_at_a_terminal_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answers = [], [False, True]

    def confirm(text: str, err: bool) -> bool:
        asked.append(text)
        return answers.pop(0)

    agreed = []

    def make_missing(names: object, agree: making.Agree, **more: object) -> list[object]:
        agreed.append(agree([recipe_for(OLD)]))  # type: ignore[list-item]
        return []

    monkeypatch.setattr("typer.confirm", confirm)
    monkeypatch.setattr("typer.echo", lambda text, err: None)
    monkeypatch.setattr(making, "make_missing", make_missing)
    provide = make_provider(Screen(quiet=True), yes=False, offline=False)
    with monkeypatch.context() as there:
        there.setattr("sys.stdin", Terminal())
        there.setattr("sys.stderr", Terminal())
        for _ in range(3):
            provide([OLD])
    assert agreed == [False, True, True]
    assert len(asked) == 2
    make_provider(Screen(quiet=True), yes=True, offline=False)([OLD])
    make_provider(Screen(quiet=True), yes=False, offline=False)([OLD])  # without a terminal
    assert agreed == [False, True, True, True, False]
    assert len(asked) == 2
    make_provider(Screen(quiet=True), yes=False, offline=False)(["cpsat"])
    assert len(agreed) == 5


def test_the_module_path_has_no_package_of_this_process(made: Path) -> None:
    chosen = interpreter_for(NEW)
    code = "import sys; sys.path[:] = sys.argv[1:]; import ortools"
    words = [chosen.python, "-P", "-c", code, *chosen.path]
    ended = subprocess.run(words, capture_output=True, text=True)
    assert "No module named 'ortools'" in ended.stderr
