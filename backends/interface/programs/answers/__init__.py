"""The answers of solvers that are programs, read line by line as they come: one file a format.

    s SATISFIABLE            DIMACS, OPB and XCSP3, by the rules of the competitions
    v 1 -2 3 0               a model, in as many lines as it takes
    o 12                     the objective of a solution that is known
    d COMPLETE EXPLORATION   XCSP3: nothing is left
    x = 3;                   FlatZinc, then ---------- after each solution and ========== after
                             the last where nothing is left
    %%%mzn-stat: nodes=12    statistics

Exit statuses mean little and are not looked at. A word that is not known says nothing: it is never
taken for UNSATISFIABLE. Other lines are passed over.

``reader`` has what all are read by; ``dimacs``, ``opb``, ``xcsp3`` and ``flatzinc`` what each says.
"""
