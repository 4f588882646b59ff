"""Pumpkin with proofs: ``pumpkin:proof=check``. Each search to the end has a proof by inferences.

``model`` names the variables and constraints that Pumpkin is given, ``drcp`` turns the proof that
it writes, in DRCP, into the lines that ``backends.proofs.inferences`` checks, and ``solver`` is the
backend. What is checked is the problem's own text, so neither has to be trusted.
"""
