"""The command line: the app, its verbs, and what a terminal shows while work continues.

In: words. Out: an exit status (0 fine, 1 faults, 2 wrong usage, 130 interrupted), results on
standard output, notes and errors on standard error. Read ``entry``, ``command``,
``options``, ``screen``, ``bars``, ``output_file``, then ``verbs/``.
"""
