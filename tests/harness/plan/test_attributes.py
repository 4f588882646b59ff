"""The names of a module, from its text alone."""

from __future__ import annotations

import pytest

from harness.plan.attributes import find_names

WRITTEN = """
raise SystemExit("imported")
import os.path, json as j
from math import pi as p
class Solver: inside = 1
def make(): hidden = 1
if True:
    late = a, (b, c) = 1, (2, (3, 4))
with open("x") as file: pass
"""


def test_names_are_those_that_statements_bind(tmp_path):
    (tmp_path / "mine.py").write_text(WRITTEN)
    expected = {"os", "j", "p", "Solver", "make", "late", "a", "b", "c", "file"}
    assert find_names("mine", str(tmp_path)) == expected


def test_a_module_of_a_package_is_found(tmp_path):
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "__init__.py").write_text("")
    (tmp_path / "box" / "mine.py").write_text("x = 1")
    assert find_names("box.mine", str(tmp_path)) == {"x"}
    assert find_names("box", str(tmp_path)) == set()


@pytest.mark.parametrize(
    "text", ["from math import *", "def __getattr__(n): ...", "globals()['x'] = 1", "x = ("]
)
def test_a_text_that_does_not_tell_gives_nothing(tmp_path, text):
    (tmp_path / "mine.py").write_text(text)
    assert find_names("mine", str(tmp_path)) is None


def test_what_is_no_file_of_python_gives_nothing(tmp_path):
    assert find_names("nosuch", str(tmp_path)) is None
    assert find_names("math", str(tmp_path)) is None
