"""Writes integer programs: the LP format of CPLEX (``lp``), and free MPS (``mps``).

``program`` makes an integer program of a problem: all constraints are rewritten to sums; read it
first. In comes a ``Problem``, out go pieces of text.
"""
