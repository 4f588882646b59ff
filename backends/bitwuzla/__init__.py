"""Bitwuzla, a solver of bit-vectors, behind the common interface: ``bitwuzla``.

A variable is a bit-vector that counts from its least value, and a sum is an addition in as many
bits as it takes: nothing wraps, however large values are.

``terms`` makes Bitwuzla's terms, ``numbers`` has integers as bit-vectors, ``draft`` a structure
under construction, ``handlers`` and ``functions`` what is native, ``backend`` the search. Limits:
seconds and ``seed``, but not nodes or conflicts, which Bitwuzla does not report.
"""

from __future__ import annotations

from backends.bitwuzla.backend import OPTIONS, make
from backends.bitwuzla.parameters import PARAMETERS

__all__ = ["OPTIONS", "PARAMETERS", "make"]
