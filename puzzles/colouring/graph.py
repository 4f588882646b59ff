"""Graphs without loops as text, from files of DIMACS and of PACE, and by generators.

Text is how many vertices there are, then the edges, each at its lower end: ``4: 1-2,3 2-3,4`` are
the edges 1-2, 1-3, 2-3 and 2-4. Vertices count from 1.

Words
-----
phase       of random graphs: with average degree ``c`` (``p = c / (n - 1)``), graphs become
            uncolourable with 3 colours near c = 4.69 (Krzakala, Pagnani and Weigt, "Threshold
            values, stability analysis and high-q asymptotics for the coloring problem on random
            graphs", Physical Review E 70, 2004)
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from modelling.errors import InputError, InstanceError
from puzzles.formats import Locate, numbered, place
from puzzles.lines import read_number, split_words
from puzzles.random_stream import Stream

MOST_VERTICES = 2000
MOST_EDGES = 200_000

PACE = ("tw", "td", "tdp")
"""Problems of the PACE challenge: the words after ``p`` in its files."""

Edges = tuple[tuple[int, int], ...]

_AT_VERTEX = re.compile(r"([0-9]{1,9})-([0-9]{1,9}(?:,[0-9]{1,9})*)")


@dataclass(frozen=True)
class Graph:
    """Vertices 1 to ``vertices``; edges in ascending order, the lower end first, each once."""

    vertices: int
    edges: Edges

    def neighbours(self) -> list[set[int]]:
        """Those of each vertex; of the first at place 1."""
        found: list[set[int]] = [set() for _ in range(self.vertices + 1)]
        for one, other in self.edges:
            found[one].add(other)
            found[other].add(one)
        return found


def make_graph(vertices: int, edges: Iterable[tuple[int, int]]) -> Graph:
    """The graph with these edges, in whatever order they and their ends come."""
    return Graph(vertices, tuple(sorted({(min(edge), max(edge)) for edge in edges})))


def write_edges(graph: Graph) -> str:
    """The edges as text, each at its lower end."""
    ends: dict[int, list[str]] = {}
    for one, other in graph.edges:
        ends.setdefault(one, []).append(str(other))
    return " ".join(f"{one}-{','.join(others)}" for one, others in ends.items())


def parse_edges(body: str, start: int, vertices: int, locate: Locate) -> Graph:
    """The edges in ``body`` from ``start`` on; raises ``InstanceError``."""
    edges: set[tuple[int, int]] = set()
    for word, column in split_words(body, start):
        found = _AT_VERTEX.fullmatch(word)
        if found is None:
            cause = f"{word[:40]!r} is no edge; write 1-2, or 1-2,3 for 1-2 and 1-3"
            raise InstanceError(cause, locate(column))
        where = locate(column)
        one = read_number(found[1], "a vertex", 1, vertices, where)
        for end in found[2].split(","):
            other = read_number(end, "a vertex", 1, vertices, where)
            if one == other:
                raise InstanceError(f"an edge from {one} to itself", where)
            edges.add((one, other))
    return make_graph(vertices, edges)


# --- DIMACS --------------------------------------------------------------------------------------


def read_dimacs(lines: Iterable[str], source: str) -> tuple[int, Graph]:
    """The line where the graph of a DIMACS file begins, and the graph; raises ``InstanceError``.

    ``c`` begins a comment, ``p edge N M`` (or ``p col``) tells vertices and edges, ``e I J`` is an
    edge. Files list an edge once or in both directions, and M counts either; it is not checked.
    In files of the PACE challenge, ``p tw N M``, ``p td`` or ``p tdp``, an edge is ``I J`` alone.
    """
    vertices, begun, edges = 0, 0, set[tuple[int, int]]()
    bare = False
    for number, line in numbered(lines):
        kind, *words = line.split() or ["c"]
        where = place(source, number, 1)
        if kind == "p":
            if vertices:
                raise InstanceError("a second line 'p': a file holds one graph", where)
            if len(words) != 3 or words[0] not in ("edge", "edges", "col", *PACE):
                raise InstanceError("write 'p edge VERTICES EDGES'", where)
            bare = words[0] in PACE
            vertices = read_number(words[1], "the number of vertices", 1, MOST_VERTICES, where)
            begun = number
        elif kind == "e" or (bare and kind != "c"):
            words = [kind, *words] if bare else words
            if not vertices:
                raise InstanceError("an edge before the line 'p edge VERTICES EDGES'", where)
            if len(words) != 2:
                form = "1 2" if bare else "e 1 2"
                raise InstanceError(f"write an edge as '{form}'", where)
            one, other = (read_number(w, "a vertex", 1, vertices, where) for w in words)
            if one == other:
                raise InstanceError(f"an edge from {one} to itself", where)
            edges.add((min(one, other), max(one, other)))
            if len(edges) > MOST_EDGES:
                raise InstanceError(f"more than {MOST_EDGES} edges", where)
        elif kind not in ("c", "n", "d", "v", "x") and not line.startswith("c"):
            raise InstanceError(f"a line begins with {kind[:20]!r}, not with c, p or e", where)
    if not vertices:
        raise InstanceError("there is no line 'p edge VERTICES EDGES'", place(source, 1, 1))
    return begun, make_graph(vertices, edges)


# --- generators ----------------------------------------------------------------------------------


def make_gnp(draws: Stream, *, vertices: int, share: Fraction) -> Graph:
    """G(n, p): each pair is an edge with probability ``share``, independently."""
    _check(0 <= share <= 1, vertices, f"with a share of {share}")
    pairs = combinations(range(1, vertices + 1), 2)
    return make_graph(
        vertices, (pair for pair in pairs if draws.below(share.denominator) < share.numerator)
    )


def make_flat(draws: Stream, *, vertices: int, colours: int, edges: int) -> Graph:
    """A graph that has a colouring with ``colours`` colours, hidden, its edges spread evenly.

    Vertices are dealt to classes of equal size, and edges to pairs of classes in turn, drawn
    within a pair (after Culberson's flat graphs, with flatness 0 between classes).
    """
    _check(2 <= colours <= vertices, vertices, f"with {colours} classes")
    order = draws.shuffled(range(1, vertices + 1))
    classes = [order[k::colours] for k in range(colours)]
    left = [
        draws.shuffled([(u, v) for u in one for v in other])
        for one, other in combinations(classes, 2)
    ]
    if not 0 <= edges <= sum(map(len, left)):
        raise InputError(f"no flat graph with {edges} edges; there are {sum(map(len, left))} pairs")
    chosen: list[tuple[int, int]] = []
    while len(chosen) < edges:
        turn = draws.shuffled([pairs for pairs in left if pairs])[: edges - len(chosen)]
        chosen += [pairs.pop() for pairs in turn]
    return make_graph(vertices, chosen)


def make_queens(rows: int, columns: int) -> Graph:
    """The queen graph: squares of a board, with an edge where a queen gets from one to another."""
    _check(rows >= 1 <= columns, rows * columns, "of queens")
    squares = [(r, c) for r in range(rows) for c in range(columns)]
    edges = (
        (i + 1, j + 1)
        for (i, (r, c)), (j, (s, d)) in combinations(enumerate(squares), 2)
        if r == s or c == d or abs(r - s) == abs(c - d)
    )
    return make_graph(len(squares), edges)


def make_mycielski(order: int) -> Graph:
    """No triangles, yet it takes ``order`` colours: DIMACS' myciel3 is that of order 4.

    From the single edge, each step gives every vertex a copy with its neighbours, and a new vertex
    that is joined to all copies (Mycielski, "Sur le coloriage des graphs", 1955).
    """
    _check(2 <= order <= 10, 2, f"of Mycielski, of order {order}")
    vertices, edges = 2, [(1, 2)]
    for _ in range(order - 2):
        copied = [pair for u, v in edges for pair in ((u, v + vertices), (u + vertices, v))]
        apex = 2 * vertices + 1
        edges += [*copied, *((copy, apex) for copy in range(vertices + 1, apex))]
        vertices = apex
    return make_graph(vertices, edges)


def _check(possible: bool, vertices: int, what: str) -> None:
    if not possible or not 1 <= vertices <= MOST_VERTICES:
        raise InputError(f"no graph of {vertices} vertices {what}")
