"""Control groups of Linux: the kernel limits a worker's memory and counts its CPU time.

Words
-----
group       a directory in which a set of processes is accounted for and limited as one; a child
            process belongs to its parent's group, whatever it does
v1, v2      the two interfaces: v1 has a tree of groups for each resource, v2 one for all
delegated   a group of v2 in which this user may make others, as in
            ``systemd-run --user --scope -p Delegate=yes concord run ...``

New groups are always made *below* the one that this process is in, so that limits that somebody
has set for it hold for the workers too. In v2 a group that has others below it must hold no process
itself: this process is moved into a group ``concord-supervisor`` first, and only when it is alone
in its own but for its descendants, so that nobody else's processes are ever moved.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from time import sleep

from harness.supervise.processes import MB, kill, tree_of

PREFIX = "concord-"
_LEAF = PREFIX + "supervisor"
_REMOVE_ROUNDS = 50
_KILL_ROUNDS = 500


class NoGroups(Exception):
    """No group can be made here; the text says why."""


@dataclass(frozen=True)
class Hierarchy:
    """Where groups can be made: ``memory`` and ``cpu`` are directories, the same one in v2."""

    version: int
    memory: Path
    cpu: Path

    @property
    def name(self) -> str:
        return f"cgroup v{self.version}"


def find(proc: Path = Path("/proc")) -> Hierarchy:
    """The hierarchy in which this process may make groups; raises NoGroups with the reason."""
    try:
        mounts = (proc / "self/mountinfo").read_text().splitlines()
        member = (proc / "self/cgroup").read_text().splitlines()
    except OSError as error:
        raise NoGroups(f"the system tells of no groups ({error})") from error
    places = _places(mounts, member)
    if "memory" in places:
        found = Hierarchy(1, places["memory"], places.get("cpuacct", places["memory"]))
    elif "" in places:
        own = places[""]
        if own.name == _LEAF:  # where an earlier session has moved us
            own = own.parent
        _hand_down_memory(own)
        found = Hierarchy(2, own, own)
    else:
        raise NoGroups("no control groups are mounted")
    _try(found)
    return found


def _places(mounts: Iterable[str], member: Iterable[str]) -> dict[str, Path]:
    """This process's own directory by controller of v1; that of v2 under the empty name."""
    paths = {}
    for line in member:
        _, controllers, path = line.split(":", 2)
        paths.update(dict.fromkeys(controllers.split(","), path))
    places: dict[str, Path] = {}
    for line in mounts:
        before, _, after = line.partition(" - ")
        root, point = (_unescape(word) for word in before.split()[3:5])
        kind, _, options = after.split(" ", 2)
        names = {"cgroup": options.split(" ")[-1].split(","), "cgroup2": [""]}.get(kind, [])
        for name in names:
            if name in paths and (relative := _below(paths[name], root)) is not None:
                places.setdefault(name, Path(point) / relative)
    return places


def _below(path: str, root: str) -> str | None:
    """``path`` as seen from a mount of ``root``; None when it lies elsewhere."""
    root = root.rstrip("/")
    return path[len(root) :].lstrip("/") if f"{path}/".startswith(f"{root}/") else None


def _unescape(word: str) -> str:
    return word.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")


def _hand_down_memory(group: Path) -> None:
    if "memory" not in _read(group / "cgroup.controllers").split():
        raise NoGroups(f"{group} has no control over memory")
    control = group / "cgroup.subtree_control"
    if "memory" in _read(control).split():
        return
    inside = {int(word) for word in _read(group / "cgroup.procs").split()}
    if inside - set(tree_of(os.getpid())):
        raise NoGroups(
            f"{group} holds processes of others; start with: "
            "systemd-run --user --scope -p Delegate=yes concord ..."
        )
    leaf = group / _LEAF
    try:
        leaf.mkdir(exist_ok=True)
        for pid in inside:
            (leaf / "cgroup.procs").write_text(str(pid))
        control.write_text("+memory")
    except OSError as error:
        with contextlib.suppress(OSError):  # as it was
            for pid in inside:
                (group / "cgroup.procs").write_text(str(pid))
            leaf.rmdir()
        raise NoGroups(f"{group} is not delegated to this user ({error})") from error


def _try(hierarchy: Hierarchy) -> None:
    """Make a group with a limit and remove it; raises NoGroups where that is not allowed."""
    group = Group(hierarchy, f"try-{os.getpid()}")
    try:
        group.make()
        for path, value, must in group.limits(64 * MB):
            if must:
                Path(path).write_text(str(value))
    except OSError as error:
        raise NoGroups(f"no group can be made in {hierarchy.memory} ({error})") from error
    finally:
        group.remove()


class Group:
    """One worker's group. ``make`` it, let the worker join it, ``remove`` it when that is gone."""

    def __init__(self, hierarchy: Hierarchy, name: str) -> None:
        self._is_v1 = hierarchy.version == 1
        self._memory = hierarchy.memory / (PREFIX + name)
        self._cpu = hierarchy.cpu / (PREFIX + name)
        self._folders = list(dict.fromkeys((self._memory, self._cpu)))
        self._kills: int | None = None

    def make(self) -> None:
        """Make the directories; raises OSError where that is not allowed."""
        for folder in self._folders:
            folder.mkdir()

    def joins(self) -> list[str]:
        """Files to which a process writes 0 to join."""
        return [str(folder / "cgroup.procs") for folder in self._folders]

    def limits(self, most: int) -> list[tuple[str, int, bool]]:
        """Files, what to write to them, in this order, for a limit of ``most`` bytes, and whether
        the limit does not hold without that."""
        if self._is_v1:
            words = [
                ("memory.limit_in_bytes", most, True),
                ("memory.memsw.limit_in_bytes", most, False),
            ]
        else:
            words = [
                ("memory.oom.group", 1, False),
                ("memory.swap.max", 0, False),
                ("memory.max", most, True),
            ]
        paths = ((self._memory / name, value, must) for name, value, must in words)
        return [(str(path), value, must) for path, value, must in paths if path.exists()]

    def pids(self) -> list[int]:
        """Who is in it."""
        return [int(word) for word in _read(self._memory / "cgroup.procs").split()]

    def cpu_s(self) -> float | None:
        """Seconds of CPU time since it was made, of all that ever was in it."""
        if self._is_v1:
            text = _read(self._cpu / "cpuacct.usage")
            return int(text) / 1e9 if text else None
        used = _table(_read(self._cpu / "cpu.stat")).get("usage_usec")
        return None if used is None else used / 1e6

    def peak_mb(self) -> float | None:
        """The most memory that it has held, the kernel's on its behalf included."""
        name = "memory.max_usage_in_bytes" if self._is_v1 else "memory.peak"
        text = _read(self._memory / name)
        return int(text) / MB if text else None

    def kills(self) -> int:
        """How many of its processes the kernel has killed for want of memory."""
        if self._kills is None:  # this is asked before and after each job
            name = "memory.oom_control" if self._is_v1 else "memory.events"
            with contextlib.suppress(FileNotFoundError):
                self._kills = os.open(self._memory / name, os.O_RDONLY | os.O_CLOEXEC)
        if self._kills is None:
            return 0
        return _table(os.pread(self._kills, 1024, 0).decode()).get("oom_kill", 0)

    def kill(self) -> None:
        """Kill whoever is in it, for when nobody else can."""
        kill_all(self._memory)

    def remove(self) -> None:
        """Remove the directories, which must be empty of processes."""
        if self._kills is not None:
            os.close(self._kills)
            self._kills = None
        for folder in self._folders:
            remove(folder)


def remove(folder: Path) -> None:
    """Remove a group's directory, unless it is still in use after a moment."""
    for _ in range(_REMOVE_ROUNDS):
        if not folder.exists():
            return
        try:
            folder.rmdir()
        except OSError:  # a process that was killed is still on its way out
            sleep(0.002)


def kill_all(folder: Path) -> None:
    """Kill every process of a group, also those that are forked meanwhile."""
    at_once = folder / "cgroup.kill"
    for _ in range(_KILL_ROUNDS):
        pids = _read(folder / "cgroup.procs").split()
        if not pids:
            return
        if at_once.exists():  # v2, since Linux 5.14
            at_once.write_text("1")
        else:
            kill(map(int, pids))
        sleep(0.002)


def remove_all(hierarchy: Hierarchy, session: str) -> None:
    """Kill and remove what a killed session left behind."""
    for place in {hierarchy.memory, hierarchy.cpu}:
        for folder in place.glob(f"{PREFIX}{session}-*"):
            kill_all(folder)
            remove(folder)


def _read(path: Path) -> str:
    """The text of one of the kernel's files; empty where this kernel has none."""
    try:
        return path.read_text().strip()
    except OSError:
        return ""


def _table(text: str) -> dict[str, int]:
    pairs = (line.split() for line in text.splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2}
