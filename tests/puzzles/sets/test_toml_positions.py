"""Places in TOML files: every key that tomllib reads has one, and it is the right one."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzles.sets.toml_positions import find_nearest, find_places
from puzzles.sets.toml_text import write_pair

TEXT = '''# a comment with = and [brackets]
name = "x = [1] # no comment"
about = """
several = lines
with \\""" in them"""
raw = \'\'\'c:\\n = 1\'\'\'
seconds = 3.5
when = 1979-05-27 07:32:00
sets = [
    "first", # sets[0]
    { name = "second, ]", limit = 2, deep = { "quoted key" = [1, [2, 3]] } },
    \'third\',
]
a.b . "c d" = true

[table]
key = 1

[[families]]
name = "one"
[families.sub]
inner = 1
[[families]]
name = "two"
'''


def paths(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [path, *(found for key, item in items for found in paths(item, (*path, key)))]


def test_everything_that_is_read_has_a_place() -> None:
    assert set(find_places(TEXT)) == set(paths(tomllib.loads(TEXT))) - {()}


TEXTS = st.text(st.sampled_from("ab .=,#[]{}\"'\\\n\u00e9"), max_size=6)
VALUES = st.recursive(
    TEXTS | st.integers() | st.floats(0, 9) | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
)


@given(st.dictionaries(TEXTS, VALUES))
def test_whatever_is_written_has_places(data: dict[str, Any]) -> None:
    text = "".join(f"{write_pair(key, value)}  # {key!r}\n" for key, value in data.items())
    assert set(find_places(text)) == set(paths(data)) - {()}


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_the_place_is_where_the_key_stands(ending: str) -> None:
    found = find_places(TEXT.replace("\n", ending))
    lines = TEXT.splitlines()
    for path, (line, column) in found.items():
        rest = lines[line - 1][column - 1 :]
        if isinstance(path[-1], str) and not rest.startswith(("[", "a.b")):
            assert rest.lstrip('"').startswith(path[-1])
    assert found["name",] == (2, 1)
    assert found["sets", 0] == (10, 5)
    assert found["sets", 1, "limit"] == (11, 27)
    assert found["sets", 1, "deep", "quoted key", 1, 0] == (11, 67)
    assert found["sets", 2] == (12, 5)
    assert found["families", 1, "name"] == (24, 1)
    assert found["families", 0, "sub", "inner"] == (22, 1)


def test_what_has_no_place_is_put_where_it_belongs() -> None:
    found = find_places(TEXT)
    assert find_nearest(found, ("sets", 1, "missing")) == found["sets", 1]
    assert find_nearest(found, ("missing",)) is None
