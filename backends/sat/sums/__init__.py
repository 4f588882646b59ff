"""Sums compared with constants: diagrams, totalizers, counters and adders (option ``sums``).

``comparison`` is the form they all start from, ``writing`` chooses.
"""
