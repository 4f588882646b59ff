"""``concord solve``: line i of the answers belongs to puzzle i, on a stream of any length.

Words
-----
answer      what is written for one puzzle, or for several that follow each other: lines, and what
            went wrong (then the exit status is 1)
plain       a run of grids that stand alone on their lines (``puzzles.grid.family.Plain``);
            unless all solutions are asked for, or drawings, and where the backend takes arrays,
            they are solved together (``harness.streams.plain_solving``), with the same lines as one
            by one

Without a backend's name, ``compiled`` solves what it accepts, where numba is installed, and
``propagation`` the rest.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from backends.interface import registry
from backends.interface.api import Backend, BatchBackend, Limits, Refused, Result, Solutions
from backends.interface.evidence import shortfall
from harness.plan import instances
from modelling.errors import BackendUnavailable, ConcordError, InputError, PuzzleError
from modelling.problem import Assignment
from puzzles import sets
from puzzles.family import Batch, Instance
from puzzles.grid.family import Plain

BATCH = 64
"""Puzzles that travel to a process together, when they are solved one by one."""

RUN = 4096
"""So many plain grids, at most, are solved together."""

QUICK = 1000
"""Nodes for each grid in an array when time is limited; what takes more is solved by itself, and
the clock is looked at. It is what the backend does between two looks at the clock anyway."""

DEFAULT = ("compiled", "propagation")
"""Without a name, the first of these that is installed and accepts a problem solves it."""

Entry = Instance | PuzzleError | Batch

Item = TypeVar("Item")


@dataclass(frozen=True)
class Question:
    """What ``solve`` is asked: up to ``count`` solutions (None: all) within ``seconds`` each.

    ``backend`` None stands for ``DEFAULT``.
    """

    backend: str | None = None
    count: int | None = 1
    seconds: float | None = None
    show: bool = False


@dataclass(frozen=True)
class Answer:
    """The lines for one puzzle or several, and on trouble what to say about the last of them."""

    lines: tuple[str, ...]
    trouble: str = ""


def solve(source: str, family: str | None, question: Question, jobs: int = 1) -> Iterator[Answer]:
    """The answers to the puzzles of ``source`` in order; with ``jobs`` processes side by side."""
    backends = _backends(question)  # a wrong name is an error before any puzzle is read
    bounded = question.count is not None and not question.show
    together = bounded and any(map(_takes_arrays, backends))
    longest = 1 if source == "-" and sys.stdin.isatty() else RUN
    together = together and not sets.is_puzzle(source)
    entries = sets.batches(source, family, longest) if together else sets.given(source, family)
    if jobs <= 1:
        yield from answers(_number_entries(entries), backends, question)
        return
    spawn = multiprocessing.get_context("spawn")  # solvers may have started threads: no forks
    with ProcessPoolExecutor(jobs, spawn, initializer=_load, initargs=(question,)) as pool:
        portions = _portions(_number_entries(entries))
        for done in _in_order((pool.submit(_answer_all, part) for part in portions), 4 * jobs):
            yield from done


def _backends(question: Question) -> list[Backend]:
    if question.backend is not None:
        return [registry.get(question.backend)]
    installed = []
    for name in DEFAULT:
        try:
            installed.append(registry.get(name))
        except BackendUnavailable:
            continue  # the last needs nothing to be installed
    return installed


def _takes_arrays(backend: Backend) -> bool:
    return isinstance(backend, BatchBackend)


def answers(
    entries: Iterable[tuple[int, Entry]], backends: Sequence[Backend], question: Question
) -> Iterator[Answer]:
    """The answers to entries, each with the number of its first puzzle (from 1) in the input."""
    for number, entry in entries:
        if isinstance(entry, Instance | PuzzleError):
            yield answer(number, entry, backends, question)
        else:
            yield from _answer_together(number, entry, backends, question)


def _answer_together(
    number: int, batch: Batch, backends: Sequence[Backend], question: Question
) -> Iterator[Answer]:
    """What has a solution is solved as arrays; the rest is looked at again, one by one."""
    structure = batch.structure() if isinstance(batch, Plain) else None
    count = question.count
    assert count is not None, "batches are read only where the number of solutions is bounded"
    for backend in backends:
        if structure is None or not isinstance(backend, BatchBackend):
            continue
        if backend.takes(structure):
            from harness.streams.plain_solving import solve_together

            assert isinstance(batch, Plain)
            first = None if count == 1 else number
            nodes = None if question.seconds is None else QUICK
            for part in solve_together(batch, structure, backend, count, first, nodes):
                if isinstance(part, str):
                    yield Answer((part,))
                else:
                    yield answer(number + part, batch.entry(part), backends, question)
            return
    for k in range(len(batch)):
        yield answer(number + k, batch.entry(k), backends, question)


def answer(
    number: int, entry: Instance | PuzzleError, backends: Sequence[Backend], question: Question
) -> Answer:
    """The answer to puzzle ``number`` (from 1) of the input."""
    if isinstance(entry, PuzzleError):
        return Answer((_with_number(number, "# error", question),), str(entry))
    try:
        return _answer(number, entry, backends, question)
    except InputError as error:
        line = _with_number(number, "# error", question)
        return Answer((line,), f"{entry.source or entry.name}: {error}")


def _answer(
    number: int, entry: Instance, backends: Sequence[Backend], question: Question
) -> Answer:
    family = instances.family(entry.family)
    problem = family.problem(entry.text)
    for backend in backends:
        verdict = backend.accepts(problem)
        if not isinstance(verdict, Refused):
            break
        refusal = f"{entry.source}: {backend.name} refuses it: {verdict.reason}"
    else:
        return Answer((_with_number(number, "# error", question),), refusal)
    ask = Solutions(question.count, question.count)
    result = backend.solve(problem, ask, Limits(seconds=question.seconds))
    fault = shortfall(result, ask, problem)
    if fault:
        raise ConcordError(f"{entry.source}: {backend.name} answered wrongly: {fault}")
    if not result.solutions:
        words = {"UNSATISFIABLE": "# unsatisfiable"}.get(result.status, "# unknown")
        return Answer(
            (_with_number(number, words, question),), _why_unfinished(entry, result, question)
        )
    for values in result.solutions:
        wrong = family.check(entry.text, values)
        if wrong:
            raise ConcordError(f"{entry.source}: {backend.name} answered wrongly: {wrong[0]}")

    def written(values: Assignment) -> str:
        if question.show:
            return family.render(entry.text, values)
        return _with_number(number, family.write(entry.text, values), question)

    return Answer(tuple(map(written, result.solutions)), _why_unfinished(entry, result, question))


def _why_unfinished(entry: Instance, result: Result, question: Question) -> str:
    """What to say when the search ended before its end; that is no error when one was enough."""
    if result.stopped_by in ("exhausted", "enough"):
        return ""
    return f"{entry.source}: {result.stopped_by} after {result.count} solutions"


def _with_number(number: int, text: str, question: Question) -> str:
    return text if question.count == 1 else f"{number}\t{text}"


# --- several processes ---------------------------------------------------------------------------

_loaded: tuple[list[Backend], Question] | None = None
"""The backends of this process, when it is one of a pool."""


def _load(question: Question) -> None:
    global _loaded
    _loaded = _backends(question), question


def _answer_all(entries: list[tuple[int, Entry]]) -> list[Answer]:
    assert _loaded is not None
    return list(answers(entries, *_loaded))


def _number_entries(entries: Iterable[Entry]) -> Iterator[tuple[int, Entry]]:
    """Each entry with the number of its first puzzle."""
    number = 1
    for entry in entries:
        yield number, entry
        number += 1 if isinstance(entry, Instance | PuzzleError) else len(entry)


def _portions(entries: Iterable[tuple[int, Entry]]) -> Iterator[list[tuple[int, Entry]]]:
    """What travels to a process together: ``BATCH`` puzzles, or a run of plain ones."""
    portion: list[tuple[int, Entry]] = []
    for item in entries:
        portion.append(item)
        if len(portion) >= BATCH or not isinstance(item[1], Instance | PuzzleError):
            yield portion
            portion = []
    if portion:
        yield portion


def _in_order(futures: Iterator[Future[Item]], ahead: int) -> Iterator[Item]:
    """Results in the order of submission, with at most ``ahead`` under way."""
    waiting: deque[Future[Item]] = deque(islice(futures, ahead))
    while waiting:
        yield waiting.popleft().result()
        waiting.extend(islice(futures, 1))
