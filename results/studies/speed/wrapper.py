"""How much time does a backend add to its solver? Five models, each beside a plain script.

    python -m results.studies.speed.wrapper [--only BACKEND]... [--model MODEL]... [--seconds S]
                                            [--load TEXT] [--out FOLDER]

Models are those of ``small_models``, scripts those of ``scripts``; every backend of its table is
measured. Script and backend run in this process in turn, in an order that alternates; CPU time
counts, since machines are shared, and that of programs which are run is added. Their solutions must
be the same ones. A pair is repeated for ``--seconds`` of CPU, ``LEAST`` times at least and ``MOST``
times at most.

script_ms   the median of the script, with what it prepares beforehand kept
ratio       the backend's median beside it: ``Backend.solve`` of the same problem asked again, its
            encoding kept (``reuse=encoding``, the default)
low, high   the quartiles of the ratios of the turns
once_ratio  both asked for the first time: nothing prepared and nothing kept, imports done before;
            ratio of the medians of ``ONCE`` turns

Results are added to those in the folder, a line for a backend and a model, so that a study can be
made in parts; ``--load`` says what else the machine was doing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from statistics import median, quantiles
from time import process_time_ns

from backends.interface import registry
from backends.interface.api import Ask, Backend, Optimum, Result, Solutions
from modelling import rewriting
from modelling.constraints import AllDifferent, NotEqual
from modelling.problem import Problem, Structure
from modelling.terms import Affine
from puzzles.family import family
from results.studies.markdown import join_page, list_loads, list_table
from results.studies.runner import Known, Options, Study, find_installed, option
from results.studies.speed import scripts, small_models
from results.studies.speed.small_models import Script

GOAL, ASKED = 1.05, 1.15
LEAST, MOST, ONCE = 7, 200, 5


@dataclass(frozen=True)
class Model:
    """A problem and an ask; ``state`` makes the problem anew."""

    state: Callable[[], Problem]
    ask: Ask


def _queens() -> Problem:
    columns = range(small_models.QUEENS)
    lines = [tuple(Affine(i, 1, sign * i) for i in columns) for sign in (1, -1)]
    different = (AllDifferent(tuple(columns)), *map(AllDifferent, lines))
    names = tuple(f"q{i}" for i in columns)
    return Structure(names, (tuple(columns),) * small_models.QUEENS, different).problem()


def _pigeons() -> Problem:
    pigeons, holes = range(small_models.PIGEONS), tuple(range(1, small_models.HOLES + 1))
    apart = tuple(NotEqual(pair) for pair in combinations(pigeons, 2))
    return Structure(tuple(f"p{i}" for i in pigeons), (holes,) * len(pigeons), apart).problem()


def _of_family(name: str, text: str) -> Callable[[], Problem]:
    return partial(family(name).problem, text)


EVERY = Solutions(None, None)

MODELS = {
    "queens": Model(_queens, EVERY),
    "sudoku": Model(_of_family("sudoku", small_models.SEVENTEEN), Solutions(2, None)),
    "send_more": Model(_of_family("cryptarithm", "SEND+MORE=MONEY"), Solutions(1)),
    "golomb": Model(_of_family("golomb", str(small_models.MARKS)), Optimum()),
    "pigeons": Model(_pigeons, Solutions(1)),
}


@dataclass(frozen=True)
class Cost:
    """The figures of one pair; see this file's head."""

    backend: str
    version: str
    model: str
    turns: int
    script_ms: float
    backend_ms: float
    ratio: float
    low: float
    high: float
    once_script_ms: float
    once_backend_ms: float
    once_ratio: float
    load: str


def script_of(backend: str, model: str) -> Script:
    """The script of a model, prepared."""
    prepared: Script = getattr(scripts.scripts_of(backend), model)()
    return prepared


def agree(model: str, ours: Sequence[Sequence[int]], theirs: Sequence[Sequence[int]]) -> bool:
    """Return whether both have the same solutions, or equal optima."""
    if model == "golomb":
        return [values[-1] for values in ours] == [values[-1] for values in theirs]
    return sorted(map(tuple, ours)) == sorted(map(tuple, theirs))


def measure_cpu(program: Callable[[], object]) -> tuple[int, object]:
    """Nanoseconds of CPU, of this process and of the programs that it has run, and the answer."""
    before, begun = _of_children(), process_time_ns()
    answer = program()
    own = process_time_ns() - begun
    return own + _of_children() - before, answer


def _of_children() -> int:
    """Nanoseconds of CPU of the programs that have ended; Windows counts none."""
    if sys.platform == "win32":
        return 0
    from resource import RUSAGE_CHILDREN, getrusage

    used = getrusage(RUSAGE_CHILDREN)
    return round((used.ru_utime + used.ru_stime) * 1e9)


def measure(name: str, model: str, seconds: float, load: str = "") -> Cost:
    """Run both programs of a pair in turn; raises if their answers differ."""
    asked = MODELS[model]

    def ask_once() -> Result:
        rewriting.keep_rewrites(64)  # forgets those that it has
        return registry.get(name).solve(asked.state(), asked.ask)

    def script_once() -> small_models.Solutions:
        return script_of(name, model)()

    def check(result: object, found: object) -> None:
        assert isinstance(result, Result)
        assert isinstance(found, list)
        if not (result.exhausted or result.stopped_by == "enough") or not agree(
            model, result.solutions, found
        ):
            raise AssertionError(f"{name} differs from its script on {model}: {result}, {found}")

    check(ask_once(), script_once())  # imports, and what a process does once
    once = in_turn((script_once, ask_once), check, 0.0, ONCE)
    backend, problem, script = registry.get(name), asked.state(), script_of(name, model)
    again = partial(backend.solve, problem, asked.ask)
    check(again(), script())
    kept = in_turn((script, again), check, seconds, LEAST)
    turns = [ours / theirs for theirs, ours in zip(*kept, strict=True)]
    (script_ms, backend_ms), (first_script, first) = map(_medians, (kept, once))
    low, _, high = quantiles(turns, n=4)
    return Cost(
        backend=name,
        version=version_of(backend),
        model=model,
        turns=len(turns),
        script_ms=round(script_ms, 3),
        backend_ms=round(backend_ms, 3),
        ratio=round(backend_ms / script_ms, 3),
        low=round(low, 3),
        high=round(high, 3),
        once_script_ms=round(first_script, 3),
        once_backend_ms=round(first, 3),
        once_ratio=round(first / first_script, 3),
        load=load,
    )


def version_of(backend: Backend) -> str:
    """The solver's own version, if it says one."""
    return str(getattr(backend, "version", ""))


def in_turn(
    programs: tuple[Callable[[], object], Callable[[], object]],
    check: Callable[[object, object], None],
    seconds: float,
    least: int,
) -> tuple[list[int], list[int]]:
    """Nanoseconds of the script and of the backend, turn by turn, in an alternating order."""
    script, backend = programs
    taken: tuple[list[int], list[int]] = ([], [])
    while len(taken[0]) < least or (len(taken[0]) < MOST and sum(map(sum, taken)) < seconds * 1e9):
        if len(taken[0]) % 2:
            (ours, result), (theirs, found) = measure_cpu(backend), measure_cpu(script)
        else:
            (theirs, found), (ours, result) = measure_cpu(script), measure_cpu(backend)
        check(result, found)
        taken[0].append(theirs)
        taken[1].append(ours)
    return taken


def _medians(taken: tuple[list[int], list[int]]) -> tuple[float, float]:
    return median(taken[0]) / 1e6, median(taken[1]) / 1e6


# --- what is written -----------------------------------------------------------------------------

INTRODUCTION = """# What the wrapper costs

Each backend beside the script that its solver's documentation would have one write
(`results/studies/speed/scripts/`), in one process in turn, CPU time, by
`python -m results.studies.speed.wrapper`. `ratio`: the same problem asked again, the encoding kept
as by default and the script's preparations too, ratio of medians, with the quartiles of the turns'
ratios. `once`: both asked for the first time, nothing kept on either side.
What was tried on the ratios above 1: `notes.md`."""


def table(costs: Sequence[Cost]) -> str:
    """The costs as Markdown, and how many are within what is asked for."""
    rows = (
        f"{cost.backend} {cost.version} | {cost.model} | {cost.turns} | {cost.script_ms:.2f} "
        f"| {cost.backend_ms:.2f} | {cost.ratio:.2f}{'' if cost.ratio <= ASKED else ' (!)'} "
        f"| {cost.low:.2f} to {cost.high:.2f} | {cost.once_ratio:.2f}"
        for cost in costs
    )
    figures = "turns: | script, ms: | backend, ms: | ratio: | quartiles | once:"
    within = sum(cost.ratio <= ASKED for cost in costs)
    goal = sum(cost.ratio <= GOAL for cost in costs)
    return join_page(
        INTRODUCTION,
        list_table(f"backend | model | {figures}", rows),
        [
            f"{within} of {len(costs)} ratios are at most {ASKED}, {goal} at most {GOAL}.",
            *list_loads((cost.load, cost.backend) for cost in costs),
        ],
    )


def measure_all(chosen: Options, known: Known) -> Iterator[Cost]:
    """A row for each backend and model."""
    for name, backend in find_installed(chosen.only or scripts.BESIDE):
        most = getattr(backend, "most_solutions", None)
        for model in chosen.model or MODELS:
            if MODELS[model].ask == EVERY and most is not None:
                print(f"left out: {model} by {name}, which enumerates {most} solutions at most")
            elif (name, model) not in known:
                yield measure(name, model, chosen.seconds, chosen.load)


def order(costs: Iterable[Cost]) -> list[Cost]:
    """The costs in the order of backends and models."""
    backends, models = list(scripts.BESIDE), list(MODELS)
    return sorted(costs, key=lambda c: (backends.index(c.backend), models.index(c.model)))


STUDY = Study(
    "speed.wrapper",
    __doc__,
    Cost,
    key=lambda cost: (cost.backend, cost.model),
    keeps=True,
    measure=measure_all,
    report=lambda costs, chosen: table(costs),
    order=order,
    options=(
        option("--only", [], "these alone", metavar="BACKEND", choices=[*scripts.BESIDE]),
        option("--model", [], "these alone", choices=[*MODELS]),
        option("--seconds", 4.0, "for each backend and model"),
        option("--load", "", "what else the machine did"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
