"""The verbs that look for wrong answers: of one solver, of the checks themselves, of all solvers.

In the order of ``concord --help``: ``conform`` examines one solver, ``selftest`` examines the
checks, ``fuzz`` hunts, ``shrink`` makes what was found small.
"""
