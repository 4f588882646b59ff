"""Who is measured, and what a row of the study's data says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

OURS = "propagation:form=compiled,reuse=none"
RIVALS: Mapping[str, Sequence[str]] = {
    "gecode": (
        "minizinc:gecode",
        "minizinc:gecode,search=dom_w_deg",
        "minizinc:gecode,search=dom_w_deg,restarts=luby",
    ),
    "choco": ("choco", "choco:search=smallest", "choco:search=conflicts"),
    "cpsat": ("cpsat:workers=1,reuse=none",),
}
"""Choco's own restarts are missing: the functions of pychoco 0.4.0 that set them fail."""
LEAST = 0.001
"""Milliseconds; what took less counts as this."""
ANSWERED, REFUSED, TOO_LONG, LEFT = "answered", "refused", "limit", "slower"
"""How a backend ended on a family: TOO_LONG, where the limit passed; LEFT, where another search of
its solver was at least AS_LONG times as fast, so that the rest of the time was saved."""


class Row(msgspec.Struct, frozen=True):
    """CPU milliseconds of one backend on a family's problems: of searching, and of the calls.

    None where it refused one or did not answer it in time, which ``ended`` says.
    """

    family: str
    backend: str
    search_ms: float | None
    call_ms: float | None
    ended: str
