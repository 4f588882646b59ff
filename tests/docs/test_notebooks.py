"""The notebooks run from a clean kernel, from top to bottom, whatever the current folder is.

What is committed has its outputs, is small, names no path of a machine, and uses the public face.
"""

import re
from pathlib import Path

import pytest

pytestmark = [pytest.mark.once, pytest.mark.timeout(900)]  # kernels start slowly on a busy machine

nbclient = pytest.importorskip("nbclient", reason="nbclient is of the dev extra")
nbformat = pytest.importorskip("nbformat", reason="nbformat is of the dev extra")

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


LARGEST = 300_000
"""Bytes of a notebook with its outputs."""

INNER = re.compile(
    r"^ *(?:import|from) (?:modelling|puzzles|backends|harness|results)\b", re.MULTILINE
)
PATHS = re.compile(r"/(?:home|root|tmp|work|Users|var)/\w")


def test_there_are_notebooks():
    assert NOTEBOOKS


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_what_is_committed_is_whole_and_small(path):
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert path.stat().st_size <= LARGEST
    assert [cell.execution_count for cell in code] == [*range(1, len(code) + 1)]
    assert not PATHS.search(path.read_text(encoding="utf-8"))
    assert not any(INNER.search(cell.source) for cell in code), "use what concord.py has"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs_from_any_folder(path, tmp_path):
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}
    )
    client.execute()
    outputs = [o for cell in notebook.cells if cell.cell_type == "code" for o in cell.outputs]
    assert any("image/png" in o.get("data", {}) for o in outputs)
    assert any("text/html" in o.get("data", {}) for o in outputs)
