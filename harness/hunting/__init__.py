"""The hunt for wrong solvers: what is found is kept, made small, and written up for its author.

In reading order: ``findings`` (one wrong answer, as a folder); ``drawing`` and ``mutations`` (where
problems come from), ``relations`` (problems whose answers follow from each other), ``questions``
and ``configurations`` (what is asked, of how configured a solver), ``judging`` (is the answer
right), ``novelty`` and ``coverage`` (what was new, and what was asked), ``causes`` (which findings
are one mistake), ``rounds`` (all of these for one problem), ``lane`` (the state for one solver),
``solver_process`` and ``solver_worker`` (where rounds are played), ``opinions`` (what several
solvers say of one problem), ``hunt`` (the whole).
"""
