"""``concord solve``: line i of the answers belongs to puzzle i, on a stream of any length.

Words
-----
request     what ``solve`` is to do; an *entry* is what it reads: a puzzle, a line that is none, or
            a batch
answer      what is written for one puzzle, or for several that follow each other: lines, and what
            went wrong (then the exit status is 1)
plain       a run of grids that are alone on their lines (``puzzles.grid.family.Plain``);
            unless all solutions are asked for, or drawings, and where the backend takes arrays,
            they are solved together (``harness.streams.plain_solving``), with the same lines as one
            by one

Without a backend's name, ``compiled`` solves what it accepts, where numba is installed, and
``propagation`` the rest, and whatever is asked for the best.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain

from backends.interface import registry
from backends.interface.api import (
    AllOptima,
    Ask,
    Backend,
    BatchBackend,
    Limits,
    Optimum,
    Refused,
    Result,
    Solutions,
    give_text,
)
from backends.interface.evidence.answer import shortfall
from backends.proofs.certify import certified
from modelling.errors import BackendUnavailable, ConcordError, ContradictoryResult, InstanceError
from modelling.problem import Problem
from puzzles import sets
from puzzles.family import Batch, Instance, family, make_picture, original_text
from puzzles.grid.family import Plain
from puzzles.sets.models import Source, group_data, read_with_data

BATCH = 64
"""Puzzles that travel to a process together, when they are solved one by one."""

RUN = 4096
"""Most plain grids that are solved together."""

QUICK = 1000
"""Nodes for each grid in an array when time is limited; what takes more is solved by itself, and
the clock is looked at. It is what the backend does between two looks at the clock anyway."""

DEFAULT = ("compiled", "propagation")
"""Without a name, the first of these that is installed and accepts a problem solves it."""

Entry = Instance | InstanceError | Batch
Numbered = tuple[int, Entry]
"""An entry with the number of its first puzzle (from 1) in the input."""


@dataclass(frozen=True)
class SolveRequest:
    """What ``solve`` is to do: find up to ``count`` solutions (None: all) within ``seconds`` each.

    ``backend`` None stands for ``DEFAULT``; with ``show`` answers are drawn, with ``picture`` as
    SVG. With ``optimum`` the best solutions are meant where there is an objective.
    """

    backend: str | None = None
    count: int | None = 1
    seconds: float | None = None
    show: bool = False
    picture: bool = False
    optimum: bool = True

    def ask(self, problem: Problem) -> Ask:
        """What is asked of a problem."""
        if not self.optimum or problem.structure.objective is None:
            return Solutions(self.count, self.count)
        return Optimum() if self.count == 1 else AllOptima(self.count, self.count)


@dataclass(frozen=True)
class Answer:
    """The lines for one puzzle or several, and on trouble what to say about the last of them."""

    lines: tuple[str, ...]
    trouble: str = ""


def solve(
    sources: str | Sequence[str], family_name: str | None, request: SolveRequest, jobs: int = 1
) -> Iterator[Answer]:
    """The answers to the puzzles of ``sources``, or of one, in order; with ``jobs`` processes side
    by side.

    Files of data that follow a model are an instance of it each.
    """
    solver = Solver(request)  # a wrong name is an error before any puzzle is read
    names = [sources] if isinstance(sources, str) else sources
    groups = group_data(names, family_name)
    entries = chain.from_iterable(_read(group, family_name, solver) for group in groups)
    if jobs <= 1:
        yield from solver.answer_all(_number_entries(entries))
        return
    from harness.streams.side_by_side import do_in_order

    portions = _divide(_number_entries(entries))
    done = do_in_order(jobs, partial(_prepare, request), portions, 4 * jobs, _describe)
    yield from chain.from_iterable(done)


def _read(group: Source, family_name: str | None, solver: Solver) -> Iterator[Entry]:
    name, data = group
    if data:
        return read_with_data(name, family_name, data)
    if not solver.takes_batches or sets.is_puzzle(name):
        return sets.given(name, family_name)
    longest = 1 if name == "-" and sys.stdin.isatty() else RUN
    return sets.batches(name, family_name, longest)


class Solver:
    """Answers entries as ``request`` says, with the backends that it names."""

    def __init__(self, request: SolveRequest) -> None:
        self.request = request
        self.backends: list[Backend] = []
        for name in DEFAULT if request.backend is None else (request.backend,):
            try:
                self.backends.append(registry.get(name))
            except BackendUnavailable:
                if request.backend is not None:
                    raise  # of the default ones the last needs nothing to be installed
        is_bounded = request.count is not None and not (request.show or request.picture)
        self.takes_batches = is_bounded and any(map(_takes_arrays, self.backends))

    def answer_all(self, entries: Iterable[Numbered]) -> Iterator[Answer]:
        """The answers to entries in their order."""
        for number, entry in entries:
            if isinstance(entry, Instance | InstanceError):
                yield self._answer(number, entry)
            else:
                yield from self._answer_batch(number, entry)

    def _answer_batch(self, number: int, batch: Batch) -> Iterator[Answer]:
        """What has a solution is solved as arrays; the rest is looked at again, one by one."""
        count, seconds = self.request.count, self.request.seconds
        assert count is not None, "batches are read only where the number of solutions is bounded"
        parts: Iterable[str | int] = range(len(batch))
        if isinstance(batch, Plain):
            structure = batch.structure()
            for backend in self.backends:
                if isinstance(backend, BatchBackend) and backend.takes(structure):
                    from harness.streams.plain_solving import solve_together

                    first = None if count == 1 else number
                    nodes = None if seconds is None else QUICK
                    parts = solve_together(batch, structure, backend, count, first, nodes)
                    break
        for part in parts:
            if isinstance(part, str):
                yield Answer((part,))
            else:
                yield self._answer(number + part, batch.entry(part))

    def _answer(self, number: int, entry: Instance | InstanceError) -> Answer:
        """The answer to puzzle ``number`` (from 1) of the input.

        Whatever goes wrong with one puzzle costs its own line alone: a program that fails, a
        question that the backend cannot answer, an answer that is wrong.
        """
        if isinstance(entry, InstanceError):
            return self._say(number, "# error", str(entry))
        try:
            return self._solve(number, entry)
        except ConcordError as error:
            return self._say(number, "# error", f"{entry.source or entry.name}: {error}")

    def _solve(self, number: int, entry: Instance) -> Answer:
        kind = family(entry.family)
        problem = kind.problem(entry.text)
        ask = self.request.ask(problem)
        for backend in self._choose(ask):
            give_text(backend, problem, partial(original_text, kind, entry.text))
            verdict = backend.accepts(problem)
            if not isinstance(verdict, Refused):
                break
            refusal = f"{entry.source}: {backend.name} refuses it: {verdict.reason}"
        else:
            return self._say(number, "# error", refusal)
        result = backend.solve(problem, ask, Limits(seconds=self.request.seconds))
        wrong = chain.from_iterable(kind.check(entry.text, values) for values in result.solutions)
        faults = chain(
            [shortfall(result, ask, problem) or certified(result, ask, problem)[1]], wrong
        )
        for fault in filter(None, faults):
            raise ContradictoryResult(f"{backend.name} answered wrongly: {fault}")
        trouble = ""
        if result.stopped_by not in ("exhausted", "enough"):
            trouble = f"{entry.source}: {result.stopped_by} after {result.count} solutions"
        if not result.solutions:
            is_proven = result.status == "UNSATISFIABLE"
            return self._say(number, "# unsatisfiable" if is_proven else "# unknown", trouble)
        if self.request.picture:
            lines: list[str] = [
                make_picture(kind, entry.text, values) for values in result.solutions
            ]
        elif self.request.show:
            lines = [kind.render(entry.text, values) for values in result.solutions]
        else:
            worth = _describe_worth(result, ask)
            lines = [
                self._number(number, kind.write(entry.text, values) + worth)
                for values in result.solutions
            ]
        return Answer(tuple(lines), trouble)

    def _choose(self, ask: Ask) -> Sequence[Backend]:
        """The backends that may answer; one that was named says itself what it cannot."""
        if self.request.backend is not None or isinstance(ask, Solutions):
            return self.backends
        return [one for one in self.backends if getattr(one, "optimises", True)]

    def _say(self, number: int, remark: str, trouble: str) -> Answer:
        return Answer((self._number(number, remark),), trouble)

    def _number(self, number: int, line: str) -> str:
        return line if self.request.count == 1 else f"{number}\t{line}"


def _describe_worth(result: Result, ask: Ask) -> str:
    """The comment after a best solution; empty where none was asked."""
    if isinstance(ask, Solutions):
        return ""
    doubt = "" if result.status == "OPTIMUM" else ", not proven to be the best"
    return f"  # objective {result.objective}{doubt}"


def _takes_arrays(backend: Backend) -> bool:
    return isinstance(backend, BatchBackend)


def _prepare(request: SolveRequest) -> Callable[[list[Numbered]], list[Answer]]:
    solver = Solver(request)
    return lambda entries: list(solver.answer_all(entries))


def _number_entries(entries: Iterable[Entry]) -> Iterator[Numbered]:
    number = 1
    for entry in entries:
        yield number, entry
        number += 1 if isinstance(entry, Instance | InstanceError) else len(entry)


def _divide(entries: Iterable[Numbered]) -> Iterator[list[Numbered]]:
    """What travels to a process together: ``BATCH`` puzzles, or a run of plain ones."""
    portion: list[Numbered] = []
    for item in entries:
        portion.append(item)
        if len(portion) >= BATCH or not isinstance(item[1], Instance | InstanceError):
            yield portion
            portion = []
    if portion:
        yield portion


def _describe(portion: list[Numbered]) -> str:
    return f"solved puzzle {portion[0][0]}"
