"""What lies in the working folder is found last, and takes the place of no solver."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from within_process import within

from backends.interface import registry
from harness.environments.interpreter import interpreter_for
from harness.plan.checking import ensure_usable
from harness.plan.experiment import Experiment
from modelling.errors import HiddenSolver, UnknownBackend
from modelling.working_folder import append_working_folder, find_in_working_folder

MINE = "from backends.conformance.liars import liar\n\nclass Mine(liar.Liar):\n    pass\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with ``mine.py`` and packages that call themselves ortools and pysat."""
    for name in ("ortools", "pysat"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text(f'raise RuntimeError("the wrong {name}")\n')
    (tmp_path / "mine.py").write_text(MINE)
    (tmp_path / "decimal.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    for name in ("ortools", "mine"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def test_a_module_of_the_working_folder_is_found_after_all_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append_working_folder()
    append_working_folder()
    assert sys.path.count(str(folder)) == 1
    assert sys.path[-1] == str(folder)
    assert find_in_working_folder("ortools.sat") == ""
    assert find_in_working_folder("mine") == str(folder / "mine.py")
    assert find_in_working_folder("no_such_module_here") == ""
    (folder / "other").mkdir()
    monkeypatch.chdir(folder / "other")
    append_working_folder()
    assert (sys.path[-1], sys.path.count(str(folder))) == (str(folder / "other"), 0)


def test_a_worker_finds_the_working_folder_last(folder: Path) -> None:
    sys.path.insert(0, "")  # as ``python -m`` does
    path = interpreter_for("cpsat").path
    assert path[-1] == str(folder)
    assert path.count(str(folder)) == 1


def test_a_solver_in_the_working_folder_is_refused(folder: Path) -> None:
    sys.path.insert(0, str(folder))
    with pytest.raises(HiddenSolver, match=r"cpsat: the module 'ortools' .*working folder.*rename"):
        registry.get("cpsat")
    both = Experiment(name="both", sets=["queens"], backends=["propagation", "cpsat"])
    with pytest.raises(HiddenSolver, match="ortools"):
        ensure_usable(both)
    found = {info.name: info for info in registry.summaries()}
    assert not found["cpsat"].installed
    assert "working folder" in found["cpsat"].hint


def test_a_file_that_an_installed_module_hides_is_named(folder: Path) -> None:
    with pytest.raises(UnknownBackend, match=r"no attribute 'Mine' \(it is .*rename yours"):
        registry.get("py:decimal:Mine")


def test_a_backend_of_ones_own_brings_no_solver_along(folder: Path) -> None:
    """A folder ``pysat`` beside ``mine.py`` once answered in the place of the installed one."""
    words = ["compare", "--set", "queens", "--limit", "1", "-b", "py:mine:Mine", "-b", "sat"]
    done = within(folder, *words, COLUMNS="200")
    assert (done.returncode, "every answer verified" in done.stdout) == (0, True), done


def test_with_the_working_folder_first_a_comparison_ends_at_once(folder: Path) -> None:
    (folder / "decimal.py").unlink()
    words = [sys.executable, "-m", "concord", "compare", "--set", "queens", "-b", "cpsat"]
    done = subprocess.run(
        [*words, "-b", "propagation"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "HiddenSolver" in done.stderr) == (2, False)
    assert "'ortools'" in done.stderr
