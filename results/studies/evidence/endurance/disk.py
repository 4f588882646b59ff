"""A disk that loses power: what each file would hold if the system had not written it out yet.

A file has the bytes that are on the disk, and the writes since it was last synced. A folder has
the names that are on the disk, and those that came, went and changed since. After a power cut a
file has the first and any part of the second: each sector of a write is there or is not. A folder
has the changes of its names up to some moment, since file systems keep them in order.

The idea is that of ALICE (Pillai and others, "All file systems are not created equal", OSDI 2014):
record what a program asks of the file system, and construct the states that a crash may leave.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

SECTORS = (512, 4096)
"""Bytes that are written whole or not at all; which of them is drawn for each cut."""


@dataclass(frozen=True)
class Write:
    """Bytes that a file gets at ``offset``; without bytes the file ends there."""

    offset: int
    data: bytes | None


@dataclass(eq=False)
class DiskFile:
    """A file, whatever its name: ``synced`` bytes and the writes since."""

    synced: bytes = b""
    writes: list[Write] = field(default_factory=list)

    def sync(self, content: bytes) -> None:
        """All that the file has, ``content``, is on the disk."""
        self.synced = content
        self.writes.clear()

    def draw(self, choose: random.Random, share: float) -> bytes:
        """Its bytes after a power cut that wrote a ``share`` of the unsynced sectors, 0 to 1."""
        content, sector = bytearray(self.synced), choose.choice(SECTORS)
        for write in self.writes:
            for piece in _cut(write, sector):
                if choose.random() < share:
                    _apply(content, piece)
        return bytes(content)


def _cut(write: Write, sector: int) -> Iterator[Write]:
    """The sectors of a write, each of which is there or is not."""
    if write.data is None:
        yield write
        return
    at = 0
    while at < len(write.data):
        most = sector - (write.offset + at) % sector
        yield Write(write.offset + at, write.data[at : at + most])
        at += most


def _apply(content: bytearray, write: Write) -> None:
    if write.data is None:
        del content[write.offset :]
        return
    end = write.offset + len(write.data)
    content.extend(bytes(max(0, end - len(content))))
    content[write.offset : end] = write.data


class Disk:
    """The files below ``folder``, as programs see them, and what of them is on the disk."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._names: dict[str, DiskFile] = {}
        self._synced: dict[str, DiskFile] = {}
        self._changes: list[tuple[str, DiskFile | None]] = []
        for path in folder.rglob("*"):
            if path.is_file():
                self._names[str(path)] = self._synced[str(path)] = DiskFile(path.read_bytes())

    def has(self, path: str) -> bool:
        """Whether a path lies on this disk."""
        return path.startswith(f"{self.folder}/")

    def open(self, path: str) -> DiskFile:
        """The file of this name, which is new if there was none."""
        if path not in self._names:
            self._rename(path, DiskFile())
        return self._names[path]

    def remove(self, path: str) -> None:
        """The name is gone."""
        if path in self._names:
            self._rename(path, None)

    def rename(self, source: str, target: str, is_kept: bool = False) -> None:
        """A file takes a name, beside its own if that ``is_kept``."""
        self._rename(target, self.open(source))
        if not is_kept:
            self._rename(source, None)

    def sync_file(self, path: str) -> None:
        """What the file holds is on the disk; its name need not be."""
        self.open(path).sync(Path(path).read_bytes())

    def sync_names(self) -> None:
        """All names are on the disk."""
        self._synced = dict(self._names)
        self._changes.clear()

    def _rename(self, path: str, file: DiskFile | None) -> None:
        self._changes.append((path, file))
        _change(self._names, path, file)

    def draw(self, choose: random.Random) -> dict[str, bytes]:
        """What the disk holds after a power cut: the bytes of each file, by its path in the folder.

        A file that no sync was asked for, and SQLite has not written, has any beginning of its
        bytes, or is not there.
        """
        share = choose.choice((0.0, 0.5, 0.9, 1.0))
        names = dict(self._synced)
        for name, changed in self._changes[: choose.randint(0, len(self._changes))]:
            _change(names, name, changed)
        found = {name: file.draw(choose, share) for name, file in names.items()}
        for path in self.folder.rglob("*"):
            is_unknown = str(path) not in self._names and not path.name.endswith("-shm")
            if is_unknown and path.is_file() and choose.random() < 0.7:
                whole = path.read_bytes()
                found[str(path)] = whole[: choose.choice((0, len(whole) // 2, len(whole)))]
        return {str(Path(name).relative_to(self.folder)): data for name, data in found.items()}


def _change(names: dict[str, DiskFile], path: str, file: DiskFile | None) -> None:
    if file is None:
        names.pop(path, None)
    else:
        names[path] = file


def write_files(files: dict[str, bytes], folder: Path) -> None:
    """Make a folder of files that were drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
