"""Proofs: whether the refutations beside an answer prove that no further solution exists.

In comes a ``Result`` with refutations (``backends.interface.proofs``), out a ``Certificate``.

certify     whether the refutations are of what is claimed, and each is checked
checking    one formula and its proof, given to the checker in a process of its own, with limits
checker     that process: reads formula and proof, and asks dratify
encodings   whether the clauses of a formula lose no solution of the problem
inferences  the same for a model of constraints, and a proof by inferences
"""
