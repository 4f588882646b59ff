"""Faults in the files of this process: a layer between SQLite, or Python, and the system.

``inject`` registers a layer with SQLite (a "VFS"), which passes everything on to the system's, and
notes what is written, synced and removed; beside it, it does the same for ``os.fsync``,
``os.replace`` and ``os.link``. Each of these is a *step*. A fault happens at a step: a power cut
(``cut``: the step and all after it are not done), or a full disk (``full``: writes find no room).

The layer is made by ctypes of the library that Python's ``sqlite3`` is linked with; where it was
built into Python, there is none: ``BackendUnavailable``.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from modelling.errors import BackendUnavailable
from results.studies.evidence.endurance.disk import Disk, Write

OK, IO_ERROR, FULL = 0, 10, 13
"""SQLite's codes."""

_JOURNAL = 0x800 | 0x4000 | 0x80000
"""Kinds of files whose name SQLite syncs with their first bytes: rollback journals and WAL."""

_POINTER, _INT, _INT64 = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64
_CLOSE = ctypes.CFUNCTYPE(_INT, _POINTER)
_WRITE = ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _INT, _INT64)
_TRUNCATE = ctypes.CFUNCTYPE(_INT, _POINTER, _INT64)
_SYNC = ctypes.CFUNCTYPE(_INT, _POINTER, _INT)
_OPEN = ctypes.CFUNCTYPE(_INT, _POINTER, _POINTER, _POINTER, _INT, ctypes.POINTER(_INT))
_DELETE = ctypes.CFUNCTYPE(_INT, _POINTER, ctypes.c_char_p, _INT)


class _Methods(ctypes.Structure):
    """``sqlite3_io_methods``, version 3: what can be done with an open file."""

    _fields_ = [
        ("iVersion", _INT),
        *((name, _POINTER) for name in ("xClose", "xRead", "xWrite", "xTruncate", "xSync")),
        *((f"x{number}", _POINTER) for number in range(13)),
    ]


class _Layer(ctypes.Structure):
    """``sqlite3_vfs``, version 3."""

    _fields_ = [
        *((name, _INT) for name in ("iVersion", "szOsFile", "mxPathname")),
        ("pNext", _POINTER),
        ("zName", ctypes.c_char_p),
        ("pAppData", _POINTER),
        ("xOpen", _POINTER),
        ("xDelete", _POINTER),
        *((f"x{number}", _POINTER) for number in range(14)),
    ]


@dataclass
class Faults:
    """What happens at which step; steps count from 1.

    At the step ``cut`` the power goes, and ``on_cut`` hears of it. From the write number ``full``
    on the disk is full, for ``full_for`` writes.
    """

    disk: Disk
    cut: int = 0
    on_cut: Callable[[], None] = lambda: None
    full: int = 0
    full_for: int = sys.maxsize
    steps: int = 0
    writes: int = 0
    is_cut: bool = False

    def take_step(self) -> int:
        """Count a step; SQLite's code of what happens to it."""
        self.steps += 1
        if self.steps == self.cut and not self.is_cut:
            self.is_cut = True
            self.on_cut()
        return IO_ERROR if self.is_cut else OK

    def write(self) -> int:
        """Count a write, which is a step."""
        self.writes += 1
        has_room = not self.full or not 0 <= self.writes - self.full < self.full_for
        return self.take_step() or (OK if has_room else FULL)


def _find_library() -> ctypes.CDLL:
    """The SQLite that Python uses."""
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        path = line.split(" ")[-1]
        if "/libsqlite3" in path:
            library = ctypes.CDLL(path)
            library.sqlite3_vfs_find.restype = _POINTER
            return library
    raise BackendUnavailable(
        "faults in files need a Python whose sqlite3 is linked with libsqlite3, as those of Linux "
        f"distributions are; this one has SQLite {sqlite3.sqlite_version} built in"
    )


@contextmanager
def inject(faults: Faults) -> Iterator[None]:
    """In the block every file that SQLite opens is behind the layer."""
    library = _find_library()
    layer = _FaultyFiles(library, faults)
    python = _replace_functions(faults)
    library.sqlite3_vfs_register(ctypes.byref(layer.layer), 1)
    try:
        yield
    finally:
        library.sqlite3_vfs_unregister(ctypes.byref(layer.layer))
        for name, function in python.items():
            setattr(os, name, function)
        # Files that are still open call the layer: it has to be there as long as the process.
        _KEPT.append(layer)


_KEPT: list[Any] = []


class _FaultyFiles:
    """The layer: the system's own, of which six functions are ours."""

    def __init__(self, library: ctypes.CDLL, faults: Faults) -> None:
        self._faults, self._disk = faults, faults.disk
        self._below = ctypes.cast(library.sqlite3_vfs_find(None), ctypes.POINTER(_Layer))
        self._open_below = ctypes.cast(self._below.contents.xOpen, _OPEN)
        self._delete_below = ctypes.cast(self._below.contents.xDelete, _DELETE)
        self.layer = _Layer.from_buffer_copy(self._below.contents)
        self.layer.zName, self.layer.pNext = f"faults-{id(self)}".encode(), None
        self._paths: dict[int, tuple[str, bool]] = {}
        self._tables: dict[int, _Methods] = {}
        self._callbacks: list[Any] = []
        self.layer.xOpen = self._keep(_OPEN(self._open))
        self.layer.xDelete = self._keep(_DELETE(self._delete))

    def _keep(self, callback: Any) -> int | None:
        self._callbacks.append(callback)
        return ctypes.cast(callback, _POINTER).value

    def _open(self, layer: int, name: int | None, file: int, flags: int, out: Any) -> int:
        # SQLite keeps the address of the name, and has more behind it: it is passed on as it is.
        path = "" if name is None else os.fsdecode(ctypes.string_at(name))
        is_new = bool(path) and not os.path.exists(path)
        if is_new and self._disk.has(path) and self._faults.take_step():
            return IO_ERROR
        code: int = self._open_below(ctypes.addressof(self._below.contents), name, file, flags, out)
        if code == OK and self._disk.has(path):
            self._disk.open(path)
            self._paths[file] = path, bool(flags & _JOURNAL) and is_new
            methods = ctypes.cast(file, ctypes.POINTER(_POINTER))
            assert methods[0] is not None
            methods[0] = ctypes.addressof(self._find_table(methods[0]))
        return code

    def _find_table(self, methods: int) -> _Methods:
        """The functions of a file, those that write being ours."""
        if methods not in self._tables:
            below = _Methods.from_address(methods)
            table = self._tables[methods] = _Methods.from_buffer_copy(below)
            table.xWrite = self._keep(self._make_write(ctypes.cast(below.xWrite, _WRITE)))
            table.xTruncate = self._keep(self._make_cut(ctypes.cast(below.xTruncate, _TRUNCATE)))
            table.xSync = self._keep(self._make_sync(ctypes.cast(below.xSync, _SYNC)))
            table.xClose = self._keep(self._make_close(ctypes.cast(below.xClose, _CLOSE)))
        return self._tables[methods]

    def _make_write(self, below: Any) -> Any:
        def write(file: int, data: int, size: int, offset: int) -> int:
            code: int = self._faults.write() or below(file, data, size, offset)
            if code == OK:
                content = ctypes.string_at(data, size)
                self._disk.open(self._paths[file][0]).writes.append(Write(offset, content))
            return code

        return _WRITE(write)

    def _make_cut(self, below: Any) -> Any:
        def truncate(file: int, size: int) -> int:
            code: int = self._faults.take_step() or below(file, size)
            if code == OK:
                self._disk.open(self._paths[file][0]).writes.append(Write(size, None))
            return code

        return _TRUNCATE(truncate)

    def _make_sync(self, below: Any) -> Any:
        def sync(file: int, flags: int) -> int:
            path, is_journal = self._paths[file]
            code: int = self._faults.take_step() or below(file, flags)
            if code == OK:
                self._disk.sync_file(path)
                if is_journal:
                    self._disk.sync_names()
                    self._paths[file] = path, False
            return code

        return _SYNC(sync)

    def _make_close(self, below: Any) -> Any:
        def close(file: int) -> int:
            self._paths.pop(file, None)
            code: int = below(file)
            return code

        return _CLOSE(close)

    def _delete(self, layer: int, name: bytes, is_synced: int) -> int:
        path = os.fsdecode(name)
        if not self._disk.has(path) or path.endswith("-shm"):
            passed: int = self._delete_below(
                ctypes.addressof(self._below.contents), name, is_synced
            )
            return passed
        code: int = self._faults.take_step() or self._delete_below(
            ctypes.addressof(self._below.contents), name, is_synced
        )
        if code == OK:
            self._disk.remove(path)
            if is_synced:
                self._disk.sync_names()
        return code


def _replace_functions(faults: Faults) -> dict[str, Any]:
    """Have functions of ``os`` take steps; what they were before."""
    disk = faults.disk
    before: dict[str, Any] = {"fsync": os.fsync, "replace": os.replace, "link": os.link}

    def step() -> None:
        if faults.take_step():
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def fsync(file: Any) -> None:
        path = os.readlink(f"/proc/self/fd/{file if isinstance(file, int) else file.fileno()}")
        if disk.has(path) or path == str(disk.folder):
            step()
        before["fsync"](file)
        if os.path.isdir(path) and (disk.has(path) or path == str(disk.folder)):
            disk.sync_names()
        elif disk.has(path):
            disk.sync_file(path)

    def rename(name: str) -> Callable[[Any, Any], None]:
        def renamed(source: Any, target: Any) -> None:
            if disk.has(str(target)):
                step()
            before[name](source, target)
            if disk.has(str(target)):
                disk.rename(str(source), str(target), is_kept=name == "link")

        return renamed

    for name, function in (("fsync", fsync), *((n, rename(n)) for n in ("replace", "link"))):
        setattr(os, name, function)
    return before
