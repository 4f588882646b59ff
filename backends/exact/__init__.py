"""Exact behind the common interface: ``exact``. Pseudo-Boolean solving: cutting planes are learnt
from conflicts, and numbers are as large as they must be.

proof    ``none`` (default), or ``check``: of a search to the end Exact writes a proof by cutting
         planes, which is checked (``backends.proofs``); ``proof_seconds`` is how long that may take

Modules: ``formula`` makes a pseudo-Boolean formula of an instance, ``handlers`` poses constraints
and has the table of all handlers, ``backend`` has the search, ``proving`` the search with proofs.

Exact is under the AGPL: its extra is part of no other one. It cannot take a constraint back, so a
formula is made at each call, over the values that are open there. Exact itself excludes solutions,
on the variables that distinguish them; what was learnt is kept. Seconds and the seed are kept;
Exact has no limit on nodes or conflicts, and no threads. Bounds are reported as they are found.
"""

from __future__ import annotations

from backends.exact.backend import Exact
from backends.exact.parameters import PARAMETERS
from backends.exact.proving import ProvingExact
from backends.interface.libraries.making import maker
from backends.interface.options import Option
from backends.interface.proofs import SECONDS

OPTIONS: tuple[Option, ...] = (
    Option("proof", ("none", "check"), "none", "whether proofs are written, and checked"),
    Option("proof_seconds", (), str(SECONDS), "most seconds that a check takes", least=1),
)


def _solver(name: str, proof: str, proof_seconds: str) -> Exact:
    """The solver with these options."""
    return ProvingExact(name, int(proof_seconds)) if proof == "check" else Exact(name)


make = maker("exact", OPTIONS, _solver, PARAMETERS)

__all__ = ["OPTIONS", "PARAMETERS", "make"]
