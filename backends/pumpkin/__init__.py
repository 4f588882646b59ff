"""Pumpkin behind the common interface, by pumpkin-solver: ``pumpkin:OPTION``. Lazy clause
generation: propagators explain what they do, and a conflict is learnt from as in a SAT solver.

optimum  ``sat-unsat`` from a solution to better ones, Pumpkin's own default; ``unsat-sat`` from
         the bound to the first solution

Its library has no parameters of the search that a name could set (``parameters``).

Modules: ``views`` has variables and literals, ``model`` makes Pumpkin's model of an instance,
``guards`` checks what its integers hold. ``comparisons``, ``tables``, ``formulas``, ``functions``
and ``scheduling`` pose and deny constraints. ``handlers`` has the table of all handlers, ``search``
one search, ``backend`` the solver.

Pumpkin cannot take a constraint back, so a model is built at each call, over the values that are
open there; what is kept of a structure is what has to be posed. Solutions that were found are
excluded by a clause each, while what was learnt is kept. Seconds are kept and the seed is handed
on; Pumpkin's Python has no limit on nodes or conflicts, no threads and no statistics.
"""

from __future__ import annotations

from backends.pumpkin.backend import OPTIONS, make
from backends.pumpkin.parameters import PARAMETERS

__all__ = ["OPTIONS", "PARAMETERS", "make"]
