"""What kind of file system a folder lies on: a network has other rules for locks and memory.

SQLite's write-ahead log needs memory that all readers share, which two machines do not have. On a
network file system the rollback journal serves, with one writer.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

MOUNTS = Path("/proc/mounts")

NETWORK = frozenset(
    {
        *("9p", "afs", "beegfs", "ceph", "cifs", "cvmfs", "davfs", "glusterfs", "gpfs"),
        *("lustre", "ncpfs", "nfs", "nfs4", "ocfs2", "orangefs", "panfs", "pvfs2", "smb3", "smbfs"),
        *("virtiofs", "vboxsf", "wekafs"),
        *("fuse.ceph", "fuse.glusterfs", "fuse.gcsfuse", "fuse.s3fs", "fuse.sshfs", "fuse.rclone"),
    }
)
"""Types that Linux gives to file systems behind a network or a machine's border."""


def kind(folder: Path, mounts: Iterable[str] | None = None) -> str:
    """The type of the file system that ``folder`` lies on; empty where the system does not tell."""
    lines = _mounts() if mounts is None else mounts
    path = os.path.realpath(folder)
    found, longest = "", -1
    for line in lines:
        _, at, name, *_ = line.split(" ")
        point = re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), at)  # \040 is a space
        inside = path == point or path.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= longest:  # of two mounts at one point the later one counts
            found, longest = name, len(point)
    return found


def is_network(folder: Path, mounts: Iterable[str] | None = None) -> bool:
    """Whether ``folder`` lies on a network file system, as far as the system tells."""
    return kind(folder, mounts) in NETWORK


def _mounts() -> list[str]:
    try:
        return MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:  # not Linux: WAL is tried, and the fallback is taken where it does not work
        return []
