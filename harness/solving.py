"""``concord solve``: line i of the answers belongs to puzzle i, on a stream of any length.

Words
-----
answer      what is written for one puzzle: its lines, what went wrong, and the exit status that it
            asks for (1 when there was an error)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from backends import registry
from backends.api import Backend, Limits, Refused, Result, Solutions
from harness import instances
from modelling.errors import ConcordError, InputError, PuzzleError
from modelling.problem import Assignment
from puzzles import sets
from puzzles.family import Instance

BATCH = 64
"""Puzzles that travel to a process together."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Question:
    """What ``solve`` is asked: up to ``count`` solutions (None: all) within ``seconds`` each."""

    backend: str
    count: int | None = 1
    seconds: float | None = None
    show: bool = False


@dataclass(frozen=True)
class Answer:
    """The lines for one puzzle, and on trouble what to say about it."""

    lines: tuple[str, ...]
    trouble: str = ""


def solve(source: str, family: str | None, question: Question, jobs: int = 1) -> Iterator[Answer]:
    """The answers to the puzzles of ``source`` in order; with ``jobs`` processes side by side."""
    registry.get(question.backend)  # a wrong name is an error before any puzzle is read
    numbered = enumerate(sets.instances(source, family), 1)
    if jobs <= 1:
        backend = registry.get(question.backend)
        for number, entry in numbered:
            yield answer(number, entry, backend, question)
        return
    with ProcessPoolExecutor(jobs, initializer=_load, initargs=(question,)) as pool:
        for answers in _in_order(
            (pool.submit(_answer_all, batch) for batch in _batches(numbered, BATCH)), 4 * jobs
        ):
            yield from answers


def answer(
    number: int, entry: Instance | PuzzleError, backend: Backend, question: Question
) -> Answer:
    """The answer to puzzle ``number`` (from 1) of the input."""
    if isinstance(entry, PuzzleError):
        return Answer((_numbered(number, "# error", question),), str(entry))
    try:
        return _answered(number, entry, backend, question)
    except InputError as error:
        line = _numbered(number, "# error", question)
        return Answer((line,), f"{entry.source or entry.name}: {error}")


def _answered(number: int, entry: Instance, backend: Backend, question: Question) -> Answer:
    family = instances.family(entry.family)
    problem = family.problem(entry.text)
    verdict = backend.accepts(problem)
    if isinstance(verdict, Refused):
        line = _numbered(number, "# error", question)
        return Answer((line,), f"{entry.source}: {backend.name} refuses it: {verdict.reason}")
    ask = Solutions(question.count, question.count)
    result = backend.solve(problem, ask, Limits(seconds=question.seconds))
    if not result.solutions:
        words = {"UNSATISFIABLE": "# unsatisfiable"}.get(result.status, "# unknown")
        return Answer((_numbered(number, words, question),), _unsettled(entry, result, question))
    for values in result.solutions:
        wrong = family.check(entry.text, values)
        if wrong:
            raise ConcordError(f"{entry.source}: {backend.name} answered wrongly: {wrong[0]}")

    def written(values: Assignment) -> str:
        if question.show:
            return family.render(entry.text, values)
        return _numbered(number, family.write(entry.text, values), question)

    return Answer(tuple(map(written, result.solutions)), _unsettled(entry, result, question))


def _unsettled(entry: Instance, result: Result, question: Question) -> str:
    """What to say when the search ended before its end; that is no error when one was enough."""
    if result.stopped_by in ("exhausted", "enough"):
        return ""
    return f"{entry.source}: {result.stopped_by} after {result.count} solutions"


def _numbered(number: int, text: str, question: Question) -> str:
    return text if question.count == 1 else f"{number}\t{text}"


# --- several processes ---------------------------------------------------------------------------

_loaded: tuple[Backend, Question] | None = None
"""The backend of this process, when it is one of a pool."""


def _load(question: Question) -> None:
    global _loaded
    _loaded = registry.get(question.backend), question


def _answer_all(batch: list[tuple[int, Instance | PuzzleError]]) -> list[Answer]:
    assert _loaded is not None
    backend, question = _loaded
    return [answer(number, entry, backend, question) for number, entry in batch]


def _batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    stream = iter(items)
    while batch := list(islice(stream, size)):
        yield batch


def _in_order(futures: Iterator[Future[Item]], ahead: int) -> Iterator[Item]:
    """Results in the order of submission, with at most ``ahead`` under way."""
    waiting: deque[Future[Item]] = deque(islice(futures, ahead))
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(islice(futures, 1))
