"""clingo, answer set programming, behind the common interface: ``clingo:OPTION,OPTION``.

A model is given as ground rules in clingo's own format aspif, which is kept for its structure. A
variable is a choice of one atom for each value; a sum is rules for pairs of values, or weight
rules.

optimum  ``bb`` (default, clingo's own) branch and bound; ``usc`` by unsatisfiable cores, which also
         gives bounds before the proof

``rules`` writes rules, ``program`` has a model under construction, ``handlers`` and ``sums`` what
is native, ``backend`` the search. Limits: seconds, ``conflicts``, ``seed`` and ``threads``, but not
nodes. Sums that reach beyond 30 bits are refused, and those whose weights together have more than
31, as clingo's have.
"""

from __future__ import annotations

from backends.clingo.backend import OPTIONS, make
from backends.clingo.parameters import PARAMETERS

__all__ = ["OPTIONS", "PARAMETERS", "make"]
