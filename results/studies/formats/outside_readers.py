"""Do the programs of others find in our files what the oracle finds in the problems?

    python -m results.studies.formats.outside_readers [--problems 500] [--seed 0] [--optima]
        [--reader NAME]... [--ace JAR] [--choco JAR] [--cosoco PROGRAM] [--out FOLDER]

Problems of the conformance suite are written as FlatZinc, MiniZinc and XCSP3; each reader is asked
for all solutions of as many problems as ``--problems`` says, and with ``--optima`` for the optimum
where there is an objective. What it finds is compared with the oracle, as a set over the variables
that tell solutions apart: nothing may be lost, invented or shown twice.

fzn-gecode     FlatZinc that has built-ins only, by Gecode alone
minizinc-flat  FlatZinc as a model of MiniZinc, which has the global constraints, and by Gecode
minizinc       MiniZinc, flattened by it and solved by Gecode
cosoco         XCSP3
ace, choco     XCSP3, by jars as the package pycsp3 has them; they need Java

A reader that is not installed is a line of the table. ``KNOWN`` lists in which releases of others a
difference is known, and its sign in the file; any other difference is printed with its
problem, and the exit status is 1. ``outside_readers.md`` is the table, ``outside_readers.jsonl``
has every difference with the file.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice, product

import msgspec

from backends.conformance.drawn_problems import drawn_problems
from backends.conformance.oracle import consult
from backends.conformance.suite import described, vocabulary
from backends.interface import registry
from modelling.errors import ModelError
from modelling.formats import find_format
from modelling.problem import Problem
from modelling.vocabulary import VOCABULARY
from results.studies.formats.known_differences import Difference, find_cause
from results.studies.formats.outsiders import READERS, Answer, Reader, find_reader
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

Values = tuple[int, ...]

MOST_DRAWN = 20
"""Problems drawn for one that is asked, at most: readers do not cover all."""


QUESTIONS = ("solutions", "optimum")


class Tally(msgspec.Struct):
    """The results of one reader."""

    reader: str
    version: str
    asked: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(QUESTIONS, 0))
    equal: dict[str, int] = msgspec.field(default_factory=lambda: dict.fromkeys(QUESTIONS, 0))
    refused: int = 0
    not_covered: int = 0
    solutions: int = 0
    differences: list[Difference] = msgspec.field(default_factory=list)


def list_problems(seed: int) -> Iterator[Problem]:
    """Drawn problems without end."""
    kinds = vocabulary(registry.get("brute_force"))
    for _, problem in drawn_problems(seed, kinds, VOCABULARY):
        yield problem


def without_objective(problem: Problem) -> Problem:
    return Problem(replace(problem.structure, objective=None), problem.masks)


# --- comparing -----------------------------------------------------------------------------------


def expand(problem: Problem, answer: Answer, gaps: bool) -> tuple[Counter[Values], str]:
    """The solutions that were shown, as the oracle tells them apart, and what is missing in one.

    A variable that is in no constraint may be left out, and then takes all of its values.
    """
    structure = problem.structure
    shown = range(structure.size) if structure.output is None else structure.output
    found: Counter[Values] = Counter()
    for sighting in answer.sightings:
        choices: list[Sequence[int]] = []
        for variable in shown:
            name = structure.names[variable]
            value = sighting.get(name, "*")
            if value == "*" and not gaps:
                return found, f"shows no value of {name}"
            choices.append([int(value)] if value != "*" else problem.domain(variable))
        found.update(product(*choices))
    return found, ""


def find_fault(problem: Problem, answer: Answer, question: str, gaps: bool) -> str:
    """In what an answer differs from the oracle's; empty if in nothing."""
    if answer.failure:
        return f"no answer: {answer.failure}"
    oracle = consult(problem)
    if question == "optimum":
        answer = replace(answer, sightings=answer.sightings[-1:])
    if gaps and question == "solutions" and not problem.structure.size:
        answer = replace(answer, sightings=answer.sightings[:1])  # of nothing there is one
    found, missing = expand(problem, answer, gaps)
    if missing:
        return missing
    expected = set(oracle.expected if question == "solutions" else oracle.reached)
    if question == "optimum":
        if bool(found) != bool(expected):
            return "finds one, where there is none" if found else "finds none, where there is one"
        return "" if set(found) <= expected else f"ends with {min(set(found) - expected)}"
    lost, invented = expected - set(found), set(found) - expected
    if lost or invented:
        return f"loses {len(lost)} of {len(expected)} and invents {len(invented)}"
    repeated = found.total() - len(found)
    if problem.structure.output is not None:  # a solution may be shown with each value of the rest
        return ""
    return f"repeats {repeated} of {len(expected)}" if repeated else ""


def examine(reader: Reader, problems: int, seed: int, optima: bool, processes: int) -> Tally:
    """Ask a reader about a number of problems that it covers."""
    tally = Tally(reader.name, reader.version)
    asks: list[tuple[int, str, Problem, str]] = []
    for number, problem in enumerate(islice(list_problems(seed), MOST_DRAWN * problems)):
        if sum(question == "solutions" for _, question, _, _ in asks) == problems:
            break
        questions = {"solutions": without_objective(problem)}
        if optima and problem.structure.objective is not None and problem.structure.output is None:
            questions["optimum"] = problem
        for question, posed in questions.items():
            try:
                written = "".join(find_format(reader.format).write(posed))
            except ModelError:
                tally.refused += question == "solutions"
                continue
            text = reader.adapt(written)
            if text is None:
                tally.not_covered += question == "solutions"
            else:
                asks.append((number, question, posed, text))
    with ThreadPoolExecutor(processes) as pool:
        answers = pool.map(lambda one: reader.ask(one[3], one[1]), asks)
        for (number, question, problem, text), answer in zip(asks, answers, strict=True):
            tally.asked[question] += 1
            tally.solutions += len(answer.sightings)
            fault = find_fault(problem, answer, question, reader.gaps)
            if not fault:
                tally.equal[question] += 1
                continue
            found = Difference(number, question, fault, text, described(problem))
            tally.differences.append(found)
            if not find_cause(reader.name, reader.version, found):
                text_of_fault = f"problem {number}, {question}: {fault}\n{found.problem}\n{text}"
                print(f"{reader.name}, {text_of_fault}\n", flush=True)
    return tally


def list_unknown(tally: Tally) -> Iterator[Difference]:
    """The differences that nothing explains."""
    for one in tally.differences:
        if not find_cause(tally.reader, tally.version, one):
            yield one


# --- the table -----------------------------------------------------------------------------------


def report(tallies: Sequence[Tally], absent: Sequence[tuple[str, str]], command: str) -> str:
    """The tables as Markdown."""
    table = (
        f"{one.reader} | {one.version} | {one.asked['solutions']} | {one.equal['solutions']} | "
        f"{one.asked['optimum']} | {one.equal['optimum']} | {one.solutions:,} | {one.refused} | "
        f"{one.not_covered} | {len(one.differences)}"
        for one in tallies
    )
    causes = []
    for one in tallies:
        found = Counter(find_cause(one.reader, one.version, each) for each in one.differences)
        causes += [f"{one.reader} | {n} | {c or '**not known**'}" for c, n in found.most_common()]
    figures = "problems: | equal: | optima: | equal: | solutions: | not written: | not covered:"
    return join_page(
        "# Files of ours, read and solved by programs of others",
        f"Made by `{command}`.",
        "Of drawn problems over the whole vocabulary all solutions are asked, and of those with an "
        "objective the optimum; what is found is compared with the oracle as a set. A row is made "
        "again by `--reader NAME --problems N`, with `--optima` where optima were asked.",
        [
            *list_table(f"reader | release | {figures} | differences:", table),
            *(f"| {name} | - | not asked: {reason} ||||||||" for name, reason in absent),
        ],
        "Differences by cause:",
        list_table("reader | differences: | cause", causes or ["- | 0 |"]),
    )


def measure(chosen: Options, known: Known) -> Iterator[Tally]:
    """A tally for each reader that is there."""
    for name, reader in find_readers(chosen).items():
        if isinstance(reader, str):
            print(f"{name}: not asked, {reader}", file=sys.stderr)
        elif name not in known:
            yield examine(reader, chosen.problems, chosen.seed, chosen.optima, chosen.processes)


def find_readers(chosen: Options) -> dict[str, Reader | str]:
    """The readers that are chosen, or why one is not there."""
    places = {name: name.removesuffix("-flat").replace("-", "_") for name in READERS}
    return {
        name: find_reader(name, getattr(chosen, places[name])) for name in chosen.reader or READERS
    }


def describe(tally: Tally) -> str:
    """Return the number of equal answers."""
    equal, asked = sum(tally.equal.values()), sum(tally.asked.values())
    return f"{tally.reader} {tally.version}: {equal} of {asked} are equal"


def write_table(tallies: Sequence[Tally], chosen: Options) -> str:
    """The table, with the readers that are absent."""
    done = {tally.reader for tally in tallies}
    absent = [(n, r) for n, r in find_readers(chosen).items() if isinstance(r, str)]
    return report(tallies, [one for one in absent if one[0] not in done], COMMAND)


def order(tallies: Iterable[Tally]) -> list[Tally]:
    """The tallies in the order of readers."""
    names = list(READERS)
    return sorted(tallies, key=lambda tally: names.index(tally.reader))


COMMAND = "python -m results.studies.formats.outside_readers --out results/reference/formats"
PLACES = [
    option(f"--{name}", None, f"where {needed} is", metavar="PATH")
    for name, (needed, _) in READERS.items()
    if name != "minizinc-flat"
]
STUDY = Study(
    "formats.outside_readers",
    __doc__,
    Tally,
    key=lambda tally: tally.reader,
    measure=measure,
    report=write_table,
    order=order,
    describe=describe,
    faults=lambda tallies: [str(one) for tally in tallies for one in list_unknown(tally)],
    data="outside_readers.jsonl",
    place="formats",
    keeps=True,
    options=(
        option("--problems", 500, "problems for each reader"),
        option("--seed", 0, "seed of the problems"),
        option("--optima", False, "ask for optima, too"),
        option("--processes", 2, "programs at a time"),
        option("--reader", [], "only these", choices=tuple(READERS)),
        *PLACES,
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
