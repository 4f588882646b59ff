"""Files with known answers: which are read, which backends solve them, and do the answers agree?

    python -m results.studies.formats.instances PATH [--seconds 60] [--only GROUP]... [--jobs 1]
                                                [--backend B]... [--run FOLDER] [--out FOLDER]

``PATH`` is a folder with ``INDEX.toml`` (``results.studies.formats.index``). It is a run like any
other, in ``--run``: where it was stopped it continues when the same command is given again. What
is stated of a file takes part as an answer that comes with it (``docs/sets.md``). Of files with a
known number of solutions all are asked for, of those with an optimum the optimum, of the others a
solution. ``instances.md`` and ``instances.json`` in ``--out`` are the tables; exit status 1 if an
answer is contradicted, or a file is neither read nor refused with its place.
"""

from __future__ import annotations

import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from harness.plan.experiment import Experiment, SetChoice
from harness.report.jobs import shorten_reason
from harness.report.run import Run, load
from modelling.errors import InstanceError
from puzzles.model_files import PLAIN_SIGNS
from puzzles.sets.toml_text import write_pair
from results.studies.experiments import continue_run
from results.studies.formats.index import GROUPS, Listed, read_index
from results.studies.markdown import join_page, list_table
from results.studies.runner import Fault, Known, Options, Study, argument, option

REFERENCE = Path("results") / "reference" / "formats"
RUN = Path("results") / "runs" / "formats_instances"
BACKENDS = ("cpsat", "sat", "propagation", "python_constraint")
MEMORY_MB = 3000.0

STATUSES = {"sat": "satisfiable", "unsat": "unsatisfiable", "optimal": "optimal"}


def find_question(facts: dict[str, Any]) -> str:
    """``count``, ``optimum`` or ``solution``: what is asked of a file."""
    if facts["status"] == "optimal":
        return "optimum"
    return "count" if facts.get("count") else "solution"


def write_lists(listed: Iterable[Listed], folder: Path) -> list[SetChoice]:
    """The sets as files that list instances, and what is stated of them in ``answers.toml``."""
    folder.mkdir(parents=True, exist_ok=True)
    lines: dict[tuple[str, str], list[str]] = defaultdict(list)
    answers = []
    for one in listed:
        question = find_question(one.facts)
        for name, text in _list_texts(one):
            lines[one.group, question].append(f"{text}  # {name}\n")
            answer = {"instance": name, "set": f"{one.group}-{question}"}
            answer |= {"status": STATUSES[one.facts["status"]]}
            if answer["status"] != "unsatisfiable":
                answer |= {k: one.facts[k] for k in ("optimum", "sense", "count") if k in one.facts}
            answer["stated"] = str(one.facts["stated"])[:80]
            pairs = "".join(f"{write_pair(key, value)}\n" for key, value in answer.items())
            answers.append(f"[[answer]]\n{pairs}")
    (folder / "answers.toml").write_text("\n".join(answers), encoding="utf-8")
    sets = []
    for (group, question), entries in lines.items():
        path = folder / f"{group}-{question}.txt"
        path.write_text(f"# family: {GROUPS[group]}\n{''.join(entries)}", encoding="utf-8")
        count = "all" if question == "count" else 1
        sets.append(SetChoice(str(path), count=count, optimum=question == "optimum"))  # type: ignore[arg-type]
    return sets


def _list_texts(one: Listed) -> Iterator[tuple[str, str]]:
    """The instances of a file, each with its name and its line in a list."""
    if one.path.suffix != ".zip":
        yield one.name, quote(str(one.path.resolve()), safe=PLAIN_SIGNS)
        return
    with zipfile.ZipFile(one.path) as packed:
        for name in sorted(packed.namelist()):
            if name.endswith(".dat"):
                yield Path(name).stem, read_magic_square(packed.read(name).decode("ascii"))


def read_magic_square(text: str) -> str:
    """A square as Concord writes it, of its order, how many are filled, and these cells."""
    order, _, *numbers = map(int, text.split())
    cells = ["."] * (order * order)
    for row, column, value in zip(*(iter(numbers),) * 3, strict=True):
        cells[(row - 1) * order + column - 1] = str(value)
    return f"{order}: {' '.join(cells)}"


# --- what came of it ------------------------------------------------------------------------------


class Row(msgspec.Struct):
    """The result of one file by one backend, or what is stated of the file."""

    group: str
    instance: str
    backend: str
    outcome: str
    verdict: str
    seconds: float
    evidence: str = ""

    @property
    def is_solved(self) -> bool:
        """Whether it is a full answer that nothing contradicts."""
        return self.outcome == "finished" and self.verdict in ("verified", "unwitnessed")

    @property
    def is_contradicted(self) -> bool:
        """Whether it is wrong, or in dispute."""
        return self.verdict in ("wrong", "disputed")


STATED = "stated"
"""The backend of rows about what is stated."""


def list_rows(run: Run) -> list[Row]:
    """A row a job, and an answer that came with a file, by group and instance."""
    rows = []
    for job in run.jobs.to_dict("records"):
        verdict = str(job["verdict"])
        rows.append(
            Row(
                group=str(job["set"]).rpartition("-")[0],
                instance=str(job["instance"]),
                backend=STATED if job["role"] == "stated" else str(job["backend"]),
                outcome=str(job["outcome"]),
                verdict=verdict,
                seconds=round(float(job["wall_s"]), 2),
                evidence=""
                if verdict == "verified"
                else shorten_reason(str(job["evidence"] or job["error"])),
            )
        )
    return sorted(rows, key=lambda row: (row.group, row.instance, row.backend))


def report(
    rows: Sequence[Row], bad: Sequence[InstanceError], listed: Counter[str], command: str
) -> str:
    """The tables as Markdown: groups, files that are not read, files one by one."""
    backends = sorted({row.backend for row in rows} - {STATED})
    by_file: dict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    for row in rows:
        by_file[row.group, row.instance][row.backend] = row
    columns = " | ".join(f"{backend}:" for backend in backends)
    groups = []
    for group in [*listed, None]:
        files = [found for key, found in by_file.items() if group in (None, key[0])]
        solved = [[b for b in backends if b in f and f[b].is_solved] for f in files]
        cells = [
            listed[group] if group else listed.total(),
            len(files),
            sum(len(by) >= 2 for by in solved),
            sum(not by for by in solved),
            *(sum(b in by for by in solved) for b in backends),
            sum(row.is_contradicted for f in files for row in f.values()),
        ]
        groups.append(f"{group or 'all'} | {' | '.join(map(str, cells))}")
    wrong = [row for row in rows if row.is_contradicted]
    by_name = []
    for (group, name), found in by_file.items():
        shown = " | ".join(_format(found.get(b)) for b in backends)
        said = found[STATED].verdict if STATED in found else ""
        by_name.append(f"{group} | {name} | {shown} | {said}")
    return join_page(
        "# Files with known answers",
        f"Made by `{command}`.",
        "A file is solved by a backend whose answer is full and contradicted by nothing: neither "
        "by another backend nor by what is stated of the file, which takes part as an answer.",
        list_table(
            f"group | files: | read: | by two or more: | none: | {columns} | contradicted:", groups
        ),
        f"## Not read: {len(bad)}",
        [f"- {Path(e.place.partition(':')[0]).name}: {e.cause[:200]}" for e in bad],
        f"## Contradicted: {len(wrong)}",
        [f"- {_complain(row)}" for row in wrong],
        "## File by file",
        "A cell has the seconds of an answer, or what became of the question.",
        list_table(f"group | file | {columns} | stated", by_name),
    )


def _format(row: Row | None) -> str:
    if row is None:
        return ""
    if row.is_contradicted:
        return f"**{row.verdict}**"
    return f"{row.seconds:.3g}" if row.is_solved else row.outcome


def _complain(row: Row) -> str:
    return f"{row.backend} on {row.group} {row.instance}: {row.verdict}, {row.evidence}"


def measure(chosen: Options, known: Known) -> Iterator[Row | Fault]:
    """Ask, or continue asking."""
    lists = chosen.run.with_name(f"{chosen.run.name}-lists")
    experiment = Experiment(
        name="formats_instances",
        sets=write_lists(read_index(chosen.path, chosen.only), lists),
        backends=chosen.backend or BACKENDS,
        answers=str(lists / "answers.toml"),
        seconds=chosen.seconds,
        memory_mb=MEMORY_MB,
        jobs=chosen.jobs,
    )
    run = continue_run(experiment, chosen.run)
    yield from list_rows(run)
    yield from (Fault(f"without a place: {error}") for error in run.bad_lines if not error.place)


def write_table(rows: Sequence[Row], chosen: Options) -> str:
    """The tables, with the files that were not read."""
    listed = Counter(
        one.group for one in read_index(chosen.path, chosen.only) for _ in _list_texts(one)
    )
    only = "".join(f" --only {group}" for group in chosen.only)
    command = f"python -m results.studies.formats.instances PATH{only} --seconds {chosen.seconds:g}"
    return report(rows, load(chosen.run).bad_lines, listed, command)


STUDY = Study(
    "formats.instances",
    __doc__,
    Row,
    key=lambda row: (row.group, row.instance, row.backend),
    measure=measure,
    report=write_table,
    faults=lambda rows: [_complain(row) for row in rows if row.is_contradicted],
    at_once=True,
    out=REFERENCE,
    place="formats",
    options=(
        argument("path", "the folder of INDEX.toml"),
        option("--seconds", 60.0, "limit of each question"),
        option("--jobs", 1, "questions at a time"),
        option("--only", [], "this group of files", choices=GROUPS),
        option("--backend", [], "these alone"),
        option("--run", RUN, "folder of the run"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
