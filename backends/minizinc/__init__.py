"""The solvers of an installed MiniZinc, behind the common interface: ``minizinc:SOLVER,OPTION``.

A problem is written as a MiniZinc model (``modelling.formats.minizinc``), which MiniZinc flattens
and gives to a solver of its own: whatever ``minizinc --solvers-json`` lists, such as ``gecode``
(default), ``chuffed``, ``cp-sat``, ``coin-bc``. A process is started for each call.

search  ``default``, or ``free``: the solver chooses its search (``-f``), as Chuffed is run in
        the MiniZinc Challenge; ``input_order``, ``first_fail`` or ``dom_w_deg``: how MiniZinc's
        ``int_search`` chooses a variable, the least value first
restarts ``default``, ``luby`` or ``geometric``, for one solution or an optimum

``solvers`` asks MiniZinc for its solvers, ``guards`` says what each is given natively, ``backend``
joins these with what all programs share (``backends.interface.programs``).
"""

from __future__ import annotations

from backends.minizinc.backend import OPTIONS, make
from backends.minizinc.parameters import PARAMETERS
from backends.minizinc.solvers import list_found

__all__ = ["OPTIONS", "PARAMETERS", "list_found", "make"]
