"""Compiling and caching: what is compiled once is there for every later process.

numba keeps machine code beside the source, or in the user's cache folder where the source's folder
cannot be written. By itself it takes a cached function for fresh while the *file of that function*
is unchanged, although code from the other files here is compiled into it. So the cache used here
carries a digest of every source file of this folder in its file names and in its index: after any
edit everything is compiled again, and never a mixture is run. If several processes start together,
one compiles a kernel, which takes seconds, and the others wait for what it keeps. Where no folder
at all can be written, each process compiles for itself.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any

import filelock
from numba import njit
from numba.core.caching import FunctionCache, IndexDataCacheFile


def sources_digest(folder: Path) -> str:
    """Eight hexadecimal digits that change with any source file of ``folder``."""
    content = blake2b(digest_size=4)
    for path in sorted(folder.glob("*.py")):
        content.update(path.name.encode() + b"\0" + path.read_bytes())
    return content.hexdigest()


DIGEST = sources_digest(Path(__file__).parent)


LONGEST_SECONDS = 120.0
"""Nothing here takes so long to compile: whoever has waited longer compiles too."""


class SourcesCache(FunctionCache):
    """numba's cache of one function, fresh only while every source file here is the same.

    numba compiles between ``load_overload``, which found nothing, and ``save_overload``: one
    process at a time does, and the others find what it saved.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        name = f"{self._impl.filename_base}-{DIGEST}"
        self._cache_file = IndexDataCacheFile(self._cache_path, name, DIGEST)
        self._lock = filelock.FileLock(Path(self._cache_path) / f"{name}.lock")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code, or None when this process is to compile it."""
        found = super().load_overload(sig, target_context)
        if found is not None:
            return found
        # Without the lock, as on a file system that has none, each compiles for itself.
        with suppress(filelock.Timeout, OSError, NotImplementedError):
            self._lock.acquire(timeout=LONGEST_SECONDS)
        found = super().load_overload(sig, target_context)
        if found is not None:
            self._lock.release(force=True)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code, and let the processes that wait for it continue."""
        try:
            super().save_overload(sig, data)
        finally:
            self._lock.release(force=True)


def kernel(function: Callable[..., Any]) -> Any:
    """Compile at the first call, without Python's lock while it runs, and keep it on disk."""
    compiled = njit(nogil=True, error_model="numpy")(function)
    try:
        compiled._cache = SourcesCache(function)
    except RuntimeError:  # numba: no folder in which it could keep anything
        return compiled
    return compiled


inline = njit(forceinline=True, error_model="numpy")
"""For functions that become part of the kernel that calls them."""
