"""Each study is named by its room, and explains its options."""

import importlib
import re
from pathlib import Path

import pytest

import results.studies
from harness.plan.reading import list_shipped

pytestmark = pytest.mark.once

FOLDER = Path(results.studies.__file__).parent
PROGRAMS = {
    ".".join(path.relative_to(FOLDER).with_suffix("").parts).removesuffix(".__main__")
    for path in FOLDER.rglob("*.py")
    if re.search(r"^(def main\(|main = )", path.read_text("utf-8"), re.M)
}
# one makes a run of any experiment, one draws what there is again, one runs pytest for a study
STUDIES = sorted(PROGRAMS - {"reference", "report", "mutation.nursery"})


def test_every_study_is_in_the_docstring_of_its_room():
    assert len(STUDIES) > 15
    for study in STUDIES:
        room, _, name = study.partition(".")
        assert room in (results.studies.__doc__ or "").split()
        assert name in (importlib.import_module(f"results.studies.{room}").__doc__ or "").split()
        assert not {study, name} & set(list_shipped())


def find_main(study):
    module = importlib.import_module(f"results.studies.{study}")
    if hasattr(module, "__path__"):
        module = importlib.import_module(f"results.studies.{study}.__main__")
    return module.main


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_explains_its_options(name, capsys):
    with pytest.raises(SystemExit) as left:
        find_main(name)(["--help"])
    assert left.value.code == 0
    assert "--" in capsys.readouterr().out
