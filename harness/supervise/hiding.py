"""Folders and processes that a worker is kept away from: the store of its run, and who writes it.

Words
-----
hidden      a folder that is empty in the eyes of a worker: in a mount namespace of its own, an
            empty file system lies over it
apart       the worker, with what it starts, may look into no process but its own (Landlock): nor at
            the files that the supervisor has open, nor into memory of its rivals

A worker that is apart can take no mount away either, so what is hidden stays hidden, from root too.
Where the system refuses one of them, records say so (``isolation``), and what a worker does to the
store is found by its seals. This file needs the standard library only, since the reaper uses it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence

from harness.supervise.sandbox.kernel import (
    LINUX,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_RDONLY,
    check,
    landlock,
    libc,
    mount,
)

_CLONE_NEWNS, _CLONE_NEWUSER = 0x00020000, 0x10000000
_MS_REC, _MS_PRIVATE = 0x4000, 0x40000

_LEAST_LANDLOCK = 2
"""The version of Landlock in which files may be moved all the same."""


def hide(folders: Sequence[str]) -> None:
    """Hide ``folders`` from this process and all that it starts; it must have one thread.

    Raises OSError where the system does not allow it.
    """
    _enter_mounts()
    where = os.getcwd()
    for folder in folders:
        flags = MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC
        mount(b"tmpfs", os.fsencode(folder), b"tmpfs", flags, b"size=4k,mode=0555")
    os.chdir(where)


def keep_apart() -> None:
    """Have this process, and all that it starts, look into no others.

    Raises OSError where the system does not allow it.
    """
    landlock(b"", _LEAST_LANDLOCK)


def find_means(folders: Sequence[str]) -> tuple[bool, bool, str]:
    """Whether ``hide`` and ``keep_apart`` work here, tried in a child; and what refused them."""
    if not LINUX:
        return False, False, "not Linux"
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            said = [_try(action) for action in (lambda: hide(folders), keep_apart)]
            os.write(writer, "\n".join(said).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as file:
        said = file.read().decode(errors="replace").split("\n")
    os.waitpid(child, 0)
    if len(said) != 2:
        return False, False, "the trial ended early"
    return not said[0], not said[1], "; ".join(filter(None, said))


def describe(hidden: bool, apart: bool, why: str) -> str:
    """What is in force, for the record."""
    if hidden and apart:
        return "store hidden"
    return f"store in reach ({why})"


def choose_hidden(folders: Iterable[str], needed: Iterable[str]) -> tuple[list[str], str]:
    """Those of ``folders`` that are there and hold nothing that is ``needed``; and why not all."""
    chosen, why = [], ""
    inside = [os.path.realpath(path) for path in needed if path]
    for folder in map(os.path.realpath, folders):
        if any(path == folder or path.startswith(folder.rstrip("/") + "/") for path in inside):
            why = "its folder holds what workers need"
        elif os.path.isdir(folder):
            chosen.append(folder)
    return chosen, why


def _try(action: Callable[[], None]) -> str:
    """Why an action does not work; empty if it does."""
    try:
        action()
    except (OSError, AttributeError) as error:
        return " ".join(str(error).split()) or type(error).__name__
    return ""


def _enter_mounts() -> None:
    """Have mounts of one's own: root directly, anybody else in a user namespace."""
    uid, gid = os.geteuid(), os.getegid()
    if uid != 0 or libc().unshare(_CLONE_NEWNS) != 0:
        check(libc().unshare(_CLONE_NEWUSER | _CLONE_NEWNS), "unshare")
        for name, text in (
            ("setgroups", "deny"),
            ("uid_map", f"{uid} {uid} 1"),
            ("gid_map", f"{gid} {gid} 1"),
        ):
            with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
                file.write(text)
    mount(None, b"/", None, _MS_REC | _MS_PRIVATE, None)
