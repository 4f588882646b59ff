"""The solvers of XCSP3: where they are, how they are called, and what their output says.

cosoco     a program that the package of this name brings, or one on the PATH
ace, choco jars of the package pycsp3, which is found and not imported: it changes built-in
           classes; they need Java
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from backends.interface.programs.program import Order
from backends.interface.registry import ensure_not_of_working_folder
from backends.xcsp3.guards import ace, cosoco
from backends.xcsp3.guards.ace import takes_ace
from backends.xcsp3.guards.choco import takes_choco
from backends.xcsp3.guards.cosoco import takes_cosoco, takes_cosoco_within
from backends.xcsp3.guards.profile import Class
from modelling.errors import BackendUnavailable
from modelling.rewriting.profile import Guard
from modelling.versions import find_version

INSTALL = {
    "cosoco": "pip install 'solver-concord[cosoco]'",
    "ace": "pip install 'solver-concord[xcsp3]'",
    "choco": "pip install 'solver-concord[xcsp3]'",
}
WORDS = ("cosoco", "ace", "choco")


@dataclass(frozen=True)
class InstalledSolver:
    """A solver that is here.

    ``words`` call it; ``options(order)`` follow the file. ``largest`` is what its integers hold.
    ``check`` is what it is given, ``check_within`` as parts of others, if that is less; classes
    that it is ``never`` given are not native.
    ``has_clauses``: it reads them; others are given sums. ``needs_constraint``: with an objective
    it fails where no constraint is left after presolve. ``fixes_early``: it narrows domains while
    it reads, and stops at some later constraints on a variable that is fixed then.
    ``knows_precedences``: it has a propagator for the choice of the order of two tasks.
    ``finished`` is the line by which it says that nothing is left, empty where ``s SATISFIABLE``
    says it; ``numbers`` has a pattern for each statistic, which matches the line with its number.
    """

    name: str
    version: str
    words: tuple[str, ...]
    options: Callable[[Order], list[str]]
    check: Guard
    largest: int
    finished: str
    numbers: Mapping[str, str]
    threads: bool = False
    needs_constraint: bool = False
    has_clauses: bool = True
    fixes_early: bool = False
    knows_precedences: bool = False
    check_within: Guard | None = None
    never: frozenset[Class] = frozenset()

    def command(self, order: Order) -> list[str]:
        """The command line for one run."""
        return [*self.words, order.problem, *self.options(order)]

    def read_statistics(self, line: str) -> dict[str, int | float]:
        """What a line that is printed says of the effort."""
        if line.startswith("v"):  # a part of a solution; most lines are
            return {}
        matches = {name: re.match(pattern, line) for name, pattern in self.numbers.items()}
        return {name: int(m[1].replace(",", "")) for name, m in matches.items() if m}


def find_program(name: str, place: str = "") -> InstalledSolver:
    """The solver of this name; BackendUnavailable says what is missing. ``place`` is the program or
    jar, where it is to be another one than that of the package."""
    return {"cosoco": _cosoco, "ace": _ace, "choco": _choco}[name](place)


def list_found() -> list[str]:
    """Each solver that is here, with its version."""
    found = []
    for name in WORDS:
        with contextlib.suppress(BackendUnavailable):
            found.append(f"{name} {find_program(name).version}")
    return found


# --- cosoco ---------------------------------------------------------------------------------------


def _cosoco(place: str) -> InstalledSolver:
    """The executable itself: the command that the package installs starts Python first."""
    paths = _find_folders("cosoco_bin")
    found = place or shutil.which("cosoco", path=os.pathsep.join(paths)) or shutil.which("cosoco")
    if found is None:
        raise BackendUnavailable(f"xcsp3:cosoco needs cosoco: {INSTALL['cosoco']}")
    return InstalledSolver(
        "cosoco",
        find_version("cosoco"),
        (found,),
        _cosoco_options,
        takes_cosoco,
        (1 << 30) - 1,
        "",
        {
            "nodes": r"c decisions +: ([0-9]+)",
            "failures": r"c conflicts +: ([0-9]+)",
            "propagations": r"c propagations +: ([0-9]+)",
            "restarts": r"c restarts +: ([0-9]+)",
        },
        has_clauses=False,
        check_within=takes_cosoco_within,
        never=cosoco.NEVER,
    )


def _cosoco_options(order: Order) -> list[str]:
    options = ["-model=2", "-colors=0"]
    if order.question == "all":
        options.append(f"-nbsols={order.limit or 0}")
    return options


# --- ACE and Choco --------------------------------------------------------------------------------


def _ace(place: str) -> InstalledSolver:
    jar = Path(place) if place else _find_jar("ace", "ACE-*.jar")
    return InstalledSolver(
        "ace",
        _version_of(jar),
        (_find_java("ace"), "-jar", str(jar)),
        _ace_options,
        takes_ace,
        (1 << 30) - 1,
        "d COMPLETE EXPLORATION",
        {"failures": r"d WRONG DECISIONS +([0-9,]+)"},
        needs_constraint=True,
        fixes_early=True,
        knows_precedences=True,
        never=ace.NEVER,
    )


def _ace_options(order: Order) -> list[str]:
    options = ["-v=-1", "-ev", "-xe", "-xc=false", "-npc"]
    if order.question == "all":
        options.append(f"-s={order.limit or 'all'}")
    if order.seconds is not None:
        options.append(f"-t={max(1, round(1000 * order.seconds))}")
    if order.seed is not None:
        options.append(f"-seed={order.seed % (1 << 31)}")
    return options


_CSV = "[TS];[0-9]+;[^;]*;[^;]*;[^;]*;[^;]*"
"""After ``T``, terminated, or ``S``, stopped: solutions, three times, the objective; then nodes,
backtracks, backjumps, failures, restarts."""


def _choco(place: str) -> InstalledSolver:
    jar = Path(place) if place else _find_jar("choco", "choco-parsers-*.jar")
    java = _find_java("choco")
    return InstalledSolver(
        "choco",
        _version_of(jar),
        (java, "-cp", str(jar), "org.chocosolver.parser.xcsp.ChocoXCSP"),
        _choco_options,
        takes_choco,
        21_474_836,  # IntVar.MAX_INT_BOUND
        "T;",
        {
            "nodes": f"{_CSV};([0-9]+)",
            "failures": f"{_CSV};[0-9]+;[0-9]+;[0-9]+;([0-9]+)",
            "restarts": f"{_CSV};[0-9]+;[0-9]+;[0-9]+;[0-9]+;([0-9]+)",
        },
        threads=True,
    )


def _choco_options(order: Order) -> list[str]:
    options = ["-csv"]
    if order.question == "all":
        options.append("-a")
    if order.limit:
        options.append(f"-limit=[{order.limit}sols]")
    if order.seed is not None:
        options.append(f"-seed={order.seed % (1 << 31)}")
    if order.threads is not None and order.threads > 1:
        options += ["-p", str(order.threads)]
    return options


# --- finding --------------------------------------------------------------------------------------


def _find_folders(package: str) -> list[str]:
    """Where a package is installed, which brings a program; nowhere if it is not."""
    ensure_not_of_working_folder(package, "xcsp3")
    found = importlib.util.find_spec(package)
    return [] if found is None else list(found.submodule_search_locations or ())


def _find_jar(name: str, pattern: str) -> Path:
    """A jar of the package pycsp3."""
    for folder in _find_folders("pycsp3"):
        for path in sorted(Path(folder, "solvers").rglob(pattern)):
            return path
    raise BackendUnavailable(f"xcsp3:{name} needs pycsp3, which brings {pattern}: {INSTALL[name]}")


def _find_java(name: str) -> str:
    found = shutil.which("java")
    if found is None:
        raise BackendUnavailable(
            f"xcsp3:{name} needs Java, and no program java is on the PATH: install a JRE of "
            "version 11 or later (Debian: apt install default-jre-headless)"
        )
    return found


def _version_of(jar: Path) -> str:
    """The release in the name of a jar."""
    found = re.search(r"-([0-9][0-9.]*[0-9])", jar.stem)
    return found[1] if found else ""
