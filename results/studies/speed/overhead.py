"""What the common interface costs: each default beside the script that its library's users write.

    python -m results.studies.speed.overhead [--set NAME-or-FILE]... [--limit N] [--repeat K]
                                             [--only BACKEND]... [--out FOLDER]

The scripts are those of ``scripts``. Script and backend run in this process, in turn, puzzle by
puzzle, in an order that alternates. CPU time counts, since machines are shared; of the repeats of a
puzzle the median. For each pair and set:

script_ms   the script, text in and text out, a puzzle
solve_ms    ``Backend.solve`` of the stated problem
concord_ms  the same with stating the problem and writing the solution: text in, text out
solve_ratio, concord_ratio  those beside the script, sums over the puzzles
least, most the smallest and largest ``solve_ratio`` of any one repeat
reused      calls that reused an encoding

A backend that has no library of its own stands by itself, without ratios. ``--out`` also gets every
single time (``samples.csv``, microseconds; puzzles by their number in the set). The defaults take
some five minutes on one core.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from time import process_time_ns
from typing import Any, cast

import msgspec

from backends.interface import registry
from backends.interface.api import Solutions
from modelling.errors import InputError
from puzzles.family import Instance, family
from puzzles.formats import label
from puzzles.sets import instances
from results.studies.runner import find_installed, write_csv, write_json
from results.studies.speed import scripts
from results.studies.speed.scripts import sat
from results.studies.speed.small_models import Grids

SETS = ("sudoku-minimal", "sudoku-hard")


@dataclass(frozen=True)
class Pair:
    """A backend, the script beside it, what the script is, and how many puzzles at most."""

    backend: str
    script: Callable[[], Grids] | None = None
    kind: str = ""
    most: int = 1000


MOST = {"python_constraint": 5}
"""Puzzles at most, where a script is slow; of the other solvers beside the project's own, 100."""


def fresh(backend: str) -> Callable[[], Grids]:
    """The script beside a backend, for the first solution."""
    return lambda: cast(Grids, scripts.scripts_of(backend).sudoku(1))


PAIRS = (
    Pair("propagation"),
    Pair("compiled"),
    Pair("ladder"),
    Pair("cpsat", fresh("cpsat"), "fresh"),
    Pair("sat", fresh("sat"), "fresh"),
    Pair("sat:reuse=solver", sat.incremental_sudoku, "incremental"),
    Pair("sat:pycosat", sat.pycosat_sudoku, "fresh"),
    *(
        Pair(name, fresh(name), "fresh", MOST.get(name, 100))
        for name in scripts.BESIDE
        if name not in ("cpsat", "sat")
    ),
)
"""Every backend as it is without options, but for the oracle, which refuses 9x9 Sudoku; besides,
what ``sat`` can keep, and its engine from another library."""


@dataclass
class Samples:
    """Nanoseconds of CPU by puzzle and repeat, for the script and for the two ways of Concord."""

    script: list[list[int]] = field(default_factory=list)
    solve: list[list[int]] = field(default_factory=list)
    concord: list[list[int]] = field(default_factory=list)
    reused: int = 0


@dataclass(frozen=True)
class Cost:
    """What one pair came to on one set; see this file's head."""

    backend: str
    script: str
    set: str
    puzzles: int
    repeats: int
    script_ms: float | None
    solve_ms: float
    concord_ms: float
    solve_ratio: float | None
    concord_ratio: float | None
    least: float | None
    most: float | None
    reused: int


BESIDE = ("script_ms", "solve_ratio", "concord_ratio", "least", "most")
"""The figures that need a script."""


# --- measuring -----------------------------------------------------------------------------------


def measure(pair: Pair, texts: Sequence[str], repeats: int) -> Samples:
    """Run both programs of a pair over the puzzles; raises if their answers differ."""
    script = pair.script() if pair.script is not None else None
    backend, sudoku, ask = registry.get(pair.backend), family("sudoku"), Solutions(1)
    samples = Samples([[] for _ in texts], [[] for _ in texts], [[] for _ in texts])

    def through_concord(at: int) -> str:
        begun = process_time_ns()
        problem = sudoku.problem(texts[at])
        stated = process_time_ns()
        result = backend.solve(problem, ask)
        solved = process_time_ns()
        answer = sudoku.write(texts[at], result.solutions[0])
        ended = process_time_ns()
        samples.solve[at].append(solved - stated)
        samples.concord[at].append(ended - begun)
        samples.reused += result.encoding_reused
        return answer

    def by_script(at: int) -> str:
        assert script is not None
        begun = process_time_ns()
        (answer,) = script(texts[at])
        samples.script[at].append(process_time_ns() - begun)
        return answer

    programs = [through_concord] if script is None else [through_concord, by_script]
    for program in programs:  # imports and the first encoding are not what is measured here
        program(0)
    for kept in (samples.script, samples.solve, samples.concord):
        kept[0].clear()
    samples.reused = 0
    for turn in range(repeats):
        for at, text in enumerate(texts):
            order = programs if (turn + at) % 2 else programs[::-1]
            if len({program(at) for program in order}) > 1:
                raise AssertionError(f"{pair.backend} differs from its script on {text}")
    return samples


def cost(pair: Pair, name: str, repeats: int, samples: Samples) -> Cost:
    """The figures of one pair on one set."""
    puzzles = len(samples.solve)

    def total(times: list[list[int]]) -> float:
        return sum(median(of) for of in times)

    def ms(times: list[list[int]]) -> float:
        return round(total(times) / puzzles / 1e6, 4)

    known: dict[str, float | None] = dict.fromkeys(BESIDE)
    if pair.script is not None:
        script, turns = total(samples.script), range(repeats)
        each = [
            sum(of[turn] for of in samples.solve) / sum(of[turn] for of in samples.script)
            for turn in turns
        ]
        known = {
            "script_ms": ms(samples.script),
            "solve_ratio": round(total(samples.solve) / script, 3),
            "concord_ratio": round(total(samples.concord) / script, 3),
            "least": round(min(each), 3),
            "most": round(max(each), 3),
        }
    return Cost(
        backend=pair.backend,
        script=pair.kind,
        set=name,
        puzzles=puzzles,
        repeats=repeats,
        solve_ms=ms(samples.solve),
        concord_ms=ms(samples.concord),
        reused=samples.reused,
        **known,
    )


def rows(pair: Pair, name: str, samples: Samples) -> Iterator[dict[str, Any]]:
    """Every single time, in microseconds."""
    for puzzle, solve in enumerate(samples.solve):
        for turn, nanoseconds in enumerate(solve):
            script = samples.script[puzzle][turn] if samples.script[puzzle] else None
            yield {
                "set": name,
                "backend": pair.backend,
                "puzzle": puzzle,
                "repeat": turn,
                "script_us": None if script is None else round(script / 1e3, 1),
                "solve_us": round(nanoseconds / 1e3, 1),
                "concord_us": round(samples.concord[puzzle][turn] / 1e3, 1),
            }


# --- the experiment ------------------------------------------------------------------------------


def puzzles(name: str, limit: int | None) -> list[str]:
    """The texts of a set's puzzles, which must be 9x9 Sudoku with one solution."""
    found = [entry.text for entry in instances(name) if isinstance(entry, Instance)]
    if any(len(text) != 81 for text in found):
        raise InputError(f"{name}: this experiment takes 9x9 Sudoku only")
    return [text.replace("0", ".") for text in found[:limit]]


def save(folder: Path, costs: Sequence[Cost], samples: Sequence[dict[str, Any]]) -> None:
    """Write ``overhead.json`` and ``samples.csv``."""
    write_json(folder / "overhead.json", {"costs": costs})
    write_csv(folder / "samples.csv", samples)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="cost of the common interface")
    parser.add_argument("--set", action="append", dest="sets", metavar="NAME-or-FILE")
    parser.add_argument("--limit", type=int, default=100)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--only", action="append", metavar="BACKEND")
    parser.add_argument("--out", type=Path)
    chosen = parser.parse_args(arguments)
    pairs = [pair for pair in PAIRS if not chosen.only or pair.backend in chosen.only]
    installed = dict(find_installed(pair.backend for pair in pairs))
    pairs = [pair for pair in pairs if pair.backend in installed]
    costs: list[Cost] = []
    samples: list[dict[str, Any]] = []
    for name in chosen.sets or SETS:
        texts = puzzles(name, chosen.limit)
        for pair in pairs:
            taken = measure(pair, texts[: pair.most], chosen.repeat)
            costs.append(cost(pair, label(name), chosen.repeat, taken))
            samples.extend(rows(pair, label(name), taken))
            print(msgspec.json.encode(costs[-1]).decode(), flush=True)
    if chosen.out is not None:
        save(chosen.out, costs, samples)


if __name__ == "__main__":
    main()
