"""Integer programs: the LP format of CPLEX (``lp``), and MPS (``mps``), read and written.

``program`` makes an integer program of a problem: all constraints are rewritten to sums; read it
first. In comes a ``Problem``, out go pieces of text. ``parsed`` makes a problem of what is read.
"""
