"""The rows of a cell in turn, each answer checked; how times become figures: see the head."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import geometric_mean, median
from time import perf_counter, process_time

from backends.interface import registry
from backends.interface.api import Limits
from modelling.check import violations
from modelling.problem import Problem
from results.studies.speed.cpsat.configurations import (
    ASKS,
    CONFIGURATIONS,
    LIMIT,
    Answer,
    Bare,
    Call,
    through_concord,
)
from results.studies.speed.cpsat.parts import BEST, Part, drawn, golomb, knapsack, of_set, queens

SLOW = 0.3
"""A call that takes longer is not repeated."""

NEAR, AGAIN = 1.25, 3
"""Rows within so much of the best are near it, and so many times the turns are theirs again."""


@dataclass(frozen=True)
class Cell:
    """What was measured of a part and an ask.

    ``best`` is the best configuration, ``best_ms`` its geometric mean; ``ratios`` are to it.
    ``concord`` is Concord's ratio, ``chosen`` what its ``auto`` took.
    """

    part: str
    ask: str
    instances: int
    best: str
    best_ms: float
    concord: float
    chosen: tuple[str, ...]
    ratios: dict[str, float]
    wrong: dict[str, str]
    unfinished: tuple[str, ...]
    times_ms: dict[str, list[float]]


def fault(problem: Problem, ask: str, answer: Answer, known: Answer) -> str:
    """What is wrong with an answer; empty when nothing is."""
    for values in answer.solutions[:50]:
        if found := violations(problem, values):
            return f"{values}: {found[0]}"
    if len(set(answer.solutions)) != len(answer.solutions):
        return "a solution twice"
    if answer.objective != known.objective:
        return f"optimum {answer.objective}, not {known.objective}"
    wanted = len(known.solutions)
    if ask in ("first", "optimum"):
        wanted = min(1, wanted)
    elif ask == "uniqueness":
        wanted = min(2, wanted)
    if len(answer.solutions) != wanted:
        return f"{len(answer.solutions)} solutions, not {wanted}"
    return ""


def known_answer(part: Part, problem: Problem, ask: str) -> Answer:
    """The answer by an independent solver, or by what the set says of itself."""
    if part.count is not None:
        return Answer([()] * part.count, True)
    oracle = registry.get("propagation")
    wanted = ASKS["all optima"] if ask in BEST else ASKS["uniqueness" if ask == "first" else ask]
    result = oracle.solve(problem, wanted)
    return Answer(list(result.solutions), True, result.objective)


def measure(part: Part, ask: str, repeats: int) -> Cell:
    """All rows over all instances of a part."""
    problems = part.make()
    rows: dict[str, Call] = {name: Bare(c, ask) for name, c in CONFIGURATIONS.items()}
    rows["concord"] = through_concord("cpsat", ask)
    wrong: dict[str, str] = {}
    unfinished: set[str] = set()
    turns: list[list[dict[str, float]]] = [[] for _ in problems]
    slow: list[dict[str, float]] = [{} for _ in problems]
    for at, problem in enumerate(problems):
        known = known_answer(part, problem, ask)
        for name, call in rows.items():  # encodings, and whether the answers are right
            if name in wrong or name in unfinished:
                continue  # no rival any more; its time limits would be most of the study
            started = process_time()
            answer = call(problem)
            took = process_time() - started
            if not answer.ended:
                unfinished.add(name)
            elif said := fault(problem, ask, answer, known):
                wrong.setdefault(name, f"instance {at}: {said}")
            if took > SLOW:
                slow[at][name] = took
    rng = random.Random(0)
    if "concord" in wrong or "concord" in unfinished:
        raise SystemExit(f"{part.name}, {ask}: Concord's own row failed: {wrong or unfinished}")
    sound = [name for name in rows if name not in wrong and name not in unfinished]
    take_turns(rows, sound, problems, turns, slow, repeats, rng)
    rivals = [name for name in sound if name != "concord"]
    beside = {name: ratio(name, "concord", turns, slow) for name in rivals}
    near = [name for name in rivals if beside[name] <= NEAR * min(beside.values())]
    take_turns(rows, [*near, "concord"], problems, turns, slow, AGAIN * repeats, rng)
    best = min(near, key=lambda name: ratio(name, "concord", turns, slow))
    ratios = {name: ratio(name, best, turns, slow) for name in sound}
    pairs: list[list[dict[str, float]]] = [[] for _ in problems]
    take_turns(rows, [best, "concord"], problems, pairs, slow, AGAIN * repeats, rng)
    ratios["concord"] = ratio("concord", best, pairs, slow)
    backend = registry.get("cpsat")
    chosen = {backend.solve(p, ASKS[ask], Limits(seconds=LIMIT)).configuration for p in problems}
    return Cell(
        part.name,
        ask,
        len(problems),
        best,
        round(1e3 * geometric_mean(times_of(best, turns, slow)), 3),
        round(ratios["concord"], 3),
        tuple(sorted(chosen - {""})),
        {name: round(number, 3) for name, number in ratios.items()},
        wrong,
        tuple(sorted(unfinished)),
        {n: [round(1e3 * s, 4) for s in times_of(n, turns, slow)] for n in sound},
    )


def take_turns(
    rows: Mapping[str, Call],
    names: Sequence[str],
    problems: Sequence[Problem],
    turns: list[list[dict[str, float]]],
    slow: Sequence[Mapping[str, float]],
    number: int,
    rng: random.Random,
) -> None:
    """Add turns: for each instance the CPU seconds of every row that is not slow there."""
    for _, (at, problem) in product(range(number), enumerate(problems)):
        due = [name for name in names if name not in slow[at]]
        rng.shuffle(due)
        turn = {}
        for name in due:
            rows[name](problem)  # not counted: it finds the caches as the row before left them
            started = process_time()
            rows[name](problem)
            turn[name] = process_time() - started
        turns[at].append(turn)


def times_of(
    name: str, turns: Sequence[Sequence[Mapping[str, float]]], slow: Sequence[Mapping[str, float]]
) -> list[float]:
    """The median seconds of a row on each instance."""
    return [
        slow[at][name] if name in slow[at] else median(t[name] for t in of if name in t)
        for at, of in enumerate(turns)
    ]


def ratio(
    name: str,
    best: str,
    turns: Sequence[Sequence[Mapping[str, float]]],
    slow: Sequence[Mapping[str, float]],
) -> float:
    """A row's time in proportion to that of another, ``best``, in the same turn; see the head."""
    found = []
    for at, of in enumerate(turns):
        pairs = [turn[name] / turn[best] for turn in of if name in turn and best in turn]
        if pairs:
            found.append(median(pairs))
        else:
            times = (times_of(n, turns, slow)[at] for n in (name, best))
            found.append(next(times) / next(times))
    return geometric_mean(found)


# --- several workers -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Workers:
    """``cpsat`` and ``cpsat:workers=2`` over the instances of a part: sums of medians."""

    part: str
    ask: str
    instances: int
    wall_ms: float
    wall_ms_of_two: float
    cpu_ms: float
    cpu_ms_of_two: float


WORKERS = (
    (Part("sudoku-hard", (), of_set("sudoku-hard", 160, 6), 1), "first"),
    (Part("sudoku-25x25", (), of_set("sudoku-25x25", 6, 4), 1), "first"),
    (Part("queens, large", (), queens((20, 28, 40))), "first"),
    (Part("golomb", (), lambda: [golomb(7, 26), golomb(8, 36)]), "optimum"),
    (Part("knapsack", (), drawn(knapsack, 5)), "optimum"),
)


def measure_workers(part: Part, ask: str, repeats: int) -> Workers:
    """One worker and two in turn."""
    problems = part.make()
    calls = [through_concord(name, ask) for name in ("cpsat", "cpsat:workers=2")]
    sums = [[0.0, 0.0], [0.0, 0.0]]
    for problem in problems:
        taken: list[list[tuple[float, float]]] = [[], []]
        for call in calls:
            call(problem)
        for turn in range(repeats):
            for which in (0, 1) if turn % 2 else (1, 0):
                wall, cpu = perf_counter(), process_time()
                calls[which](problem)
                taken[which].append((perf_counter() - wall, process_time() - cpu))
        for which, pairs in enumerate(taken):
            for kind in (0, 1):
                sums[which][kind] += 1e3 * median(pair[kind] for pair in pairs)
    (wall, cpu), (wall_of_two, cpu_of_two) = sums
    figures = (round(ms, 3) for ms in (wall, wall_of_two, cpu, cpu_of_two))
    return Workers(part.name, ask, len(problems), *figures)
