"""What a backend is, and what backends are built from.

A ``Problem``, an ask and limits come in; a ``Result`` goes out. In reading order: ``api`` (the
interface and its values; ``proofs`` are a part of them), ``events`` (what a solver reports during a
search), ``shipped``, ``options`` and ``registry`` (names), ``session`` and ``handlers`` (what a
solver gives), ``preparation`` (what is made of a structure) with ``encoding_cache``, ``driver``
(what makes a backend of it all) with ``collector`` (what is done with each solution) and
``optimise``, ``magnitudes`` (for narrow integers), ``libraries`` (what solvers share that are
libraries of Python), ``programs`` (solvers that are programs of their own), ``evidence`` (what an
answer must show).
"""
