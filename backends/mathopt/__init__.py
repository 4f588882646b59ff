"""OR-Tools MathOpt behind the common interface: ``mathopt:gscip``.

solver  ``gscip`` (default, and the only one): SCIP as ortools has it, another build and release
        than that of the backend ``scip``, whose family it is of

A problem is an integer program with a column of 0 and 1 for each value that constraints ask for
(``backends.integer_programs``). MathOpt gives one solution, or the best one: for each further
solution the one before is cut off and the program is solved anew, of 64 solutions at most.

Limits: seconds, ``nodes`` and ``seed``. It calculates with doubles, so its claims about all
solutions or the best one are not proofs.
"""

from __future__ import annotations

from backends.mathopt.backend import OPTIONS, make
from backends.mathopt.parameters import PARAMETERS

__all__ = ["OPTIONS", "PARAMETERS", "make"]
