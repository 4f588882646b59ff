"""Control groups, on made-up machines whose groups are folders."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from harness.supervise import cgroups

V1 = """
30 23 0:26 / {sys}/memory rw,relatime shared:9 - cgroup cgroup rw,memory
31 23 0:27 / {sys}/cpu\\040time rw,relatime shared:9 - cgroup cgroup rw,cpu,cpuacct
32 23 0:28 / {sys}/unified rw,relatime shared:9 - cgroup2 cgroup2 rw
"""
V2 = "30 23 0:26 /user {sys} rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate\n"


def machine(folder: Path, mounts: str, member: str) -> Path:
    """The ``/proc`` of a machine with these mounts, whose groups are folders below ``folder``."""
    (folder / "proc" / "self").mkdir(parents=True)
    (folder / "proc/self/mountinfo").write_text(mounts.strip().format(sys=folder / "sys") + "\n")
    (folder / "proc/self/cgroup").write_text(member)
    return folder / "proc"


def delegated(group: Path, *pids: int) -> None:
    """Make ``group`` look like one of v2 that may limit memory and holds ``pids``."""
    group.mkdir(parents=True)
    (group / "cgroup.controllers").write_text("cpu memory pids\n")
    (group / "cgroup.subtree_control").write_text("")
    (group / "cgroup.procs").write_text("".join(f"{pid}\n" for pid in pids))


def test_groups_of_v1_are_made_below_the_own_one(tmp_path: Path) -> None:
    proc = machine(tmp_path, V1, "5:memory:/mine/he:re\n4:cpu,cpuacct:/mine\n0::/x\n")
    memory, cpu = tmp_path / "sys/memory/mine/he:re", tmp_path / "sys/cpu time/mine"
    for folder in (memory, cpu):
        folder.mkdir(parents=True)
    found = cgroups.find(proc)
    assert (found.version, found.memory, found.cpu) == (1, memory, cpu)
    assert list(memory.iterdir()) == []
    group = cgroups.Group(found, "s-1")
    group.make()
    assert group.joins() == [
        str(memory / "concord-s-1/cgroup.procs"),
        str(cpu / "concord-s-1/cgroup.procs"),
    ]
    (memory / "concord-s-1/memory.limit_in_bytes").touch()
    assert group.limits(7) == [(str(memory / "concord-s-1/memory.limit_in_bytes"), 7, True)]
    (memory / "concord-s-1/memory.oom_control").write_text("under_oom 0\noom_kill 3\n")
    (cpu / "concord-s-1/cpuacct.usage").write_text("1500000000\n")
    assert (group.kills(), group.cpu_s(), group.pids()) == (3, 1.5, [])
    for file in (*memory.glob("*/*"), *cpu.glob("*/*")):
        file.unlink()
    group.remove()
    assert list(memory.iterdir()) == list(cpu.iterdir()) == []


def test_in_v2_this_process_makes_room_for_groups(tmp_path: Path) -> None:
    proc = machine(tmp_path, V2, "0::/user/scope\n")
    group = tmp_path / "sys/scope"
    delegated(group, os.getpid())
    found = cgroups.find(proc)
    assert (found.version, found.memory) == (2, group)
    assert (group / "cgroup.subtree_control").read_text() == "+memory"
    assert (group / "concord-supervisor/cgroup.procs").read_text() == str(os.getpid())
    # And once it is there, it stays there.
    (group / "cgroup.subtree_control").write_text("memory")
    (proc / "self/cgroup").write_text("0::/user/scope/concord-supervisor\n")
    assert cgroups.find(proc) == found


def test_in_v2_nobody_else_is_moved(tmp_path: Path) -> None:
    proc = machine(tmp_path, V2, "0::/user/scope\n")
    delegated(tmp_path / "sys/scope", os.getpid(), 1)
    with pytest.raises(cgroups.NoGroups, match="holds processes of others; start with: systemd"):
        cgroups.find(proc)
    assert not (tmp_path / "sys/scope/concord-supervisor").exists()


@pytest.mark.parametrize(
    ("mounts", "member", "says"),
    [
        ("22 1 0:5 / /proc rw - proc proc rw", "0::/\n", "no control groups are mounted"),
        (V2, "0::/user/scope\n", "has no control over memory"),
        (V1, "5:memory:/mine\n0::/\n", "no group can be made in"),
    ],
)
def test_why_there_are_no_groups(tmp_path: Path, mounts: str, member: str, says: str) -> None:
    with pytest.raises(cgroups.NoGroups, match=says):
        cgroups.find(machine(tmp_path, mounts, member))
    with pytest.raises(cgroups.NoGroups, match="tells of no groups"):
        cgroups.find(tmp_path / "nowhere")


def test_what_a_group_of_v2_tells(tmp_path: Path) -> None:
    group = cgroups.Group(cgroups.Hierarchy(2, tmp_path, tmp_path), "s-1")
    group.make()
    folder = tmp_path / "concord-s-1"
    for name in ("memory.max", "memory.swap.max", "memory.oom.group"):
        (folder / name).touch()
    (folder / "cpu.stat").write_text("usage_usec 2500000\nuser_usec 1\n")
    (folder / "memory.peak").write_text(str(5 << 20))
    assert [(Path(path).name, *how) for path, *how in group.limits(9)] == [
        ("memory.oom.group", 1, False),
        ("memory.swap.max", 0, False),
        ("memory.max", 9, True),
    ]
    assert (group.cpu_s(), group.peak_mb(), group.kills()) == (2.5, 5.0, 0)
    (folder / "memory.events").write_text("oom 2\noom_kill 1\n")
    assert group.kills() == 1


def test_what_a_killed_session_left_is_removed(tmp_path: Path) -> None:
    for name in ("concord-a-1", "concord-a-2", "concord-ab-1"):
        (tmp_path / name).mkdir()
    cgroups.remove_all(cgroups.Hierarchy(2, tmp_path, tmp_path), "a")
    assert [path.name for path in tmp_path.iterdir()] == ["concord-ab-1"]


def test_a_trial_writes_the_limit_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the kernel takes no limit there are no groups; here each is a folder of files."""
    made: list[tuple[str, str]] = []
    hierarchy = cgroups.Hierarchy(2, tmp_path, tmp_path)
    files = [
        (str(tmp_path / name), 7, name == "memory.max")
        for name in ("memory.swap.max", "memory.max")
    ]
    monkeypatch.setattr(cgroups.Group, "limits", lambda group, most: files)
    monkeypatch.setattr(Path, "write_text", lambda path, text: made.append((path.name, text)))
    cgroups._try(hierarchy)
    assert made == [("memory.max", "7")]
    assert list(tmp_path.iterdir()) == []

    def refuse(path: Path, text: str) -> None:
        raise PermissionError(path)

    monkeypatch.setattr(Path, "write_text", refuse)
    with pytest.raises(cgroups.NoGroups, match="no group can be made in"):
        cgroups._try(hierarchy)
    assert list(tmp_path.iterdir()) == []


def test_whoever_is_in_a_group_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    child = subprocess.Popen(["sleep", "60"])
    members = tmp_path / "cgroup.procs"
    members.write_text(f"{child.pid}\n")
    ended: list[int] = []

    def wait(seconds: float) -> None:
        ended.append(child.wait())
        members.write_text("")

    monkeypatch.setattr(cgroups, "sleep", wait)
    try:
        cgroups.kill_all(tmp_path)
    finally:
        child.kill()
        child.wait()
    assert ended == [-9]


def test_in_v2_a_group_that_is_not_handed_down_is_left_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proc = machine(tmp_path, V2, "0::/user/scope\n")
    group = tmp_path / "sys/scope"
    delegated(group, os.getpid())
    (group / "cgroup.subtree_control").unlink()
    (group / "cgroup.subtree_control").mkdir()  # so that writing fails
    monkeypatch.setattr(cgroups, "_read", lambda path: path.read_text() if path.is_file() else "")
    with pytest.raises(cgroups.NoGroups, match="is not delegated to this user"):
        cgroups.find(proc)
    assert (group / "cgroup.procs").read_text() == str(os.getpid())
