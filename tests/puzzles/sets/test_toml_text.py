"""What is written as TOML is read back as it was."""

import tomllib

from hypothesis import given
from hypothesis import strategies as st

from puzzles.sets.toml_text import write_pair, write_value

texts = st.text(st.characters(exclude_categories=["Cs"]))
numbers = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
values = st.recursive(
    texts | numbers | st.booleans(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
)


@given(texts, values)
def test_a_pair_is_read_back(key, value):
    assert tomllib.loads(write_pair(key, value)) == {key: value}


def test_a_table_leaves_out_what_is_not_said():
    assert write_value({"a": None, "b c": ("x", 1)}) == '{ "b c" = ["x", 1] }'
