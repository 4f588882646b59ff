"""Exact behind the common interface: ``exact``. Pseudo-Boolean solving: cutting planes are learnt
from conflicts, and numbers are as large as they must be.

Modules: ``formula`` makes a pseudo-Boolean formula of an instance, ``handlers`` poses constraints
and has the table of all handlers, ``backend`` has the search.

Exact is under the AGPL: its extra is part of no other one. It cannot take a constraint back, so a
formula is made at each call, over the values that are open there. Exact itself excludes solutions,
on the variables that distinguish them; what was learnt is kept. Seconds and the seed are kept;
Exact has no limit on nodes or conflicts, and no threads. Bounds are reported as they are found.
"""

from __future__ import annotations

from backends.exact.backend import OPTIONS, make
from backends.exact.parameters import PARAMETERS

__all__ = ["OPTIONS", "PARAMETERS", "make"]
