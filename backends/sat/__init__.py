"""SAT: the project's own encodings, solved by python-sat's engines or pycosat.

``sat:ENCODING,ENGINE`` with

encoding  ``extended`` (default) or ``direct``; see ``encode``
engine    see ``engines``
amo       how at-most-one is written; see ``at_most_one``
reuse     ``encoding`` (default): the formula of a structure is kept, the solver is new each time;
          ``solver``: one incremental solver per structure, which keeps what it learns, is given
          each instance as assumptions; ``none``: the formula is built anew as well
"""

from __future__ import annotations

from backends.options import Option, canonical, parse
from backends.sat.at_most_one import ENCODINGS
from backends.sat.backend import Sat
from backends.sat.engines import ENGINES, open_engine

OPTIONS: tuple[Option, ...] = (
    Option("encoding", ("extended", "direct"), "extended", "direct, or with implied clauses", True),
    Option("engine", ENGINES, "cadical153", "the SAT solver", True),
    Option("amo", tuple(ENCODINGS), "pairwise", "encoding of at-most-one"),
    Option("reuse", ("none", "encoding", "solver"), "encoding", "what is kept between calls"),
)


def make(options: str = "") -> Sat:
    """The backend with these options.

    Raises ``UnknownBackend`` for an option that is not there, ``BackendUnavailable`` when the
    engine's library is not installed.
    """
    chosen = parse("sat", OPTIONS, options)
    engine = open_engine(chosen["engine"], keep_solvers=chosen["reuse"] == "solver")
    return Sat(canonical("sat", OPTIONS, chosen), chosen, engine)


__all__ = ["OPTIONS", "Sat", "make"]
