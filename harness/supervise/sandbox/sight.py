"""No sight of other processes: in ``/proc`` are only those that a worker may look into (Linux 5.8).

These are its own, once Landlock keeps it apart from others. It takes mounts of one's own, and is
refused in most containers, where ``/proc`` itself is partly covered.
"""

from __future__ import annotations

from harness.supervise.sandbox.kernel import MS_NODEV, MS_NOEXEC, MS_NOSUID, mount


def see_own_processes() -> None:
    """Show this process, and all that it starts, its own processes only."""
    with open("/proc/self/mounts", encoding="utf-8") as file:
        if any(line.split()[1].startswith("/proc/") for line in file):
            raise OSError(0, "parts of /proc are covered")
    mount(b"proc", b"/proc", b"proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, b"hidepid=ptraceable")
