"""The textbook models: each file is run, and asserts the answer that is known."""

import runpy
from pathlib import Path

import pytest

from modelling.formats.python_files import find_models

pytestmark = [pytest.mark.once, pytest.mark.timeout(300)]

MODELS = sorted((Path(__file__).parents[2] / "docs" / "models").glob("*.py"))


def test_there_are_twelve():
    assert len(MODELS) == 12


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_a_model_has_its_known_answer(path, capsys):
    source = path.read_text(encoding="utf-8")
    assert "assert " in source.partition('if __name__ == "__main__":')[2]
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_a_model_can_be_compared(path):
    """As ``concord compare --model`` finds it."""
    ((text, problem),) = find_models(str(path)).items()
    assert text.partition("@")[0].endswith(f"/{path.name}:m")
    assert problem.structure.constraints
