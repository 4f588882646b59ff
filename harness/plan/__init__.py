"""Experiments as data, read and checked, and the jobs that they expand to.

In: TOML, or Python values. Out: instances, and jobs in a seeded order. Read ``experiment``,
``reading``, ``checking``, ``answers``, ``expansion``; the folder ``experiments`` holds those that
ship.
"""
