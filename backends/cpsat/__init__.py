"""OR-Tools CP-SAT behind the common interface: ``cpsat:OPTION,OPTION``.

formulation  ``alldifferent`` one integer variable a variable, constraints posed as CP-SAT has them;
             ``booleans`` one Boolean a value; ``auto`` (default) takes what was measured to be the
             faster one for the structure and the ask: see ``configuration``
presolve     ``on`` CP-SAT's own; ``light`` one round, without probing and symmetry detection;
             ``off`` no presolve, and none of the work that goes with it (probing, symmetry
             detection, linearisation, the SAT engine's inprocessing); ``auto`` (default): see below
search       ``free`` CP-SAT's own branching; ``fixed`` variables in their order, the least value
             first, clauses learnt all the same; ``ls`` local search alone, which finds a solution
             or better and better ones, and proves nothing; ``auto`` (default): see below
workers      how many threads search: ``auto`` (default) is ``Limits.threads``, or one
reuse        ``encoding`` (default): the model of a structure is kept; ``none``: built at each call
workarounds  ``kept`` (default), or ``dropped``: known faults of CP-SAT are not avoided

Without options a call begins with a trial: the configuration that was measured to be the fastest
for small problems of the kind, with a bound on its work of a few milliseconds. What the trial
leaves undecided is asked again with CP-SAT's own defaults. An option, or more than one worker,
leaves the trial out; ``auto`` is then what CP-SAT does by default.

A result's ``configuration`` says what ``auto`` has taken. Modules: ``formulations`` has the models,
``configuration`` the choice and the figures behind it, ``parameters`` CP-SAT's parameters,
``search`` a call, ``callback`` what CP-SAT calls back, ``backend`` the solver.
"""

from __future__ import annotations

from backends.cpsat.backend import OPTIONS, make
from backends.cpsat.own_parameters import PARAMETERS

__all__ = ["OPTIONS", "PARAMETERS", "make"]
