"""docs/architecture.md: the files and functions that it names exist, and its picture is current."""

import re
from pathlib import Path

from results.studies.rooms import PICTURE, draw, find_imports

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
FORMS = ("atMostNValue",)  # what the page says how to add
ROOMS = ("modelling", "puzzles", "backends", "harness", "results", "tests")


def test_the_picture_is_drawn_from_the_imports_of_today():
    assert PICTURE.read_text(encoding="utf-8") == draw(find_imports()), (
        "draw it again: python -m results.studies.rooms"
    )


def test_the_paths_exist():
    for path in re.findall(rf"`((?:{'|'.join(ROOMS)})/[\w/.]*)`", PAGE):
        assert (ROOT / path).exists(), path


def test_the_functions_are_in_the_files_that_are_named_before_them():
    named = re.findall(r"`([\w/]+\.py)`(?:\)?,|,? [^`.;:]{0,40})\s*`(?:\w+\.)?(\w+)`", PAGE)
    assert len(named) >= 12
    for path, name in named:
        code = (ROOT / path).read_text(encoding="utf-8")
        assert re.search(rf"^\s*(?:def|class) {name}\b|^{name}\b", code, re.MULTILINE), (path, name)


def test_every_name_in_code_type_is_defined_in_the_code():
    files = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    code = "\n".join(path.read_text(encoding="utf-8") for path in files)
    defined = set(re.findall(r"^\s*(?:def|class) (\w+)", code, re.MULTILINE))
    defined |= set(re.findall(r"^\s*(\w+)\s*[:=]", code, re.MULTILINE))
    for name in re.findall(r"`(?:\w+\.)?([A-Za-z_]\w*)`", PAGE):
        assert name in defined or name in FORMS, name
