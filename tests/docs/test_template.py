"""The template of a solver of one's own: its tests pass, and its parts name each other rightly."""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "docs" / "template"


@pytest.mark.once
def test_its_own_tests_pass(tmp_path):
    folder = tmp_path / "mine"
    shutil.copytree(TEMPLATE, folder)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT)])}
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", "."]
    done = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 passed" in done.stdout


def test_the_entry_point_names_what_is_there():
    project = tomllib.loads((TEMPLATE / "pyproject.toml").read_text(encoding="utf-8"))
    (target,) = project["project"]["entry-points"]["concord.backends"].values()
    module, _, name = target.partition(":")
    tree = ast.parse((TEMPLATE / f"{module}.py").read_text(encoding="utf-8"))
    assert name in {one.name for one in tree.body if isinstance(one, ast.FunctionDef)}
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]
    assert included == [f"{module}.py"]
    own = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["project"]["dependencies"] == [own["name"]]
    assert project["project"]["requires-python"] == own["requires-python"]


def test_the_workflow_can_be_read():
    data = yaml.safe_load((TEMPLATE / ".github/workflows/ci.yml").read_text(encoding="utf-8"))
    steps = [step.get("run", "") for step in data["jobs"]["test"]["steps"]]
    assert {"pytest", "concord conform mine"} <= set(steps)
    assert any(step.startswith("concord fuzz -b mine") for step in steps)
