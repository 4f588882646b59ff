"""The notebooks run from a clean kernel, from top to bottom, whatever the current folder is."""

from pathlib import Path

import pytest

pytestmark = [pytest.mark.once, pytest.mark.timeout(900)]  # kernels start slowly on a busy machine

nbclient = pytest.importorskip("nbclient", reason="nbclient is of the dev extra")
nbformat = pytest.importorskip("nbformat", reason="nbformat is of the dev extra")

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert NOTEBOOKS


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
