"""Processes of this machine: who has children, and who belongs to a tree."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from harness.supervise.processes import has_children, look_at, peak_mb, tree_of


def test_without_waitid_there_may_always_be_children(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "waitid", raising=False)
    assert has_children()  # the dear look at all processes is to find out


def test_a_tree_holds_what_a_process_started() -> None:
    words = [sys.executable, "-c", "import time; print(flush=True); time.sleep(60)"]
    child = subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True)
    assert child.stdout is not None
    child.stdout.readline()
    try:
        assert has_children()
        seen = look_at(child.pid)
        assert seen is not None
        assert (seen.parent, seen.is_zombie) == (os.getpid(), False)
        assert seen.resident_mb > 1
        assert child.pid in tree_of(os.getpid())
    finally:
        child.kill()
        child.stdout.close()
        child.wait()
    assert look_at(child.pid) is None
    assert peak_mb(child.pid) is None
