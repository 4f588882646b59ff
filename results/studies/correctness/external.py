"""Are answers that others have published found again? Files of other people's collections.

    python -m results.studies.correctness.external FOLDER [--backend NAME]... [--only FAMILY]...
                                                          [--seconds 60] [--jobs 1]
                                                          [--run DIR] [--out DIR]

FOLDER has an ``INDEX.toml``: for each file a table ``[[instance]]`` with ``file`` (in FOLDER),
``family``, ``status`` (``optimal`` with ``optimum``, ``sat``, ``unsat``, or ``mixed`` where
``stated`` says it for each problem of the file), ``stated`` (where that stands), and
``resolved_with``: with what it was solved again when the collection was made, and how fast.

Every problem of the families in ``FAMILIES`` is put to every backend, as a run of the harness: in
processes apart, its answers checked by the puzzle's rules, and resumed if ``--run`` names a folder
in which it was begun. What cannot be read is told, with the reason.

Words
-----
stated      what is published of a problem: its optimum, that it has a solution, or that it has none
quick       a file that ``resolved_with`` says was solved again within ``QUICK`` seconds
agrees      a backend's answer is complete, and what is stated
differs     it is complete, and something else: one of the two is wrong
open        no complete answer within the time; the best value found, if any, is told

``external.md`` in ``--out`` has the table and ``external.jsonl`` a line for each answer. Exit
status 1 if an answer differs, or fewer than ``ENOUGH`` of the quick files agree with some backend.
"""

from __future__ import annotations

import argparse
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec

from harness.plan.experiment import Experiment, SetChoice
from harness.record import Row
from harness.runs.loading import load_run
from modelling.errors import PuzzleError
from puzzles.family import is_shipped
from puzzles.formats import label
from puzzles.sets.reading import read_set
from results.studies.experiments import continue_run
from results.studies.runner import write_rows, write_text

FAMILIES = {
    "bin-packing": "bin_packing",
    "car-sequencing": "car_sequencing",
    "colouring": "graph_colouring",
    "job-shop": "job_shop",
    "nonogram": "nonogram",
    "qwh": "latin",
    "rcpsp": "rcpsp",
    "tsp": "tsp",
}
"""Family of the collection -> ours; files of all others are for the readers of whole models."""

QUICK, ENOUGH = 5.0, 0.9
BACKENDS = ("cpsat", "sat")
OUT = Path("results") / "reference" / "external"


class File(NamedTuple):
    """A file of the collection; ``problem`` is why it is not read, empty if it is."""

    file: str
    collection: str
    stated: dict[str, str]
    """Instance -> ``optimum N``, ``sat`` or ``unsat``; ``""`` -> of every instance of the file."""
    resolved: float | None
    problem: str


class Answer(msgspec.Struct):
    """What a backend said of a problem."""

    file: str
    instance: str
    family: str
    backend: str
    solver: str
    stated: str
    found: str
    agreed: str
    verdict: str
    seconds: float
    resolved: float | None


# --- the collection ------------------------------------------------------------------------------


def read_index(folder: Path, only: Sequence[str]) -> list[File]:
    """The files of the families in ``FAMILIES``, of those of ``only`` if it names some."""
    index = tomllib.loads((folder / "INDEX.toml").read_text(encoding="utf-8"))
    entries = [e for e in index["instance"] if e["family"] in FAMILIES]
    return [_look_at(folder, e) for e in entries if not only or e["family"] in only]


def _look_at(folder: Path, entry: dict[str, Any]) -> File:
    family = FAMILIES[entry["family"]]
    resolved = re.search(r"agrees in ([0-9.]+) s", entry.get("resolved_with", ""))
    problem = "" if is_shipped(family) else f"there is no family {family} yet"
    if not problem:
        path = folder / entry["file"]
        bad = [e for e in read_set(str(path), family) if isinstance(e, PuzzleError)]
        problem = str(bad[0]).replace(f"{folder}/", "") if bad else ""
    return File(
        entry["file"],
        entry["family"],
        find_stated(entry),
        float(resolved[1]) if resolved else None,
        problem,
    )


def find_stated(entry: dict[str, Any]) -> dict[str, str]:
    """Instance -> what is stated of it, as ``File.stated``."""
    if entry["status"] == "optimal":
        return {"": f"optimum {entry['optimum']}"}
    if entry["status"] in ("sat", "unsat"):
        return {"": entry["status"]}
    found: dict[str, str] = {}
    words = {"satisfiable": "sat", "infeasible": "unsat", "unsatisfiable": "unsat"}
    for names, word in re.findall(
        r"([^;:]+?) (satisfiable|infeasible|unsatisfiable)", entry["stated"]
    ):
        for name in re.split(r",\s*", names.strip()):
            found[name] = words[word]
    return found


def tell_stated(stated: dict[str, str], instance: str) -> str:
    """What is stated of an instance; ``60-* to 90-*`` is about all whose first number is so."""
    if "" in stated:
        return stated[""]
    for name, told in stated.items():
        span = re.fullmatch(r"(\d+)-\* to (\d+)-\*", name)
        first = re.match(r"(\d+)-", instance)
        if name == instance or (span and first and int(span[1]) <= int(first[1]) <= int(span[2])):
            return told
    return "nothing"


# --- asking --------------------------------------------------------------------------------------


def plan(
    folder: Path, files: Sequence[File], backends: Sequence[str], seconds: float
) -> Experiment:
    """All files as sets of one experiment."""
    return Experiment(
        name="external",
        sets=[
            SetChoice(
                str(folder / file.file),
                FAMILIES[file.collection],
                optimum=file.stated.get("", "").startswith("optimum"),
            )
            for file in files
        ],
        backends=list(backends),
        seconds=seconds,
        keep=1,
    )


def judge(row: Row, file: File, solver: str) -> Answer:
    """The answer in a row of the run, beside what is stated; ``solver`` is who gave it."""
    record = row.record
    stated = tell_stated(file.stated, row.job.instance)
    is_optimum = stated.startswith("optimum")
    found = {"SATISFIABLE": "sat", "UNSATISFIABLE": "unsat"}.get(record.status, record.outcome)
    if record.status == "OPTIMUM":
        found = f"optimum {record.objective}"
    elif is_optimum and record.objective is not None:
        found = f"at best {record.objective}"
    whole = record.status in ("OPTIMUM", "UNSATISFIABLE") or (
        record.status == "SATISFIABLE" and not is_optimum
    )
    agreed = "open" if not whole else "agrees" if found == stated else "differs"
    if whole and stated == "nothing":
        agreed = "not stated"
    verdict = row.verdict.verdict if row.verdict else "unverified"
    if verdict in ("wrong", "disputed"):
        agreed = "differs"
    return Answer(
        file.file,
        row.job.instance,
        row.job.family,
        row.job.backend,
        solver,
        stated,
        found,
        agreed,
        verdict,
        round(record.wall_s or record.elapsed_s, 2),
        file.resolved,
    )


def find_answers(run: Path, files: Sequence[File]) -> Iterator[Answer]:
    """The answers of a run, in the order of the collection."""
    of_set = {label(file.file): file for file in files}
    data = load_run(run)
    solvers = {version.backend: version.solver for version in data.versions}
    rows = [row for row in data.rows() if row.job.role == "timed"]
    order = {file.file: k for k, file in enumerate(files)}
    rows.sort(key=lambda row: (order[of_set[row.job.set].file], row.job.number))
    answers = [judge(row, of_set[row.job.set], solvers.get(row.job.backend, "")) for row in rows]
    answers.sort(key=lambda a: (order[a.file], a.instance, a.backend))
    yield from answers


# --- telling -------------------------------------------------------------------------------------


def count_quick(files: Sequence[File], answers: Sequence[Answer]) -> tuple[int, int]:
    """How many quick files there are, and of how many some backend's answers all agree."""
    quick = [file for file in files if file.resolved is not None and file.resolved <= QUICK]
    backends = {answer.backend for answer in answers}

    def is_solved(file: File) -> bool:
        own = [answer for answer in answers if answer.file == file.file]
        by = [{a.agreed for a in own if a.backend == backend} for backend in backends]
        return any(agreed == {"agrees"} for agreed in by)

    return len(quick), sum(map(is_solved, quick))


def write_report(
    files: Sequence[File], answers: Sequence[Answer], seconds: float, command: str
) -> str:
    """The table, and what it comes to."""
    backends = sorted({answer.backend for answer in answers})
    solvers = {answer.backend: answer.solver for answer in answers if answer.solver}
    told = [f"{backend}: {solvers.get(backend, 'unknown')}" for backend in backends]
    quick, solved = count_quick(files, answers)
    differing = [answer for answer in answers if answer.agreed == "differs"]
    lines = [
        "# Files of other people's collections",
        "",
        f"Made by `{command}`: {seconds:g} s for each problem and backend, one worker each "
        f"({', '.join(told)}).",
        "",
        f"- {solved} of {quick} files that were solved again within {QUICK:g} s when the "
        "collection was made are answered as stated.",
        f"- {len(differing)} answers differ from what is stated.",
        "- By backend, problems answered as stated, open, and differing:",
        "",
        "| family | problems | "
        + " | ".join(f"{b}: agrees, open, differs" for b in backends)
        + " |",
        "|---|---:|" + "---:|" * len(backends),
    ]
    for family in sorted({answer.family for answer in answers}):
        own = [answer for answer in answers if answer.family == family]
        problems = len({(answer.file, answer.instance) for answer in own})
        cells = [
            ", ".join(
                str(sum(a.backend == backend and a.agreed in kinds for a in own))
                for kinds in (("agrees", "not stated"), ("open",), ("differs",))
            )
            for backend in backends
        ]
        lines.append(f"| {family} | {problems} | {' | '.join(cells)} |")
    left = [file for file in files if file.problem]
    if left:
        lines += ["", "Not read:", ""]
        lines += [f"- `{file.file}`: {file.problem}" for file in left]
    lines += [
        "",
        "Every problem. `resolved` is how many seconds it took when the collection was made.",
        "",
        "| file | problem | stated | backend | found | | verdict | seconds | resolved |",
        "|---|---|---|---|---|---|---|---:|---:|",
    ]
    for a in answers:
        resolved = "" if a.resolved is None else f"{a.resolved:.1f}"
        lines.append(
            f"| {a.file} | {a.instance} | {a.stated} | {a.backend} | {a.found} | {a.agreed} | "
            f"{a.verdict} | {a.seconds:.1f} | {resolved} |"
        )
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Read, ask, compare, write."""
    parser = argparse.ArgumentParser(description="published answers, found again")
    parser.add_argument("folder", type=Path, help="folder with an INDEX.toml")
    parser.add_argument("--backend", action="append", metavar="NAME")
    parser.add_argument("--only", action="append", metavar="FAMILY", choices=sorted(FAMILIES))
    parser.add_argument("--seconds", type=float, default=60.0, help="for each problem")
    parser.add_argument("--jobs", type=int, default=1, help="problems at a time")
    parser.add_argument(
        "--run", type=Path, help="folder of the run, which is resumed if it is there"
    )
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args(arguments)
    files = read_index(chosen.folder, chosen.only or ())
    asked = [file for file in files if not file.problem]
    if not asked:
        print("there is no file that can be read", file=sys.stderr)
        return 1
    backends = chosen.backend or BACKENDS
    with TemporaryDirectory() as temporary:
        run = chosen.run or Path(temporary) / "run"
        experiment = plan(chosen.folder, asked, backends, chosen.seconds)
        experiment.jobs = chosen.jobs
        continue_run(experiment, run)
        answers = list(find_answers(run, asked))
    options = [
        f"--{key} {shlex.quote(one)}"
        for key in ("backend", "only")
        for one in getattr(chosen, key) or ()
    ]
    command = " ".join(
        [
            "python -m results.studies.correctness.external FOLDER",
            *options,
            f"--seconds {chosen.seconds:g}",
        ]
    )
    report = write_report(files, answers, chosen.seconds, command)
    write_text(chosen.out / "external.md", report)
    write_rows(chosen.out / "external.jsonl", answers)
    print(report.partition("Every problem.")[0])
    quick, solved = count_quick(files, answers)
    return 1 if any(a.agreed == "differs" for a in answers) or solved < ENOUGH * quick else 0


if __name__ == "__main__":
    sys.exit(main())
