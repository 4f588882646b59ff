"""No signals to processes outside, by a scope of Landlock (version 6, Linux 6.12).

What the worker starts lies within its scope, and gets its signals. So does the worker those of its
reaper and of the supervisor, which are outside: a scope is in the way of its own processes only.
"""

from __future__ import annotations

from struct import pack

from harness.supervise.sandbox.kernel import landlock

_LEAST = 6
_ABSTRACT_UNIX_SOCKET, _SIGNAL = 1, 2


def refuse_signals() -> None:
    """Have this process, and all that it starts, send none, and reach no abstract socket."""
    landlock(pack("=QQ", 0, _ABSTRACT_UNIX_SOCKET | _SIGNAL), _LEAST)
