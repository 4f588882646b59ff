"""An assignment is examined: a backend that somebody wrote, check by check, with points.

In: a backend's name. Out: a ``Mark`` for each check, as it is done, whatever the backend does. In
reading order: ``names`` (how a user names it), ``checks`` (what is asked, and what each is worth),
``problems`` (of what, smallest first), ``examiner`` (the process that asks), ``examination`` (the
one that watches it), ``sheet`` (the marks as text and as JSON).
"""
