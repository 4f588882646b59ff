"""Kissat, a program of its own: started anew on a file for each model.

The program is that of the package passagemath-kissat, else one on the PATH. ``--conflicts``,
``--decisions`` and ``--seed`` are its own options; time is kept from outside
(``backends.interface.programs.process``), and each limit holds for each model anew. With proofs it
gets ``--no-binary``.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import distribution
from itertools import chain
from pathlib import Path
from typing import Literal

from backends.interface.api import Deadline, StoppedBy
from backends.interface.optimise import merge_statistics
from backends.interface.programs.answers.dimacs import Dimacs
from backends.interface.programs.answers.reader import Garbled
from backends.interface.programs.process import Process
from backends.interface.programs.starting import make_folder
from backends.interface.proofs import MOST_BYTES
from backends.sat.cnf import Clause
from backends.sat.task import STATISTICS, Models, Task
from modelling.errors import BackendUnavailable

_STATISTIC = re.compile(r"c (conflicts|decisions|propagations|restarts): +([0-9]+)")

CLAUSES_AT_ONCE = 10_000


class Kissat:
    """A process for each model; models are blocked in the next one's file."""

    def __init__(self, proofs: bool = False, arguments: Sequence[str] = ()) -> None:
        self.arguments = arguments
        self.program = find_program()
        self.form = "text" if proofs else ""
        self.version = _version(self.program)

    def models(self, task: Task) -> Models:
        """See ``task``."""
        sent: list[Clause] = []
        while not task.deadline.passed:
            with make_folder() as folder:
                answer, model = self._ask(task, sent, Path(folder))
            if answer is not True:
                return answer
            with task.phases("decode"):
                found = task.encoding.chosen(model)
            clauses = yield found
            sent.extend(clauses or (task.excluding(found),))
        return "time"

    def _ask(
        self, task: Task, sent: Sequence[Clause], folder: Path
    ) -> tuple[Literal[True] | StoppedBy, list[int]]:
        """One run: True, and a model, or why there is none."""
        problem, proof = folder / "problem.cnf", folder / "proof"
        with task.phases("load"):
            write_dimacs(problem, task.encoding.top, task, sent)
        words = [self.program, "--relaxed", "--statistics", *_options(task)]
        words += [*self.arguments, str(problem)]
        if self.form:
            words[1:1] = ["--no-binary"]
            words.append(str(proof))
        reader, shown = Dimacs(), None
        with task.phases("solve"), Process(words, str(folder), task.deadline) as process:
            for line in process.lines():
                counted = _STATISTIC.match(line)
                if counted is not None:
                    number = {STATISTICS[counted[1]]: int(counted[2])}
                    task.statistics.update(merge_statistics(task.statistics, number))
                try:
                    shown = reader.line(line) or shown
                except Garbled as error:
                    process.fail(str(error))
            if reader.claim in ("", "UNKNOWN"):
                if task.deadline.passed or process.asked_to_end:
                    return "time", []
                process.wait()
                if process.status not in (0, None):
                    process.fail("it says neither that there is a model nor that there is none")
                return "gave_up", []
            process.wait()
        if reader.claim == "UNSATISFIABLE":
            if self.form:
                _take_proof(task, proof)
            return "exhausted", []
        if shown is None:
            process.fail("it says that there is a model, and shows none")
        return True, [v if v in shown else -v for v in range(1, task.encoding.top + 1)]


def _take_proof(task: Task, proof: Path) -> None:
    size = proof.stat().st_size if proof.exists() else 0
    if size > MOST_BYTES:
        task.missing = f"its proof is longer than {MOST_BYTES:,} bytes"
    else:
        task.proof = proof.read_bytes() if size else b""


def _options(task: Task) -> Iterator[str]:
    limits = task.limits
    if limits.conflicts is not None:
        yield f"--conflicts={limits.conflicts}"
    if limits.nodes is not None:
        yield f"--decisions={limits.nodes}"
    if limits.seed is not None:
        yield f"--seed={limits.seed % (1 << 31)}"


def write_dimacs(file: Path, top: int, task: Task, sent: Iterable[Clause]) -> None:
    """All clauses as a file; the header is written last, where room was left for it."""
    number, room = 0, 60
    with file.open("w+", encoding="ascii") as out:
        out.write(" " * room + "\n")
        lines: list[str] = []
        for clause in chain(task.units, task.encoding.every_clause(), sent):
            lines.append(" ".join(map(str, (*clause, 0))))
            number += 1
            if len(lines) >= CLAUSES_AT_ONCE:
                out.write("\n".join(lines) + "\n")
                lines.clear()
        out.write("\n".join(lines) + "\n" if lines else "")
        out.seek(0)
        out.write(f"p cnf {top} {number}".ljust(room))


def find_program() -> str:
    """Where Kissat is; raises ``BackendUnavailable`` that says what to install."""
    try:
        package = distribution("passagemath-kissat")
    except ModuleNotFoundError:
        package = None
    for file in () if package is None else package.files or ():
        if file.name in ("kissat", "kissat.exe") and file.parent.name == "bin":
            path = str(file.locate())
            if os.access(path, os.X_OK):
                return path
    found = shutil.which("kissat")
    if found is None:
        raise BackendUnavailable(
            "sat:engine=kissat needs the program kissat, which is neither in the package "
            "passagemath-kissat nor on the PATH: pip install 'solver-concord[kissat]' (GPL)"
        )
    return found


def _version(program: str) -> str:
    with make_folder() as folder, Process([program, "--version"], folder, Deadline(10)) as process:
        return next(process.lines(), "").strip()
