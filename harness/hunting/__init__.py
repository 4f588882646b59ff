"""The hunt for wrong solvers: what is found is kept, made small, and written up for its author.

In reading order: ``findings`` (one wrong answer, as a folder); ``drawing`` (problems and
questions), ``judging`` (is an answer right), ``novelty`` and ``coverage`` (what was new, and what
was asked), ``causes`` (which findings are one mistake), ``playing`` (all of these, in a process for
each solver), ``opinions`` (what several solvers say of one problem), ``hunt`` (the whole).
"""
