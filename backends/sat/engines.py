"""The SAT solvers that a formula can be given to, by the names that the option ``engine`` has.

All are complete. What they keep of the limits differs:

=============  =======================================  ======================================
engine         seconds                                  conflicts and nodes
=============  =======================================  ======================================
python-sat's   between slices of conflicts, which are   conflicts (glucose up to its next
               made to last about a tenth of a second   restart); nodes between slices
lingeling      between models                           ignored
kissat404      between models                           conflicts, for each model anew
pycosat        by propagation limits, see there         ignored
=============  =======================================  ======================================

``seed`` is passed to CaDiCaL 1.5.3 and later and ignored by the others; ``threads`` is ignored.
"""

from __future__ import annotations

from collections.abc import Mapping

from backends.sat.task import Engine
from modelling.errors import UnknownBackend

PYSAT: Mapping[str, str] = {
    "cadical103": "Cadical103",
    "cadical153": "Cadical153",
    "cadical195": "Cadical195",
    "cadical300": "Cadical300",
    "ergo": "Ergo",
    "glucose3": "Glucose3",
    "glucose4": "Glucose4",
    "glucose42": "Glucose42",
    "gluecard3": "Gluecard3",
    "gluecard4": "Gluecard4",
    "kissat404": "Kissat404",
    "lingeling": "Lingeling",
    "maplechrono": "MapleChrono",
    "maplecm": "MapleCM",
    "maplesat": "Maplesat",
    "mergesat3": "Mergesat3",
    "minicard": "Minicard",
    "minisat22": "Minisat22",
    "minisatep": "MinisatEP",
    "minisatgh": "MinisatGH",
}
"""Engine -> its class in ``pysat.solvers``. Not every version of python-sat has them all; what is
missing is said when the engine is asked for. cryptosat is left out: it is a bridge to another
distribution and has neither limits nor statistics."""

ENGINES: tuple[str, ...] = ("pycosat", *PYSAT)

ONE_SHOT = frozenset({"pycosat", "kissat404"})
"""Engines that answer once: they cannot be kept between calls (``reuse=solver``)."""


def open_engine(name: str, keep_solvers: bool) -> Engine:
    """The engine called ``name``; its library is imported here.

    Raises ``BackendUnavailable`` when the library, or the engine in it, is not there, and
    ``UnknownBackend`` when solvers are to be kept between calls and this engine cannot be.
    """
    if keep_solvers and name in ONE_SHOT:
        raise UnknownBackend(
            f"sat: reuse=solver needs an incremental engine, and {name} is none; "
            "use reuse=encoding, or another engine (cadical153, glucose4, ...)"
        )
    if name == "pycosat":
        from backends.sat.pycosat_engine import Pycosat

        return Pycosat()
    from backends.sat.pysat_engine import Fresh, Kept, OneShot, Pysat

    library = Pysat(name, PYSAT[name])
    if name in ONE_SHOT:
        return OneShot(library)
    return Kept(library) if keep_solvers else Fresh(library)
