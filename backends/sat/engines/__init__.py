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
kissat         kept                                     both, for each model anew
cryptominisat  between slices of a quarter of a second  conflicts, for each model anew
=============  =======================================  ======================================

``seed`` is passed to CaDiCaL 1.5.3 and later and to Kissat, ``threads`` to CryptoMiniSat; both are
ignored by the others. ``relay`` keeps limits as python-sat's do, for both of its solvers together;
the seed is for the second one.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from backends.interface.options import Value
from backends.interface.proofs import missing
from backends.sat.task import Engine
from modelling.errors import BackendUnavailable, UnknownBackend

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
missing is said when the engine is asked for. cryptosat is left out: it is a bridge to the
distribution that ``cryptominisat`` is asked of directly, and has no limits. ``kissat404`` is the
library that python-sat has, ``kissat`` the program."""

RELAY = "relay"
"""MiniSat 2.2, then CaDiCaL 1.5.3. Proofs, and solvers that are kept, are of CaDiCaL alone."""

ENGINES: tuple[str, ...] = (RELAY, "pycosat", *PYSAT, "cryptominisat", "kissat")

ONE_SHOT = frozenset({"pycosat", "kissat404", "kissat"})
"""Engines that answer once."""

NOT_KEPT = ONE_SHOT | {"cryptominisat"}
"""Those and others that are not kept between calls (``reuse=solver``)."""


def open_engine(
    name: str,
    keep_solvers: bool,
    proofs: bool = False,
    parameters: Mapping[str, Value] = MappingProxyType({}),
) -> Engine:
    """The engine called ``name``; its library is imported here.

    Raises ``BackendUnavailable`` when the library, or the engine in it, is not there, and
    ``UnknownBackend`` when solvers are to be kept between calls and this engine cannot be, or when
    ``proofs`` are to be written and it writes none. ``parameters`` are those of Kissat.
    """
    if name == RELAY:
        if not proofs and not keep_solvers:
            return _open_relay()
        name = "cadical153"
    if proofs:
        _ensure_proofs(name, keep_solvers)
    if keep_solvers and name in NOT_KEPT:
        raise UnknownBackend(
            f"sat: reuse=solver needs an incremental engine, and {name} is none; "
            "use reuse=encoding, or another engine (cadical153, glucose4, ...)"
        )
    if name == "pycosat":
        from backends.sat.engines.pycosat_engine import Pycosat

        return Pycosat()
    if name == "kissat":
        from backends.sat.engines.kissat_engine import Kissat
        from backends.sat.engines.kissat_parameters import write_arguments

        return Kissat(proofs, write_arguments(parameters))
    if name == "cryptominisat":
        from backends.sat.engines.cryptominisat_engine import Cryptominisat

        return Cryptominisat()
    from backends.sat.engines.pysat_engine import Fresh, KeptSolver, OneShot, Pysat

    library = Pysat(name, PYSAT[name])
    if proofs:
        from backends.sat.engines.proving import Proving

        return Proving(library)
    if name in ONE_SHOT:
        return OneShot(library)
    return KeptSolver(library) if keep_solvers else Fresh(library)


def _open_relay() -> Engine:
    from backends.sat.engines.pysat_engine import Pysat
    from backends.sat.engines.relay_engine import Relay

    first, second = (Pysat(name, PYSAT[name]) for name in ("minisat22", "cadical153"))
    return Relay(first, second)


def _ensure_proofs(name: str, keep_solvers: bool) -> None:
    from backends.sat.engines.proving import ensure_writes

    if keep_solvers:
        raise UnknownBackend(
            "sat: proof=check needs a new solver for each call, since a proof is of one formula; "
            "use reuse=encoding"
        )
    ensure_writes(name)
    without = missing()
    if without:
        raise BackendUnavailable(f"sat: proof=check needs a checker of proofs: {without}")
