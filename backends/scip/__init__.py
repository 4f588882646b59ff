"""SCIP, an integer program by branch, cut and propagate, behind the common interface: ``scip``.

A problem is an integer program with a column of 0 and 1 for each value that constraints ask for
(``backends.integer_programs``). One solution and optima are SCIP's own search with its own
settings, to whose incumbents and bounds ``incumbent_handler`` listens. Several solutions are
the leaves of one tree: see ``enumeration``. ``search`` is one call, ``backend`` the solver.

Limits: seconds, ``nodes`` and ``seed``; SCIP has one thread. It calculates with doubles, so its
claims about all solutions or the best one are not proofs.
"""

from __future__ import annotations

from backends.scip.backend import OPTIONS, make
from backends.scip.parameters import PARAMETERS

__all__ = ["OPTIONS", "PARAMETERS", "make"]
