"""Latin squares: files of lsencode, random squares, and holes."""

from collections import Counter

import pytest

from backends.interface.api import Solutions
from backends.interface.registry import get
from modelling.errors import InputError, InstanceError
from puzzles.generators import generate
from puzzles.latin import LATIN, holes
from puzzles.random_stream import Stream
from puzzles.sets import instances


def test_a_pls_file_is_read_as_it_is(tmp_path):
    path = tmp_path / "qwh3.pls"
    path.write_text("order 3\n  0  -1  -1\n -1  -1  -1\n -1  -1   2\n")
    (entry,) = instances(str(path), "latin")
    assert (entry.name, entry.text, entry.source) == ("qwh3", "3:1.......3", f"{path}:1")
    assert LATIN.formats() == ("lines", "pls")
    (grid,) = instances(str(tmp_path / "qwh3.pls"), "latin")
    assert grid == entry
    path.write_text("3:1.......3\n")
    assert next(instances(str(path), "latin")).text == "3:1.......3"


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "f:1:1: a file of squares with holes begins with 'order N'"),
        (["order x"], "f:1:1: a file of squares with holes begins with 'order N'"),
        (["order 99999"], "f:1:1: an order of 99999"),
        (["order 2", "0 1"], "f:1:1: 1 rows follow, not 2"),
        (["order 2", "0 1", "1"], "f:3:1: 1 cells in a row of 2"),
        (["order 2", "0 1", "1 2"], "f:3:1: '2' is neither one of 0-1 nor -1"),
        (["order 2", "0 1", "", "0 -1"], "f:4:1: clashing givens, 1 occurs twice in column 1"),
    ],
)
def test_damaged_pls_files(lines, message):
    (error,) = LATIN.in_format("pls").read(lines, "f")
    assert isinstance(error, InstanceError)
    assert str(error).startswith(message)


def test_random_squares_are_latin_and_each_comes():
    for n in (1, 2, 4, 9):
        square = holes.draw_square(n, Stream(3, n))
        assert LATIN.check(LATIN.of_size(n), square) == []
    times = Counter(tuple(holes.draw_square(3, Stream(5, item))) for item in range(360))
    assert len(times) == 12  # all that there are
    assert min(times.values()) >= 12


def draw(**told):
    return next(generate(LATIN, seed=1, **told)).text


def test_balanced_holes():
    text = draw(order=12, holes="1/2", kind="balanced")
    assert text == draw(order=12, holes=0.5, kind="balanced")
    _, cells = LATIN.parse(text)
    for k in range(12):
        assert list(cells[12 * k : 12 * k + 12]).count(0) == 6
        assert list(cells[k::12]).count(0) == 6
    for backend in ("cpsat", "sat"):
        assert get(backend).solve(LATIN.problem(text), Solutions(None)).count == 411


def test_holes_anywhere():
    _, cells = LATIN.parse(draw(order=9, holes="0.42"))
    assert list(cells).count(0) == 34
    with pytest.raises(InputError, match="10 holes cannot be spread evenly over 9 rows"):
        holes.draw_cells(Stream(1, 0), 9, 10, "balanced")
    with pytest.raises(InputError, match=r"holes must be from 0 to 1, not 1\.5"):
        draw(order=9, holes="1.5")


def test_completion_places_values_that_do_not_clash():
    texts = [
        next(generate(LATIN, seed=3, start=k, order=5, kind="completion")).text for k in range(9)
    ]
    for text in texts:
        _, cells = LATIN.parse(text)
        assert list(cells).count(0) == round(0.42 * 25)
        assert not isinstance(next(iter(LATIN.read([text], "text"))), InstanceError)
    counts = [get("sat").solve(LATIN.problem(text), Solutions(1)).count for text in texts]
    assert set(counts) == {0, 1}  # there may be no solution
    with pytest.raises(InputError, match="values could not be placed in a square of order 9"):
        draw(order=9, holes=0, kind="completion")
