"""``concord generate``: new puzzles, in the order of their items, with any number of processes.

Grids meet a specification, and are made portion by portion, since that takes a solver and time.
Instances of other families are drawn one after the other (``puzzles.generators``).

Words
-----
request   a description of instances: family, seed, and layout, spec and solver, or parameters
item      the number of a puzzle in the sequence that belongs to a seed, from 0
portion   items that follow each other and are made together, as many as take some two seconds

What an item becomes does not depend on the portion or the process that it is made in. With a time
limit the making of a portion is broken off when the time is over, and the portion is lost: what
was made is as without the limit, only how much is made depends on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from time import monotonic, perf_counter
from typing import Any

from backends.counting import best, counter
from modelling.problem import Structure
from modelling.versions import find_version
from puzzles.family import Instance
from puzzles.grid import model
from puzzles.grid.family import find_grid_family
from puzzles.grid.layout import Layout
from puzzles.parameters import Value, format_value
from puzzles.sudoku.generating import TOGETHER, Made, grade_of, make
from puzzles.sudoku.specification import ATTEMPTS, PuzzleSpec

EXACT_ORDER = 9
"""Up to this order counts never give up: so any solver makes the same puzzles."""
NODES = {16: 10_000, 100: 1_000}
"""The nodes after which a count beyond it gives up, by the largest order that the limit holds for.
At 16x16 hardly any does; at 25x25 some clues stay because of it."""

PORTION_SECONDS = 2.0
GROWTH = 4
"""A portion is at most this many times as large as the one before."""


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """What ``generate`` makes; ``backend`` None is the fastest one installed."""

    family: str
    layout: Layout
    spec: PuzzleSpec
    seed: int = 0
    backend: str | None = None

    @property
    def nodes(self) -> int | None:
        """The limit of a count."""
        order = self.layout.order
        return None if order <= EXACT_ORDER else NODES[min(n for n in NODES if order <= n)]

    @property
    def structure(self) -> Structure:
        """That of its grids."""
        return model.structure(self.layout)

    def check(self) -> None:
        """Raise ``InputError`` for what cannot be made, ``BackendError`` for a solver that is not
        there or cannot count it."""
        self.spec.check(self.layout)
        self.make_counter()

    def make_counter(self) -> Callable[[Any, int], Any]:
        """The function that counts the solutions of grids."""
        return counter(self.structure, self.backend, self.nodes)


@dataclass(frozen=True, slots=True)
class DrawRequest:
    """What is to be drawn; ``stated`` is every parameter of the family's generator."""

    family: str
    stated: Mapping[str, Value]
    seed: int = 0


def format_command(request: GenerateRequest | DrawRequest, number: int, start: int = 0) -> str:
    """The command that makes the same again; what does not change the puzzles is left out."""
    options: dict[str, Any] = {"number": number, "seed": request.seed, "start": start or None}
    if isinstance(request, DrawRequest):
        for name, value in request.stated.items():
            written = "" if value is True else None if value is False else format_value(value)
            options[name.replace("_", "-")] = written
    else:
        options = _list_options(request, options)
    given = (f"--{name} {value}".strip() for name, value in options.items() if value is not None)
    return f"concord generate {request.family} {' '.join(given)}"


def _list_options(request: GenerateRequest, first: dict[str, Any]) -> dict[str, Any]:
    spec, layout = request.spec, request.layout
    return {
        "number": first["number"],
        "seed": first["seed"],
        "box": "{}x{}".format(*layout.box) if layout.box else None,
        "order": None if layout.box else layout.order,
        "start": first["start"],
        "clues": spec.clues,
        "symmetry": None if spec.symmetry == "none" else spec.symmetry,
        "grade": spec.grade,
        "solutions": None if spec.solutions in (0, 1) else spec.solutions,
        "unsatisfiable": None if spec.solutions else "",
        "attempts": None if spec.attempts == ATTEMPTS else spec.attempts,
        "backend": None if request.nodes is None else request.backend or best(request.structure),
    }


def format_head(request: GenerateRequest | DrawRequest, number: int, start: int = 0) -> str:
    """The comment lines at the head of a file: enough to make it again, bit for bit."""
    return (
        f"# family: {request.family}\n"
        f"# made by: {format_command(request, number, start)}\n"
        f"# seed: {request.seed}\n"
        f"# version: {find_version() or '0+unknown'}\n"
    )


def generate_instances(
    request: GenerateRequest, number: int, start: int = 0, jobs: int = 1, only_met: bool = False
) -> Iterator[Instance]:
    """The puzzles as instances, named by their items.

    Items of which nothing was found are left out; one that is the best so far is there, unless
    ``only_met``. Raises as ``GenerateRequest.check``.
    """
    request.check()
    kind, layout = find_grid_family(request.family), request.layout
    with closing(generate_portions(request, start, number, jobs)) as portions:
        for made in portions:
            for k in (made.met if only_met else made.kept).nonzero()[0].tolist():
                text = kind.text(layout, made.grids[k].tolist())
                yield Instance(request.family, f"item-{made.items[k]}", text)


class _TimeOver(Exception):
    """The time is over in the middle of a portion."""


def _prepare(
    request: GenerateRequest, until: float
) -> Callable[[range], tuple[Made | None, float]]:
    """The function that makes portions in this process; ``until`` is when to break off.

    It gives what was made of items, None when the time was over, and the seconds taken.
    """

    def watch(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        def watched(one: Any, other: Any) -> Any:
            if monotonic() >= until:
                raise _TimeOver
            return function(one, other)

        return watched

    count, grade = watch(request.make_counter()), watch(grade_of)

    def make_portion(items: range) -> tuple[Made | None, float]:
        begun, made = perf_counter(), None
        with suppress(_TimeOver):
            made = make(request.spec, request.layout, request.seed, items, count, grade)
        return made, perf_counter() - begun

    return make_portion


def choose_size(items: int, seconds: float) -> int:
    """How large the next portion is, after one of ``items`` took this long."""
    fitting = int(PORTION_SECONDS * items / max(seconds, 1e-9))
    return max(1, min(fitting, GROWTH * items, TOGETHER))


def generate_portions(
    request: GenerateRequest, start: int, number: int, jobs: int = 1, seconds: float | None = None
) -> Generator[Made, None, None]:
    """The items ``start`` to ``start + number - 1`` in order, by ``jobs`` processes.

    Ends before all are made when ``seconds`` are over.
    """
    until = float("inf") if seconds is None else monotonic() + seconds
    size, end = 1, start + number

    def divide() -> Iterator[range]:
        begun = start
        while begun < end:
            fair = -(-(end - begun) // jobs)  # what is left is shared by all
            yield (items := range(begun, min(end, begun + min(size, fair))))
            begun = items.stop

    prepare = partial(_prepare, request, until)
    if jobs > 1:  # with two portions for each process under way
        from harness.streams.side_by_side import do_in_order

        portions = do_in_order(jobs, prepare, divide(), 2 * jobs, _describe)
    else:
        make_portion = prepare()
        portions = (make_portion(items) for items in divide())
    with closing(portions):
        for made, taken in portions:
            if made is None:
                return
            yield made
            size = choose_size(len(made.items), taken)


def _describe(items: range) -> str:
    return f"made puzzle {items.start}"
