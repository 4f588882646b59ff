"""Structures said in the constraints that a backend has natively, each looked at once.

A backend whose encoder knows some constraints and no others (``native``) accepts what rewriting
leads to those (``modelling.rewrite``), refuses the rest with the constraint's name, and encodes the
restated structure, never the one it was given: so no constraint is skipped.
"""

from __future__ import annotations

from backends.interface.api import Accepted, Refused
from backends.interface.encoding_cache import EncodingCache
from modelling.constraints import Constraint
from modelling.problem import Structure
from modelling.rewrite import refusal, rewrite


class Restating:
    """What becomes of structures for a backend with these native constraints."""

    def __init__(self, native: frozenset[type[Constraint]]) -> None:
        self._native = native
        self._verdicts: EncodingCache[Accepted | Refused] = EncodingCache(64)

    def verdict(self, structure: Structure) -> Accepted | Refused:
        """Whether ``structure`` can be restated, and if not, which constraint cannot, and why."""
        return self._verdicts.get(structure, self._judge)[0]

    def restated(self, structure: Structure) -> Structure:
        """An accepted structure in native constraints only, with the same solutions."""
        restated = rewrite(structure, self._native)
        assert restated is not None, "verdict() has looked"
        return restated

    def _judge(self, structure: Structure) -> Accepted | Refused:
        reason = refusal(structure, self._native)
        return Refused(reason) if reason else Accepted()
