"""The option ``workarounds``: a library's known faults are avoided, or seen as they are.

A backend with it poses some constraints in other words than its library has, since those words give
wrong answers (docs/disagreements.md). Who hunts faults of the library, or tries a new release of
it, drops that: the answers are then the library's own, and are checked as any others.
"""

from __future__ import annotations

from backends.interface.options import Option

KEPT, DROPPED = "kept", "dropped"

WORKAROUNDS = Option(
    "workarounds",
    (KEPT, DROPPED),
    KEPT,
    "dropped: its library's known faults are not avoided, so answers may be wrong",
)
