"""Who else reads a format, and what they say of a file: whether it has a solution, and the best.

Each reads the file by its own parser: python-sat CNF and WCNF, SCIP five formats, Gecode FlatZinc,
cosoco XCSP3. None of these shares code with the readers here.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from backends.interface.api import Limits, Optimum, Refused, Result, Solutions
from backends.interface.programs.program import Order
from backends.interface.registry import get
from backends.xcsp3.programs import find_program
from harness.hunting.findings import Fault
from modelling.errors import ConcordError
from modelling.problem import Assignment, Problem

SECONDS = 5.0
MOST_VALUES = 2_000
LONG_NUMBER = re.compile(r"\d{7}")


class Claim(NamedTuple):
    """Whether a file has a solution, and the best value of its objective, if that is known."""

    is_satisfiable: bool
    best: int | None = None


Other = Callable[[Path], Claim | None]
"""What somebody says of a file; None where they say nothing."""


def solve(problem: Problem) -> Claim | None:
    """What the project's own search says of the problem that was read; None in too long a time."""
    result = _search(problem)
    if result is None:
        return None
    if result.status == "UNSATISFIABLE":
        return Claim(False)
    if problem.structure.objective is None:
        return Claim(True) if result.count else None
    return Claim(True, result.objective) if result.status == "OPTIMUM" else None


def find_best(problem: Problem) -> Assignment | None:
    """A solution, the best one where an objective is stated; None where none was found."""
    result = _search(problem)
    if result is None or not result.solutions:
        return None
    is_best = problem.structure.objective is None or result.status == "OPTIMUM"
    return result.solutions[-1] if is_best else None


def _search(problem: Problem) -> Result | None:
    structure = problem.structure
    if structure.ranges or sum(map(len, problem.domains())) > MOST_VALUES:
        return None  # its bounds may move by one again and again
    objective = structure.objective
    ask = Solutions(1) if objective is None else Optimum()
    try:
        backend = get("propagation")
        if isinstance(backend.accepts(problem), Refused):
            return None
        return backend.solve(problem, ask, Limits(seconds=SECONDS))
    except ConcordError:
        return None


def _ask_sat(path: Path) -> Claim | None:
    from pysat.formula import CNF
    from pysat.solvers import Cadical153

    with Cadical153(bootstrap_with=CNF(from_file=str(path)).clauses) as engine:
        return Claim(bool(engine.solve()))


def _ask_maxsat(path: Path) -> Claim | None:
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    with RC2(WCNF(from_file=str(path))) as engine:
        return Claim(True, int(engine.cost)) if engine.compute() is not None else Claim(False)


def _ask_scip(path: Path) -> Claim | None:
    from pyscipopt import Model

    model = Model()
    model.hideOutput()
    model.setParam("limits/time", SECONDS)
    model.readProblem(str(path))
    model.optimize()
    if model.getStatus() == "infeasible":
        return Claim(False)
    if model.getStatus() != "optimal":
        return None
    value = model.getObjVal()
    return Claim(True, round(value)) if abs(value - round(value)) < 1e-6 else None


def _ask_gecode(path: Path) -> Claim | None:
    said = _run(["fzn-gecode", str(path)])
    if "=====UNSATISFIABLE=====" in said:
        return Claim(False)
    return Claim(True) if "----------" in said else None


def _ask_cosoco(path: Path) -> Claim | None:
    said = _run(find_program("cosoco").command(Order("one", str(path))))
    lines = [line for line in said.splitlines() if line.startswith("s ")]
    if not lines:
        return None
    status = lines[0][2:].strip()
    if status == "UNSATISFIABLE":
        return Claim(False)
    return Claim(True) if status in ("SATISFIABLE", "OPTIMUM FOUND") else None


def _run(command: list[str]) -> str:
    if shutil.which(command[0]) is None:
        return ""
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL
        )
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout.decode("utf-8", "replace")


STRICT = re.compile(r"(?<!:)[<>](?!=)|!=")
"""Relations that OPB has only in its newer forms: SCIP takes > for >=."""


def _ask_scip_opb(path: Path) -> Claim | None:
    return None if STRICT.search(path.read_text(encoding="utf-8")) else _ask_scip(path)


OTHERS: Mapping[str, Mapping[str, Other]] = {
    "cnf": {"python-sat": _ask_sat, "SCIP": _ask_scip},
    "wcnf": {"python-sat": _ask_maxsat},
    "opb": {"SCIP": _ask_scip_opb},
    "lp": {"SCIP": _ask_scip},
    "mps": {"SCIP": _ask_scip},
    "flatzinc": {"Gecode": _ask_gecode},
    "xcsp3": {"cosoco": _ask_cosoco},
}
"""By format, and by the name of who reads it."""


def ask(other: Other, name: str, text: str) -> Claim | None:
    """What one says of a text, in a file of this name; nothing where it refuses the file.

    None is asked about a long number: SCIP calculates with doubles, others search for hours.
    """
    if LONG_NUMBER.search(text):
        return None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        try:
            return other(path)
        except Exception:  # it is not there, or does not read the file: neither is an answer
            return None


def disagree(ours: Claim, theirs: Claim) -> Fault | None:
    """The fault where two claims contradict each other; None where they do not."""
    if ours.is_satisfiable != theirs.is_satisfiable:
        return "wrong count" if ours.is_satisfiable else "false unsatisfiable"
    if None in (ours.best, theirs.best) or ours.best == theirs.best:
        return None
    return "false optimum"
