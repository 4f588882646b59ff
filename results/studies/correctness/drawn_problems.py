"""Do all backends say what the oracle says of very many drawn problems?

    python -m results.studies.correctness.drawn_problems [--blocks 50] [--first 0] [--processes 2]
                                                         [--backend BACKEND]... [--out FOLDER]

The problems are those of the conformance suite: small ones over the whole vocabulary, nested and
reified, every second one about a class of it. Here each is asked two questions only, so that there
can be many: all solutions (their number, the set, the end) and, where it has an objective, the
optimum. A *block* is 1,000 problems of one seed; ``blocks.jsonl`` in ``--out`` gets a line when one
has ended, and a block that is in it is not tried again, so an interrupted study continues. A fault
is printed with the whole problem and kept in the line. ``drawn_problems.md`` is the table; exit
status 1 if there is a fault.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import islice
from time import monotonic, process_time

import msgspec

from backends.conformance.drawn_problems import drawn_problems
from backends.conformance.oracle import consult
from backends.conformance.suite import described, enumeration_faults, optimum_faults
from backends.conformance.suite import vocabulary as known_kinds
from backends.interface import registry
from backends.interface.api import Backend, Refused
from modelling.problem import Problem
from modelling.rewriting import keep_rewrites
from modelling.vocabulary import VOCABULARY
from modelling.wording import plural
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

BACKENDS = ("propagation", "cpsat", "sat", "python_constraint")
"""Complete, of the whole vocabulary, and not the oracle."""

PROBLEMS = 1000


class Answers(msgspec.Struct):
    """The answers of one backend to a block, counted."""

    version: str = ""
    accepted: int = 0
    refused: int = 0
    optima: int = 0
    solutions: int = 0
    seconds: float = 0.0
    faults: list[str] = []


class Block(msgspec.Struct):
    """A block that has ended."""

    seed: int
    problems: int
    by_backend: dict[str, Answers]


def examine_block(seed: int, names: Sequence[str]) -> Block:
    """Ask every backend about the problems of one block."""
    keep_rewrites(16)
    backends = {name: registry.get(name) for name in names}
    done = Block(seed, 0, {name: Answers() for name in names})
    for name, backend in backends.items():
        done.by_backend[name].version = str(getattr(backend, "version", ""))
    kinds = known_kinds(registry.get("brute_force"))
    for kind, problem in islice(drawn_problems(seed, kinds, VOCABULARY), PROBLEMS):
        done.problems += 1
        for name, backend in backends.items():
            _examine(backend, kind, problem, done.by_backend[name])
    return done


def _examine(backend: Backend, kind: str, problem: Problem, answers: Answers) -> None:
    oracle = consult(problem)
    before = process_time()
    try:
        if isinstance(backend.accepts(problem), Refused):
            answers.refused += 1
            return
        faults = enumeration_faults(backend, oracle)
        if problem.structure.objective is not None:
            faults += optimum_faults(backend, oracle)
            answers.optima += 1
    except Exception as error:  # whatever a backend raises is a fault of its own
        faults = [f"raised {type(error).__name__}: {error}"]
    answers.seconds += process_time() - before
    answers.accepted += 1
    answers.solutions += len(oracle.expected)
    answers.faults += [f"{kind}: {fault}\n{described(problem)}" for fault in faults]


def report(blocks: Sequence[Block], chosen: Options) -> str:
    """The table."""
    problems = sum(block.problems for block in blocks)
    table = []
    for name in dict.fromkeys(name for block in blocks for name in block.by_backend):
        every = [block.by_backend[name] for block in blocks if name in block.by_backend]
        figures = [
            sum(getattr(one, field) for one in every)
            for field in ("accepted", "refused", "optima", "solutions", "seconds")
        ]
        faults = sum(len(one.faults) for one in every)
        cells = " | ".join(f"{figure:,.0f}" for figure in figures)
        versions = ", ".join(dict.fromkeys(one.version for one in every))
        table.append(f"{name} | {versions} | {cells} | {faults}")
    heads = "accepted: | refused: | optima: | solutions: | CPU seconds: | faults:"
    return join_page(
        "# Drawn problems over the whole vocabulary",
        f"Made by `{chosen.command}`.",
        f"{problems:,} problems in {plural(len(blocks), 'block')}; of each all solutions are asked "
        "for and, where it has an objective, the optimum; both are compared with the oracle's.",
        list_table(f"backend | version | {heads}", table),
    )


def measure(chosen: Options, known: Known) -> Iterator[Block]:
    """The blocks that are not known, several at a time."""
    seeds = range(chosen.first, chosen.first + chosen.blocks)
    missing = [seed for seed in seeds if seed not in known]
    started = monotonic()
    with ProcessPoolExecutor(chosen.processes) as pool:
        running = [pool.submit(examine_block, seed, chosen.backend or BACKENDS) for seed in missing]
        for number, future in enumerate(as_completed(running), 1):
            block = future.result()
            print(*list_faults([block]), sep="\n\n", flush=True)
            yield block
            left = (monotonic() - started) / number * (len(missing) - number)
            print(
                f"[{number}/{len(missing)}] {left / 60:.0f} min left", file=sys.stderr, flush=True
            )


def list_faults(blocks: Iterable[Block]) -> list[str]:
    """All faults with the backend's name."""
    by_backend = (pair for block in blocks for pair in block.by_backend.items())
    return [f"{name}: {fault}" for name, answers in by_backend for fault in answers.faults]


STUDY = Study(
    "correctness.drawn_problems",
    __doc__,
    Block,
    key=lambda block: block.seed,
    measure=measure,
    report=report,
    order=lambda blocks: sorted(blocks, key=lambda block: block.seed),
    describe=lambda block: f"block {block.seed}: {plural(len(list_faults([block])), 'fault')}",
    faults=lambda blocks: [fault.partition("\n")[0] for fault in list_faults(blocks)],
    data="blocks.jsonl",
    resumes=True,
    options=(
        option("--blocks", 50, "blocks of 1,000 problems"),
        option("--first", 0, "seed of the first block", metavar="SEED"),
        option("--processes", 2, "blocks at a time"),
        option("--backend", [], "these backends instead"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
