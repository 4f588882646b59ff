"""Has a problem that is written and read again the same number of solutions, the same optimum?

    python -m results.studies.formats.round_trips [--problems 5000] [--first 0] [--format NAME]...
                                                  [--seconds 10] [--out FOLDER]

The problems are those that the conformance suite draws (the oracle knows all of their solutions)
and the small instances of every family (CP-SAT is asked before and after). Each is written
in every format that is read as well, and read; then its solutions are counted and, where it has an
objective, its optimum is asked. WCNF keeps optima alone, CNF solutions alone. A problem that a
format refuses is counted with the reason.

Where nothing had to be rewritten, the structure that is read is compared with the one that was
written but for names (``same_structure``): where FlatZinc and XCSP3 have words for every
constraint, and in every format for what it stated itself, which is written and read a second time.
MiniZinc is left out there: what is read of it has been flattened by ``minizinc``. What comes back
in other words, such as a table of one variable as two bounds, is counted and listed.

Blocks of 250 problems are kept in ``round_trips.jsonl`` in ``--out``, so an interrupted study
continues; ``round_trips.md`` is the table; exit status 1 if a problem has become another one.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice

import msgspec

from backends.conformance.drawn_problems import drawn_problems
from backends.conformance.oracle import consult
from backends.conformance.suite import vocabulary
from backends.interface import registry
from backends.interface.api import Limits, Optimum, Solutions
from modelling.errors import ConcordError, ModelError
from modelling.formats import FORMATS, Format, find_format
from modelling.problem import Problem
from modelling.vocabulary import VOCABULARY
from puzzles.family import Instance, family
from puzzles.sets import instances
from results.studies.formats.known_differences import Difference, find_cause
from results.studies.formats.outsiders import find_version
from results.studies.formats.same_structure import WITH_PROFILE, find_change, has_words_for, is_same
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

BLOCK = 250
SEED = 11
MOST = 2000
"""So many solutions of an instance of a family are counted."""

SOLUTIONS_ALONE = ("cnf",)
OPTIMA_ALONE = ("wcnf",)
FLATTENED = ("minizinc",)
FAMILIES = "families"
"""Stands for the seed of the block of small instances."""


class Block(msgspec.Struct):
    """The results of a block of problems in one format."""

    format: str
    block: str
    problems: int = 0
    as_it_stands: int = 0
    kept: int = 0
    stated: int = 0
    restated: int = 0
    other_words: dict[str, int] = {}
    unanswered: int = 0
    refused: dict[str, int] = {}
    known: dict[str, int] = {}
    faults: list[str] = []


class Case(msgspec.Struct):
    """A problem, and what is known of it: how many solutions, up to ``most``, and its optimum."""

    name: str
    problem: Problem
    count: int
    most: int | None
    best: int | None


def draw_problems(number: int) -> Iterator[Case]:
    """The problems of a block, with what the oracle says."""
    kinds = vocabulary(registry.get("brute_force"))
    for kind, problem in islice(drawn_problems(SEED + number, kinds, VOCABULARY), BLOCK):
        oracle = consult(problem)
        has_best = problem.structure.objective is not None and bool(oracle.every)
        count = len(oracle.expected)
        yield Case(kind, problem, count, None, oracle.best if has_best else None)


def list_instances(seconds: float) -> Iterator[Case]:
    """The small instances of every family, with what CP-SAT says of those that it answers."""
    for one in instances("families"):
        if not isinstance(one, Instance):
            raise one
        problem = family(one.family).problem(one.text)
        found = ask(problem, MOST, True, seconds)
        if isinstance(found, tuple):
            yield Case(f"{one.family} {one.name}", problem, found[0], MOST, found[1])


def ask(
    problem: Problem, most: int | None, counts: bool, seconds: float
) -> tuple[int, int | None] | str:
    """Return the number of solutions up to ``most``, and the optimum; or why it is not known."""
    count, best = 0, None
    try:
        if counts:
            found = registry.get("sat").solve(problem, Solutions(most, 1), Limits(seconds))
            if not found.exhausted and found.count != most:
                return "not answered in time"
            count = found.count
        if problem.structure.objective is not None:
            found = registry.get("cpsat").solve(problem, Optimum(), Limits(seconds))
            if not found.exhausted and found.stopped_by != "enough":
                return "not answered in time"
            best = found.objective
    except ConcordError as error:
        return f"{type(error).__name__}: {error}"
    return count, best


def examine(form: Format, known: Case, seconds: float, block: Block) -> None:
    """Write a problem, read it, and ask about it."""
    block.problems += 1
    try:
        text = "".join(form.write(known.problem))
    except ModelError as error:
        reason = re.sub(r"'.*?'|\d+", "_", str(error))[:100]
        block.refused[reason] = block.refused.get(reason, 0) + 1
        return
    except Exception as error:
        block.faults.append(f"{known.name}: written: {type(error).__name__}: {error}")
        return
    try:
        again = form.read(text.encode("utf-8"), f"{known.name}{form.endings[0]}")
    except Exception as error:
        block.faults.append(f"{known.name}: read: {type(error).__name__}: {error}\n{text[:2000]}")
        return
    compare_structures(form, known, again, block)
    counts = form.name not in OPTIMA_ALONE
    found = ask(again, known.most, counts, seconds)
    if isinstance(found, str):
        block.unanswered += found == "not answered in time"
        if found != "not answered in time":
            block.faults.append(f"{known.name}: asked: {found}\n{text[:2000]}")
        return
    count, best = found
    differences = []
    if counts and count != known.count:
        differences.append(f"{count} solutions, not {known.count}")
    if form.name not in SOLUTIONS_ALONE and best != known.best:
        differences.append(f"the optimum {best}, not {known.best}")
    for what in differences:
        cause = _known_cause(form, known.name, what, text)
        if cause:
            block.known[cause] = block.known.get(cause, 0) + 1
        else:
            block.faults.append(f"{known.name}: {what}\n{text[:2000]}")


def _known_cause(form: Format, name: str, what: str, text: str) -> str:
    """Why another program that takes part in the reading differs there; empty if not known."""
    if form.name not in FLATTENED:
        return ""
    return find_cause(form.name, _flattener(), Difference(0, "solutions", what, text, name))


@lru_cache(maxsize=1)
def _flattener() -> str:
    """The release of ``minizinc``."""
    return find_version(("minizinc", "--version"), "version ([0-9.]+)")


def compare_structures(form: Format, known: Case, again: Problem, block: Block) -> None:
    """Whether what needed no rewriting came back as it was."""
    # A variable that the format itself needs, as FlatZinc for an objective, is a rewriting, too.
    if (
        form.name in WITH_PROFILE
        and again.structure.size == known.problem.structure.size
        and has_words_for(form.name, known.problem)
    ):
        block.as_it_stands += 1
        block.kept += _are_same(known.problem, again, block)
    if form.name in FLATTENED:
        return
    try:
        twice = form.read("".join(form.write(again)).encode("utf-8"), known.name)
    except Exception as error:
        block.faults.append(f"{known.name}: written again: {type(error).__name__}: {error}")
        return
    if form.name in WITH_PROFILE and twice.structure.size != again.structure.size:
        return
    block.stated += 1
    block.restated += _are_same(again, twice, block)


def _are_same(one: Problem, other: Problem, block: Block) -> bool:
    """Whether two structures are the same; the classes are counted that come back in others."""
    if is_same(one, other):
        return True
    change = find_change(one, other)
    block.other_words[change] = block.other_words.get(change, 0) + 1
    return False


def list_formats() -> list[str]:
    """Return the formats that are written, and read on this machine."""
    has_minizinc = shutil.which("minizinc") is not None
    every = [form.name for form in FORMATS if form.reads and form.writes]
    return [name for name in every if name != "minizinc" or has_minizinc]


def report(blocks: Sequence[Block]) -> str:
    """The table, the reasons of refusals, and the faults."""
    by_format: dict[str, list[Block]] = defaultdict(list)
    for block in blocks:
        by_format[block.format].append(block)
    table = []
    for name, own in by_format.items():
        drawn = sum(block.problems for block in own if block.block != FAMILIES)
        others = sum(block.problems for block in own if block.block == FAMILIES)
        refused = sum(sum(block.refused.values()) for block in own)
        kept = _of(sum(b.kept for b in own), sum(b.as_it_stands for b in own))
        twice = _of(sum(b.restated for b in own), sum(b.stated for b in own))
        unanswered = sum(block.unanswered for block in own)
        faults = sum(len(block.faults) for block in own)
        counts = f"{drawn:,} | {others:,} | {refused:,} | {kept} | {twice}"
        table.append(f"{name} | {counts} | {unanswered:,} | {faults:,}")

    def rank(field: str, most: int | None = None) -> list[str]:
        return [
            f"- {name}, {number}: {what}"
            for name, own in by_format.items()
            for what, number in sum(
                (Counter(getattr(block, field)) for block in own), Counter[str]()
            ).most_common(most)
        ]

    return join_page(
        "# Problems that were written and read again",
        f"Made by `python -m results.studies.formats.round_trips` (seed {SEED}): drawn problems, "
        "and small instances of every family.",
        list_table(
            "format | drawn: | instances: | refused: | written as they are, came back as such: | "
            "stated, and stated alike again: | not answered: | faults:",
            table,
        ),
        "Refused:",
        rank("refused", 8),
        "Came back in other words, which mean the same:",
        rank("other_words"),
        "Other answers by a cause that is known (docs/disagreements.md):",
        rank("known"),
        [f"- {b.format} {b.block}: {f.splitlines()[0]}" for b in blocks for f in b.faults],
    )


def _of(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,}" if whole else "-"


def measure(chosen: Options, known: Known) -> Iterator[Block]:
    """The blocks that are not known: small instances of every family, then drawn problems."""
    numbers = range(chosen.first, chosen.first + -(-chosen.problems // BLOCK))
    for name in [FAMILIES, *map(str, numbers)]:
        missing = [one for one in chosen.format or list_formats() if (one, name) not in known]
        if not missing:
            continue
        every = list_instances(chosen.seconds) if name == FAMILIES else draw_problems(int(name))
        blocks = {
            one: Block(one, name, refused={}, other_words={}, known={}, faults=[])
            for one in missing
        }
        for case in every:
            for one, block in blocks.items():
                examine(find_format(one), case, chosen.seconds, block)
        yield from blocks.values()


STUDY = Study(
    "formats.round_trips",
    __doc__,
    Block,
    key=lambda block: (block.format, block.block),
    measure=measure,
    report=lambda blocks, chosen: report(blocks),
    describe=lambda b: f"{b.format} {b.block}: {b.problems} problems, {len(b.faults)} faults",
    faults=lambda blocks: [fault for block in blocks for fault in block.faults],
    data="round_trips.jsonl",
    place="formats",
    resumes=True,
    options=(
        option("--problems", 5000, "drawn problems"),
        option("--first", 0, f"first block of {BLOCK}"),
        option("--format", [], "this one alone", choices=[form.name for form in FORMATS]),
        option("--seconds", 10.0, "limit of each question"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
