"""The study of pairs: whom it pairs, what it makes of endings, that it continues when stopped."""

from __future__ import annotations

import pytest

from modelling.errors import BackendUnavailable
from results.studies.correctness import pairs
from results.studies.correctness.pairs import APART, Pair
from results.studies.runner import write_rows


def test_pairs_are_ordered() -> None:
    assert len(list(pairs.choose("abc", []))) == 6
    assert set(pairs.choose("abc", ["a"])) == {("a", "b"), ("a", "c"), ("b", "a"), ("c", "a")}


def test_what_the_registry_keeps_apart_is_no_clash(monkeypatch, capsys) -> None:
    real = pairs.registry.get

    def get(name):
        if name == "cpsat":
            raise BackendUnavailable("cpsat cannot be loaded into this process")
        return real(name)

    monkeypatch.setattr(pairs.registry, "get", get)
    assert pairs.be_child("propagation", "cpsat") == APART
    assert "cannot be loaded" in capsys.readouterr().out
    assert pairs.be_child("propagation", "brute_force") == 0


def test_a_wrong_answer_is_no_agreement() -> None:
    with pytest.raises(AssertionError, match="six queens"):
        pairs.ask(pairs.registry.get("py:liars:FalseUnsatisfiable"))


@pytest.mark.once
def test_a_study_goes_on_where_it_stopped(tmp_path, monkeypatch, capsys) -> None:
    only = ["propagation", "py:no.such:Backend"]
    monkeypatch.setattr(pairs.registry, "summaries", lambda: map(_info, only))
    write_rows(tmp_path / "pairs.json", [Pair(*only, "fine", load="before")])
    assert pairs.main(["--out", str(tmp_path)]) == 1
    first, second = pairs.STUDY.read(tmp_path)
    assert (first.outcome, first.load) == ("fine", "before")
    assert (second.first, second.outcome) == (only[1], "broken")
    assert "2 pairs: 1 fine, 0 kept apart, 1 broken." in (tmp_path / "pairs.md").read_text()


def _info(name):
    return pairs.registry.Info(name, "", True, "", (), (), "")
