"""Do the laws of the vocabulary hold? Many draws for each class, and a table.

    python -m results.studies.correctness.laws [--draws 2000] [--most 12] [--first SEED]
                                               [--only CLASS]... [--out FOLDER]

For each class of ``modelling.vocabulary`` and each seed, a constraint over drawn domains (at most
``--most`` assignments) is tried by every law of ``modelling.laws.checking``; the tests do the same
with fewer draws. A row for each class and law: draws, assignments that were compared with the
definition, how many of them are true, and failures, which are printed. Exit status 1 if there is
one. ``laws.md`` and ``laws.json`` in ``--out`` are the table. What ``--only`` leaves out keeps its
rows in them, so that the study may be run class by class.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from time import process_time
from typing import Any

import msgspec

from modelling.laws.checking import LAWS, PROFILES, draw_case, faults_of
from modelling.terms import is_true
from modelling.vocabulary import VOCABULARY
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option


class Row(msgspec.Struct):
    """The result for one class and all laws; ``failures`` by the name of the law."""

    kind: str
    draws: int
    assignments: int
    true: int
    failures: dict[str, int]
    seconds: float


def report(rows: Sequence[Row], chosen: Options) -> str:
    """Return the table, with the number of draws."""
    table = []
    for row in rows:
        share = f"{row.true / max(1, row.assignments):.0%}"
        numbers = f"{row.draws:,} | {row.assignments:,} | {share}"
        table += [f"{row.kind} | {law} | {numbers} | {row.failures.get(law, 0)}" for law in LAWS]
    draws, failures = sum(row.draws for row in rows), sum(sum(r.failures.values()) for r in rows)
    return join_page(
        "# The laws of the vocabulary",
        f"Made by `{chosen.command}`.",
        "A draw is a constraint of the class (or a comparison of the function) over drawn domains. "
        "`same when rewritten` is tried for the profiles " + ", ".join(PROFILES) + ".",
        list_table("class | law | draws: | assignments: | true: | failures:", table),
        f"{draws * len(LAWS):,} trials of {len(LAWS)} laws on {draws:,} draws of {len(rows)} "
        f"classes, {failures} failures; {sum(row.seconds for row in rows):.0f} s of CPU time.",
    )


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """A row for each class."""
    seeds = range(chosen.first, chosen.first + chosen.draws)
    for kind in VOCABULARY:
        if kind.__name__ not in known and (not chosen.only or kind.__name__ in chosen.only):
            yield try_laws(kind, seeds, chosen.most)


def try_laws(kind: Any, seeds: range, most: int) -> Row:
    """All laws on a draw for each seed."""
    before = process_time()
    assignments = true = 0
    failures: Counter[str] = Counter()
    for seed in seeds:
        for fault in faults_of(kind, seed, most):
            failures[fault.partition(":")[0]] += 1
            print(f"{kind.__name__}, seed {seed}: {fault}", flush=True)
        case = draw_case(kind, seed, most)
        truths = [is_true(case.constraint, values) for values in case.assignments()]
        assignments, true = assignments + len(truths), true + sum(truths)
    seconds = round(process_time() - before, 1)
    return Row(kind.__name__, len(seeds), assignments, true, dict(failures), seconds)


def order(rows: Iterable[Row]) -> list[Row]:
    """Rows in the order of the vocabulary, without classes that are gone."""
    by_kind = {row.kind: row for row in rows}
    return [by_kind[kind.__name__] for kind in VOCABULARY if kind.__name__ in by_kind]


STUDY = Study(
    "correctness.laws",
    __doc__,
    Row,
    key=lambda row: row.kind,
    keeps=True,
    measure=measure,
    report=report,
    order=order,
    faults=lambda rows: [f"{row.kind}: {row.failures}" for row in rows if row.failures],
    options=(
        option("--draws", 2000, "draws for each class"),
        option("--most", 12, "assignments of a draw at most"),
        option("--first", 0, "first seed", metavar="SEED"),
        option("--only", [], "these classes alone", metavar="CLASS"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
