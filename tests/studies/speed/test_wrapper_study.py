"""The study of wrappers: the scripts' answers, the models' answers, what is written."""

from __future__ import annotations

import pytest

from backends.interface import registry
from backends.interface.api import Optimum
from backends.interface.shipped import SHIPPED
from modelling.errors import BackendUnavailable
from results.studies.speed import scripts, small_models, wrapper

pytestmark = pytest.mark.once

ANSWERS = {"queens": 92, "sudoku": 1, "send_more": 1, "golomb": 1, "pigeons": 0}


def test_the_models_have_the_answers_that_are_known() -> None:
    assert list(wrapper.MODELS) == list(ANSWERS)
    for name, model in wrapper.MODELS.items():
        result = registry.get("sat").solve(model.state(), model.ask)
        assert result.count == ANSWERS[name]
        if isinstance(model.ask, Optimum):
            assert result.objective == 17
    longest = wrapper.MODELS["golomb"].state().structure.domains[-1][-1]
    assert longest == small_models.LONGEST


def test_every_backend_with_a_library_has_scripts() -> None:
    names = {entry.name for entry in SHIPPED}
    own = {"brute_force", "compiled", "ladder", "propagation"}
    assert names - own == {name for name in scripts.BESIDE if ":" not in name}


@pytest.mark.parametrize("backend", scripts.BESIDE)
def test_the_scripts_answer_as_the_backends(backend: str) -> None:
    try:
        registry.get(backend)
    except BackendUnavailable as error:
        pytest.skip(str(error))
    for name, model in wrapper.MODELS.items():
        found = wrapper.script_of(backend, name)()
        assert len(found) == ANSWERS[name]
        expected = registry.get("sat").solve(model.state(), model.ask).solutions
        assert wrapper.agree(name, expected, found)


def test_what_is_measured_is_written_in_parts(tmp_path, capsys) -> None:
    for model in ("send_more", "golomb"):
        wrapper.main(
            ["--only", "sat", "--model", model, "--seconds", "0", "--out", str(tmp_path)]
            + (["--load", "nothing else"] if model == "golomb" else [])
        )
    costs = wrapper.STUDY.read(tmp_path)
    assert [cost.model for cost in costs] == ["send_more", "golomb"]
    assert all(cost.turns == wrapper.LEAST for cost in costs)
    text = (tmp_path / "wrapper.md").read_text(encoding="utf-8")
    assert "of 2 ratios are at most 1.15" in text
    assert "Measured with nothing else: sat." in text


def test_a_script_that_answers_otherwise_ends_the_study(monkeypatch) -> None:
    monkeypatch.setattr(scripts.scripts_of("sat"), "pigeons", lambda: lambda: [(1,) * 8])
    with pytest.raises(AssertionError, match="sat differs from its script on pigeons"):
        wrapper.measure("sat", "pigeons", 0.0)
