"""What solvers of integer programs have in common: no backend itself, but what three are made of.

``draft``      a structure as an integer program (``modelling.formats.linear.program``) with a
               column of 0 and 1 for each value of a variable where constraints ask for values
``handlers``   what is posed on it natively
``instance``   the program of one call: givens, and the columns that solutions are told apart by
``searching``  a session that solves anew for each solution; rounding, and what is checked after it
``listening``  what is told while a solver searches

Such solvers calculate with doubles: two numbers are one if they differ by less than a tolerance, of
1e-6 mostly. A solution is rounded and checked again by the definitions of the constraints, so what
is shown is right; that there is none, or no better one, is what the solver says and no proof
(docs/verdicts.md). Sums that reach beyond ``LARGEST`` are refused.
"""

from __future__ import annotations

LARGEST = 500_000
"""Relative to this a tolerance of 1e-6 is half a unit; beyond it two integers may be one."""

WHY = "within a tolerance of 1e-6 larger integers are not told apart"
