"""The questions: three instances of seventeen families, of sizes at which solvers differ.

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


class Kind(NamedTuple):
    """Instances of a family: one drawn of each of these sizes, or texts that need no drawing."""

    family: str
    sizes: tuple[Mapping[str, Any], ...] = ()
    texts: tuple[str, ...] = ()


def by(name: str, *values: Any, **fixed: Any) -> tuple[Mapping[str, Any], ...]:
    """Sizes in which one parameter differs."""
    return tuple({name: value, **fixed} for value in values)


KINDS = (
    Kind("bibd", texts=("9 12 4 3 1 lex", "8 14 7 4 3", "10 15 6 4 2 lex")),
    Kind("bin_packing", by("items", 8, 11, 14)),
    Kind("car_sequencing", by("cars", 15, 30, 45)),
    Kind("costas", texts=("9", "11", "13")),
    Kind("golomb", texts=("7", "8", "9")),
    Kind("graph_colouring", by("vertices", 20, 35, 60, colours=0, degree=7)),
    Kind("job_shop", ({"jobs": 4, "machines": 4}, {"jobs": 5, "machines": 5},
                      {"jobs": 7, "machines": 6})),
    Kind("knapsack", by("items", 20, 40, 60)),
    Kind("langford", texts=("2 8", "2 11", "3 9")),
    Kind("magic_square", by("order", 4, 5, 6, given=4)),
    Kind("model_rb", by("variables", 12, 16, 22)),
    Kind("nonogram", ({"rows": 10, "columns": 10}, {"rows": 16, "columns": 16},
                      {"rows": 22, "columns": 22})),
    Kind("open_shop", ({"jobs": 3, "machines": 3}, {"jobs": 4, "machines": 4},
                       {"jobs": 5, "machines": 5})),
    Kind("queens", texts=("16", "32", "64")),
    Kind("rcpsp", by("tasks", 12, 18, 26)),
    Kind("social_golfers", texts=("3 3 3", "4 3 3", "5 3 4")),
    Kind("tsp", by("cities", 8, 11, 14)),
)  # fmt: skip


def list_sets() -> list[SetChoice]:
    """A set for each family; what is drawn is called by its size and number."""
    return [
        SetChoice(kind.family, family=kind.family, texts=dict(_name_texts(kind))) for kind in KINDS
    ]


def _name_texts(kind: Kind) -> Iterator[tuple[str, str]]:
    for size, parameters in enumerate(kind.sizes):
        chosen = family(kind.family)
        for one in generate(chosen, 1, seed=SEED, count=count_solutions, **parameters):
            yield f"{size}-{one.name}", one.text
    for text in kind.texts:
        yield text.replace(" ", "-"), text
