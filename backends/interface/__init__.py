"""What a backend is, and what backends are built from.

A ``Problem``, an ask and limits come in; a ``Result`` goes out. In reading order: ``api`` (the
interface and its values), ``options`` and ``registry`` (names), ``collector`` (what is done with
each solution), ``optimise`` (optima by asking again), ``restating`` and ``encoding_cache`` (what a
backend makes of a structure, and keeps), ``evidence`` and ``batch_evidence`` (what an answer must
show).
"""
