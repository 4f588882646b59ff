"""Solvers that are programs of their own: what their rooms share.

In: a command line, a dialect, and a problem in what the dialect says by itself. Out: a session of
the driver. Read ``process`` (a running program; ``starting`` and ``leaving`` it, its ``tree``, its
``output_tail``), ``answers`` (what they print), ``formulas`` with ``decoding``, ``named`` and
``texts`` (problems as text, and back), ``program`` (what a room says of one), ``run`` (one start)
with ``endings``, ``search`` (sessions); ``solver`` makes a solver of these.
"""
