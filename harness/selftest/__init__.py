"""The harness tries itself: every liar that ships runs beside honest solvers, and has to be caught.

``tiny`` is the family of the instances, ``trials`` says which liar is asked what, ``checks`` names
the check that caught one, by what the run says of it, and ``hunt`` carries the trials out.
"""
