"""DIMACS: formulas as clauses (``cnf``), with weighted clauses (``wcnf``).

In come the bytes of a file, out goes a ``Problem``. ``numbers`` turns text to arrays of numbers
without an object for each; read it first.
"""
