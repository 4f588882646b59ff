"""Writes problems as formulas, by the encodings that the SAT backend solves them with.

``formula``  a problem as clauses and, where the format has them, sums over literals; and comments
             that say what its literals mean
``cnf``      DIMACS CNF: any problem without an objective
``wcnf``     WCNF: any problem with one
``opb``      OPB: any problem; its sums stay sums

In comes a ``Problem``, out go pieces of text (``modelling.formats``). Every auxiliary literal is
determined, so what is written has as many models as the problem has solutions. If an output
distinguishes solutions, CNF says so.
"""
