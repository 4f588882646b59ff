"""Proofs of what the search that learns has refuted (``propagation:learning,proof=check``).

``draft`` notes which constraint each propagator and clause comes from, ``model`` writes the
constraints for the checker, ``notes`` has the lines of a proof, ``form`` has the places of the
search where lines are noted, and ``solver`` is the backend. The search that is recorded is the
interpreted one; what it does is the same. ``backends.proofs.inferences`` checks the proofs.
"""
