"""The questions of the study, as sets of an experiment: more than a hundred, of over ten kinds.

A *kind* is a family with what is asked of it. Each has three sizes, chosen such that the library of
a mature solver takes milliseconds for the first and about a second for the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from backends.counting import count_solutions
from harness.plan.experiment import SetChoice
from modelling.constraints import AllDifferent
from modelling.laws.drawing import structure_over
from puzzles.family import Instance, family
from puzzles.generators import generate
from puzzles.problem import instance
from puzzles.sets import instances
from results.studies.formats.index import read_index
from results.studies.formats.instances import write_lists

SEED = 20261125


class Kind(NamedTuple):
    """Instances of ``family``: ``each`` drawn for each of the parameters in ``sizes``, and
    ``texts`` that need no drawing. ``every``: all solutions are asked for."""

    name: str
    family: str
    sizes: tuple[Mapping[str, Any], ...] = ()
    each: int = 3
    texts: tuple[str, ...] = ()
    every: bool = False


def by(name: str, *values: Any, **fixed: Any) -> tuple[Mapping[str, Any], ...]:
    """Sizes in which one parameter differs."""
    return tuple({name: value, **fixed} for value in values)


KINDS = (
    Kind("queens", "queens", texts=("8", "16", "24", "32", "48", "64")),
    Kind("queens-all", "queens", texts=("5", "6", "7", "8", "9"), every=True),
    Kind("golomb", "golomb", texts=("5", "6", "7", "8")),
    Kind("magic-square", "magic_square", by("order", 4, 5, 6, given=4)),
    Kind("langford", "langford", texts=("2 5", "2 6", "2 7", "2 9", "2 10", "3 9")),
    Kind("costas", "costas", texts=("6", "8", "10", "12")),
    Kind("all-interval-all", "all_interval", texts=("5", "6", "7", "8"), every=True),
    Kind("graph-colouring", "graph_colouring", by("vertices", 20, 40, 80, colours=3)),
    Kind("fewest-colours", "graph_colouring", by("vertices", 15, 25, 35, colours=0, degree=6)),
    Kind("job-shop", "job_shop", ({"jobs": 3, "machines": 3}, {"jobs": 4, "machines": 4},
                                  {"jobs": 6, "machines": 6})),
    Kind("open-shop", "open_shop", ({"jobs": 3, "machines": 3}, {"jobs": 4, "machines": 4})),
    Kind("rcpsp", "rcpsp", by("tasks", 8, 12, 20)),
    Kind("tsp", "tsp", by("cities", 7, 10, 14)),
    Kind("knapsack", "knapsack", by("items", 10, 20, 40)),
    Kind("bin-packing", "bin_packing", by("items", 8, 12, 18)),
    Kind("car-sequencing", "car_sequencing", by("cars", 10, 20, 30)),
    Kind("model-rb", "model_rb", by("variables", 10, 15, 20)),
    Kind("nonogram", "nonogram", ({"rows": 8, "columns": 8}, {"rows": 12, "columns": 12},
                                  {"rows": 16, "columns": 16})),
    Kind("bibd", "bibd", texts=("7 7 3 3 1", "6 10 5 3 2 lex", "9 12 4 3 1 lex", "8 14 7 4 3")),
    Kind("social-golfers", "social_golfers", texts=("3 2 3", "3 3 3", "4 3 3", "5 3 4")),
)  # fmt: skip

SHIPPED = {
    "sudoku": ("sudoku-hard", 6, False),
    "sudoku-sizes": ("sudoku-sizes", 8, False),
    "sudoku-no-solution": ("sudoku-unsatisfiable", 6, False),
    "sudoku-all": ("sudoku-many-solutions", 4, True),
    "quasigroup": ("quasigroup", 6, False),
    "zebra": ("zebra", 4, False),
}
"""Kinds that are the first instances of sets that ship: set, number, whether all are asked for."""


def draw(kind: Kind) -> Iterable[Instance]:
    """The instances of a kind that are drawn."""
    for size, more in enumerate(kind.sizes):
        drawn = generate(family(kind.family), kind.each, seed=SEED, count=count_solutions, **more)
        for item in drawn:
            yield Instance(item.family, f"{size}-{item.name}", item.text)


def list_drawn() -> list[SetChoice]:
    """A set for each kind."""
    sets = []
    for kind in KINDS:
        texts = {one.name: one.text for one in draw(kind)}
        texts |= {f"{kind.name}-{text.replace(' ', '-')}": text for text in kind.texts}
        count: Any = "all" if kind.every else None
        sets.append(SetChoice(kind.name, family=kind.family, texts=texts, count=count))
    return sets


def list_shipped() -> list[SetChoice]:
    """A set for each kind whose instances ship."""
    sets = []
    for name, (source, number, every) in SHIPPED.items():
        found = [one for one in instances(source) if isinstance(one, Instance)][:number]
        texts = {one.name: one.text for one in found}
        count: Any = "all" if every else None
        sets.append(SetChoice(name, family=found[0].family, texts=texts, count=count))
    return sets


def list_pigeons() -> SetChoice:
    """One AllDifferent over fewer values than variables, where presolve and search differ most."""
    sizes = ((6, 5), (9, 8), (12, 11), (40, 39))
    texts = {}
    for pigeons, holes in sizes:
        structure = structure_over([range(holes)] * pigeons, [AllDifferent(tuple(range(pigeons)))])
        texts[f"pigeons-{pigeons}-{holes}"] = instance(structure.problem()).text
    return SetChoice("pigeons", family="problem", texts=texts)


def list_questions() -> list[SetChoice]:
    """Return all questions that need no files."""
    return [*list_shipped(), list_pigeons(), *list_drawn()]


def list_files(folder: Path, beside: Path) -> tuple[list[SetChoice], Path]:
    """The files of a folder with ``INDEX.toml`` as sets, and what is stated of them; lists are
    written to ``beside``."""
    return write_lists(read_index(folder), beside), beside / "answers.toml"
