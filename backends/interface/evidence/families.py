"""Families of agreement: which backends share a solver's engine or code, in one table.

Two backends that share code can be wrong together, so that their agreement proves little: they are
one witness. What a backend rests on are its *parts*: the solver that it is, by the name up to the
colon, or, where that only says the way to a solver (``WAYS``), the solver at its end; and besides,
the families of the table that it belongs to. Two backends are related if they have a part in
common: ``sat`` and ``bitwuzla`` by CaDiCaL, ``sat`` and a program that is given DIMACS by our
clauses. Each need not be related to each, so witnesses are counted as parts that are disjoint.

What is in no row here is common to all: the statement of the problem, and the rewriting of what a
solver lacks. Answers are checked by definitions that know of neither.

Words
-----
family   as judges have it: the parts of one backend as a text, ``sat+cadical``, the main one first
given    the family that a user gives: ``command:dimacs,family=mine:./solver``
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import PurePath


@dataclass(frozen=True)
class Family:
    """What is shared, and by whom.

    Members are ``head``, ``head:option=value``, for a way to solvers ``head:solver``, and for
    programs ``command:FORMAT`` and ``program:NAME``; ``*`` stands for anything. What solvers that
    are not ``exact`` say of all solutions, or of the best one, holds within tolerances. ``says``
    has arguments of the program, and for each a pattern of what this solver alone prints then.
    """

    name: str
    about: str
    members: tuple[str, ...]
    exact: bool = True
    says: tuple[tuple[str, str], ...] = ()


WAYS = {"minizinc": "gecode", "xcsp3": "cosoco", "mathopt": "gscip"}
"""Names that say how a solver is reached, and the solver where none is named."""

FAMILIES = (
    Family("own", "the project's own searches", ("propagation", "compiled", "ladder")),
    Family("sat", "the project's encodings as clauses", ("sat", "command:dimacs")),
    Family(
        "cadical",
        "CaDiCaL, of any version",
        ("sat:engine=cadical*", "sat:engine=relay", "bitwuzla", "program:cadical"),
        says=(("--help", r"^usage: cadical \[ <option>"),),
    ),
    Family(
        "clasp",
        "clasp",
        ("clingo", "program:clasp", "program:clingo"),
        says=(("--version", r"^(py)?(clasp|clingo) version \d"),),
    ),
    Family(
        "gecode",
        "Gecode",
        ("*:gecode", "program:fzn-gecode"),
        says=(("--help", r"^Gecode FlatZinc interpreter"),),
    ),
    Family(
        "chuffed",
        "Chuffed",
        ("*:chuffed", "program:fzn-chuffed"),
        says=(("--help-all", r"Restart sequence type \(default chuffed\)"),),
    ),
    Family("choco", "Choco", ("choco", "*:choco", "program:fzn-choco")),
    Family(
        "cpsat",
        "OR-Tools' CP-SAT",
        (
            "cpsat",
            "*:cp-sat",
            "minizinc:sat",
            "*:cp_sat",
            "*:or-tools",
            "*:ortools",
            "program:fzn-cp-sat",
        ),
    ),
    Family(
        "scip",
        "SCIP",
        ("scip", "*:gscip", "*:scip", "program:scip"),
        exact=False,
        says=(("--version", r"^SCIP version \d"),),
    ),
    Family(
        "highs",
        "HiGHS",
        ("highs", "*:highs", "program:highs"),
        exact=False,
        says=(("--version", r"^HiGHS version \d"),),
    ),
    Family(
        "cbc",
        "CBC",
        ("*:cbc", "*:coin-bc", "*:coinbc", "program:cbc"),
        exact=False,
        says=(("-stop", r"^Welcome to the CBC MILP Solver"),),
    ),
    Family(
        "glpk",
        "GLPK",
        ("*:glpk", "program:glpsol"),
        exact=False,
        says=(("--version", r"GLPK LP/MIP Solver"),),
    ),
    Family(
        "gurobi",
        "Gurobi",
        ("*:gurobi", "program:gurobi_cl"),
        exact=False,
        says=(("--version", r"^Gurobi Optimizer version \d"),),
    ),
    Family("cplex", "CPLEX", ("*:cplex", "program:cplex"), exact=False),
    Family("xpress", "FICO Xpress", ("*:xpress", "program:xpress"), exact=False),
    Family(
        "toulbar2",
        "toulbar2",
        ("toulbar2", "*:toulbar2", "program:toulbar2"),
        says=(("--help", r"toulbar2 +version ?: .*copyright"),),
    ),
    Family(
        "pumpkin",
        "Pumpkin",
        ("pumpkin", "*:pumpkin", "program:pumpkin*"),
        says=(("--version", r"^pumpkin-\S+ \d"),),
    ),
    Family("ace", "ACE", ("*:ace",)),
    Family(
        "cosoco",
        "cosoco",
        ("*:cosoco", "program:cosoco"),
        says=(("--version", r"^c This is cosoco \d"),),
    ),
    Family("z3", "Z3", ("z3", "program:z3"), says=(("--version", r"^Z3 version \d"),)),
    Family("exact", "Exact", ("exact", "program:exact", "program:Exact")),
    Family(
        "kissat",
        "Kissat",
        ("sat:engine=kissat*", "program:kissat"),
        says=(("--help", r"^usage: kissat \[ <option>"),),
    ),
    Family(
        "cryptominisat",
        "CryptoMiniSat",
        ("sat:engine=cryptominisat*", "program:cryptominisat5", "program:cryptominisat"),
        says=(("--version", r"^c CryptoMiniSat version \d"),),
    ),
    Family(
        "glucose",
        "Glucose",
        ("sat:engine=glucose*", "program:glucose*"),
        says=(("--help", r"-szLBDQueue\b"),),
    ),
    Family(
        "lingeling",
        "Lingeling",
        ("sat:engine=lingeling", "program:lingeling"),
        says=(("--help", r"^usage: lingeling \["),),
    ),
    Family(
        "minisat",
        "MiniSat",
        ("sat:engine=minisat*", "sat:engine=relay", "program:minisat"),
        says=(("--help", r"\A(?![\s\S]*szLBDQueue)[\s\S]*-rinc\b"),),
    ),
    Family(
        "picosat",
        "PicoSAT",
        ("sat:engine=pycosat", "program:picosat"),
        says=(("-h", r"^usage: picosat \["),),
    ),
)
"""CPMpy is not among them: ``register_cpmpy`` makes our backends its solvers, but CPMpy is not a
backend itself. Lineage makes no family: Glucose began as MiniSat, and is another solver."""


_RELEASE = re.compile(r"[-_]?v?[0-9][0-9._-]*$")
"""What may follow a solver's name: ``scip-9.2``, ``cadical153``."""


# --- of one backend ------------------------------------------------------------------------------


def family_of_name(name: str, options: Mapping[str, str]) -> str:
    """The family of a backend that ships, from its name and the values of its options."""
    head, _, text = name.partition(":")
    marks = {head, *(f"{head}:{key}={value}" for key, value in options.items())}
    if head not in WAYS:
        return _joined(head, marks)
    solver = options.get("solver") or text.partition(",")[0] or WAYS[head]
    solver = solver.rpartition("=")[2].lower().rpartition(".")[2]
    return _joined("", {*marks, f"{head}:{solver}"}, solver)


def rows_of_program(program: str) -> list[Family]:
    """The families whose program has this name, or the name of the file at this path."""
    return [row for row in FAMILIES if _has(row, _programs(program))]


def family_of_program(options: Mapping[str, str], says: frozenset[str]) -> str | None:
    """The family of a program, from its ``format``, the ``program`` and the given ``family``; None
    for an unknown program.

    Without the user's word the program must say itself whose it is: ``says`` are the families that
    it names (``identity``). What its file is called only relates it to more.
    """
    marks = {f"command:{options['format']}", *_programs(options["program"])}
    if options["family"]:
        return _joined(family_of_word(options["family"]), marks)
    return _joined("", marks, also=says) if says else None


def families_in(recorded: str) -> frozenset[str]:
    """The families that the word in a record names; none where one of them is not in the table."""
    parts = parts_of(recorded)
    known = {row.name for row in FAMILIES}
    return parts if parts <= known else frozenset()


def claimed_family(options: Mapping[str, str]) -> str | None:
    """What a program would be if it were what its file is called."""
    called = frozenset(row.name for row in rows_of_program(options["program"]))
    return family_of_program(options, called)


def _programs(program: str) -> set[str]:
    stem = PurePath(program).stem
    return {f"program:{stem}", f"program:{stem.lower()}"}


def family_of_word(word: str) -> str:
    """The family that a user's word names, however it is written: ``OR-Tools`` is ``cpsat``.

    A backend's name stands for what that backend is, and every alias of the table for its row. A
    word of which the table knows nothing is a family of its own, in small letters.
    """
    word = word.casefold()
    hyphened = word.replace("_", "-")
    for name in (word, word.rpartition(".")[2], _RELEASE.sub("", word), hyphened):
        head = name.replace("-", "_")
        if head in WAYS or any(head in row.members for row in FAMILIES):
            return family_of_name(head, {})
        for row in FAMILIES:
            if any(fnmatchcase(name, alias) for alias in (row.name, *_aliases(row))):
                return row.name
    return word


def _aliases(row: Family) -> Iterator[str]:
    """What the solver of a row is called, as patterns in small letters."""
    for member in row.members:
        place, _, name = member.rpartition(":")
        if place in ("*", "program") or name.startswith("engine="):
            yield name.removeprefix("engine=").lower()


def _joined(
    main: str, marks: set[str], otherwise: str = "", also: frozenset[str] = frozenset()
) -> str:
    """The main part and the families that have one of the marks among their members.

    Without a main part that of the program or solver comes first, and ``otherwise`` is the part if
    no row has it.
    """
    found = [row.name for row in FAMILIES if row.name in also or _has(row, marks)]
    if not main:
        found.sort(key=lambda row: row == "sat")  # the source of the clauses comes last
    parts = dict.fromkeys([*main.split("+"), *found] if main else found)
    return "+".join(parts) or otherwise


def _has(row: Family, marks: set[str]) -> bool:
    return any(fnmatchcase(mark, member) for mark in marks for member in row.members)


def is_exact_family(family: str) -> bool:
    """Whether a family calculates with integers, as far as the table knows."""
    parts = parts_of(family)
    return not any(row.name in parts and not row.exact for row in FAMILIES)


# --- of several ----------------------------------------------------------------------------------


def parts_of(family: str) -> frozenset[str]:
    """What a family rests on."""
    return frozenset(family.split("+"))


def main_part(family: str) -> str:
    """What a family is called in a sentence."""
    return family.partition("+")[0]


def describe_part(part: str) -> str:
    """What it is, as a reader knows it."""
    return next((row.about for row in FAMILIES if row.name == part), part)


@lru_cache(maxsize=1024)
def count_witnesses(families: frozenset[str]) -> int:
    """How many of them, at most, have no part in common."""
    if not families:
        return 0
    first = min(families, key=lambda family: (family.count("+"), family))
    rest = families - {first}
    unrelated = frozenset(other for other in rest if not parts_of(other) & parts_of(first))
    with_it = 1 + count_witnesses(unrelated)
    return with_it if unrelated == rest else max(with_it, count_witnesses(rest))


def shared_parts(ones: Iterable[str], others: Iterable[str]) -> frozenset[str]:
    """The parts that both sides have."""
    one, other = (frozenset[str]().union(*map(parts_of, side)) for side in (ones, others))
    return one & other
