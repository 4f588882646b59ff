"""Advice: which solver for these instances, within a number of seconds.

In: instances, candidates, seconds. Out: an ``Advice``. Read ``halving`` (who runs how long, who is
out), ``rounds`` (the rounds as runs), ``tournament`` (round after round), then ``advising`` (all of
it) and ``advice`` (the result). ``guessing`` advises without running anything, by ``features`` and
``neighbours``.
"""
