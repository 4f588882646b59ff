"""Calls of the kernel for which Python has no function; each raises OSError where it is refused."""

from __future__ import annotations

import ctypes
import os
import sys
from functools import cache
from struct import pack

LINUX = sys.platform == "linux"

NO_NEW_PRIVILEGES = 38
"""The option of prctl after which no program gains rights; filters and Landlock need it."""

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_QUERY_VERSION, _PATH_BENEATH = 1, 1
_REFER = 1 << 13
"""To move a file into another folder: what Landlock denies unless it is granted."""


@cache
def libc() -> ctypes.CDLL:
    """The C library, which keeps the number of its last error. It is loaded once; what is forked
    from here has it."""
    return ctypes.CDLL(None, use_errno=True)


def check(answer: int, what: str) -> int:
    """What a call has answered; OSError where that is an error."""
    if answer < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return answer


def call(what: str, number: int, *arguments: object) -> int:
    """A system call by its number."""
    return check(libc().syscall(ctypes.c_long(number), *arguments), what)


def mount(
    source: bytes | None, target: bytes, kind: bytes | None, flags: int, data: bytes | None
) -> None:
    """Mount a file system, in the mounts of this process."""
    check(libc().mount(source, target, kind, ctypes.c_ulong(flags), data), "mount")


def gain_nothing() -> None:
    """Have no program that this process starts gain rights."""
    check(libc().prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0), "prctl")


def landlock(more: bytes, least: int) -> None:
    """Restrict this process and all that it starts by Landlock of version ``least`` or later
    (https://docs.kernel.org/userspace-api/landlock.html).

    It may look into no process outside, and take no mount away. ``more`` are the attributes of a
    ruleset after the first one, which is what of files is restricted: nothing here.
    """
    unknown, query = ctypes.c_size_t(0), ctypes.c_uint(_QUERY_VERSION)
    version = call("Landlock", _CREATE_RULESET, None, unknown, query)
    if version < least:
        raise OSError(0, f"Landlock has version {version}, and {least} is needed")
    attributes, flags = pack("=Q", _REFER) + more, ctypes.c_uint(0)
    size = ctypes.c_size_t(len(attributes))
    rules = ctypes.c_int(call("Landlock", _CREATE_RULESET, attributes, size, flags))
    root = os.open("/", os.O_PATH | os.O_CLOEXEC)
    try:
        # All that it handles of files is granted everywhere: each ruleset has to say so again.
        rule = pack("=Qi", _REFER, root)
        call("Landlock", _ADD_RULE, rules, ctypes.c_int(_PATH_BENEATH), rule, flags)
        gain_nothing()
        call("Landlock", _RESTRICT_SELF, rules, flags)
    finally:
        os.close(root)
        os.close(rules.value)
