"""Advice: which solver for these instances, within a number of seconds.

In: instances, candidates, seconds. Out: an ``Advice``. Read ``halving`` (who runs how long, who is
out), ``rounds`` (the rounds as runs), ``racing`` (round after round), then ``advice`` (the result
and its text). ``features`` and ``neighbours`` give advice without running anything.
"""
