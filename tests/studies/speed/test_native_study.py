"""The study of native handlers: its instances, and one class of it."""

import pytest

from backends.cpsat.handlers import HANDLERS
from modelling.constraints import NotEqual
from results.studies.speed import native
from results.studies.speed.native_instances import MAKERS, kind, problem_of

pytestmark = pytest.mark.once


def test_every_handler_is_measured():
    assert {of for of in HANDLERS if of is not NotEqual} <= set(map(kind, MAKERS))


@pytest.mark.parametrize("name", MAKERS)
def test_instances_speak_of_their_class(name):
    for maker in MAKERS[name]:
        problem = problem_of(maker, maker.sizes[0], 0)
        assert problem == problem_of(maker, maker.sizes[0], 0)
        assert f"{name}(" in repr(problem.structure.constraints)


def test_one_class(tmp_path, capsys):
    words = ["--only", "Inverse", "--repeat", "1", "--seeds", "1", "--out", str(tmp_path)]
    assert native.main(words) == 0
    rows = (tmp_path / "native.md").read_text(encoding="utf-8").splitlines()
    assert any(row.startswith("| cpsat | Inverse | rewritten | count |") for row in rows)
    assert any(row.startswith("| python_constraint | Inverse | definition |") for row in rows)
    assert not any(row.startswith("| cpsat | Circuit |") for row in rows)
