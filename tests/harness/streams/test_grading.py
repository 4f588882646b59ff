"""The summary of grades: what a backend did not search to the end counts."""

from math import inf, isnan

from harness.streams.grading import summarise
from puzzles.sudoku.grading.scale import GRADES


def make_row(effort: int | None, score: int | None = 4) -> dict[str, object]:
    return {"puzzle": "p", "clues": 30, "grade": GRADES[0], "score": score, "nodes one": effort}


def test_a_puzzle_that_was_not_searched_takes_more_than_any_other() -> None:
    (line,) = summarise([make_row(3), make_row(None), make_row(5)])
    assert (line["median score"], line["median nodes one"]) == (4, 5)
    (line,) = summarise([make_row(3), make_row(None), make_row(None)])
    assert line["median nodes one"] == inf
    (line,) = summarise([make_row(None, score=None)])
    assert isnan(line["median nodes one"])
    assert isnan(line["median score"])
