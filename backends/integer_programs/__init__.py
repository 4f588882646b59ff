"""What solvers of integer programs have in common: no backend itself, but what three are made of.

``draft``      a structure as an integer program (``modelling.formats.linear.program``) with a
               column of 0 and 1 for each value of a variable where constraints ask for values
``handlers``   what is posed on it natively
``instance``   the program of one call: givens, and the columns that distinguish solutions
``searching``  a session that solves anew for each solution; rounding, and what is checked after it
``solver``     what the solvers can do alike
``listening``  what a solver reports while it searches

Such solvers calculate with doubles: two numbers are one if they differ by less than a tolerance, of
1e-6 mostly. A solution is rounded and checked again by the definitions of the constraints, so what
is shown is right. The solver's claim that no solution, or no better one, exists is not a proof
(docs/verdicts.md). Sums that reach beyond ``LARGEST`` are refused, but for objectives and for rows
whose factors are all 1 or -1: those may reach ``WIDEST``.
"""

from __future__ import annotations

from modelling.constraints import Iff, Implies, Linear, NotEqual

LARGEST = 500_000
"""Relative to this a tolerance of 1e-6 is half a unit; beyond it two integers may be one."""

WIDEST = 100_000_000_000
"""Most that an objective may reach, and a row with no factor but 1 and -1 (and no condition): the
vertices of such rows are mostly integers, and a solver calculates them without rounding. With other
factors wrong optima were measured from 3,000,000 on (docs/decisions/0037-large-domains.md)."""

INTERVALS = frozenset({Linear, NotEqual, Implies, Iff})
"""The kinds of constraints that list no values; ``searching`` refuses those that need a factor
beyond ``LARGEST``."""

WHY = "within a tolerance of 1e-6 larger integers are not told apart"
