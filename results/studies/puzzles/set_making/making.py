"""Make the puzzles of a recipe: no two the same in disguise, each verified by a second solver."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count as numbers
from itertools import islice
from typing import Any

import numpy as np

from backends.counting import counter
from modelling.errors import NotAsWished
from puzzles.grid import model
from puzzles.sudoku import SUDOKU, canonical, effort
from puzzles.sudoku.counting import Count
from puzzles.sudoku.generating import generate, make
from puzzles.sudoku.specification import PuzzleSpec
from results.studies.puzzles.set_making.recipes import Recipe

TOGETHER, TOGETHER_LARGE, POOLED = 256, 16, 4096
"""Puzzles that are made side by side: for a set, for one of large grids, for a pool."""

VERIFIER = "sat:extended,cadical153"
"""Shares nothing with the kernels that generate."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A puzzle of a set: canonical text, how many solutions, its effort if it was picked by it."""

    text: str
    solutions: int
    effort: float | None = None


def puzzles_of(recipe: Recipe, progress: Progress) -> list[Puzzle]:
    """The puzzles of the set, in their order; ``progress`` gets their number so far, and the whole.

    Raises ``NotAsWished`` if a second solver finds another number of solutions.
    """
    count = counter(model.structure(recipe.layout), nodes=recipe.nodes)
    if recipe.pool:
        found = _hardest(recipe, count, progress)
    else:
        found = _interleaved(list(_distinct(recipe, count, progress)), recipe.number)
    _verify(recipe, found)
    return found


def _interleaved(found: list[Puzzle], number: int) -> list[Puzzle]:
    """Parts of ``number`` puzzles each in turn, so that the first few puzzles are of all kinds."""
    return [puzzle for k in range(number) for puzzle in found[k::number]]


def _hardest(recipe: Recipe, count: Count, progress: Progress) -> list[Puzzle]:
    """The hardest of the pool, hardest first."""
    (spec,) = recipe.specs
    pool = np.empty((recipe.pool, recipe.layout.cells), np.uint8)
    for first in range(0, recipe.pool, POOLED):
        items = range(first, min(recipe.pool, first + POOLED))
        pool[first : items.stop] = make(spec, recipe.layout, recipe.seed, items, count).grids
        progress(items.stop, recipe.pool)
    # some more than needed, for those that are another one in disguise
    spare = recipe.number + recipe.number // 10
    places, measured = effort.hardest(recipe.layout, pool, spare, progress)
    texts = [SUDOKU.text(recipe.layout, grid) for grid in pool[places].tolist()]
    hard = [Puzzle(text, 1, float(m)) for text, m in zip(texts, measured, strict=True)]
    again = {number for number, _ in canonical.duplicates(texts)}
    return [puzzle for k, puzzle in enumerate(hard) if k not in again][: recipe.number]


def _distinct(recipe: Recipe, count: Count, progress: Progress) -> Iterator[Puzzle]:
    """``number`` puzzles of each part, leaving out what is an earlier one in disguise."""
    seen: set[str] = set()
    for part, spec in enumerate(recipe.specs):
        grids = _make_puzzles(recipe, spec, part, count)
        new = (grid for grid in grids if _is_new(recipe, grid, seen))
        for grid in islice(new, recipe.number):
            yield Puzzle(SUDOKU.text(recipe.layout, grid), spec.solutions)
            progress(len(seen), recipe.number * len(recipe.specs))


def _is_new(recipe: Recipe, grid: Any, seen: set[str]) -> bool:
    text = SUDOKU.text(recipe.layout, grid)
    (form,) = canonical.texts([text])
    form = form if isinstance(form, str) else text  # too large for its form to be found
    if form in seen:
        return False
    seen.add(form)
    return True


def _make_puzzles(recipe: Recipe, spec: PuzzleSpec, part: int, count: Count) -> Iterator[list[int]]:
    """Puzzles as asked for, one after the other; parts draw from streams of their own."""
    seed = recipe.seed * 1000 + part
    together = TOGETHER if recipe.layout.order <= 12 else TOGETHER_LARGE
    once = replace(spec, attempts=1)  # the next item is as good as another attempt, and costs less
    for made in generate(once, recipe.layout, seed, numbers(), count, together=together):
        if made.met and made.grid is not None:
            yield list(made.grid)


def _verify(recipe: Recipe, found: list[Puzzle]) -> None:
    """A second, independent solver counts the solutions again."""
    check = counter(model.structure(recipe.layout), VERIFIER)
    for puzzle in found:
        _, grid = SUDOKU.parse(puzzle.text)
        (number,) = check(np.array([list(grid)], np.uint8), puzzle.solutions + 1).tolist()
        if number != puzzle.solutions:
            raise NotAsWished(
                f"{recipe.name}: {VERIFIER} finds {number} solutions of {puzzle.text}, "
                f"where {puzzle.solutions} were generated"
            )
