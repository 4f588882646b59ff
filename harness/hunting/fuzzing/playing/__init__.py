"""Rounds of a hunt, in a process for each solver.

In reading order: ``lane`` (the state for one solver), ``rounds`` (one problem: asked and judged),
``process`` and ``worker`` (the two sides of the process).
"""
