"""What the common interface costs: each solver bare on its own API, and through Concord.

    python -m harness.experiments.overhead [--set NAME-or-FILE]... [--limit N] [--repeat K]
                                           [--only BACKEND]... [--out FILE]

A *bare* program is the straight script that one would write for 9x9 Sudoku without Concord: text
in, solution text out, the same solver settings, and what does not depend on the puzzle prepared
beforehand where the pair says so. Through Concord the same text is stated as a Problem, solved and
written. Both run in this process, in turn, puzzle by puzzle, in an order that alternates. Of the
repeats of a puzzle the median counts; the ratio is that of the sums over the puzzles, and
``difference_us`` the median over the puzzles of Concord's time less the bare one, in microseconds.
CPU seconds are counted, since machines are shared.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, combinations
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import msgspec

from backends import registry
from backends.api import Solutions
from harness.instances import label
from harness.machine import this_machine
from modelling.errors import BackendUnavailable, InputError
from puzzles.family import Instance, family
from puzzles.sets import instances

Solve = Callable[[str], str]

ROWS = [[9 * r + c for c in range(9)] for r in range(9)]
COLUMNS = [[9 * r + c for r in range(9)] for c in range(9)]
BOXES = [
    [9 * (3 * a + r) + 3 * b + c for r in range(3) for c in range(3)]
    for a in range(3)
    for b in range(3)
]
UNITS = ROWS + COLUMNS + BOXES


# --- bare programs -------------------------------------------------------------------------------


def bare_cpsat() -> Solve:
    """27 AllDifferent over integers; the model is built for each puzzle."""
    from ortools.sat.python import cp_model

    def solve(text: str) -> str:
        model = cp_model.CpModel()
        cells = [
            model.new_int_var(1, 9, "")
            if sign == "."
            else model.new_int_var(int(sign), int(sign), "")
            for sign in text
        ]
        for unit in UNITS:
            model.add_all_different([cells[i] for i in unit])
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.presolve_inclusion_work_limit = 0
        solver.solve(model)
        return "".join(map(str, solver.response_proto.solution))

    return solve


def bare_python_constraint() -> Solve:
    """27 AllDifferentConstraint; the problem is built for each puzzle."""
    import constraint

    def solve(text: str) -> str:
        problem = constraint.Problem(constraint.BacktrackingSolver())
        for i, sign in enumerate(text):
            problem.addVariable(i, range(1, 10) if sign == "." else [int(sign)])
        for unit in UNITS:
            problem.addConstraint(constraint.AllDifferentConstraint(), unit)
        found = problem.getSolution()
        return "".join(str(found[i]) for i in range(81))

    return solve


def clauses() -> Iterator[list[int]]:
    """The extended one-hot encoding: Boolean ``9 * cell + digit``, digits 1 to 9."""
    cells = [[9 * i + d for d in range(1, 10)] for i in range(81)]
    places = [[9 * i + d for i in unit] for unit in UNITS for d in range(1, 10)]
    for group in cells + places:
        yield group
        yield from ([-a, -b] for a, b in combinations(group, 2))


def givens(text: str) -> list[int]:
    return [9 * i + int(sign) for i, sign in enumerate(text) if sign != "."]


def digits(model: Sequence[int]) -> str:
    return "".join([str((b - 1) % 9 + 1) for b in model if b > 0])


def bare_pycosat() -> Solve:
    """The clauses are prepared once; the givens are unit clauses."""
    import pycosat

    prepared = list(clauses())

    def solve(text: str) -> str:
        return digits(pycosat.solve(chain(prepared, [[b] for b in givens(text)])))

    return solve


def bare_cadical() -> Solve:
    """One incremental solver for all puzzles; the givens are assumptions."""
    from pysat.solvers import Solver

    solver = Solver("cadical153", bootstrap_with=clauses())

    def solve(text: str) -> str:
        solver.solve(assumptions=givens(text))
        return digits(solver.get_model())

    return solve


@dataclass(frozen=True)
class Pair:
    """A backend, the bare program beside it, and how many puzzles to give them at most."""

    backend: str
    bare: Callable[[], Solve]
    most: int = 1000


PAIRS = (
    Pair("cpsat", bare_cpsat),
    Pair("sat:extended,pycosat", bare_pycosat),
    Pair("sat:extended,cadical153,reuse=solver", bare_cadical),
    Pair("python_constraint:backtracking", bare_python_constraint, most=10),
)


# --- measuring -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cost:
    """Milliseconds of CPU a puzzle, bare and through Concord, and how they compare."""

    backend: str
    set: str
    puzzles: int
    repeats: int
    bare_ms: float
    concord_ms: float
    ratio: float
    difference_us: float


def through_concord(name: str) -> Solve:
    """The same as a bare program: text in, solution text out."""
    backend, sudoku = registry.get(name), family("sudoku")

    def solve(text: str) -> str:
        result = backend.solve(sudoku.problem(text), Solutions(1))
        return sudoku.write(text, result.solutions[0])

    return solve


def measure(pair: Pair, name: str, texts: Sequence[str], repeats: int) -> Cost:
    """Run both programs of a pair over the puzzles; raises if their answers differ."""
    texts = texts[: pair.most]
    programs = [pair.bare(), through_concord(pair.backend)]
    for program in programs:  # imports and the first encoding are not what is measured here
        program(texts[0])
    times: list[list[list[float]]] = [[[] for _ in texts] for _ in programs]
    for turn in range(repeats):
        for at, text in enumerate(texts):
            order = (0, 1) if (turn + at) % 2 else (1, 0)
            answers = {}
            for which in order:
                started = process_time()
                answers[which] = programs[which](text)
                times[which][at].append(process_time() - started)
            if answers[0] != answers[1]:
                raise AssertionError(f"{pair.backend} differs from its bare program on {text}")
    bare, concord = ([median(of) for of in per] for per in times)
    return Cost(
        pair.backend,
        name,
        len(texts),
        repeats,
        round(1e3 * sum(bare) / len(texts), 4),
        round(1e3 * sum(concord) / len(texts), 4),
        round(sum(concord) / sum(bare), 3),
        round(1e6 * median(c - b for b, c in zip(bare, concord, strict=True)), 1),
    )


def puzzles(name: str, limit: int | None) -> list[str]:
    """The texts of a set's puzzles, which must be 9x9 Sudoku with one solution."""
    found = [entry.text for entry in instances(name) if isinstance(entry, Instance)]
    if any(len(text) != 81 for text in found):
        raise InputError(f"{name}: this experiment takes 9x9 Sudoku only")
    return found[:limit]


def available(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Those whose solver is installed; of the others it is said what to install."""
    for pair in pairs:
        try:
            registry.get(pair.backend)
        except BackendUnavailable as error:
            print(f"left out: {error}", file=sys.stderr)
        else:
            yield pair


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="cost of the common interface")
    parser.add_argument("--set", action="append", dest="sets", metavar="NAME-or-FILE")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", action="append", metavar="BACKEND")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(arguments)
    wanted = [p for p in PAIRS if not chosen.only or p.backend in chosen.only]
    pairs = list(available(wanted))
    costs: list[dict[str, Any]] = []
    for name in chosen.sets or ["sudoku"]:
        texts = puzzles(name, chosen.limit)
        for pair in pairs:
            cost = measure(pair, label(name), texts, chosen.repeat)
            costs.append(asdict(cost))
            print(msgspec.json.encode(costs[-1]).decode(), flush=True)
    if chosen.out is not None:
        figures = {"costs": costs, "machine": msgspec.to_builtins(this_machine())}
        text = msgspec.json.format(msgspec.json.encode(figures), indent=2)
        chosen.out.parent.mkdir(parents=True, exist_ok=True)
        chosen.out.write_bytes(text + b"\n")


if __name__ == "__main__":
    main()
