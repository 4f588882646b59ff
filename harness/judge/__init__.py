"""Which answers are true, and which times can be trusted; no clock runs here.

In: answers, checked where they can be. Out: a verdict with its evidence for each. Read ``claims``,
``answers``, ``validate``; then ``times``.
"""
