"""Answers known from elsewhere, by every backend that can: numbers of solutions, optima, existence.

    python -m results.studies.correctness.known_answers [--seconds 60] [--jobs 1] [--run FOLDER]
                                                        [--out FOLDER] [--backend B]...
                                                        [--only FAMILY]...

Every row of ``ANSWERS`` is asked of every backend, with a limit each. It is a run like any other,
in ``--run``: where it was stopped it continues when the same command is given again. Answers are
judged as in any comparison, and then compared with what is known. ``known_answers.md`` and
``known_answers.json`` in ``--out`` are the table: a part, some backends or families, takes the
place of what stood there of it, and the rest stays. Exit status 1 if an answer differs from what is
known, or backends disagree.

Sources: OEIS (A000170 queens, A002860 Latin squares, A014552 Langford, A003022 Golomb, A008404
Costas), CSPLib, the papers named in the families' modules, and for graphs DIMACS.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from backends.interface.registry import summaries
from harness.plan.experiment import Experiment, SetChoice
from harness.record import REFUSALS
from harness.report.run import Run
from puzzles.family import Instance
from puzzles.sets import instances
from results.studies.experiments import continue_run
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

REFERENCE = Path("results") / "reference" / "known_answers"
RUN = Path("results") / "runs" / "known_answers"

Kind = Literal["count", "exists", "optimum"]


class Answer(NamedTuple):
    """A known answer of one instance: a number of solutions, 0 or 1 for existence, an optimum."""

    family: str
    text: str
    kind: Kind
    value: int
    name: str = ""


def _count(family: str, form: str, numbers: dict[int, int]) -> list[Answer]:
    return [Answer(family, form.format(n), "count", value) for n, value in numbers.items()]


def _exist(family: str, yes: Sequence[str], no: Sequence[str]) -> list[Answer]:
    known = [*((text, 1) for text in yes), *((text, 0) for text in no)]
    return [Answer(family, text, "exists", value) for text, value in known]


def _optimum(family: str, numbers: dict[str, int]) -> list[Answer]:
    return [Answer(family, text, "optimum", value) for text, value in numbers.items()]


def _shipped(family: str, kind: Kind, values: dict[str, int]) -> list[Answer]:
    """Instances of the family's set, by their names."""
    texts = {one.name: one.text for one in instances(family) if isinstance(one, Instance)}
    return [Answer(family, texts[name], kind, value, name) for name, value in values.items()]


def _number(*values: int) -> dict[int, int]:
    return dict(enumerate(values, 1))


def list_answers() -> list[Answer]:
    """Return all known answers, family by family."""
    return [
        *_count("queens", "{}", _number(1, 0, 0, 2, 10, 4, 40, 92, 352) | {12: 14_200}),
        *(
            Answer("latin", f"{n}:{'.' * (n * n)}", "count", value)
            for n, value in _number(1, 2, 12, 576, 161_280).items()
        ),
        *_count("langford", "2 {}", {3: 2, 4: 2, 7: 52, 1: 0, 2: 0, 5: 0, 6: 0}),
        Answer("langford", "3 9", "count", 6),
        *_optimum("golomb", {"2": 1, "3": 3, "4": 6, "5": 11, "6": 17, "8": 34}),
        *_count("costas", "{}", _number(1, 2, 4, 12, 40, 116)),
        *_count("all_interval", "{}", {2: 2, 3: 4, 4: 4, 5: 8, 6: 24, 7: 32, 8: 40}),
        *_count("magic_square", "{}", {3: 8, 4: 7040}),
        *_count("magic_sequence", "{}", _number(0, 0, 0, 2, 1, 0, 1, 1)),
        Answer("cryptarithm", "SEND+MORE=MONEY", "count", 1),
        Answer("cryptarithm", "TWO+TWO=FOUR", "count", 7),
        Answer("quasigroup", "QG4 5", "count", 12),
        Answer("quasigroup", "QG5 7", "count", 120),
        *_exist("quasigroup", ["QG3 8", "QG5 5", "QG5 8"], ["QG3 5", "QG3 6", "QG3 7", "QG5 6"]),
        *_count("number_partition", "{}", {8: 1, 12: 1, 16: 7}),
        *_exist("schur", ["3 13"], ["3 14"]),
        Answer("ramsey", "3 3: 5", "count", 12),
        Answer("ramsey", "3 3: 6", "count", 0),
        *_exist("van_der_waerden", ["3 3: 8", "3 4: 17"], ["3 3: 9", "3 4: 18"]),
        *_shipped(
            "graph_colouring", "optimum", {"myciel3": 4, "myciel4": 5, "queen5_5": 5, "queen6_6": 7}
        ),
        *_shipped("graph_colouring", "count", {"petersen-3": 120, "australia": 18}),
        *_exist("social_golfers", ["2 2 3", "3 2 5", "3 3 4"], ["2 2 4", "3 3 5"]),
        Answer("sudoku", "." * 16, "count", 288),
        *_shipped("job_shop", "optimum", {"ft06": 55}),
        Answer("still_life", "7", "optimum", 28),
        *_shipped("zebra", "count", {"zebra-named": 1}),
    ]


def plan(answers: Sequence[Answer], backends: Sequence[str], seconds: float) -> Experiment:
    """The experiment that asks them, a set for each family and kind of question."""
    groups: dict[tuple[str, Kind], dict[str, str]] = {}
    for one in answers:
        groups.setdefault((one.family, one.kind), {})[name_of(one)] = one.text
    sets = [
        SetChoice(
            f"{family}-{kind}",
            family=family,
            texts=texts,
            count="all" if kind == "count" else 1,
            optimum=kind == "optimum",
        )
        for (family, kind), texts in groups.items()
    ]
    return Experiment(name="known_answers", sets=sets, backends=backends, seconds=seconds)


def name_of(answer: Answer) -> str:
    """Return the name of the instance in its set, or its text, if that is short."""
    text = re.sub(r"[^\w+=-]+", "-", answer.name or answer.text).strip("-")
    return text or f"empty-{len(answer.text)}"


class Row(msgspec.Struct):
    """The answer of one backend; ``found`` is None where it did not end."""

    family: str
    instance: str
    kind: str
    known: int
    backend: str
    outcome: str
    verdict: str
    found: int | None
    seconds: float
    limit: float = 60.0

    @property
    def is_wrong(self) -> bool:
        """Whether it differs from the known answer, or is contradicted."""
        differs = self.found is not None and self.found != self.known
        return differs or self.verdict in ("wrong", "disputed")


def compare(run: Run, answers: Sequence[Answer], seconds: float) -> list[Row]:
    """The rows of a run with this limit, in the order of the answers."""
    known = {(f"{one.family}-{one.kind}", name_of(one)): one for one in answers}
    places = {key: place for place, key in enumerate(known)}
    rows: list[tuple[int, Row]] = []
    for job in run.jobs.to_dict("records"):
        key = job["set"], job["instance"]
        one, ended = known[key], job["outcome"] == "finished"
        found: Any = job["objective"] if one.kind == "optimum" else job["count"]
        row = Row(
            one.family,
            key[1],
            one.kind,
            one.value,
            str(job["backend"]),
            str(job["outcome"]),
            str(job["verdict"]),
            int(found) if ended else None,
            round(float(job["wall_s"]), 4),
            seconds,
        )
        rows.append((places[key], row))
    return [row for _, row in sorted(rows, key=lambda pair: (pair[0], pair[1].backend))]


def report(rows: Sequence[Row]) -> str:
    """The table as Markdown: a row an answer, a column a backend."""
    backends = list(dict.fromkeys(row.backend for row in rows))
    limits: dict[float, set[str]] = {}
    for row in rows:
        limits.setdefault(row.limit, set()).add(row.backend)
    said_limits = " and ".join(
        f"{limit:g} s" + ("" if len(limits) == 1 else f" ({', '.join(sorted(of))})")
        for limit, of in sorted(limits.items(), reverse=True)
    )
    wrong = [row for row in rows if row.is_wrong]
    ended = sum(row.found is not None for row in rows)
    refused = sum(row.outcome in REFUSALS for row in rows)
    said = {(row.family, row.instance, row.kind, row.backend): row for row in rows}
    table = []
    for key in dict.fromkeys((row.family, row.instance, row.kind, row.known) for row in rows):
        family, instance, kind, value = key
        known = {"count": f"{value:,}", "exists": "yes" if value else "no"}.get(kind, f"= {value}")
        cells = (_format(said.get((family, instance, kind, backend))) for backend in backends)
        table.append(" | ".join((family, instance, known, *cells)))
    return join_page(
        "# Answers known from elsewhere",
        "Made by `python -m results.studies.correctness.known_answers`, "
        f"with limits of {said_limits}: "
        f"{ended} of {len(rows)} questions answered, {refused} refused, the others not in time; "
        f"{len(wrong)} answers differ from what is known. A cell has the seconds that the right "
        "answer took.",
        list_table(" | ".join(["family | instance | known:", *(f"{b}:" for b in backends)]), table),
        [f"- {_complain(row)}" for row in wrong],
    )


def _format(row: Row | None) -> str:
    if row is None:
        return ""
    if row.is_wrong:
        return f"**{row.found}, {row.verdict}**"
    return f"{row.seconds:.3g}" if row.found is not None else row.outcome


def _complain(row: Row) -> str:
    return (
        f"{row.backend}: {row.family} {row.instance}, {row.kind}: {row.found}, known is "
        f"{row.known}; {row.verdict}"
    )


def find_disagreements(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the wrong answers in words."""
    return (_complain(row) for row in rows if row.is_wrong)


def order(rows: Iterable[Row]) -> list[Row]:
    """Sort rows by answer and backend; drop answers that are not asked any more."""
    places: dict[tuple[str, str, str], int] = {
        (one.family, name_of(one), one.kind): place for place, one in enumerate(list_answers())
    }
    return sorted(
        (row for row in rows if key(row)[:3] in places),
        key=lambda row: (places[row.family, row.instance, row.kind], row.backend),
    )


def key(row: Row) -> tuple[str, str, str, str]:
    """Return the key of a row."""
    return row.family, row.instance, row.kind, row.backend


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """Ask, or continue asking."""
    answers = [one for one in list_answers() if not chosen.only or one.family in chosen.only]
    backends = chosen.backend or [info.name for info in summaries() if info.installed]
    experiment = plan(answers, backends, chosen.seconds)
    experiment.jobs = chosen.jobs
    part = "-".join([*chosen.backend, *chosen.only])
    name = re.sub(r"[^\w.-]+", "_", f"{RUN.name}-{part}".rstrip("-"))
    run = continue_run(experiment, chosen.run or RUN.with_name(name))
    yield from compare(run, answers, chosen.seconds)


STUDY = Study(
    "correctness.known_answers",
    __doc__,
    Row,
    key=key,
    measure=measure,
    report=lambda rows, chosen: report(rows),
    order=order,
    faults=lambda rows: list(find_disagreements(rows)),
    keeps=True,
    at_once=True,
    out=REFERENCE,
    options=(
        option("--seconds", 60.0, "limit of each question"),
        option("--jobs", 1, "questions at a time"),
        option("--run", None, "folder of the run", type=Path),
        option("--backend", [], "these alone"),
        option("--only", [], "these alone", metavar="FAMILY"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
