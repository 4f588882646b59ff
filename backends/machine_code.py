"""Machine code that numba has compiled, kept for every later process.

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
from numba.core.caching import FunctionCache, IndexDataCacheFile

from backends.waiting import announce


def sources_digest(folder: Path) -> str:
    """Eight hexadecimal digits that change with any source file in or below ``folder``."""
    content = blake2b(digest_size=4)
    for path in sorted(folder.rglob("*.py")):
        name = path.relative_to(folder).as_posix()
        content.update(name.encode() + b"\0" + path.read_bytes())
    return content.hexdigest()


LONGEST_SECONDS = 120.0
"""Nothing here takes so long to compile: whoever has waited longer compiles too."""


class SourcesCache(FunctionCache):
    """numba's cache of one function, fresh only while ``digest`` is the same.

    numba compiles between ``load_overload``, which found nothing, and ``save_overload``: one
    process at a time does, and the others find what it saved. ``is_plain`` says that the function
    is called by its address alone. Then what was kept is loaded without the rest of numba, which
    imports SciPy, too, and takes longer than all else.
    """

    def __init__(self, function: Callable[..., Any], digest: str, is_plain: bool = False) -> None:
        super().__init__(function)
        self._is_plain = is_plain
        name = f"{self._impl.filename_base}-{digest}"
        self._cache_file = IndexDataCacheFile(self._cache_path, name, digest)
        self._lock = filelock.FileLock(Path(self._cache_path) / f"{name}.lock")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The machine code, or None when this process is to compile it."""
        if self._is_plain:
            with self._guard_against_spurious_io_errors():
                found = self._load_overload(sig, target_context)
                if found is not None:
                    return found
        found = super().load_overload(sig, target_context)
        if found is not None:
            return found
        # Without the lock, as on a file system that has none, each compiles for itself.
        with suppress(filelock.Timeout, OSError, NotImplementedError):
            self._lock.acquire(timeout=LONGEST_SECONDS)
        found = super().load_overload(sig, target_context)
        if found is not None:
            self._lock.release(force=True)
        else:
            announce(f"compiling {self._py_func.__name__}; later runs find it compiled")
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code, and let the processes that wait for it continue."""
        try:
            super().save_overload(sig, data)
        finally:
            self._lock.release(force=True)
