"""``concord generate``: new puzzles, in the order of their items, with any number of processes.

Words
-----
request   what is to be made: family, layout, wish, seed and solver
item      the number of a puzzle in the sequence that belongs to a seed, from 0
portion   items that follow each other and are made together; so many that it takes some two seconds

What an item becomes does not depend on the portion or the process that it is made in. With a time
limit the making of a portion is broken off when the time is over, and the portion is lost: what
was made is as without the limit, only how much is made depends on the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from time import perf_counter, time
from typing import Any

from backends.counting import best, counter
from harness.streams.side_by_side import do_in_order, start_pool
from modelling.errors import InputError
from modelling.nearest import did_you_mean
from modelling.versions import find_version
from puzzles.family import Instance, families, family, is_own, is_shipped
from puzzles.grid import arrays, model
from puzzles.grid.family import GridFamily
from puzzles.grid.layout import Layout
from puzzles.sudoku.generating import TOGETHER, Made, grade_of, make
from puzzles.sudoku.wish import ATTEMPTS, Wish

DEFAULT_ORDER = 9
EXACT_ORDER = 9
"""Up to this order counts never give up: so any solver makes the same puzzles."""
NODES = {16: 10_000, 100: 1_000}
"""Beyond it a count gives up after so many nodes, by the largest order that it holds for. At 16x16
hardly any does; at 25x25 some clues stay because of it."""

PORTION_SECONDS = 2.0
GROWTH = 4
"""A portion is at most so many times as large as the one before."""


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """What is to be made; ``backend`` None is the fastest one installed."""

    family: str
    layout: Layout
    wish: Wish
    seed: int = 0
    backend: str | None = None

    @property
    def nodes(self) -> int | None:
        """The limit of a count."""
        order = self.layout.order
        return None if order <= EXACT_ORDER else NODES[min(n for n in NODES if order <= n)]

    def check(self) -> None:
        """Raise ``InputError`` for what cannot be made, ``BackendError`` for a solver that is not
        there or cannot count it."""
        self.wish.check(self.layout)
        self.make_counter()

    def make_counter(self) -> Callable[[Any, int], Any]:
        """The function that counts the solutions of grids."""
        return counter(model.structure(self.layout), self.backend, self.nodes)


def find_grid_family(name: str) -> GridFamily:
    """The family of this name; raises ``InputError`` for one of which no puzzles are generated."""
    is_known = is_own(name) or is_shipped(name)
    found = family(name) if is_known else None
    if isinstance(found, GridFamily):
        return found
    known = [one.name for one in families() if isinstance(one, GridFamily)]
    what = "a family without a generator" if is_known else "no family"
    raise InputError(
        f"{name!r} is {what}{did_you_mean(name, known)} "
        f"(puzzles are generated of {' and '.join(known)})"
    )


def make_layout(family: str, order: int | None, box: tuple[int, int] | None) -> Layout:
    """The layout by order, box shape or both; raises ``InputError`` if there is none."""
    chosen = find_grid_family(family)
    if order is None:
        order = box[0] * box[1] if box else DEFAULT_ORDER
    layout = chosen.rules.layout(order, box)
    if box is not None and layout.box is None:
        raise InputError(f"grids of the family {family} have no boxes; give --order alone")
    return layout


# --- what is written -----------------------------------------------------------------------------


def format_command(request: GenerateRequest, number: int, start: int = 0) -> str:
    """The command that makes the same again; what does not change the puzzles is left out."""
    wish, box = request.wish, request.layout.box
    words = ["concord generate", request.family, f"--number {number}", f"--seed {request.seed}"]
    words.append("--box {}x{}".format(*box) if box else f"--order {request.layout.order}")
    if start:
        words.append(f"--start {start}")
    if wish.clues is not None:
        words.append(f"--clues {wish.clues}")
    if wish.symmetry != "none":
        words.append(f"--symmetry {wish.symmetry}")
    if wish.grade is not None:
        words.append(f"--grade {wish.grade}")
    if wish.solutions != 1:
        words.append(f"--solutions {wish.solutions}" if wish.solutions else "--unsatisfiable")
    if wish.attempts != ATTEMPTS:
        words.append(f"--attempts {wish.attempts}")
    if request.nodes is not None:
        words.append(f"--backend {request.backend or best(model.structure(request.layout))}")
    return " ".join(words)


def format_head(request: GenerateRequest, number: int, start: int = 0) -> str:
    """The comment lines at the head of a file: enough to make it again, bit for bit."""
    return (
        f"# family: {request.family}\n"
        f"# made by: {format_command(request, number, start)}\n"
        f"# seed: {request.seed}\n"
        f"# version: {find_version() or '0+unknown'}\n"
    )


def format_lines(request: GenerateRequest, made: Made) -> str:
    """A line for each item: a puzzle, or a comment where there is none.

    A puzzle that is the best so far, and not as wished, says so after it.
    """
    kind, layout = find_grid_family(request.family), request.layout
    if layout.order <= arrays.MOST_ORDER:
        texts = arrays.written(kind.rules.prefix(layout), made.grids).split("\n")
    else:
        texts = [kind.text(layout, grid) for grid in made.grids.tolist()]
    for k in (~made.met).nonzero()[0].tolist():
        item = made.items[k]
        if made.kept[k]:
            clues = int((made.grids[k] > 0).sum())
            texts[k] += f"  # item-{item} # {clues} clues, {request.wish.clues} were asked for"
        else:
            texts[k] = f"# item-{item}: nothing found in {made.attempts[k]} attempts"
    return "".join(f"{text}\n" for text in texts)


def draw_puzzles(request: GenerateRequest, made: Made) -> str:
    """The puzzles as a person draws them, with an empty line after each."""
    kind, layout = find_grid_family(request.family), request.layout
    grids = made.grids[made.kept].tolist()
    return "".join(f"{kind.render(kind.text(layout, grid))}\n\n" for grid in grids)


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


# --- portions ------------------------------------------------------------------------------------


class _TimeOver(Exception):
    """The time is over in the middle of a portion."""


class _Maker:
    """Makes portions in one process; ``until`` is when to break off, by the clock ``time``."""

    def __init__(self, request: GenerateRequest, until: float) -> None:
        self._request = request
        self._until = until
        self._count = self._watch(request.make_counter())
        self._grade = self._watch(grade_of)

    def make_portion(self, items: range) -> tuple[Made | None, float]:
        """The items, None when the time was over before they were made; and the seconds taken."""
        begun, asked = perf_counter(), self._request
        try:
            made = make(asked.wish, asked.layout, asked.seed, items, self._count, self._grade)
        except _TimeOver:
            return None, perf_counter() - begun
        return made, perf_counter() - begun

    def _watch(self, function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
        """The function, which is called no more when the time is over."""

        def watched(one: Any, other: Any) -> Any:
            if time() >= self._until:
                raise _TimeOver
            return function(one, other)

        return watched


class _Sizes:
    """How large the next portion is, from how long the last one took."""

    def __init__(self) -> None:
        self.size = 1

    def learn(self, items: int, seconds: float) -> None:
        fitting = int(PORTION_SECONDS * items / max(seconds, 1e-9))
        self.size = max(1, min(fitting, GROWTH * items, TOGETHER))


def generate_portions(
    request: GenerateRequest, start: int, number: int, jobs: int = 1, seconds: float | None = None
) -> Generator[Made, None, None]:
    """The items ``start`` to ``start + number - 1`` in order, by ``jobs`` processes.

    Ends before all are made when ``seconds`` are over.
    """
    until = float("inf") if seconds is None else time() + seconds
    if jobs <= 1:
        yield from _one_by_one(_Maker(request, until), start, start + number)
        return
    with start_pool(jobs, _start, request, until) as pool:
        yield from _side_by_side(pool, start, start + number, jobs)


def _one_by_one(maker: _Maker, start: int, end: int) -> Iterator[Made]:
    sizes = _Sizes()
    while start < end:
        items = range(start, min(end, start + sizes.size))
        made, seconds = maker.make_portion(items)
        if made is None:
            return
        yield made
        sizes.learn(len(items), seconds)
        start = items.stop


def _side_by_side(pool: ProcessPoolExecutor, start: int, end: int, jobs: int) -> Iterator[Made]:
    """Results in the order of the items, with two portions for each process under way."""
    sizes = _Sizes()

    def portions() -> Iterator[range]:
        begun = start
        while begun < end:
            fair = -(-(end - begun) // jobs)  # what is left is shared by all
            yield (items := range(begun, min(end, begun + min(sizes.size, fair))))
            begun = items.stop

    def describe(items: range) -> str:
        return f"made puzzle {items.start}"

    for items, (made, seconds) in do_in_order(pool, _make_portion, portions(), 2 * jobs, describe):
        if made is None:
            return
        yield made
        sizes.learn(len(items), seconds)


_maker: _Maker | None = None
"""What this process makes portions with, when it is one of a pool."""


def _start(request: GenerateRequest, until: float) -> None:
    global _maker
    _maker = _Maker(request, until)


def _make_portion(items: range) -> tuple[Made | None, float]:
    assert _maker is not None
    return _maker.make_portion(items)
