"""The configurations of the backends that ship which the suite is run on: each solver and each
option that changes what is posed, or how.

``tests/backends/conformance`` runs the suite on every one of them, and the study ``conformance``
on many more problems.
"""

from __future__ import annotations

CONFIGURATIONS = (
    "brute_force",
    "propagation",
    "propagation:branching=smallest",
    "propagation:branching=first,reuse=none",
    "cpsat",
    "cpsat:alldifferent",
    "cpsat:alldifferent,presolve=on",
    "cpsat:alldifferent,presolve=off",
    "cpsat:booleans,presolve=on",
    "cpsat:booleans,presolve=off,reuse=none",
    "cpsat:alldifferent,presolve=light",
    "cpsat:booleans,presolve=light,workers=1",
    "sat:direct,pycosat",
    "sat:direct,cadical153",
    "sat:extended,cadical195",
    "sat:direct,glucose4,reuse=solver",
    "sat:extended,minisat22,amo=sequential",
    "sat:direct,minisat22,reuse=none,amo=product",
    "python_constraint",
    "python_constraint:backtracking",
    "python_constraint:recursive",
    "python_constraint:minconflicts",
)
