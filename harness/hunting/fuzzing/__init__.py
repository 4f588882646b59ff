"""How wrong answers are found: random problems, options and questions, and who is right.

In reading order: ``drawing`` (problems and questions), ``judging`` (is an answer right),
``novelty`` and ``coverage`` (what was new, and what was asked), ``causes`` (which findings are one
mistake), ``playing`` (all of these, in a process for each solver), ``opinions`` (what several
solvers say of one problem), ``hunt`` (the whole), ``writing_up`` (a finding of each cause made
small).
"""
