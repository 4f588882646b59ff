"""The compiled Sudoku kernel from text to text, beside other solvers that are given as commands.

A set is a file of Sudoku puzzles, or the name of one. ``--rival NAME=COMMAND`` may be given several
times. Such a program reads lines of 81 characters, 1 to 9 or a dot, from standard input, to its
end. For each it writes a line that begins with 0, 1 or 2: no solution, one, or at least two. What
follows on the line is free. The kernel writes the first solution there.

All read a file and write a file. Figures are CPU seconds of user and system, with text. The time
of a command for one puzzle alone is taken off: it is the time to start. The kernel is loaded
before. A set is thinned evenly, or repeated, to ``--puzzles`` lines. Each round times each solver
once, in turn. A figure is a median over the rounds, a ratio that of two medians.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time
from typing import TypeAlias

import msgspec

from backends.interface import registry
from backends.interface.api import BatchBackend
from modelling.errors import InputError
from modelling.problem import Structure
from puzzles import sets
from puzzles.family import Instance, family
from results.studies.markdown import join_page, list_table
from results.studies.runner import Fault, Known, Options, Study, option

OURS = "concord"
SHIPPED = ("sudoku-easy", "sudoku-minimal", "sudoku-hard", "sudoku-several", "sudoku-no-solution")
CELLS = 81
LINE = CELLS + 1
PORTION = 1024
"""Puzzles that are read, solved and written together: they stay in the processor's caches."""
LIMIT = 2

Timed: TypeAlias = Callable[[Path, Path], float]
"""Answer the puzzles of one file in another; return the CPU seconds."""


class Row(msgspec.Struct, frozen=True):
    """A set: its puzzles, how many were timed, and the CPU seconds of each round of each solver."""

    set: str
    puzzles: int
    timed: int
    seconds: dict[str, list[float]]

    def find_time(self, solver: str) -> float:
        """The median time of a puzzle, in microseconds."""
        return median(self.seconds[solver]) / self.timed * 1e6

    def find_best_rival(self) -> str | None:
        """The fastest of the others."""
        return min(
            (name for name in self.seconds if name != OURS), key=self.find_time, default=None
        )

    def find_ratio(self) -> float:
        """The time of the best rival over that of the kernel."""
        best = self.find_best_rival()
        return self.find_time(best) / self.find_time(OURS) if best else float("nan")


# --- the solvers ---------------------------------------------------------------------------------


def find_kernel() -> Timed:
    """The kernel, loaded; it works in this process. Raises ``BackendUnavailable``."""
    backend = registry.get("compiled")
    assert isinstance(backend, BatchBackend)
    structure = family("sudoku").problem("." * CELLS).structure

    def time_kernel(source: Path, target: Path) -> float:
        begun = process_time()
        with source.open("rb", buffering=0) as reading, target.open("wb", buffering=0) as writing:
            while text := reading.read(PORTION * LINE):
                writing.write(find_answers(text, backend, structure))
        return process_time() - begun

    find_answers(b"." * CELLS + b"\n", backend, structure)
    return time_kernel


def find_answers(text: bytes, backend: BatchBackend, structure: Structure) -> bytes:
    """The answers to lines of 81 characters: the count, and the first solution."""
    import numpy as np

    grids = np.frombuffer(text, np.uint8).reshape(-1, LINE)[:, :CELLS] - np.uint8(ord("0"))
    grids *= grids < 10  # a dot becomes 0; a mask of places would take longer than the search
    counts, found = backend.solve_batch(structure, grids, LIMIT, 1)
    lines = np.empty((len(grids), LINE + 2), np.uint8)
    lines[:, 0] = counts + ord("0")
    lines[:, 1] = ord(" ")
    np.add(found[:, 0], np.uint8(ord("0")), out=lines[:, 2:-1])
    lines[:, -1] = ord("\n")
    return lines.tobytes()


def find_rivals(texts: Sequence[str]) -> dict[str, Timed]:
    """The commands by name; raises ``InputError`` for what is no ``NAME=COMMAND``."""
    rivals: dict[str, Timed] = {}
    for text in texts:
        name, equals, command = text.partition("=")
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise InputError(f"--rival {text}: {error}") from None
        if not (name and equals and words):
            raise InputError(f"--rival {text}: give it as NAME=COMMAND")
        if name in rivals or name == OURS:
            raise InputError(f"--rival {text}: the name {name} is taken, use another")
        rivals[name] = command_timer(name, words)
    return rivals


def command_timer(name: str, words: Sequence[str]) -> Timed:
    """How to time a command."""

    def time_command(source: Path, target: Path) -> float:
        with source.open("rb") as reading, target.open("wb") as writing:
            try:
                child = subprocess.Popen(
                    words, stdin=reading, stdout=writing, stderr=subprocess.DEVNULL
                )
            except OSError as error:
                raise InputError(f"--rival {name}: {words[0]}: {error.strerror}") from None
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode:
            raise InputError(f"--rival {name}: the exit status is {child.returncode}, not 0")
        return used.ru_utime + used.ru_stime

    return time_command


# --- the sets ------------------------------------------------------------------------------------


def read_set(name: str) -> list[str]:
    """The puzzles of a set, 81 characters each; raises ``InputError`` where it has none."""
    texts = []
    for entry in sets.instances(name, "sudoku"):
        if not isinstance(entry, Instance):
            raise entry
        if len(entry.text) == CELLS:
            texts.append(entry.text)
    if not texts:
        raise InputError(f"{name}: no Sudoku has {CELLS} cells; name a set that has some")
    return texts


def spread(texts: Sequence[str], number: int) -> list[str]:
    """So many of the texts: thinned evenly, or repeated."""
    if len(texts) < number:
        return [texts[k % len(texts)] for k in range(number)]
    return [texts[k * len(texts) // number] for k in range(number)]


# --- measuring -----------------------------------------------------------------------------------


def time_set(name: str, solvers: dict[str, Timed], number: int, rounds: int) -> Row | Fault:
    """Time each solver on a set in turn; a fault where two disagree."""
    texts = read_set(name)
    chosen = spread(texts, number)
    seconds: dict[str, list[float]] = {solver: [] for solver in solvers}
    counts: dict[str, list[str]] = {}
    with TemporaryDirectory() as folder:
        whole, one, target = (Path(folder) / name for name in ("whole", "one", "answers"))
        whole.write_text("".join(f"{text}\n" for text in chosen), "ascii")
        one.write_text(f"{chosen[0]}\n", "ascii")
        for _ in range(rounds):
            for solver, timed in solvers.items():
                start = 0.0 if solver == OURS else timed(one, target)
                seconds[solver].append(timed(whole, target) - start)
                counts[solver] = [line[:1] for line in target.read_text("latin-1").splitlines()]
    for solver, found in counts.items():
        fault = find_difference(chosen, counts[OURS], found)
        if fault:
            return Fault(f"{name}: {OURS} and {solver} differ: {fault}")
    return Row(_name_set(name), len(texts), number, seconds)


def _name_set(name: str) -> str:
    return Path(name).name.partition(".")[0]


def find_difference(texts: Sequence[str], ours: Sequence[str], theirs: Sequence[str]) -> str:
    """The first puzzle that two count differently; nothing where they agree."""
    if len(ours) != len(theirs):
        return f"{len(ours)} and {len(theirs)} answers"
    for text, own, other in zip(texts, ours, theirs, strict=True):
        if own != other:
            return f"{own} and {other!r} for {text}"
    return ""


def measure(chosen: Options, known: Known) -> Iterator[Row | Fault]:
    """A row for each set."""
    for name in ("puzzles", "rounds"):
        if getattr(chosen, name) < 1:
            raise InputError(f"--{name} {getattr(chosen, name)}: give at least 1")
    for text in chosen.about:
        if "=" not in text:
            raise InputError(f"--about {text}: give it as NAME=TEXT")
    solvers = find_rivals(chosen.rival)
    solvers = {OURS: find_kernel()} | solvers
    for name in chosen.set or SHIPPED:
        if _name_set(name) not in known:
            yield time_set(name, solvers, chosen.puzzles, chosen.rounds)


# --- the table -----------------------------------------------------------------------------------


def report(rows: Sequence[Row], chosen: Options) -> str:
    """The time of a puzzle by set and solver, and how far the kernel is ahead."""
    names = list(dict.fromkeys(name for row in rows for name in row.seconds))
    rivals = [name for name in names if name != OURS]
    heads = " | ".join(f"{name}:" for name in names)
    lines = []
    for row in rows:
        times = [f"{row.find_time(name):.3f}" if name in row.seconds else "-" for name in names]
        best = row.find_best_rival()
        ahead = [best, f"{row.find_ratio():.2f}"] if best else ["-", "-"]
        lines.append(" | ".join([row.set, f"{row.puzzles:,}", f"{row.timed:,}", *times, *ahead]))
    rounds = min((len(one) for row in rows for one in row.seconds.values()), default=0)
    return join_page(
        "# The compiled Sudoku kernel, text included",
        f"Made by `python -m results.studies.speed.kernel` with {len(rivals)} rivals, in {rounds}"
        " rounds or more. CPU microseconds a puzzle, from a file of puzzles to a file of answers,"
        f" in one thread, up to {LIMIT} solutions; medians. `timed` is how many puzzles each solver"
        " read in a round. All counts agree. `ratio` is the time of the best rival over that of the"
        " kernel.",
        list_table(f"set | puzzles: | timed: | {heads} | best rival | ratio:", lines)
        if lines
        else "",
        [f"- {text.replace('=', ': ', 1)}" for text in chosen.about],
    )


STUDY = Study(
    "speed.kernel",
    __doc__,
    Row,
    key=lambda row: row.set,
    measure=measure,
    report=report,
    describe=lambda row: f"{row.set}: ratio {row.find_ratio():.2f}",
    options=(
        option("--set", [], "this file, or set of this name, alone", metavar="SET"),
        option("--rival", [], "a program beside the kernel", metavar="NAME=COMMAND"),
        option("--about", [], "what the table says about a rival", metavar="NAME=TEXT"),
        option("--puzzles", 20_000, "lines that each solver reads in a round"),
        option("--rounds", 9, "times that each solver reads a set"),
    ),
)
main = STUDY.main


if __name__ == "__main__":
    sys.exit(main())
