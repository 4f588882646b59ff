"""The studies that `concord run` knows by name are those that a checkout has."""

import importlib
from pathlib import Path

import pytest

import results.studies
from harness.plan.reading import STUDIES, list_shipped

FOLDER = Path(results.studies.__file__).parent


def test_every_program_of_the_folder_is_told_by_name():
    programs = {
        path.stem for path in FOLDER.glob("*.py") if "\ndef main(" in path.read_text("utf-8")
    }
    assert programs - {"reference"} == set(STUDIES)  # which makes a run of any experiment
    assert set(STUDIES) <= set((results.studies.__doc__ or "").split())
    assert not set(STUDIES) & set(list_shipped())


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_explains_its_options(name, capsys):
    with pytest.raises(SystemExit) as left:
        importlib.import_module(f"results.studies.{name}").main(["--help"])
    assert left.value.code == 0
    assert "--" in capsys.readouterr().out
