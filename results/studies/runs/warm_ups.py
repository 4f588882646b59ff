"""Does a solver do the same work on an instance with a warm-up before it and without?

    python -m results.studies.runs.warm_ups --out results/reference/warm_ups

Each backend answers instances of all families twice, each time in a process of its own, as a worker
does: its library has been loaded and it has solved nothing, or it has warmed up and was made
anew. Status, value, number of solutions, and the statistics that do not depend on the clock should
be the same. Where they are not, both are asked once more: a solver that differs from itself is no
exception of the warm-up. For an instance that a backend refuses, or does not answer in time, it is
asked about another one of the set, as long as there are any.
"""

from __future__ import annotations

import multiprocessing
import os
import random
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from backends.interface import registry
from backends.interface.api import Limits, Optimum, Refused, Solutions
from harness.job import Question
from harness.plan.candidates import INSTALLED, list_group
from harness.supervise.protocol import WarmUp
from harness.supervise.warming import make_anew, warm_up
from modelling.wording import plural
from puzzles.family import Instance, family, has_objective
from puzzles.sets.reading import draw_sample, read_set
from results.studies.markdown import join_page, list_table
from results.studies.runner import Known, Options, Study, option

SET, SUDOKU = "families", "sudoku-minimal"
"""What is asked, and what those are asked that solve Sudokus and little else."""

SEED = 25
SECONDS = 2.0
"""Limit of a search; what takes longer depends on the clock."""

STARTING = {"xcsp3:ace": 20.0}
"""The limit of what starts a virtual machine for each call: on a busy machine that alone takes two
seconds."""

WAIT = 60.0
"""Seconds until a process is ended."""

KEPT = ("sat:reuse=solver",)
"""Backends beside those that are installed: one that keeps its solver."""

Answer = dict[str, Any] | None
"""What is compared of a call; None where a limit or an error ended it."""


class Row(msgspec.Struct, frozen=True):
    """A backend: of ``asked`` instances it ``refused`` some, gave no answer within the limit on
    others, and the rest were compared: ``equal`` had the same statistics. ``unsteady`` are
    instances on which it differs from itself without a warm-up, ``differing`` the others, each with
    the figures."""

    backend: str
    asked: int
    refused: int
    unanswered: int
    equal: int
    unsteady: dict[str, str]
    differing: dict[str, str]


def choose_instances(number: int, source: str = SET) -> list[Instance]:
    """A sample of a set, the same for all, and then the rest of the set, to replace some."""
    read = [one for one in read_set(source) if isinstance(one, Instance)]
    drawn = [one for one in draw_sample(read, number, random.Random(SEED))
             if isinstance(one, Instance)]  # fmt: skip
    names = {one.name for one in drawn}
    return [*drawn, *(one for one in read if one.name not in names)]


# --- one call, in a process of its own -----------------------------------------------------


def send_answer(name: str, one: Instance, is_warm: bool, to: Connection) -> None:
    """Ask a backend that has solved nothing, or has warmed up; send what is compared."""
    question = Question(optimum=has_objective(one))
    limits = Limits(seconds=STARTING.get(name, SECONDS), seed=1)
    if is_warm:
        warm_up(make_anew(name), WarmUp(1, question, limits))
    backend = make_anew(name)
    problem = family(one.family).problem(one.text)
    if isinstance(backend.accepts(problem), Refused):
        to.send("refused")
    else:
        ask = Optimum() if question.optimum else Solutions(1)
        found = backend.solve(problem, ask, limits)
        whole = {k: v for k, v in found.statistics.items() if isinstance(v, int)}
        figures = {"status": found.status, "count": found.count, "value": found.objective}
        to.send(None if found.stopped_by == "time" else figures | whole)
    to.close()
    os._exit(0)  # what a library does at its end is of no interest


def ask(name: str, one: Instance, is_warm: bool, how: str) -> Answer | str:
    """The answer of a new process, begun ``how``; None of one that ended without."""
    context: Any = multiprocessing.get_context(how)
    receive, send = context.Pipe(duplex=False)
    process = context.Process(target=send_answer, args=(name, one, is_warm, send))
    process.start()
    send.close()
    try:
        return receive.recv() if receive.poll(WAIT) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()
        receive.close()


def measure_backend(name: str, instances: Sequence[Instance], number: int, to: Connection) -> None:
    """Ask a backend about instances until ``number`` are compared; sends the row."""
    make_anew(name)  # its library is loaded, as in a worker
    how = "fork" if len(os.listdir("/proc/self/task")) == 1 else "spawn"
    asked = refused = unanswered = equal = 0
    unsteady: dict[str, str] = {}
    differing: dict[str, str] = {}
    for one in instances:
        if asked - refused - unanswered == number:
            break
        asked += 1
        cold, warm = (ask(name, one, is_warm, how) for is_warm in (False, True))
        if cold == "refused":
            refused += 1
        elif cold is None or warm is None:
            unanswered += 1
        elif cold == warm:
            equal += 1
        else:
            again = ask(name, one, False, how)
            found, other = (differing, warm) if again == cold else (unsteady, again)
            found[f"{one.family} {one.name}"] = tell_difference(cold, other)
    to.send(Row(name, asked, refused, unanswered, equal, unsteady, differing))


def tell_difference(one: Any, other: Any) -> str:
    """The figures that differ; what has none is shown whole."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        return f"{one} and {other}"
    names = [name for name in {**one, **other} if one.get(name) != other.get(name)]
    return ", ".join(f"{name} {one.get(name)} and {other.get(name)}" for name in names)


# --- the study -----------------------------------------------------------------------------


def measure(chosen: Options, known: Known) -> Iterator[Row]:
    """One backend after the other, each in a process that no other solver was loaded into."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a process with threads is not forked
    spawn = multiprocessing.get_context("spawn")
    for name in [*list_group(INSTALLED), *KEPT]:
        if name in known or (chosen.backend and name not in chosen.backend):
            continue
        source = SUDOKU if registry.find_kind(name) == "sudoku" else SET
        instances = choose_instances(chosen.instances, source)
        receive, send = spawn.Pipe(duplex=False)
        process = spawn.Process(
            target=measure_backend, args=(name, instances, chosen.instances, send)
        )
        process.start()
        send.close()
        try:
            yield receive.recv()
        except EOFError:  # it cannot be loaded; its traceback is on the screen
            continue
        finally:
            process.join()


def find_faults(rows: Sequence[Row]) -> list[str]:
    """Who does other work after a warm-up."""
    return [f"{row.backend}: {', '.join(row.differing)}" for row in rows if row.differing]


def report(rows: Sequence[Row], chosen: Options) -> str:
    """One line a backend, then the instances that differ."""
    exceptions = [
        f"- {row.backend}, {name}: {text}{kind}"
        for row in rows
        for found, kind in ((row.differing, ""), (row.unsteady, ", without a warm-up both times"))
        for name, text in found.items()
    ]
    return join_page(
        "# The work of a solver with and without a warm-up",
        f"By `{chosen.command}`: {plural(chosen.instances, 'instance')} of the set `{SET}`, for "
        f"`compiled` and `ladder` of `{SUDOKU}`, limit {SECONDS:g} s"
        + "".join(f", of `{name}` {limit:g} s" for name, limit in STARTING.items())
        + ". What is refused or not answered in time has another one of the set in its place. "
        "*Equal* has the same status, "
        "value, number of solutions and integer statistics in a process that has warmed up as in "
        "one that has solved nothing; *unsteady* differs from itself without a warm-up.",
        list_table(
            "backend | asked: | refused: | no answer in time: | equal: | unsteady: | differing:",
            [
                f"{row.backend} | {row.asked} | {row.refused} | {row.unanswered} | {row.equal} | "
                f"{len(row.unsteady)} | {len(row.differing)}"
                for row in rows
            ],
        ),
        exceptions,
    )


STUDY = Study(
    name="runs.warm_ups",
    about=__doc__ or "",
    row=Row,
    key=lambda row: row.backend,
    measure=measure,
    report=report,
    faults=find_faults,
    options=(
        option("--instances", 50, "number of instances"),
        option("--backend", [], "backend to ask; several"),
    ),
)

main = STUDY.main

if __name__ == "__main__":
    raise SystemExit(main())
