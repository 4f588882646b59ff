"""SAT: the project's own encodings, solved by python-sat's engines or pycosat.

``sat:ENCODING,ENGINE`` with

encoding  ``extended`` (default) or ``direct``; see ``encode``
integers  how integers are encoded: ``auto`` (default), ``direct``, ``order``, ``log``; see
          ``integers.choice``
sums      how sums are: ``auto`` (default), ``diagram``, ``totalizer``, ``counter``, ``adder``; see
          ``sums.writing``
engine    see ``engines``
amo       how at-most-one is written; see ``at_most_one``
proof     ``none`` (default), or ``check``: of a search to the end the engine writes a proof, which
          is checked (``backends.proofs``); ``proof_seconds`` is how long that may take
reuse     ``encoding`` (default): the formula of a structure is kept, the solver is new each time;
          ``solver``: one incremental solver per structure, which keeps what it learns, is given
          each instance as assumptions; ``none``: the formula is built anew as well

The default engine, ``relay``, is minisat22 for what it decides within some thousand conflicts, and
then cadical153; proofs, and solvers that are kept, are of cadical153 alone.

Why these defaults: milliseconds of CPU a Sudoku (100 of the 17-clue, 100 of the top1465, 60 of the
hardest-11+ sets, the structure's formula kept, one core of a shared machine):

================================  =======  =====  =====
backend                           17-clue  top    11+
================================  =======  =====  =====
extended,cadical153               5        5      5
direct,cadical153                 5        5      6
extended,pycosat                  1.7      1.9    2.4
direct,pycosat                    3.1      2.4    3.4
extended,cadical153,reuse=solver  0.15     0.4    1.2
direct,cadical153,reuse=solver    2.6      1.9    6
================================  =======  =====  =====

Before clauses went straight to the library (see ``engines.pysat_engine``) a new python-sat solver
spent 3 ms on reading the 10,000 clauses, whichever engine it is; it is two thirds of that now.
The default engine is a relay: minisat22 is quicker than cadical153 on what takes up to 20,000
conflicts (twice on queens and rulers, without its time-outs), and cadical153 on what is hard: 10
pigeons in 9 holes, stated by NotEqual, took it 5 s and minisat22 more than twice that. Where proofs
are written or solvers kept it is cadical153 (``results/reference/defaults``,
docs/decisions/0033).
The best at-most-one encoding on Sudoku with pycosat is pairwise (1.6, 2.1, 3.6 ms; commander, the
second, 1.9, 2.8, 5.6).
"""

from __future__ import annotations

from backends.interface.driver import Driver
from backends.interface.options import Option, read
from backends.interface.proofs import SECONDS
from backends.sat.at_most_one import CHOICES
from backends.sat.backend import backend
from backends.sat.engines import ENGINES, RELAY, open_engine
from backends.sat.engines.kissat_parameters import PARAMETERS
from backends.sat.integers.choice import FORMS
from backends.sat.sums.writing import TECHNIQUES

OPTIONS: tuple[Option, ...] = (
    Option("encoding", ("extended", "direct"), "extended", "direct, or with implied clauses", True),
    Option("engine", ENGINES, RELAY, "the SAT solver", True),
    Option("amo", tuple(CHOICES), "auto", "encoding of at-most-one"),
    Option("integers", FORMS, "auto", "encoding of integers"),
    Option("sums", TECHNIQUES, "auto", "encoding of sums"),
    Option("reuse", ("none", "encoding", "solver"), "encoding", "what is kept between calls"),
    Option("proof", ("none", "check"), "none", "whether proofs are written, and checked"),
    Option("proof_seconds", (), str(SECONDS), "most seconds that this takes", least=1),
)


def make(options: str = "") -> Driver:
    """The backend with these options.

    Raises ``UnknownBackend`` for an option that is not there, ``BackendUnavailable`` when the
    engine's library is not installed.
    """
    found = read("sat", OPTIONS, options, PARAMETERS)
    chosen = found.options
    engine = open_engine(
        chosen["engine"],
        keep_solvers=chosen["reuse"] == "solver",
        proofs=chosen["proof"] == "check",
        parameters=found.parameters,
    )
    return backend(found, engine)


__all__ = ["OPTIONS", "PARAMETERS", "make"]
