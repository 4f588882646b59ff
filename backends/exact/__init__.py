"""Exact behind the common interface: ``exact``. Pseudo-Boolean solving: cutting planes are learnt
from conflicts, and numbers are as large as they must be.

What stands where: ``formula`` an instance as a pseudo-Boolean formula, ``handlers`` how constraints
are posed and the table of all, ``backend`` the search.

Exact is under the AGPL: its extra is part of no other one. It cannot take a constraint back, so a
formula is made at each call, over the values that are open there. Solutions are excluded by Exact's
own means, on the variables that they are told apart by; what was learnt is kept. Seconds and the
seed are kept; Exact has no limit on nodes or conflicts, and no threads. Bounds are told as they are
found.
"""

from __future__ import annotations

from backends.exact.backend import OPTIONS, make

__all__ = ["OPTIONS", "make"]
