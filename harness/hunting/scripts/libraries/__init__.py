"""What each library is called by: one module a solver, which ``apart`` finds by its name.

``integer_programs`` is what ``highs`` and ``scip`` have in common.
"""
