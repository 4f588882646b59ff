"""What a backend is, and what backends are built from.

A ``Problem``, an ask and limits come in; a ``Result`` goes out. In reading order: ``api`` (the
interface and its values), ``events`` (what a solver reports during a search), ``options`` and
``registry`` (names), ``session`` and ``handlers`` (what a solver gives), ``driver`` (what makes a
backend of it), ``collector`` (what is done with each solution), ``optimise`` and
``encoding_cache`` (pieces of the driver), ``evidence`` and ``batch_evidence`` (what an answer must
show).
"""
