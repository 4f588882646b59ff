"""The backends that ship with Concord: the one place where they are known by name.

A new one is an entry of ``SHIPPED``. ``registry`` reads names by this table, and all else asks the
registry.

Words
-----
kind        how a solver searches, one of ``KINDS``. Solvers of one kind are often good at the same
            problems. It says nothing about shared code (``backends.interface.evidence.families``)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

KINDS = {
    "cp": "constraint programming: propagation and search",
    "lcg": "learning CP: propagation that explains itself in clauses",
    "sat": "SAT: clauses, conflict-driven learning",
    "smt": "SMT: theories, such as bit-vectors, over SAT",
    "asp": "answer set programming",
    "mip": "integer programming: branch, cut and bound",
    "pb": "pseudo-Boolean solving: cutting planes",
    "wcsp": "cost function networks",
    "sudoku": "searches for Sudoku, and for little else",
    "oracle": "tries every assignment",
}
"""How solvers search; each backend that ships declares one of these."""

SPECIAL = ("sudoku", "oracle")
"""Kinds of searches that are made for few problems."""


class Clash(NamedTuple):
    """``others``, backends whose libraries break this one's import or are broken by it, in a
    process that loads both; of the own distribution from the version ``since`` on."""

    others: tuple[str, ...]
    why: str
    since: str = ""


@dataclass(frozen=True)
class ShippedBackend:
    """A backend that ships with Concord.

    ``module`` defines ``make(options: str) -> Backend`` and ``OPTIONS``; ``kind`` is one of
    ``KINDS``, and ``kinds`` those of the solvers that the backend is a way to, by their names,
    where they differ; ``distribution`` is what
    must be installed for it (empty: nothing), imported as ``imports``, and ``remedy`` how, if not
    as an extra of Concord. ``clashes`` says beside which others it cannot be in one process: a
    worker of the harness loads one backend, and ``get`` refuses the second one. ``process`` says
    that each call starts a process, so that many
    small ones take long; ``list_found()`` of the module then tells which solvers are here.
    ``ranges`` says that it takes some domains that are too large to be listed, by their ends. If
    the text after the colon is not a list of options, the module also has
    ``read_spec(text) -> BackendSpec``.
    """

    name: str
    module: str
    about: str
    kind: str
    distribution: str = ""
    imports: str = ""
    remedy: str = ""
    clashes: tuple[Clash, ...] = ()
    process: bool = False
    ranges: bool = False
    kinds: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def find_kind(self, solver: str = "") -> str:
        """The kind of one of its solvers; by default that of the backend."""
        return self.kinds.get(solver, self.kind)

    @property
    def install(self) -> str:
        """What to do where it is missing: the ``remedy``, or by default the extra of its name."""
        extra = f"pip install 'solver-concord[{self.name}]'" if self.distribution else ""
        return self.remedy or extra


SHIPPED: tuple[ShippedBackend, ...] = (
    ShippedBackend(
        "propagation",
        "backends.propagation",
        "hand-written propagate-and-backtrack solver",
        "cp",
        ranges=True,
    ),
    ShippedBackend(
        "cpsat",
        "backends.cpsat",
        "OR-Tools CP-SAT",
        "lcg",
        "ortools",
        "ortools",
        "pip install ortools",
        ranges=True,
    ),
    ShippedBackend(
        "sat",
        "backends.sat",
        "the project's SAT encodings on python-sat engines or pycosat",
        "sat",
        "python-sat",
        "pysat",
        "pip install python-sat",
        ranges=True,
    ),
    ShippedBackend(
        "python_constraint",
        "backends.python_constraint",
        "the generic CSP library python-constraint",
        "cp",
        "python-constraint2",
        "constraint",
        "pip install python-constraint2",
    ),
    ShippedBackend(
        "compiled",
        "backends.sudoku_kernel",
        "the ladder's top rung: Sudoku and all-different kernels compiled by numba",
        "sudoku",
        "numba",
        "numba",
    ),
    ShippedBackend(
        "choco",
        "backends.choco",
        "Choco: classical constraint programming",
        "cp",
        "pychoco",
        "pychoco",
        ranges=True,
    ),
    ShippedBackend(
        "clingo", "backends.clingo", "clingo: answer set programming", "asp", "clingo", "clingo"
    ),
    ShippedBackend(
        "scip",
        "backends.scip",
        "SCIP: integer programs by branch, cut and propagate",
        "mip",
        "pyscipopt",
        "pyscipopt",
        ranges=True,
    ),
    ShippedBackend(
        "highs",
        "backends.highs",
        "HiGHS: integer programs by branch and cut",
        "mip",
        "highspy",
        "highspy",
        clashes=(
            Clash(
                ("cpsat", "mathopt"),
                "highspy takes the HiGHS that ortools brings along for its own, and the reverse",
                since="1.15",
            ),
        ),
        ranges=True,
    ),
    ShippedBackend(
        "mathopt",
        "backends.mathopt",
        "OR-Tools MathOpt, with the SCIP that comes with it",
        "mip",
        "ortools",
        "ortools",
        "pip install ortools",
        ranges=True,
    ),
    ShippedBackend(
        "pumpkin",
        "backends.pumpkin",
        "Pumpkin: lazy clause generation",
        "lcg",
        "pumpkin-solver",
        "pumpkin_solver",
    ),
    ShippedBackend(
        "bitwuzla",
        "backends.bitwuzla",
        "Bitwuzla: bit-vectors, an SMT solver",
        "smt",
        "bitwuzla",
        "bitwuzla",
    ),
    ShippedBackend(
        "toulbar2",
        "backends.toulbar2",
        "toulbar2: cost function networks",
        "wcsp",
        "pytoulbar2",
        "pytoulbar2",
    ),
    ShippedBackend(
        "z3",
        "backends.z3",
        "z3 as a solver of finite domains, over one-hot Booleans",
        "smt",
        "z3-solver",
        "z3",
    ),
    ShippedBackend(
        "exact",
        "backends.exact",
        "Exact: pseudo-Boolean solving by cutting planes",
        "pb",
        "Exact",
        "exact",
    ),
    ShippedBackend(
        "brute_force", "backends.brute_force", "the oracle: tries every assignment", "oracle"
    ),
    ShippedBackend(
        "ladder", "backends.ladder", "the posts' Sudoku solvers, a technique a rung", "sudoku"
    ),
    ShippedBackend(
        "minizinc",
        "backends.minizinc",
        "the solvers of an installed MiniZinc, each in a process: Gecode, Chuffed, ...",
        "cp",
        "MiniZinc",
        "",
        "install MiniZinc (https://www.minizinc.org)",
        process=True,
        ranges=True,
        kinds={
            **dict.fromkeys(("chuffed", "cp-sat", "or-tools", "pumpkin", "huub"), "lcg"),
            **dict.fromkeys(("coin-bc", "highs", "scip", "gurobi", "cplex", "xpress"), "mip"),
        },
    ),
    ShippedBackend(
        "xcsp3",
        "backends.xcsp3",
        "solvers that read XCSP3, each in a process: cosoco, ACE, Choco",
        "cp",
        "cosoco",
        "",
        "pip install 'solver-concord[cosoco]'",
        process=True,
    ),
)

PROGRAMS = ShippedBackend(
    "command",
    "backends.command",
    "any solver that is a program and reads DIMACS, OPB, XCSP3, FlatZinc or a family's own text",
    "",
)
"""Like ``py:``, what a user brings along: it is none of the backends that ship."""


def list_with_ranges() -> list[str]:
    """The backends that take domains too large to be listed."""
    return [one.name for one in SHIPPED if one.ranges]


CANDIDATES = (
    *("choco", "minizinc:gecode", "xcsp3:ace", "propagation", "python_constraint"),
    *("cpsat", "pumpkin", "minizinc:chuffed"),
    "sat",
    *("bitwuzla", "z3"),
    "clingo",
    *("scip", "highs", "mathopt"),
    "compiled",
)
"""Whom a comparison asks where none is named: the first of each kind that fits the question."""
