"""Whether grading does what it says, and how human grade and solver effort relate.

    python -m results.studies.puzzles.grading [--folder DIR] [--out DIR] [--only PART]...

It runs on public puzzle sets, a folder of which is given with ``--folder``. Three parts:

techniques   each technique on ``--positions`` positions beside the exhaustive finder that is
             written from its definition (``puzzles.sudoku.grading.definitions``): both must find
             the same steps. The positions lie on the paths of real puzzles, at most ``PER_PUZZLE``
             on one, and are taken until half of them are some in which the technique finds a step
             and half are some in which it finds none.
soundness    ``--puzzles`` puzzles are solved by hand; no step may contradict the solution, which
             the backend ``--solver`` finds (and proves to be the only one); each step must be
             explained in one line.
effort       ``--effort`` puzzles: grade and score beside what backends spend on finding the
             solution and proving that there is no other. Nodes and conflicts are counted, so they
             do not depend on the machine.

Writes ``techniques.json``, ``soundness.json``, ``effort.csv`` with ``effort.json``, and, when all
parts are there, ``grading.md``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from time import process_time
from typing import Any

import pandas as pd

from backends.interface import registry
from backends.interface.api import Backend, Solutions
from modelling.errors import ConcordError, InputError
from puzzles.family import Instance
from puzzles.random_stream import Stream
from puzzles.sets import instances
from puzzles.sudoku import SUDOKU
from puzzles.sudoku.grading.definitions import finding, findings
from puzzles.sudoku.grading.path import grade
from puzzles.sudoku.grading.position import Position
from puzzles.sudoku.grading.scale import GRADES, VERSION, rank
from puzzles.sudoku.grading.step import Step
from puzzles.sudoku.grading.techniques import TECHNIQUES
from results.studies.runner import write_json, write_text

SEED = 4
PER_PUZZLE = 4
PARTS = ("techniques", "soundness", "effort")

MIX: dict[str, int] = {
    "random_easy.txt": 15,
    "random_minimal.txt.gz": 35,
    "magictour_top1465.txt": 20,
    "17clue.txt.gz": 15,
    "forum_hardest_1905_11plus.txt.gz": 15,
}
"""File -> share in percent; what one file lacks, the next fills up."""

EFFORTS: tuple[tuple[str, str], ...] = (
    ("compiled", "nodes"),
    ("propagation", "nodes"),
    ("ladder:norvig", "nodes"),
    ("ladder:one_integer", "nodes"),
    ("sat", "failures"),
    ("sat:direct,minisat22", "failures"),
    ("cpsat", "nodes"),
    ("cpsat", "failures"),
)
"""Backend and statistic: nodes of a search, failures (conflicts) of a solver that learns."""


@dataclass(frozen=True)
class Puzzle:
    """A puzzle and where it stands: a file without its endings, and the line."""

    set: str
    line: int
    text: str


@dataclass(frozen=True)
class Comparison:
    """A technique and its definition on positions; ``differ`` counts those where they differ."""

    technique: str
    positions: int
    applies: int
    steps: int
    differ: int
    puzzles: int
    technique_ms: float
    definition_ms: float


@dataclass(frozen=True)
class Soundness:
    """What the steps of one set's puzzles came to; ``wrong`` ones contradict the solution."""

    set: str
    puzzles: int
    solved: int
    steps: int
    wrong: int
    unexplained: int
    ms_a_puzzle: float


def drawn(folder: Path, number: int, part: int) -> list[Puzzle]:
    """``number`` puzzles of the mix, shuffled; each part of the measurement draws its own."""
    chosen: list[Puzzle] = []
    share = 0
    for k, (name, percent) in enumerate(MIX.items()):
        share += percent
        entries = enumerate(instances(str(folder / name)), 1)
        found = [(line, entry) for line, entry in entries if isinstance(entry, Instance)]
        picked = Stream(SEED, part, k).shuffled(found)[: round(number * share / 100) - len(chosen)]
        label = name.partition(".")[0]
        chosen += [Puzzle(label, line, entry.text) for line, entry in picked]
    return Stream(SEED, part, len(MIX)).shuffled(chosen)


# --- techniques ----------------------------------------------------------------------------------


def positions(puzzles: Sequence[Puzzle]) -> Iterator[tuple[int, Position]]:
    """Positions on the paths of puzzles, each with the number of its puzzle."""
    for number, puzzle in enumerate(puzzles):
        path = [position for position, _ in grade(puzzle.text).positions()]
        for position in Stream(SEED, number).shuffled(path)[:PER_PUZZLE]:
            yield number, position


def compared(technique: str, pool: Sequence[tuple[int, Position]], number: int) -> Comparison:
    """A technique beside its definition on ``number`` positions; in half of them it finds."""
    find = TECHNIQUES[technique]
    left = {True: number - number // 2, False: number // 2}
    differ = steps = 0
    puzzles: set[int] = set()
    spent = [0.0, 0.0]
    for puzzle, position in pool:
        if not any(left.values()):
            break
        began = process_time()
        found = list(find(position))
        between = process_time()
        if not left[bool(found)]:
            continue
        expected = findings(technique, position)
        spent[0] += between - began
        spent[1] += process_time() - between
        left[bool(found)] -= 1
        puzzles.add(puzzle)
        steps += len(found)
        differ += {finding(step) for step in found} != expected or len(found) != len(expected)
    taken = number - sum(left.values())
    applies = number - number // 2 - left[True]
    per = [round(1e3 * seconds / max(taken, 1), 3) for seconds in spent]
    return Comparison(technique, taken, applies, steps, differ, len(puzzles), *per)


# --- soundness -----------------------------------------------------------------------------------


def solution(backend: Backend, puzzle: Puzzle) -> Sequence[int]:
    """The only solution, by a backend; raises ``ConcordError`` if there is none or another."""
    result = backend.solve(SUDOKU.problem(puzzle.text), Solutions(2))
    if result.count != 1 or not result.exhausted:
        raise ConcordError(f"{puzzle.set}:{puzzle.line}: {backend.name}: not one solution")
    return result.solutions[0]


def contradicts(step: Step, values: Sequence[int]) -> bool:
    """Whether a step places a wrong value or removes the right one."""
    return any(values[cell] != value for cell, value in step.placements) or any(
        values[cell] == value for cell, value in step.eliminations
    )


def explained(step: Step) -> bool:
    """Whether a step has an explanation: one line that can be printed."""
    return len(step.explanation) > 10 and step.explanation.isprintable()


def sound(label: str, puzzles: Sequence[Puzzle], backend: Backend) -> Soundness:
    """All steps of all these puzzles against their solutions."""
    counts: Counter[str] = Counter()
    seconds = 0.0
    for puzzle in puzzles:
        began = process_time()
        graded = grade(puzzle.text)
        seconds += process_time() - began
        values = solution(backend, puzzle)
        counts["solved"] += graded.outcome == "solved" and graded.end.values == tuple(values)
        counts["steps"] += len(graded.steps)
        counts["wrong"] += sum(contradicts(step, values) for step in graded.steps)
        counts["unexplained"] += sum(not explained(step) for step in graded.steps)
    return Soundness(
        label,
        len(puzzles),
        counts["solved"],
        counts["steps"],
        counts["wrong"],
        counts["unexplained"],
        round(1e3 * seconds / max(len(puzzles), 1), 2),
    )


# --- effort --------------------------------------------------------------------------------------


def effort(puzzle: Puzzle, backends: dict[str, Backend]) -> dict[str, Any]:
    """One puzzle's row: what it is, its grade, and what every backend spends on it."""
    graded = grade(puzzle.text)
    row: dict[str, Any] = {
        "set": puzzle.set,
        "line": puzzle.line,
        "clues": sum(map(bool, graded.start.values)),
        "grade": graded.grade,
        "score": graded.score,
        "steps": len(graded.steps),
    }
    problem = SUDOKU.problem(puzzle.text)
    for name, backend in backends.items():
        result = backend.solve(problem, Solutions(2))
        if result.count != 1 or not result.exhausted:
            raise ConcordError(f"{puzzle.set}:{puzzle.line}: {name}: not one solution")
        for other, statistic in EFFORTS:
            if other == name:
                row[f"{name} {statistic}"] = int(result.statistics[statistic])
    return row


def correlations(rows: pd.DataFrame) -> pd.DataFrame:
    """Spearman's rank correlation of clues, grade and score with every effort."""
    frame = rows.assign(grade=rows["grade"].map(rank)).drop(columns=["set", "line", "steps"])
    human = ["clues", "grade", "score"]
    return frame.corr(method="spearman").loc[:, human].drop(index=human)


def by_grade(rows: pd.DataFrame) -> pd.DataFrame:
    """For every grade, easiest first: puzzles, median score, median of every effort."""
    efforts = [
        f"{name} {statistic}" for name, statistic in EFFORTS if f"{name} {statistic}" in rows
    ]
    groups = rows.groupby("grade")
    table = groups[["score", *efforts]].median()
    table.insert(0, "puzzles", groups.size())
    return table.loc[[name for name in GRADES if name in table.index]]


# --- the whole -----------------------------------------------------------------------------------


def page(folder: Path) -> str:
    """What came out of all parts, as Markdown."""
    from harness.report.table_text import to_markdown

    parts = {name: json.loads((folder / f"{name}.json").read_text("utf-8")) for name in PARTS}
    techniques = pd.DataFrame(parts["techniques"]["techniques"])
    soundness = pd.DataFrame(parts["soundness"]["soundness"])
    rows = pd.read_csv(folder / "effort.csv")
    return f"""# Grading, measured

Written by `python -m results.studies.puzzles.grading` (scale {VERSION}, seed {SEED}).

## Each technique beside an exhaustive finder

Positions on the paths of real puzzles, at most {PER_PUZZLE} a puzzle. `applies`: in so many of
them the technique finds a step; `differ`: in so many it finds other steps than the finder that is
written from its definition and tries everything. Milliseconds are CPU time for all steps of a
position.

{to_markdown(techniques)}
## No step contradicts the solution

Every step of every path against the solution that `{parts["soundness"]["settings"]["solver"]}`
finds and proves to be the only one. `unexplained`: steps without a line of explanation.

{to_markdown(soundness)}
In all {soundness["puzzles"].sum():,} puzzles, {soundness["steps"].sum():,} steps,
{soundness["wrong"].sum()} wrong.

## Human grade and solver effort

{len(rows):,} puzzles: {", ".join(f"{n} of {s}" for s, n in rows["set"].value_counts().items())}.
Effort is what it takes to find the solution and to prove that there is no other: nodes of a search,
failures (conflicts) of a solver that learns.

Spearman's rank correlations:

{to_markdown(correlations(rows).rename_axis("effort").reset_index())}
Medians by grade:

{to_markdown(by_grade(rows).reset_index())}"""


def write(folder: Path, name: str, rows: Sequence[Any], settings: dict[str, Any]) -> None:
    """One part as JSON, with the settings and the machine."""
    figures = {
        name: rows,
        "settings": {"seed": SEED, "scale": VERSION, "mix": MIX, **settings},
    }
    write_json(folder / f"{name}.json", figures)


def measure_techniques(chosen: argparse.Namespace) -> None:
    """The first part."""
    pool = list(positions(drawn(chosen.folder, 2 * chosen.positions, part=1)))
    found = []
    for technique in TECHNIQUES:
        found.append(asdict(compared(technique, pool, chosen.positions)))
        print(found[-1], flush=True)
    write(chosen.out, "techniques", found, {"positions": chosen.positions, "pool": len(pool)})


def measure_soundness(chosen: argparse.Namespace) -> None:
    """The second part."""
    backend = registry.get(chosen.solver)
    puzzles = drawn(chosen.folder, chosen.puzzles, part=2)
    found = []
    for name in MIX:
        label = name.partition(".")[0]
        found.append(asdict(sound(label, [p for p in puzzles if p.set == label], backend)))
        print(found[-1], flush=True)
    write(chosen.out, "soundness", found, {"puzzles": chosen.puzzles, "solver": chosen.solver})


def measure_effort(chosen: argparse.Namespace) -> None:
    """The third part."""
    names = dict.fromkeys(chosen.backend or [name for name, _ in EFFORTS])
    backends = {name: registry.get(name) for name in names}
    rows = [effort(puzzle, backends) for puzzle in drawn(chosen.folder, chosen.effort, part=3)]
    frame = pd.DataFrame(rows).sort_values(["set", "line"])
    frame.to_csv(chosen.out / "effort.csv", index=False)
    print(by_grade(frame), correlations(frame), sep="\n", flush=True)
    correlated = correlations(frame).round(4).to_dict("index")
    versions = {name: getattr(backend, "version", "") for name, backend in backends.items()}
    write(chosen.out, "effort", [correlated], {"puzzles": len(rows), "versions": versions})


MEASURES = {
    "techniques": measure_techniques,
    "soundness": measure_soundness,
    "effort": measure_effort,
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="what grading finds, and what solvers spend")
    parser.add_argument("--folder", type=Path, default=Path("../shared/puzzles"))
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--puzzles", type=int, default=10_000)
    parser.add_argument("--effort", type=int, default=2000)
    parser.add_argument("--solver", default="compiled")
    parser.add_argument("--backend", action="append", metavar="BACKEND")
    parser.add_argument("--only", action="append", choices=PARTS)
    parser.add_argument("--out", type=Path, default=Path("results/reference/grading"))
    chosen = parser.parse_args(arguments)
    if not chosen.folder.is_dir():
        raise InputError(f"{chosen.folder}: no folder of puzzle sets; name one with --folder")
    chosen.out.mkdir(parents=True, exist_ok=True)
    for name in chosen.only or PARTS:
        MEASURES[name](chosen)
    if all((chosen.out / f"{name}.json").is_file() for name in PARTS):
        write_text(chosen.out / "grading.md", page(chosen.out))


if __name__ == "__main__":
    main()
