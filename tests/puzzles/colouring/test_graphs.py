"""Graphs: DIMACS files, and the generators of graph colouring."""

from fractions import Fraction

import pytest

from modelling.errors import InputError, InstanceError
from puzzles.colouring import graph as graphs
from puzzles.colouring.graph_colouring import GRAPH_COLOURING, PETERSEN, greedy_colours
from puzzles.generators import generate
from puzzles.random_stream import Stream
from puzzles.sets import instances

TRIANGLE = ["c a triangle\n", "p edge 3 3\n", "e 1 2\n", "e 2 1\n", "e 3 1\n", "e 2 3\n"]


def test_a_dimacs_file_is_read_as_it_is(tmp_path):
    path = tmp_path / "triangle.col"
    path.write_text("".join(TRIANGLE))
    (entry,) = instances(str(path), "graph_colouring")
    assert (entry.name, entry.text, entry.family) == ("triangle", "3: 1-2,3 2-3", "graph_colouring")
    assert entry.source == f"{path}:2"
    path.write_text("".join(TRIANGLE[1:]))
    assert next(instances(str(path), "graph_colouring")).text == "3: 1-2,3 2-3"
    path.write_text("3: 1-2,3 2-3  # lines\n")
    assert next(instances(str(path), "graph_colouring")).name == "lines"


def test_a_file_of_pace_is_read(tmp_path):
    path = tmp_path / "path.gr"
    for kind in ("tw", "td", "tdp"):
        path.write_text(f"c a path\np {kind} 4 3\n1 2\nc between\n2 3\n4 3\n")
        (entry,) = instances(str(path))
        assert (entry.name, entry.text, entry.family) == (
            "path",
            "4: 1-2 2-3 3-4",
            "graph_colouring",
        )


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["e 1 2"], "f:1:1: an edge before the line 'p edge VERTICES EDGES'"),
        (["c x"], "f:1:1: there is no line 'p edge VERTICES EDGES'"),
        (["p edge 3"], "f:1:1: write 'p edge VERTICES EDGES'"),
        (["p edge 3 3", "p edge 3 3"], "f:2:1: a second line 'p'"),
        (["p col 3 3", "e 1 4"], "f:2:1: a vertex is 4; it must be from 1 to 3"),
        (["p col 3 3", "e 1"], "f:2:1: write an edge as 'e 1 2'"),
        (["p col 3 3", "e 1 1"], "f:2:1: an edge from 1 to itself"),
        (["p tw 3 3", "1 2", "1 4"], "f:3:1: a vertex is 4; it must be from 1 to 3"),
        (["p tw 3 3", "e 1 2"], "f:2:1: write an edge as '1 2'"),
        (["p td 3 3", "p td 3 3"], "f:2:1: a second line 'p'"),
        (["p col 3 3", "3 4"], "f:2:1: a line begins with '3', not with c, p or e"),
    ],
)
def test_damaged_dimacs_files(lines, message):
    (error,) = GRAPH_COLOURING.in_format("col").read(lines, "f")
    assert isinstance(error, InstanceError)
    assert str(error).startswith(message)


def test_known_graphs():
    queens = {n: graphs.make_queens(n, n) for n in (5, 6)}
    assert {n: len(g.edges) for n, g in queens.items()} == {5: 160, 6: 290}
    mycielski = [graphs.make_mycielski(k) for k in (2, 3, 4, 5)]
    assert [(g.vertices, len(g.edges)) for g in mycielski] == [(2, 1), (5, 5), (11, 20), (23, 71)]
    assert {len(near) for near in PETERSEN.neighbours()[1:]} == {3}
    assert len(PETERSEN.edges) == 15


def test_random_graphs_depend_on_seed_and_item_alone():
    half = Fraction(1, 2)
    one = graphs.make_gnp(Stream(1, 0), vertices=30, share=half)
    assert one == graphs.make_gnp(Stream(1, 0), vertices=30, share=half)
    assert one != graphs.make_gnp(Stream(1, 1), vertices=30, share=half)
    assert 150 < len(one.edges) < 285
    assert (
        graphs.make_gnp(Stream(1, 0), vertices=9, share=Fraction(1)).edges
        == graphs.make_graph(9, [(a, b) for a in range(1, 10) for b in range(1, a)]).edges
    )
    flat = graphs.make_flat(Stream(3, 0), vertices=12, colours=3, edges=48)
    assert len(flat.edges) == 48
    assert greedy_colours(flat) == 3  # complete between its classes
    with pytest.raises(InputError, match="no flat graph with 49 edges; there are 48 pairs"):
        graphs.make_flat(Stream(3, 0), vertices=12, colours=3, edges=49)
    with pytest.raises(InputError, match="no graph of 5 vertices with a share of 2"):
        graphs.make_gnp(Stream(1, 0), vertices=5, share=Fraction(2))


def test_the_shipped_graphs_are_those_of_the_generators():
    texts = {entry.name: entry.text for entry in instances("graph_colouring")}
    made = {
        "myciel4": (graphs.make_mycielski(5), None),
        "queen6_6": (graphs.make_queens(6, 6), None),
        "gnp-20": (graphs.make_gnp(Stream(1, 0), vertices=20, share=Fraction(1, 4)), 3),
        "flat-30": (graphs.make_flat(Stream(1, 0), vertices=30, colours=3, edges=66), 3),
        "petersen": (PETERSEN, None),
    }
    for name, puzzle in made.items():
        assert texts[name] == GRAPH_COLOURING.text(puzzle), name


def test_random_colourings_by_their_average_degree():
    one, *others = generate(GRAPH_COLOURING, 4, seed=1, vertices=40, degree="4.69", colours=3)
    graph, colours = GRAPH_COLOURING.parse(one.text)
    assert (graph.vertices, colours) == (40, 3)
    assert 60 < len(graph.edges) < 130
    assert len({one.text, *(other.text for other in others)}) == 4
    flat = next(generate(GRAPH_COLOURING, vertices=12, colours=3, degree=4, kind="flat")).text
    graph, _ = GRAPH_COLOURING.parse(flat)
    assert len(graph.edges) == 24
    free = next(generate(GRAPH_COLOURING, vertices=12, colours=0, degree=4)).text
    assert GRAPH_COLOURING.parse(free)[1] is None
    with pytest.raises(InputError, match="no graph of 4 vertices with 4 neighbours on average"):
        next(generate(GRAPH_COLOURING, vertices=4, degree=4))
