"""z3 of Microsoft Research behind the common interface, as a solver of finite domains: ``z3``.

A variable is a Boolean for each value, of which one is true; a sum is a pseudo-Boolean constraint,
and z3's logic ``QF_FD`` decides both by conflict-driven search.

``draft`` has a structure under construction, ``handlers``, ``sums`` and ``functions`` what is
native, ``backend`` the search. Limits: seconds, ``conflicts`` and ``seed``; there is none on nodes.
Sums that reach beyond 30 bits are refused, and those whose weights together have more than 31.
"""

from __future__ import annotations

from backends.z3.backend import OPTIONS, make
from backends.z3.parameters import PARAMETERS

__all__ = ["OPTIONS", "PARAMETERS", "make"]
