"""The marks of an examination as text and as JSON, and the smallest problem that fails, drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from backends.conformance.oracle import consult, optima_among
from harness.examination.examination import Mark
from modelling.problem import Assignment
from modelling.wording import plural
from puzzles.family import Instance, Pictured, family

WIDTH = 25
"""Columns for the name of a check."""

HEAD = f"{'check':{WIDTH}}{'points':>8}  "


def format_points(mark: Mark) -> str:
    """The beginning of a check's line."""
    points = f"{mark.points} of {mark.most}" if mark.most else "-"
    return f"{mark.check:{WIDTH}}{points:>8}  "


def shorten(mark: Mark, before: Mark | None) -> str:
    """The line's end: how many problems failed, and why; "the same" as the check before."""
    is_same = before is not None and not mark.is_full and mark.said == before.said
    said = "the same" if is_same else mark.said
    return f"{mark.wrong} of {mark.tried} wrong: {said}" if 0 < mark.wrong < mark.tried else said


def summarise(name: str, marks: Sequence[Mark], is_whole: bool = True) -> str:
    """The sum of the points; without ``is_whole`` further checks were to come."""
    points, most = sum(mark.points for mark in marks), sum(mark.most for mark in marks)
    checks = [mark for mark in marks if mark.most]
    failed = sum(not mark.is_full for mark in checks)
    outcome = f"{failed} of {len(checks)} checks failed" if failed else "all checks passed"
    if not is_whole:
        outcome = f"{failed} of the {len(checks)} checks until then failed"
        return f"{name}: {points} of {most} points when interrupted; {outcome}"
    return f"{name}: {points} of {most} points; {outcome}"


def find_smallest(marks: Sequence[Mark]) -> tuple[Mark, Sequence[Instance]] | None:
    """The first check that fails on a problem, with the smallest problem and puzzle."""
    return next(((mark, mark.failed) for mark in marks if mark.failed), None)


def choose_pictured(failed: Sequence[Instance]) -> Instance:
    """The one to draw: the first whose family has pictures, else the first."""
    return next((one for one in failed if isinstance(family(one.family), Pictured)), failed[0])


def describe_failure(mark: Mark, instance: Instance, width: int) -> Iterator[str]:
    """Lines: what the problem is, drawn as text, with its first best solution if it has one.

    The solution is beside the problem where both fit in ``width``, else below.
    """
    kind = family(instance.family)
    truth, solution = find_truth(instance)
    what = "problem" if instance.family == "problem" else f"puzzle ({instance.family})"
    yield f"The smallest {what} that fails the check {mark.check!r}. {truth}"
    lines = kind.render(instance.text, solution).splitlines()
    if solution is not None and max(map(len, lines)) + 2 > width:
        found = f"solution: {kind.write(instance.text, solution)}"
        lines = [*kind.render(instance.text).splitlines(), found]
    for line in lines:
        yield f"  {line}".rstrip()


def find_truth(instance: Instance) -> tuple[str, Assignment | None]:
    """How many solutions there are, and the best value; and the first solution, a best one."""
    problem = family(instance.family).problem(instance.text)
    oracle = consult(problem)
    if not oracle.every:
        return "It has no solution.", None
    shown = list(oracle.every)
    said = f"It has {plural(len(oracle.expected), 'solution')}"
    objective = problem.structure.objective
    if objective is not None:
        said += f"; the best value is {oracle.best} ({objective.sense})"
        shown = optima_among(objective, shown)[1]
    return f"{said}.", min(shown)


def to_data(name: str, marks: Sequence[Mark]) -> dict[str, Any]:
    """The marks for JSON."""
    return {
        "backend": name,
        "points": sum(mark.points for mark in marks),
        "most": sum(mark.most for mark in marks),
        "checks": [
            {
                "check": mark.check,
                "points": mark.points,
                "most": mark.most,
                "said": mark.said,
                "tried": mark.tried,
                "wrong": mark.wrong,
                "failed": [_describe(one) for one in mark.failed],
            }
            for mark in marks
        ],
    }


def _describe(instance: Instance) -> dict[str, str]:
    kind = family(instance.family)
    return {
        "family": instance.family,
        "text": instance.text,
        "drawn": kind.render(instance.text),
        "truth": find_truth(instance)[0],
    }
