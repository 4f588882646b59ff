"""The database of a run: crash-safe, append-only, readable while the run continues.

In: jobs, records, verdicts. Out: the same, and nothing that was committed is ever lost. Read
``schema``, ``reading``, ``store``, ``files``, ``marks``.
"""
