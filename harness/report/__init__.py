"""What came out, in the order in which people ask: who wins, what went wrong, then the details.

In: the jobs, records and verdicts of a run. Out: DataFrames, text, plots, HTML. Read ``run``; then
``jobs``, ``standings``, ``tables``, of which each is made of the one before; then ``sentences``,
``table_text``, ``terminal``, ``page`` and ``plots``, which show them.
"""
