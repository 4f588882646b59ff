"""Ramsey's theorem: the edges of a complete graph coloured without a clique of one colour.

Text is, for each colour, the size of clique that it must not hold, a colon, and the number of
nodes: ``3 3: 5`` forbids triangles of either colour. Variable ``eI-J`` is the colour of the edge
between nodes I and J, from 1. The least number of nodes without a solution is the number R(3, 3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from modelling.constraints import Table
from modelling.errors import InstanceError
from modelling.problem import Problem, Structure
from puzzles.formats import Locate, in_text
from puzzles.lines import LineFamily, out_of_range, read_number, read_numbers, split_words
from puzzles.pictures import PAPER, Picture, draw_graph, ink_of

MOST_COLOURS, LARGEST, MOST_NODES, MOST_CLIQUES = 6, 10, 60, 100_000

Puzzle = tuple[tuple[int, ...], int]
"""The size of clique for each colour, and the nodes."""


@lru_cache(maxsize=32)
def structure(sizes: tuple[int, ...], nodes: int) -> Structure:
    """No clique is all of the colour that must not hold it."""
    edges = list(combinations(range(nodes), 2))
    place = {edge: k for k, edge in enumerate(edges)}
    return Structure(
        tuple(f"e{i + 1}-{j + 1}" for i, j in edges),
        (tuple(range(1, len(sizes) + 1)),) * len(edges),
        tuple(
            Table(line, ((colour,) * len(line),), allowed=False)
            for colour, size in enumerate(sizes, 1)
            for clique in combinations(range(nodes), size)
            for line in [tuple(place[edge] for edge in combinations(clique, 2))]
        ),
    )


class Ramsey(LineFamily[Puzzle]):
    """Implements ``puzzles.family.Family``."""

    name = "ramsey"
    about = "edges of a complete graph coloured without a clique of one colour"
    unit = "nodes"
    csplib = 17

    def parse(self, body: str, locate: Locate = in_text) -> Puzzle:
        """The size of clique for each colour, and the nodes."""
        head, colon, rest = body.partition(":")
        words = split_words(head)
        if not colon or not 1 <= len(words) <= MOST_COLOURS:
            cause = (
                f"write 1 to {MOST_COLOURS} sizes of cliques, a colon and the nodes, as '3 3: 5'"
            )
            raise InstanceError(cause, locate(1))
        sizes = tuple(
            read_number(word, "the size of a clique", 2, LARGEST, locate(column))
            for word, column in words
        )
        start = len(head) + 1
        (nodes,) = read_numbers(
            rest, lambda c: locate(start + c), "3 3: 5", ("how many nodes", 2, MOST_NODES)
        )
        if _count_cliques(sizes, nodes) > MOST_CLIQUES:
            raise InstanceError(f"more than {MOST_CLIQUES} cliques to be forbidden", locate(1))
        return sizes, nodes

    def text(self, puzzle: Puzzle) -> str:
        """The sizes, and the nodes."""
        sizes, nodes = puzzle
        return f"{' '.join(map(str, sizes))}: {nodes}"

    def of_size(self, n: int) -> str:
        """See ``Sized``: two colours, neither with a triangle."""
        return f"3 3: {n}"

    def state(self, puzzle: Puzzle) -> Problem:
        """See ``structure``."""
        return structure(*puzzle).problem()

    def measure(self, puzzle: Puzzle) -> int:
        """The nodes."""
        return puzzle[1]

    def count_values(self, puzzle: Puzzle) -> int:
        """The edges."""
        return puzzle[1] * (puzzle[1] - 1) // 2

    def find_faults(self, puzzle: Puzzle, values: Sequence[int]) -> Iterator[str]:
        """Grow the cliques of each colour node by node."""
        sizes, nodes = puzzle
        edges = list(combinations(range(1, nodes + 1), 2))
        yield from out_of_range([f"e{i}-{j}" for i, j in edges], values, 1, len(sizes))
        for colour, size in enumerate(sizes, 1):
            joined = {edge for edge, value in zip(edges, values, strict=True) if value == colour}
            grown: list[tuple[int, ...]] = [(node,) for node in range(1, nodes + 1)]
            for _ in range(size - 1):
                grown = [
                    (*clique, node)
                    for clique in grown
                    for node in range(clique[-1] + 1, nodes + 1)
                    if all((member, node) in joined for member in clique)
                ]
            for clique in grown:
                yield f"the nodes {', '.join(map(str, clique))} are a clique of colour {colour}"

    def draw(self, puzzle: Puzzle, values: Sequence[int] | None) -> str:
        """Half a square: node I's edges to the nodes before it."""
        nodes = puzzle[1]
        of = dict(zip(combinations(range(nodes), 2), values or (), strict=False))
        return "\n".join(
            " ".join(str(of.get((j, i), ".")) for j in range(i)) for i in range(1, nodes)
        )

    def sketch(self, puzzle: Puzzle, values: Sequence[int] | None) -> Picture:
        """The complete graph, its edges in their colours."""
        nodes = puzzle[1]
        edges = list(combinations(range(nodes), 2))
        inks = [ink_of(colour) for colour in values or ()]
        return draw_graph(range(1, nodes + 1), edges, [PAPER] * nodes, inks)


def _count_cliques(sizes: Sequence[int], nodes: int) -> int:
    total = 0
    for size in sizes:
        ways = 1
        for k in range(size):
            ways = ways * (nodes - k) // (k + 1)
        total += ways
    return total


RAMSEY = Ramsey()
