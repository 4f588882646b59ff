"""What is drawn: problems, and what is asked about them.

In reading order: ``problems`` (drawn alike for all solvers), ``mutations`` (made of others),
``relations`` (whose answers follow from each other), ``questions``, ``configurations`` (options and
parameters of a solver). Everything depends on a seed alone.
"""
