"""No network: a filter of system calls (seccomp) refuses sockets but those between processes.

A socket of another kind than AF_UNIX and AF_NETLINK ends in EACCES, and io_uring, which can open
sockets past a filter, is said not to be there. Programs of 32 bits open no sockets at all.
"""

from __future__ import annotations

import ctypes
import errno
import platform
from collections.abc import Sequence
from functools import cache
from struct import pack
from typing import NamedTuple

from harness.supervise.sandbox.kernel import check, gain_nothing, libc

_SET_SECCOMP, _FILTER = 22, 2
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT = 0, 4, 16
_ALLOW, _ERROR = 0x7FFF0000, 0x00050000
_AF_UNIX, _AF_NETLINK = 1, 16
_IO_URING_SETUP = 425
_X32 = 0x40000000
"""From here on system calls are those of the x32 interface."""


class _Machine(NamedTuple):
    """Its name for the kernel, the number of ``socket``, and those that open sockets by another
    interface, whose numbers are its own."""

    architecture: int
    socket: int
    others: tuple[int, ...]


_MACHINES = {
    "x86_64": _Machine(0xC000003E, 41, (102, 359)),
    "aarch64": _Machine(0xC00000B7, 198, (281,)),
}

Step = tuple[int, int, int, int]
"""An instruction of a filter: what to do, how far to jump if so and if not, with which number."""


def refuse_network() -> None:
    """Have this process, and all that it starts, open no sockets of a network."""
    steps = filter_of(platform.machine())
    if not steps:
        raise OSError(0, f"seccomp: no filter for {platform.machine()}")
    text = ctypes.create_string_buffer(b"".join(steps))
    program = ctypes.create_string_buffer(pack("@HP", len(steps), ctypes.addressof(text)))
    gain_nothing()
    check(libc().prctl(_SET_SECCOMP, _FILTER, program, 0, 0), "seccomp")


@cache
def filter_of(name: str) -> Sequence[bytes]:
    """The instructions for a machine of this name, as the kernel reads them; none if it is not
    known."""
    machine = _MACHINES.get(name)
    return [] if machine is None else [pack("=HBBI", *step) for step in write_filter(machine)]


def write_filter(machine: _Machine) -> Sequence[Step]:
    """The filter: first the machine's own interface, then any other one."""
    refused, missing = _ERROR | errno.EACCES, _ERROR | errno.ENOSYS
    own: list[Step] = [
        (_LOAD, 0, 0, _NUMBER),
        (_EQUAL, 0, 1, _IO_URING_SETUP),
        (_RETURN, 0, 0, missing),
        (_AT_LEAST, 0, 1, _X32),
        (_RETURN, 0, 0, missing),
        (_EQUAL, 1, 0, machine.socket),
        (_RETURN, 0, 0, _ALLOW),
        (_LOAD, 0, 0, _FIRST_ARGUMENT),
        (_EQUAL, 2, 0, _AF_UNIX),
        (_EQUAL, 1, 0, _AF_NETLINK),
        (_RETURN, 0, 0, refused),
        (_RETURN, 0, 0, _ALLOW),
    ]
    other: list[Step] = [(_LOAD, 0, 0, _NUMBER)]
    for number in (*machine.others, _IO_URING_SETUP):
        other += [(_EQUAL, 0, 1, number), (_RETURN, 0, 0, refused)]
    other.append((_RETURN, 0, 0, _ALLOW))
    choice = (_EQUAL, 0, len(own), machine.architecture)
    return [(_LOAD, 0, 0, _ARCHITECTURE), choice, *own, *other]
