"""Whatever the text: an instance or an InstanceError; and what is written is read again."""

import random
from contextlib import suppress
from functools import lru_cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from modelling.constraints import NotEqual
from modelling.errors import InstanceError
from modelling.problem import build_problem
from modelling.text import to_text
from puzzles.family import Instance, family, list_family_names
from puzzles.grid.clashes import clash
from puzzles.grid.layout import Layout, units
from puzzles.grid.symbols import decode, encode
from puzzles.latin import LATIN, latin_layout
from puzzles.model_files import ModelFiles
from puzzles.sets import instances
from puzzles.sudoku import SUDOKU, sudoku_layout
from tests.puzzles.exhaustive_count import solve

untimed = settings(deadline=None)

SIGNS = "0123456789ABGXx.*_ ,;#/|+-=:\n\t\r\ufeff│─é\x00٣"
FILES = {name for name in list_family_names() if isinstance(family(name), ModelFiles)}
"""Families whose instances are files: a line is the name of one, and what is in it is the matter of
the tests of its format."""


@lru_cache
def seeds(name):
    """Texts of the family itself."""
    if name == "problem":
        return [to_text(build_problem({"x": range(3), "y": range(3)}, [NotEqual(("x", "y"))]))]
    texts = [entry.text for entry in instances(f"{name}:small")]
    drawn = ["\n".join(family(name).render(text)) for text in texts] if name == "sudoku" else []
    found = [text for text in texts + drawn if len(text) < 300]
    for text in found:
        entries = family(name).read(text.splitlines(keepends=True), "f.txt")
        assert all(isinstance(entry, Instance) for entry in entries), text
    return found


@st.composite
def mutated(draw, name):
    text = list(draw(st.sampled_from(seeds(name))))
    for _ in range(draw(st.integers(0, 6))):
        at = draw(st.integers(0, len(text)))
        kind = draw(st.sampled_from(["insert", "replace", "delete", "cut", "double"]))
        if kind == "insert":
            text[at:at] = draw(st.text(SIGNS, min_size=1, max_size=3))
        elif kind == "replace":
            text[at : at + 1] = draw(st.sampled_from(SIGNS))
        elif kind == "delete":
            del text[at : at + draw(st.integers(1, 12))]
        elif kind == "cut":
            del text[at:]
        else:
            text += ["\n", *text[:400]]
    return "".join(text)


def judge(name, text):
    entries = list(family(name).read(text.splitlines(keepends=True), "f.txt"))
    assert entries
    for entry in entries:
        if isinstance(entry, InstanceError):
            file, line, column = entry.place.split(":")
            assert file == "f.txt"
            assert int(line) >= 1
            assert int(column) >= 1
            continue
        assert isinstance(entry, Instance)
        assert entry.name.isprintable()
        assert "\n" not in entry.text
        (again,) = family(name).read([entry.text], "f.txt")
        assert again.text == entry.text
        problem = family(name).problem(entry.text)
        assert name == "problem" or all(problem.masks)  # one's own may have an empty domain
        assert family(name).render(entry.text)


@pytest.mark.parametrize("name", [name for name in list_family_names() if name not in FILES])
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_mutated_texts(name, data):
    """Texts of the family's own that have changed in places, and texts of the same signs."""
    judge(name, data.draw(st.one_of(*[mutated(name)] * 3, st.text(SIGNS, max_size=120))))


@pytest.mark.parametrize("name", sorted(FILES))
@settings(deadline=None, max_examples=20)
@given(text=st.text(SIGNS, max_size=120))
def test_names_of_files(name, text):
    judge(name, text)


@untimed
@given(text=st.text(max_size=60))
def test_any_text_can_be_asked_for_its_problem(text):
    for name in list_family_names():
        with suppress(InstanceError):
            assert family(name).problem(text).structure.size > 0


@st.composite
def squares(draw):
    """A layout, and givens taken from a cyclic solution so that none clash in row or column."""
    if draw(st.booleans()):
        high, wide = draw(st.integers(1, 4)), draw(st.integers(1, 5))
        layout = sudoku_layout(high * wide, (high, wide))
    else:
        layout = latin_layout(draw(st.integers(1, 40)))
    n = layout.order
    high, wide = layout.box or (1, n)
    shuffle = random.Random(draw(st.integers(0, 1000)))
    value = shuffle.sample(range(1, n + 1), n)
    share = draw(st.sampled_from([0.0, 0.3, 0.9, 1.0]))
    solution = [value[(wide * (r % high) + r // high + c) % n] for r in range(n) for c in range(n)]
    return layout, [v if shuffle.random() < share else 0 for v in solution], solution


def of(layout):
    return LATIN if layout.box is None else SUDOKU


@untimed
@given(square=squares())
def test_grids_written_are_read_again(square):
    layout, givens, solution = square
    kind = of(layout)
    text = kind.text(layout, givens)
    (instance,) = kind.read([text], "f.txt")
    assert instance.text == text
    got_layout, got = kind.parse(text)
    assert got_layout == layout
    assert list(got) == givens
    assert kind.check(text, solution) == []
    (solved,) = kind.read([kind.write(text, solution)], "f.txt")
    assert kind.problem(solved.text).domains() == tuple((v,) for v in solution)
    for _ in range(2):  # the first time by the long way, then by the short one
        open_values = kind.problem(text).domains()
        assert [d[0] if len(d) == 1 else 0 for d in open_values] == (
            givens if layout.order > 1 else [1]
        )


@untimed
@given(square=squares())
def test_drawn_grids_of_readable_orders_are_read_again(square):
    layout, givens, _ = square
    kind = of(layout)
    if layout.order not in kind.rules.orders or (layout.box and 1 in layout.box):
        return
    text = kind.text(layout, givens)
    (instance,) = kind.read(kind.render(text).splitlines(), "f.txt")
    assert instance.text == text


@untimed
@given(order=st.integers(1, 60), data=st.data())
def test_symbols_round_trip(order, data):
    values = data.draw(st.lists(st.integers(0, order), min_size=1, max_size=60))
    text = encode(values, order)
    cells = list(text) if order <= 35 else text.split(",")
    assert decode(cells, order) == values


@untimed
@given(values=st.lists(st.integers(0, 4), min_size=16, max_size=16))
def test_clash_is_found_exactly_when_a_unit_holds_a_value_twice(values):
    layout = Layout(4, (2, 2))
    twice = any(
        values[a] and values[a] == values[b] for u in units(layout) for a in u for b in u if a < b
    )
    found = clash(layout, values)
    assert (found is not None) == twice
    if found:
        assert values[found[0]] == values[found[1]] != 0


@untimed
@given(values=st.lists(st.integers(0, 4), min_size=16, max_size=16))
def test_reading_refuses_exactly_the_clashing(values):
    text = encode(values, 4)
    (entry,) = SUDOKU.read([text], "f.txt")
    assert isinstance(entry, InstanceError) == (clash(Layout(4, (2, 2)), values) is not None)
    problem = SUDOKU.problem(text)
    if isinstance(entry, InstanceError):
        assert solve(problem, limit=1) == []
