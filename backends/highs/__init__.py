"""HiGHS, an integer program by branch and cut, behind the common interface: ``highs``.

A problem is an integer program with a column of 0 and 1 for each value that constraints ask for
(``backends.integer_programs``). HiGHS finds one solution, or the best one: for each further one
those before are cut off and the program is solved anew. That gets ever slower (of the 92 of eight
queens it finds 87 in a minute), so no more than 64 are enumerated. ``search`` is one call,
``backend`` the solver.

Limits: seconds, ``nodes``, ``seed`` and ``threads``. HiGHS calculates with doubles, so its claims
about all solutions or the best one are not proofs.

Releases: 1.12 alone. 1.13 and later report wrong optima (ERGO-Code/HiGHS#2980, open), 1.14 in
presolve as well (#2957, #3043, #3073, mended in 1.15); 1.15 and ortools 9.15 break each other's
import (google/or-tools#5246). 1.12.0 is what ortools 9.15 brings along itself.
"""

from __future__ import annotations

from backends.highs.backend import OPTIONS, make
from backends.highs.parameters import PARAMETERS

__all__ = ["OPTIONS", "PARAMETERS", "make"]
