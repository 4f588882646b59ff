"""Pumpkin behind the common interface, by pumpkin-solver: ``pumpkin:OPTION``. Lazy clause
generation: propagators explain what they do, and a conflict is learnt from as in a SAT solver.

optimum  ``sat-unsat`` from a solution to better ones, Pumpkin's own default; ``unsat-sat`` from
         the bound to the first solution
proof    ``none`` (default), or ``check``: of a search to the end Pumpkin writes a proof by
         inferences, which is checked (``backends.proofs``); ``proof_seconds`` is how long that may
         take
workarounds  ``kept`` (default), or ``dropped``: known faults of Pumpkin are not avoided; without
         proofs

Its library has no parameters of the search that a name could set (``parameters``).

Modules: ``views`` has variables and literals, ``model`` makes Pumpkin's model of an instance,
``guards`` checks what its integers hold. ``comparisons``, ``tables``, ``formulas``, ``functions``
and ``scheduling`` pose and deny constraints. ``handlers`` has the table of all handlers, ``search``
one search, ``backend`` the solver, ``proving`` the solver that writes proofs.

Pumpkin cannot take a constraint back, so a model is built at each call, over the values that are
open there; what is kept of a structure is what has to be posed. Solutions that were found are
excluded by a clause each, while what was learnt is kept. Seconds are kept and the seed is handed
on; Pumpkin's Python has no limit on nodes or conflicts, no threads and no statistics.
"""

from __future__ import annotations

from backends.interface.libraries.making import maker
from backends.interface.libraries.workarounds import DROPPED, WORKAROUNDS
from backends.interface.options import Option
from backends.interface.proofs import SECONDS
from backends.pumpkin.backend import OPTIMISERS, Pumpkin
from backends.pumpkin.parameters import PARAMETERS
from backends.pumpkin.proving.solver import ProvingPumpkin
from modelling.errors import UnknownBackend

OPTIONS = (
    Option("optimum", tuple(OPTIMISERS), "sat-unsat", "how optima are found"),
    Option("proof", ("none", "check"), "none", "whether proofs are written, and checked"),
    Option("proof_seconds", (), str(SECONDS), "most seconds that a check takes", least=1),
    WORKAROUNDS,
)


def _solver(name: str, optimum: str, proof: str, proof_seconds: str, workarounds: str) -> Pumpkin:
    """The solver with these options."""
    if proof == "check":
        if workarounds == DROPPED:
            raise UnknownBackend(f"{name}: proofs are written with workarounds=kept alone")
        return ProvingPumpkin(name, optimum, int(proof_seconds))
    return Pumpkin(name, optimum, workarounds)


make = maker("pumpkin", OPTIONS, _solver, PARAMETERS)

__all__ = ["OPTIONS", "PARAMETERS", "make"]
