"""A set as the text of a file: a head that says what it is and where it comes from, then puzzles.

Every puzzle is followed by its name and by what is known of it::

    ..3.2.6..9..3.5..1...  # easy-0001 # 32 clues, hidden-single

The digest in the head is that of all lines below it. ``concord sets show NAME`` prints the head.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256

from backends.counting import best
from puzzles.grid import model
from puzzles.sudoku import SUDOKU
from puzzles.sudoku.effort import EFFORT_VERSION
from puzzles.sudoku.grading.path import grade
from puzzles.sudoku.grading.scale import VERSION, rank
from results.studies.puzzles.set_making.making import Puzzle
from results.studies.puzzles.set_making.recipes import Recipe

MOST_ORDER_GRADED = 12
"""Larger grids are not for people, and grading them takes long."""


@dataclass(frozen=True, slots=True)
class _Facts:
    clues: int
    solutions: int
    grade: str | None
    effort: float | None

    def remark(self) -> str:
        words = [f"{self.clues} clues"]
        if self.solutions != 1:
            words.append({0: "no solution"}.get(self.solutions, f"{self.solutions} solutions"))
        if self.grade is not None:
            words.append(self.grade)
        if self.effort is not None:
            words.append(f"effort {self.effort:.2f}")
        return ", ".join(words)


def text_of(recipe: Recipe, puzzles: Sequence[Puzzle]) -> str:
    """The file of a set."""
    facts = [_facts(recipe, puzzle) for puzzle in puzzles]
    stem = recipe.name.removeprefix("sudoku-")
    digits = len(str(len(puzzles)))
    lines = [
        f"{puzzle.text}  # {stem}-{number:0{digits}} # {fact.remark()}\n"
        for number, (puzzle, fact) in enumerate(zip(puzzles, facts, strict=True), 1)
    ]
    body = "".join(lines)
    head = _head(recipe, facts, sha256(body.encode("ascii")).hexdigest())
    return "".join(f"# {key}: {value}\n" for key, value in head) + "\n" + body


def _facts(recipe: Recipe, puzzle: Puzzle) -> _Facts:
    layout, grid = SUDOKU.parse(puzzle.text)
    is_graded = puzzle.solutions == 1 and layout.order <= MOST_ORDER_GRADED
    found = grade(puzzle.text).grade if is_graded else None
    return _Facts(sum(map(bool, grid)), puzzle.solutions, found, puzzle.effort)


def _head(recipe: Recipe, facts: Sequence[_Facts], digest: str) -> list[tuple[str, str]]:
    clues = [fact.clues for fact in facts]
    head = [
        ("family", "sudoku"),
        ("about", recipe.about),
        ("use", recipe.use),
        ("made by", f"make sets, recipe {recipe.name}, with {_solver(recipe)}"),
        ("seed", str(recipe.seed)),
        ("puzzles", str(len(facts))),
        ("solutions", " ".join(map(str, sorted({fact.solutions for fact in facts})))),
        ("clues", f"{min(clues)} to {max(clues)}"),
    ]
    grades = [fact.grade for fact in facts if fact.grade is not None]
    if grades:
        head.append((f"grades (scale {VERSION})", _tallied(sorted(grades, key=rank))))
    efforts = [fact.effort for fact in facts if fact.effort is not None]
    if efforts:
        span = f"{min(efforts):.2f} to {max(efforts):.2f}"
        head.append((f"effort (version {EFFORT_VERSION})", span))
    return [*head, ("sha256", digest)]


def _solver(recipe: Recipe) -> str:
    """Who counted, which matters only where it may give up."""
    if recipe.nodes is None:
        return "any solver"
    name = best(model.structure(recipe.layout))
    return f"{name}, which gives up a count after {recipe.nodes} nodes"


def _tallied(words: Iterable[str]) -> str:
    """Each word with how often it occurs, in the order of first occurrence."""
    return ", ".join(f"{word} {number}" for word, number in Counter(words).items())
