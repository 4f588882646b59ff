"""The command line: the app, one thin file a verb, and what a terminal shows while work goes on.

In: words. Out: an exit status (0 fine, 1 faults, 2 wrong usage, 130 interrupted), tables on stdout,
talk on stderr. Read ``entry``, ``app``, ``command``, ``screen``, then ``verbs/``.
"""
