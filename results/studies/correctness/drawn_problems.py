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

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import islice
from pathlib import Path
from time import monotonic, process_time

import msgspec

from backends.conformance.drawn_problems import drawn_problems
from backends.conformance.suite import consult, described, enumeration_faults, optimum_faults
from backends.conformance.suite import vocabulary as known_kinds
from backends.interface import registry
from backends.interface.api import Backend, Refused
from modelling.problem import Problem
from modelling.rewriting import keep_rewrites
from modelling.vocabulary import VOCABULARY
from modelling.wording import plural

BACKENDS = ("propagation", "cpsat", "sat", "python_constraint")
"""Complete, of the whole vocabulary, and not the oracle."""

PROBLEMS = 1000


class Answers(msgspec.Struct):
    """What one backend did in a block."""

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


def report(blocks: Sequence[Block], command: str) -> str:
    """The table."""
    problems = sum(block.problems for block in blocks)
    lines = [
        "# Drawn problems over the whole vocabulary",
        "",
        f"Made by `{command}`.",
        "",
        f"{problems:,} problems in {plural(len(blocks), 'block')}; of each all solutions are asked "
        "for and, where it has an objective, the optimum; both are compared with the oracle's.",
        "",
        "| backend | version | accepted | refused | optima | solutions | CPU seconds | faults |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for name in dict.fromkeys(name for block in blocks for name in block.by_backend):
        every = [block.by_backend[name] for block in blocks if name in block.by_backend]
        figures = [
            sum(getattr(one, field) for one in every)
            for field in ("accepted", "refused", "optima", "solutions", "seconds")
        ]
        faults = sum(len(one.faults) for one in every)
        cells = " | ".join(f"{figure:,.0f}" for figure in figures)
        versions = ", ".join(dict.fromkeys(one.version for one in every))
        lines.append(f"| {name} | {versions} | {cells} | {faults} |")
    return "\n".join(lines) + "\n"


def read_blocks(path: Path | None) -> list[Block]:
    """The blocks that have ended; a last line that was cut off is not one."""
    if path is None or not path.is_file():
        return []
    lines = path.read_bytes().splitlines(keepends=True)
    return [msgspec.json.decode(line, type=Block) for line in lines if line.endswith(b"\n")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Ask, tell how it goes, and write to ``--out``."""
    parser = argparse.ArgumentParser(description="all backends on very many drawn problems")
    parser.add_argument("--blocks", type=int, default=50, help="blocks of 1,000 problems")
    parser.add_argument("--first", type=int, default=0, help="seed of the first block")
    parser.add_argument("--processes", type=int, default=2, help="blocks at a time")
    parser.add_argument("--backend", action="append", help="these backends instead")
    parser.add_argument("--out", type=Path, help="folder of blocks.jsonl and drawn_problems.md")
    chosen = parser.parse_args(arguments)
    path = chosen.out / "blocks.jsonl" if chosen.out is not None else None
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
    blocks = read_blocks(path)
    if path is not None and path.is_file():
        path.write_bytes(b"".join(msgspec.json.encode(block) + b"\n" for block in blocks))
    names = chosen.backend or BACKENDS
    known = {block.seed for block in blocks}
    missing = [s for s in range(chosen.first, chosen.first + chosen.blocks) if s not in known]
    started = monotonic()
    with ProcessPoolExecutor(chosen.processes) as pool:
        running = [pool.submit(examine_block, seed, names) for seed in missing]
        for number, future in enumerate(as_completed(running), 1):
            block = future.result()
            blocks.append(block)
            if path is not None:
                with path.open("ab") as file:
                    file.write(msgspec.json.encode(block) + b"\n")
            faults = [(n, f) for n, one in block.by_backend.items() for f in one.faults]
            for name, fault in faults:
                print(f"{name}: {fault}\n")
            left = (monotonic() - started) / number * (len(missing) - number)
            print(
                f"[{number}/{len(missing)}] block {block.seed}: {plural(len(faults), 'fault')}, "
                f"{left / 60:.0f} min left",
                flush=True,
            )
    study = "results.studies.correctness.drawn_problems"
    command = f"python -m {study} --out results/reference/drawn_problems"
    table = report(sorted(blocks, key=lambda block: block.seed), command)
    if chosen.out is not None:
        (chosen.out / "drawn_problems.md").write_text(table, encoding="utf-8")
    print(table)
    return int(any(one.faults for block in blocks for one in block.by_backend.values()))


if __name__ == "__main__":
    sys.exit(main())
