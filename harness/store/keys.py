"""The user's key: what is sealed by it was written by this user's supervisor, on this machine.

It lies in a folder of its own, which is hidden from workers where the platform can do that
(``harness.supervise.hiding``), and no one but the user may read it. It is made once.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from puzzles.files import sync_folder
from puzzles.sets.folders import config_folder

BYTES = 32
NAME = "store.key"


def key_folder() -> Path:
    """The folder of the key; it need not exist yet."""
    return config_folder() / "private"


def read_key() -> bytes | None:
    """The key, None where there is none that can be read; a pipe in its place is not waited for."""
    try:
        descriptor = os.open(key_folder() / NAME, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
            key = file.read(BYTES + 1) if is_file else b""
    except OSError:
        return None
    return key if len(key) == BYTES else None


def find_exposure() -> str:
    """How others than the user may read the key, as a sentence; empty where they may not."""
    path = key_folder() / NAME
    try:
        mode = path.stat().st_mode
    except OSError:
        return ""
    if os.name != "posix" or not mode & 0o077:
        return ""
    return (
        f"{path} may be read by others than you (mode {stat.S_IMODE(mode):o}), so they can seal "
        "what they write to a run; remove it, and the next run makes another one"
    )


def ensure_key() -> bytes:
    """The key, made if there is none; where it cannot be kept, one that ends with this process."""
    folder = key_folder()
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        unfinished = folder / f".{NAME}.{os.getpid()}.{secrets.token_hex(4)}"
        if _is_damaged(folder / NAME):
            (folder / NAME).unlink()
        if not (folder / NAME).exists():
            try:
                descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
                with os.fdopen(descriptor, "wb") as file:
                    file.write(secrets.token_bytes(BYTES))
                    file.flush()
                    os.fsync(file.fileno())
                os.link(unfinished, folder / NAME)  # of two processes, the first one makes it
                sync_folder(folder)  # a store that is sealed must not outlast its key
            finally:
                unfinished.unlink(missing_ok=True)
    return read_key() or secrets.token_bytes(BYTES)


def _is_damaged(path: Path) -> bool:
    """Whether there is a readable file that is not a key: nothing was ever sealed by it."""
    return path.is_file() and os.access(path, os.R_OK) and read_key() is None


def name_key(key: bytes) -> str:
    """What a store calls a key by, which does not give it away."""
    return blake2b(key, digest_size=8, person=b"concord name").hexdigest()
