"""The hand-written solver: propagate to a fixed point, branch, backtrack. In Python.

Every part is written once and runs interpreted (``propagation:pure``) or compiled by numba
(``propagation:compiled``); by default a search that takes long is compiled where numba is
installed. ``kernel`` has domains, trail, queue and search over flat arrays, ``propagators`` one
constraint's inference a file, ``encode`` what makes the arrays of a structure, ``solver`` one
search, ``learning`` what ``propagation:learning`` adds: explanations and clauses, ``proving`` the
proofs that it writes on request. It began as the Sudoku solvers of the posts: eliminate a placed
value from the peers, place what is left single, guess where the fewest candidates are, take back
from a trail.

The default begins with ``domwdeg``, which learns from failures where to branch; after restarts
other rules take turns. Fewest values alone (``smallest``) is as quick on easy puzzles, but there
are Sudoku without a solution on which it is lost: Norvig's of 17 givens takes it over two minutes,
and 0.2 s with ``domwdeg``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from backends.interface.api import Limits, Optimum, Solutions
from backends.interface.driver import Driver
from backends.interface.libraries.making import maker
from backends.interface.options import Option
from backends.interface.proofs import SECONDS
from backends.propagation.encode.counting import CONSISTENCIES
from backends.propagation.learning.solver import OBJECTIVES, Learning
from backends.propagation.neighbourhoods import Neighbourhoods
from backends.propagation.proving.solver import Proving
from backends.propagation.solver import (
    CUMULATIVES,
    NOGOODS,
    RESTARTS,
    RULES,
    TASKS,
    TURNS,
    VALUES,
    Configuration,
    Propagation,
)
from backends.propagation.trace import MOST_NODES, Tried
from backends.propagation.tree import RecordingPropagation, propagate
from modelling.errors import UnknownBackend
from modelling.problem import Problem

SEARCHES: Mapping[str, type[Propagation]] = {
    "backtracking": Propagation,
    "learning": Learning,
    "lns": Neighbourhoods,
}

OPTIONS = (
    Option(
        "search", tuple(SEARCHES), "backtracking", "learning from conflicts, or incomplete (lns)"
    ),
    Option("form", ("auto", "pure", "compiled"), "auto", "interpreted, or compiled by numba"),
    Option("branching", tuple(RULES), TURNS, "which variable to branch on"),
    Option("values", ("auto", *VALUES), "auto", "which value to try first"),
    Option("restarts", ("auto", *RESTARTS), "auto", "when to start again from the root"),
    Option("nogoods", NOGOODS, "restarts", "what is kept of a search that starts again"),
    Option("seed", (), "0", "ties between variables go by lot; 0: to the first", least=0),
    Option("alldifferent", ("auto", *CONSISTENCIES), "auto", "what AllDifferent removes"),
    Option("cumulative", CUMULATIVES, "timetable", "what Cumulative removes"),
    Option("tasks", TASKS, "orders", "what is branched on where tasks exclude each other"),
    Option("objective", tuple(OBJECTIVES), "auto", "how learning approaches the best value"),
    Option("trace", (), "", "file for the tree of the last search, as lines of JSON", file=True),
    Option("proof", ("none", "check"), "none", "whether learning writes proofs to be checked"),
    Option("proof_seconds", (), str(SECONDS), "most seconds that a check takes", least=1),
    Option("reuse", ("none", "encoding"), "encoding", "keep the encoding of a structure"),
)


def _make(
    name: str,
    search: str,
    form: str,
    branching: str,
    values: str,
    restarts: str,
    nogoods: str,
    seed: str,
    alldifferent: str,
    cumulative: str,
    tasks: str,
    objective: str,
    trace: str,
    proof: str,
    proof_seconds: str,
) -> Propagation:
    recorded = MOST_NODES if trace else 0
    configuration = Configuration(
        form,
        branching,
        values,
        restarts,
        recorded,
        trace,
        alldifferent,
        int(seed),
        nogoods,
        cumulative,
        objective,
        tasks,
    )
    if objective != "auto" and search != "learning":
        raise UnknownBackend(
            f"{name}: only learning decides the objective first; add 'learning', or leave out "
            f"{objective!r}"
        )
    if proof == "check" and search != "learning":
        raise UnknownBackend(f"{name}: only learning writes proofs; add 'learning'")
    if proof == "check" and form == "compiled":
        raise UnknownBackend(
            f"{name}: proofs are written by the interpreted search; leave out 'compiled'"
        )
    if search != "learning":
        return SEARCHES[search](name, configuration)
    chosen = {"branching": branching, "values": values, "restarts": restarts}
    chosen |= {"nogoods": nogoods, "seed": seed, "alldifferent": alldifferent, "trace": trace}
    chosen |= {"cumulative": cumulative, "tasks": tasks}
    for option in OPTIONS:
        if chosen.get(option.name, option.default) != option.default:
            raise UnknownBackend(
                f"{name}: {option.name} is a choice of backtracking, and learning has its own "
                f"rules; leave out {chosen[option.name]!r} or 'learning'"
            )
    if proof == "check":
        return Proving(name, configuration, int(proof_seconds))
    return Learning(name, configuration)


make = maker("propagation", OPTIONS, _make)

__all__ = ["CONSISTENCIES", "MOST_NODES", "OPTIONS", "Tried", "make", "propagate", "trace_search"]


def trace_search(
    problem: Problem, ask: Solutions | Optimum, branching: str, most_nodes: int
) -> tuple[Sequence[Tried], bool]:
    """The nodes of a search, and whether it was cut off after ``most_nodes`` of them.

    Raises ``Unsupported`` as ``solve`` does.
    """
    solver = RecordingPropagation(most_nodes, branching)
    result = Driver("propagation", solver, keep=False).solve(problem, ask, Limits(nodes=most_nodes))
    return solver.nodes(), result.stopped_by == "gave_up"
