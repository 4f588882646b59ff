"""Graph colouring: neighbours have different colours; with a given number of colours, or as few as
can be.

Text is the number of vertices, then the colours if their number is given, then the edges as
``puzzles.colouring.graph`` writes them: ``4: 1-2,3 2-3,4`` asks for the fewest colours,
``4 3: 1-2,3 2-3,4`` for a colouring with three. Variable ``vI`` is the colour of vertex I, from 1.
Colourings that differ in the names of the colours are solutions apart. With the fewest colours
sought, colours go up to what a greedy colouring needs, and the largest number of a colour in use is
what is minimised.

Files may be DIMACS ``.col`` or PACE ``.gr`` files, each one graph, of which the fewest colours are
sought.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from modelling.constraints import NotEqual
from modelling.errors import InputError, InstanceError
from modelling.problem import Objective, Problem, Structure
from modelling.vocabulary.functions.extremes import Maximum
from puzzles.colouring.graph import (
    MOST_VERTICES,
    Graph,
    make_flat,
    make_gnp,
    make_graph,
    parse_edges,
    read_dimacs,
    write_edges,
)
from puzzles.family import Family
from puzzles.formats import Locate, default_name, in_text, label
from puzzles.lines import FormattedFamily, Read, out_of_range, read_numbers, split_words
from puzzles.parameters import Parameter
from puzzles.pictures import PAPER, Picture, colour_of, draw_graph
from puzzles.random_stream import Stream

MOST_COLOURS = 200

Puzzle = tuple[Graph, int | None]
"""The graph, and the number of colours if it is given."""

_DIMACS = re.compile(r"(?:c|c\s.*|p\s+(?:edges?|col|tw|tdp?)\s.*)", re.DOTALL)


@lru_cache(maxsize=16)
def greedy_colours(graph: Graph) -> int:
    """How many colours a greedy colouring uses: next is the vertex with most colours around it
    (Brelaz, "New methods to color the vertices of a graph", CACM 22, 1979)."""
    neighbours = graph.neighbours()
    around: list[set[int]] = [set() for _ in neighbours]
    left = set(range(1, graph.vertices + 1))
    most = 0
    while left:
        chosen = max(left, key=lambda v: (len(around[v]), len(neighbours[v]), -v))
        colour = next(c for c in range(1, graph.vertices + 1) if c not in around[chosen])
        most = max(most, colour)
        left.discard(chosen)
        for other in neighbours[chosen]:
            around[other].add(colour)
    return most


@lru_cache(maxsize=16)
def structure(graph: Graph, colours: int | None) -> Structure:
    """Different colours at the ends of each edge."""
    vertices = tuple(range(graph.vertices))
    most = greedy_colours(graph) if colours is None else colours
    return Structure(
        tuple(f"v{v + 1}" for v in vertices),
        (tuple(range(1, most + 1)),) * graph.vertices,
        tuple(NotEqual((one - 1, other - 1)) for one, other in graph.edges),
        Objective("minimize", Maximum(vertices)) if colours is None else None,
    )


class GraphColouring(FormattedFamily[Puzzle]):
    """Implements ``puzzles.family.Family``, ``Valued``, ``Generated`` and ``Formatted``."""

    name = "graph_colouring"
    file_formats = ("col",)
    about = "graph colouring: neighbours differ, with k colours or as few as can be"
    unit = "vertices"
    endings = (".col", ".gr")
    parameters = (
        Parameter("vertices", 50, "Number of vertices.", 2, MOST_VERTICES),
        Parameter("colours", 3, "Number of colours; 0 asks for as few as can be.", 0, MOST_COLOURS),
        Parameter(
            "degree",
            Fraction("4.69"),
            "Average number of neighbours; with 3 colours 4.69 is the threshold of solubility.",
            0,
            MOST_VERTICES,
        ),
        Parameter(
            "kind",
            "random",
            "Random edges, or edges spread evenly around a hidden colouring (flat).",
            words=("random", "flat"),
        ),
    )

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The graph, and the colours if they are given."""
        head, colon, _ = body.partition(":")
        if not colon:
            form = "4 3: 1-2,3 2-3,4"
            raise InstanceError(
                f"no colon; write vertices, colours: edges, as in {form!r}", locate(1)
            )
        vertices = ("the number of vertices", 1, MOST_VERTICES)
        colours = ("the number of colours", 1, MOST_COLOURS)
        wanted = (vertices, colours) if len(split_words(head)) == 2 else (vertices,)
        given = read_numbers(head, locate, "4 3: 1-2,3 2-3,4", *wanted)
        graph = parse_edges(body, len(head) + 1, given[0], locate)
        return graph, given[1] if len(given) == 2 else None

    def text(self, puzzle: Puzzle) -> str:
        """Vertices, colours if given, edges."""
        graph, colours = puzzle
        head = f"{graph.vertices}" if colours is None else f"{graph.vertices} {colours}"
        return f"{head}: {write_edges(graph)}".rstrip()

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(*puzzle).problem()

    def measure(self, puzzle: Puzzle) -> int:
        """The vertices."""
        return puzzle[0].vertices

    def count_values(self, puzzle: Puzzle) -> int:
        """The vertices."""
        return puzzle[0].vertices

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """The ends of the edges are compared."""
        graph, colours = puzzle
        most = greedy_colours(graph) if colours is None else colours
        names = [f"vertex {v}" for v in range(1, graph.vertices + 1)]
        yield from out_of_range(names, values, 1, most)
        for one, other in graph.edges:
            if values[one - 1] == values[other - 1]:
                yield f"vertices {one} and {other} are joined, and both have {values[one - 1]}"

    def has_objective(self, text: str) -> bool:
        """See ``OptionalObjective``: without a number of colours."""
        return " " not in text.partition(":")[0]

    def value(self, text: str, values: Sequence[int]) -> int:
        """See ``Valued``: the largest colour, which is the number of colours where it is best."""
        return max(values)

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """Each vertex, with its colour, and its neighbours."""
        graph, colours = puzzle
        neighbours = graph.neighbours()
        wide = len(str(graph.vertices))
        if values is not None:
            return "\n".join(f"{v:>{wide}}: {c}" for v, c in enumerate(values, 1))
        head = f"{graph.vertices} vertices, {len(graph.edges)} edges, "
        head += "as few colours as can be" if colours is None else f"{colours} colours"
        rows = (
            f"{v:>{wide}} - {' '.join(map(str, sorted(neighbours[v])))}".rstrip(" -")
            for v in range(1, graph.vertices + 1)
        )
        return "\n".join([head, *rows])

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The graph, its vertices around a circle and in their colours."""
        graph = puzzle[0]
        fills = [colour_of(colour) for colour in values or ()] or [PAPER] * graph.vertices
        edges = [(one - 1, other - 1) for one, other in graph.edges]
        return draw_graph(range(1, graph.vertices + 1), edges, fills)

    def generate(
        self, draws: Stream, *, vertices: int, colours: int, degree: Fraction, kind: str
    ) -> str:
        """See ``Generated``."""
        if degree > vertices - 1:
            raise InputError(f"no graph of {vertices} vertices with {degree} neighbours on average")
        if kind == "flat":
            edges = round(degree * vertices / 2)
            graph = make_flat(draws, vertices=vertices, colours=colours, edges=edges)
        else:
            graph = make_gnp(draws, vertices=vertices, share=degree / (vertices - 1))
        return self.text((graph, colours or None))

    def as_written(self, head: Sequence[str], first: str, path: str) -> Family:
        """See ``Formatted``: a file of DIMACS begins with a line ``c`` or ``p``."""
        is_dimacs = _DIMACS.fullmatch(first.strip()) is not None
        return self.in_format("col" if is_dimacs else "lines")

    def read_file(self, lines: Iterable[str], source: str) -> Iterator[Read[Puzzle]]:
        """One graph."""
        line, graph = read_dimacs(lines, source)
        name = label(source).removesuffix(".col").removesuffix(".gr")
        yield name or default_name(source, line), line, (graph, None)


GRAPH_COLOURING = GraphColouring()

PETERSEN = make_graph(
    10,
    [
        *((i + 1, (i + 1) % 5 + 1) for i in range(5)),
        *((i + 1, i + 6) for i in range(5)),
        *((i + 6, (i + 2) % 5 + 6) for i in range(5)),
    ],
)
"""The Petersen graph: a pentagon, a pentagram, and spokes between them."""
