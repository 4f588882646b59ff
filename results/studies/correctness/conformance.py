"""Does every backend answer as the oracle does? The conformance suite on many drawn problems.

    python -m results.studies.correctness.conformance [--problems 1000] [--seed 1] [--seeds 5]
                                                      [--only BACKEND]... [--out FOLDER]

Each of ``CONFIGURATIONS`` answers the suite until ``--problems`` problems were accepted: all
solutions, some, constraints in another order, sinks, optima, all optima. Every second problem is
about a class of the vocabulary, drawn from all of them. Then come as many of one plain constraint
each, whose solutions are asked for, and as many with a constraint of each class in turn at the
root, which some assignments fulfil and others do not. Each of ``--seeds`` seeds gives its share.
The tests do the same with fewer problems; one in thirteen is about a class. A row for each
backend: problems accepted and refused, plain ones, those of the root, faults, which are printed;
and a second table of what was drawn, by class and position. Exit status 1 if there is one.
``conformance.md`` in ``--out`` is the table; what ``--only`` leaves out keeps its rows in it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from time import process_time

import msgspec

from backends.conformance import examine
from backends.interface.shipped import SHIPPED
from modelling.rewriting import keep_rewrites
from modelling.vocabulary import VOCABULARY
from results.studies.markdown import join_page, list_table
from results.studies.runner import Fault, Known, Options, Study, find_installed, option

OF_ALL_DIFFERENT = ("ladder", "compiled")
"""They take AllDifferent only, and say so; their own tests have what they are to conform to."""

CONFIGURATIONS = (
    *(shipped.name for shipped in SHIPPED if shipped.name not in OF_ALL_DIFFERENT),
    "propagation:branching=smallest",
    "propagation:branching=first,reuse=none",
    "propagation:form=compiled",
    "propagation:search=learning",
    "cpsat:alldifferent",
    "cpsat:alldifferent,presolve=on",
    "cpsat:alldifferent,presolve=off",
    "cpsat:booleans,presolve=on",
    "cpsat:booleans,presolve=off,reuse=none",
    "cpsat:alldifferent,presolve=light",
    "cpsat:booleans,presolve=light,workers=1",
    "sat:direct,pycosat",
    "sat:direct,cadical153",
    "sat:extended,cadical195",
    "sat:direct,glucose4,reuse=solver",
    "sat:extended,minisat22,amo=sequential",
    "sat:direct,minisat22,reuse=none,amo=product",
    "sat:integers=direct,sums=diagram",
    "sat:integers=order,sums=totalizer",
    "sat:integers=log,sums=adder",
    "sat:pycosat,integers=order,sums=counter",
    "python_constraint:backtracking",
    "python_constraint:recursive",
    "python_constraint:minconflicts",
    "xcsp3:ace",
    "xcsp3:choco",
)
"""Every backend as it is by default, and then with some of its options; the tests of conformance
take the same."""


class Row(msgspec.Struct):
    """The result for one configuration; ``note`` is about this row."""

    backend: str
    version: str
    accepted: int
    refused: int
    kinds: int
    faults: int
    seconds: float
    plain: int = 0
    root: int = 0
    drawn: dict[str, dict[str, int]] = {}
    seeds: int = 5
    note: str = ""


def measure(chosen: Options, known: Known) -> Iterator[Row | Fault]:
    """A row for each configuration, after its faults."""
    keep_rewrites(4 * chosen.problems)
    names = [name for name in chosen.only or CONFIGURATIONS if name not in known]
    for name, backend in find_installed(names):
        before = process_time()
        report = examine(backend, chosen.problems, chosen.seed, also=VOCABULARY, seeds=chosen.seeds)
        drawn: dict[str, dict[str, int]] = {}
        for (kind, position), number in sorted(report.drawn.items()):
            drawn.setdefault(kind, {})[position] = number
        yield from map(Fault, report.faults)
        yield Row(
            name,
            str(getattr(backend, "version", "")),
            report.accepted.total(),
            report.refused.total(),
            len({kind.removesuffix(", other givens") for kind in report.accepted}),
            len(report.faults),
            round(process_time() - before, 1),
            report.plain.total(),
            report.root.total(),
            drawn,
            chosen.seeds,
        )


def order(rows: Iterable[Row]) -> list[Row]:
    """The rows in the order of ``CONFIGURATIONS``, others after them."""
    places = {name: place for place, name in enumerate(CONFIGURATIONS)}
    return sorted(rows, key=lambda row: places.get(row.backend, len(places)))


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The table."""
    table = (
        f"{row.backend} | {row.version} | {row.seeds} | {row.accepted:,} | {row.refused:,} | "
        f"{row.kinds} | {_number(row.plain)} | {_number(row.root)} | {row.faults}"
        for row in rows
    )
    figures = "seeds: | accepted: | refused: | kinds: | plain: | root: | faults:"
    notes = []
    for note in dict.fromkeys(row.note for row in rows if row.note):
        names = ", ".join(f"`{row.backend}`" for row in rows if row.note == note)
        notes.append(f"{names}: {note}")
    return join_page(
        "# Conformance",
        f"Made by `{chosen.command}`.",
        "The same problems for each backend, of as many kinds as `kinds` says; every second one is "
        f"about one of the {len(VOCABULARY)} classes of the vocabulary. Each is asked up to "
        "nine questions (one of `minconflicts`, which is incomplete), and every answer is compared "
        "with the oracle's. `plain` are further problems, each of one constraint over variables "
        "alone, or of one function compared with a number, for all solutions of each; `root` those "
        "with a constraint of each class in turn at the root, which excludes something and allows "
        "something, in every other problem beside another one.",
        list_table(f"backend | version | {figures}", table),
        *notes,
        "## What was drawn",
        "Accepted plain problems and those of the root, by class and position: of the backend with "
        "the fewest to that with the most.",
        _list_drawn(rows),
    )


def _number(number: int) -> str:
    return f"{number:,}" if number else "-"


def _list_drawn(rows: Sequence[Row]) -> list[str]:
    """Return the numbers of draws by class and position, the least and the most of any backend."""
    told = [row.drawn for row in rows if row.drawn]
    kinds = sorted({kind for drawn in told for kind in drawn})
    places = sorted({place for drawn in told for of in drawn.values() for place in of})
    table = []
    for kind in kinds:
        ranges = []
        for place in places:
            numbers = [drawn.get(kind, {}).get(place, 0) for drawn in told]
            least, most = min(numbers), max(numbers)
            ranges.append(str(most) if least == most else f"{least} to {most}")
        table.append(" | ".join([kind, *ranges]))
    return list_table(" | ".join(["class", *(f"{place}:" for place in places)]), table)


STUDY = Study(
    "correctness.conformance",
    __doc__,
    Row,
    key=lambda row: row.backend,
    measure=measure,
    report=report,
    order=order,
    faults=lambda rows: [f"{row.backend}: {row.faults} faults" for row in rows if row.faults],
    keeps=True,
    options=(
        option("--problems", 1000, "that each backend accepts"),
        option("--seed", 1),
        option("--seeds", 5, "that share the problems"),
        option("--only", [], "these backends alone", metavar="BACKEND"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
