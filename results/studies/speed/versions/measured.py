"""The cases of one checkout: run by its own Python, prints the seconds of each item as JSON.

It uses names that every version has had, and looks in two places for what has moved. Runs are
measured by the clock, as their records are; what is called in this process, by its CPU time.
"""

from __future__ import annotations

import json
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import concord

registry: Any
try:
    registry = import_module("backends.interface.registry")
except ImportError:  # before backends had rooms
    registry = import_module("backends.registry")

PLAIN = ["propagation", "cpsat", "sat", "sat:reuse=solver", "python_constraint"]
FAST = ["propagation", "cpsat", "sat"]
RUNGS = ["ladder:norvig", "ladder:bitset", "ladder:trail", "ladder:one_integer"]

Item = list[Any]
"""A row, an item of it, seconds."""

COMPARISONS: dict[str, tuple[list[str], list[str], Any, int | None, int]] = {
    "quickstart": (["quickstart"], PLAIN, 1, 10, 7),
    "families": (["sudoku", "latin", "queens", "cryptarithm"], FAST, 1, None, 7),
    "counting": (["sudoku-many-solutions", "latin", "cryptarithm"], FAST, "all", 12, 7),
    "kernel": (["sudoku-hard", "sudoku-minimal"], ["compiled"], 2, 150, 3),
    "ladder": (["sudoku-minimal"], RUNGS, 1, 20, 7),
}
"""Sets, backends, solutions asked for, instances of each set at most, repeats."""

CALLS = {"propagation": 200, "cpsat": 60, "sat": 60, "python_constraint": 60, "compiled": 2000}
"""How often each backend is called on a puzzle that needs no search: what is around a solver."""

DIRECT = [
    *(
        ("python_constraint", name)
        for name in ("queens", "sudoku-several", "latin", "sudoku-sizes")
    ),
    ("cpsat", "sudoku-sizes"),
]

RULERS = ["propagation", "sat", "cpsat"]


def comparison(name: str) -> list[Item]:
    """Seconds of each instance that was finished: the median of its repeats."""
    sets, backends, count, limit, repeat = COMPARISONS[name]
    asked = ", all solutions" if count == "all" else ""
    with tempfile.TemporaryDirectory() as folder:
        run = concord.compare(
            sets,
            backends,
            count=count,
            limit=limit,
            repeat=repeat,
            seconds=60,
            out=Path(folder) / "run",
        )
        jobs: Any = run.jobs
        jobs = jobs[jobs["outcome"] == "finished"].astype({"instance": str})
        times = jobs.groupby(["backend", "set", "instance"], observed=True)["wall_s"].median()
        return [
            [f"{backend} on {chosen}{asked}", instance, seconds]
            for (backend, chosen, instance), seconds in times.items()
        ]


def dispatch() -> list[Item]:
    """A job through a warm worker into the store: 1,000 easy puzzles, fastest backend."""
    with tempfile.TemporaryDirectory() as folder:
        started = perf_counter()
        run = concord.compare(["sudoku-easy"], ["compiled"], out=Path(folder) / "run")
        total = perf_counter() - started
        jobs: Any = run.jobs
        rows = [
            ["dispatch of a job", str(row.instance), row.elapsed_s - row.wall_s]
            for row in jobs.itertuples()
        ]
        return [*rows, ["a run of 1,000 jobs, start and validation included", "whole", total]]


def calls() -> list[Item]:
    """One call of a backend in this process, the problem stated."""
    puzzle = concord.read("sudoku-easy")[0]
    problem = concord.family(puzzle.family).problem(puzzle.text)
    rows = []
    for name, number in CALLS.items():
        backend = registry.get(name)
        backend.solve(problem)
        times = []
        for _ in range(number):
            started = process_time()
            backend.solve(problem)
            times.append(process_time() - started)
        rows.append([f"one call of {name}", "easy", sorted(times)[number // 2]])
    return rows


def direct() -> list[Item]:
    """Backends of long times on sets of small ones, in this process: stating, asking, answering."""
    rows = []
    for name, chosen in DIRECT:
        backend = registry.get(name)
        for puzzle in concord.read(chosen)[:10]:
            family = concord.family(puzzle.family)
            times = []
            for _ in range(9):
                started = process_time()
                backend.solve(family.problem(puzzle.text), concord.Solutions(1))
                times.append(process_time() - started)
            row = f"{name} on {chosen}, called directly"
            rows.append([row, f"{puzzle.name} {puzzle.text}", sorted(times)[4]])
    return rows


def batch() -> list[Item]:
    """The kernel on a whole file at once, to two solutions."""
    backend: Any = registry.get("compiled")
    puzzles = concord.read("sudoku-hard")
    problem = concord.family("sudoku").problem(puzzles[0].text)
    import numpy as np

    signs = [[0 if sign == "." else int(sign) for sign in one.text] for one in puzzles]
    grids = np.array(signs, np.uint8)
    backend.count_batch(problem.structure, grids[:1], 2)
    started = process_time()
    backend.count_batch(problem.structure, grids, 2)
    return [["the kernel on sudoku-hard in one call", "whole", process_time() - started]]


def ruler() -> list[Item]:
    """The shortest Golomb ruler of seven marks, 25, proven."""
    marks, longest = 7, 26
    domains: dict[str, range] = {f"m{i}": range(longest + 1) for i in range(marks)}
    domains["m0"] = range(1)
    constraints: list[concord.Constraint] = []
    differences: list[str] = []
    for low in range(marks):
        for high in range(low + 1, marks):
            name = f"d{low}_{high}"
            domains[name] = range(1, longest + 1)
            differences.append(name)
            scope = (f"m{high}", f"m{low}", name)
            constraints.append(concord.Linear(scope, (1, -1, -1), "==", 0))
    constraints.append(concord.AllDifferent(tuple(differences)))
    mirrored = ("d0_1", f"d{marks - 2}_{marks - 1}")
    constraints.append(concord.Linear(mirrored, (1, -1), "<", 0))
    objective = concord.Objective("minimize", (f"m{marks - 1}",), (1,))
    problem = concord.problem(domains, constraints, objective=objective)
    rows = []
    for name in RULERS:
        backend = registry.get(name)
        started = process_time()
        result = backend.solve(problem, concord.Optimum())
        rows.append([f"Golomb 7 to its optimum by {name}", "whole", process_time() - started])
        assert result.objective == 25, (name, result.objective)
    return rows


if __name__ == "__main__":
    case = sys.argv[1]
    measured = comparison(case) if case in COMPARISONS else globals()[case]()
    json.dump(measured, sys.stdout)
