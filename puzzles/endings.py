"""The families that files are recognised as by their endings, so that none is imported for it.

``tests/puzzles/test_families.py`` compares the index with the families.
"""

from __future__ import annotations

from typing import NamedTuple


class Files(NamedTuple):
    """The module of a family, the endings of its files, and those of files that complete them."""

    module: str
    endings: tuple[str, ...]
    data_endings: tuple[str, ...] = ()


FILES = {
    "bin_packing": Files("puzzles.arithmetic.bin_packing", (".bpa", ".bpp")),
    "cnf": Files("puzzles.modelled.cnf", (".cnf", ".dimacs")),
    "flatzinc": Files("puzzles.modelled.flatzinc", (".fzn",)),
    "flexible_job_shop": Files("puzzles.scheduling.flexible_job_shop", (".fjs",)),
    "graph_colouring": Files("puzzles.colouring.graph_colouring", (".col", ".gr")),
    "latin": Files("puzzles.latin", (".pls",)),
    "lp": Files("puzzles.modelled.lp", (".lp",)),
    "minizinc": Files("puzzles.modelled.minizinc", (".mzn",), (".dzn", ".json")),
    "mps": Files("puzzles.modelled.mps", (".mps",)),
    "nonogram": Files("puzzles.pencil.nonogram", (".non",)),
    "opb": Files("puzzles.modelled.opb", (".opb", ".wbo", ".pbo")),
    "rcpsp": Files("puzzles.scheduling.rcpsp", (".sm",)),
    "tsp": Files("puzzles.routing.tsp", (".tsp", ".atsp")),
    "wcnf": Files("puzzles.modelled.wcnf", (".wcnf",)),
    "xcsp3": Files("puzzles.modelled.xcsp3", (".xml",)),
}
"""By the name of the family; the endings are those in ``Ending`` and ``Completed``."""


def list_endings() -> list[str]:
    """The endings of all families, sorted."""
    return sorted(ending for files in FILES.values() for ending in files.endings)
