"""What came out, in the order in which people ask: who wins, what went wrong, then the details.

In: the jobs, records and verdicts of a run. Out: DataFrames, text, plots, HTML. Read ``run``,
``standings``, ``tables``, ``rankings``, ``columns``; then ``headline``, ``sentences`` and
``terminal``, which are the screen's, ``page`` and ``plots``; ``writing`` joins them to a run.
"""
