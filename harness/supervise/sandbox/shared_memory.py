"""Shared memory of one's own: an empty file system over ``/dev/shm``, which ends with the worker.

It takes the mounts of one's own that ``harness.supervise.hiding`` has made. What a worker leaves in
it goes when the last of its processes is gone, and no rival finds it.
"""

from __future__ import annotations

import os

from harness.supervise.sandbox.kernel import MS_NODEV, MS_NOSUID, mount

SHARED = "/dev/shm"


def own_shared_memory() -> None:
    """Give this process, and all that it starts, shared memory that nobody else has."""
    if os.path.isdir(SHARED):
        mount(b"tmpfs", SHARED.encode(), b"tmpfs", MS_NOSUID | MS_NODEV, b"mode=1777")
