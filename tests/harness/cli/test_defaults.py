"""Which backends are compared unless told otherwise."""

from __future__ import annotations

import sys

import pytest

from backends.interface import registry
from harness.plan.reading import FASTEST, choose_backends, load


def test_they_are_those_of_the_quickstart_and_the_compiled_one() -> None:
    pytest.importorskip("numba", reason="the compiled solver needs the extra 'compiled'")
    assert choose_backends() == ([*load("quickstart").names(), FASTEST], [])


def test_none_of_them_keeps_its_solver_from_puzzle_to_puzzle() -> None:
    assert [name for name in load("quickstart").names() if registry.keeps_state(name)] == []


def test_what_is_missing_is_said_except_for_the_compiled_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "ortools.sat.python.cp_model", None)
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.delitem(sys.modules, "backends.sudoku_kernel", raising=False)
    usable, hints = choose_backends()
    assert usable == [name for name in load("quickstart").names() if name != "cpsat"]
    (hint,) = hints
    assert "pip install ortools" in hint
