"""The questions: drawn instances of sixteen families, of sizes at which solvers differ.

The best solver takes from some milliseconds to some seconds for most of them, and others run into
the limit. They are drawn from a seed, so the same ones come again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from backends.counting import count_solutions
from harness.plan.experiment import SetChoice
from puzzles.family import family
from puzzles.generators import generate

SEED = 20261126
EACH = 2
"""Instances that are drawn of each size."""


class Kind(NamedTuple):
    """Instances of a family: drawn ones of these sizes, or texts that need no drawing."""

    family: str
    sizes: tuple[Mapping[str, Any], ...] = ()
    texts: tuple[str, ...] = ()


KINDS = (
    Kind("bibd", texts=("9 12 4 3 1 lex", "8 14 7 4 3", "10 15 6 4 2 lex", "7 21 9 3 3")),
    Kind("bin_packing", ({"items": 10}, {"items": 14})),
    Kind("car_sequencing", ({"cars": 20}, {"cars": 40})),
    Kind("costas", texts=("8", "10", "12", "13")),
    Kind("golomb", texts=("6", "7", "8", "9")),
    Kind("graph_colouring", ({"vertices": 30, "colours": 0, "degree": 6},
                             {"vertices": 60, "colours": 0, "degree": 8})),
    Kind("job_shop", ({"jobs": 5, "machines": 5}, {"jobs": 7, "machines": 6})),
    Kind("knapsack", ({"items": 30}, {"items": 60})),
    Kind("langford", texts=("2 8", "2 11", "3 9", "2 14")),
    Kind("magic_square", ({"order": 5, "given": 4}, {"order": 6, "given": 6})),
    Kind("model_rb", ({"variables": 15}, {"variables": 22})),
    Kind("nonogram", ({"rows": 16, "columns": 16}, {"rows": 25, "columns": 25})),
    Kind("open_shop", ({"jobs": 4, "machines": 4}, {"jobs": 5, "machines": 5})),
    Kind("queens", texts=("16", "32", "50", "80")),
    Kind("rcpsp", ({"tasks": 15}, {"tasks": 24})),
    Kind("social_golfers", texts=("3 3 3", "4 3 3", "5 3 4", "4 4 3")),
    Kind("tsp", ({"cities": 10}, {"cities": 14})),
)  # fmt: skip


def list_sets() -> list[SetChoice]:
    """A set for each family; what is drawn is called by its size and number."""
    return [
        SetChoice(kind.family, family=kind.family, texts=dict(_name_texts(kind))) for kind in KINDS
    ]


def _name_texts(kind: Kind) -> Iterator[tuple[str, str]]:
    for size, parameters in enumerate(kind.sizes):
        chosen = family(kind.family)
        for one in generate(chosen, EACH, seed=SEED, count=count_solutions, **parameters):
            yield f"{size}-{one.name}", one.text
    for text in kind.texts:
        yield text.replace(" ", "-"), text
