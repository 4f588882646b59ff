"""What a worker tries in vain: the run's folder, rivals' signals, the network, others' memory."""

from __future__ import annotations

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness_samples import experiment, tiny_file
from typer.testing import CliRunner

from harness.cli.verbs import app
from harness.report.run import Run, run_experiment
from harness.supervise.sandbox import measures, wanted
from harness.supervise.sandbox.network import _MACHINES, write_filter

pytestmark = pytest.mark.once  # each test begins workers

FOUND = measures.find_measures(["/tmp"])


def needs(*names: str) -> pytest.MarkDecorator:
    """Skips where the kernel has nothing of the kind."""
    lacking = [f"{name}: {FOUND.missing[name]}" for name in names if name in FOUND.missing]
    return pytest.mark.skipif(bool(lacking), reason="; ".join(lacking))


ATTEMPTS = """
import os, signal, socket, subprocess, sys, threading, time
from pathlib import Path
from backends.conformance.liars.liar import Liar

HERE = Path(__file__).parent
VICTIM = int((HERE / "victim").read_text())

def signals():
    os.kill(VICTIM, signal.SIGTERM)

def reaper():
    os.kill(os.getppid(), signal.SIGSTOP)

def network():
    socket.create_connection(("127.0.0.1", 9), 0.1)

def datagram():
    socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)

def child():
    code = "import socket; socket.socket()"
    subprocess.run([sys.executable, "-S", "-c", code], check=True)

def memory():
    Path(f"/proc/{VICTIM}/mem").open("rb")

def shared():
    Path("/dev/shm/concord-test-left").write_text("mine")

def folder():
    list(HERE.joinpath("run", "store.sqlite").read_bytes())

def own():
    done = subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    done.send_signal(signal.SIGKILL)
    assert done.wait() == -signal.SIGKILL
    left, right = socket.socketpair()
    left.sendall(b"x")
    assert right.recv(1) == b"x"

class Try(Liar):
    action = staticmethod(own)

    def lie(self, problem, ask, limits, result):
        self.action()
        return result
"""
for _name in ("signals", "reaper", "network", "datagram", "child", "memory", "shared", "folder"):
    ATTEMPTS += f"\nclass {_name.title()}(Try):\n    action = staticmethod({_name})\n"


@pytest.fixture
def victim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A process of the same user that runs beside, and the module of those that try."""
    child = os.fork()
    if child == 0:
        time.sleep(120)
        os._exit(0)
    (tmp_path / "victim").write_text(str(child))
    (tmp_path / "attempts.py").write_text(ATTEMPTS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield child
    assert os.waitpid(child, os.WNOHANG) == (0, 0)  # it has got no signal
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def attempt(folder: Path, *names: str, **more: object) -> Run:
    chosen = experiment(
        tiny_file(folder, "3 4 -"), *(f"py:attempts:{n}" for n in names), warm_ups=0, **more
    )
    return run_experiment(chosen, folder / "run")


@needs("signals", "network", "shared memory")
@pytest.mark.parametrize("mode", ["pooled", "isolated", "fresh"])
def test_what_is_refused_is_the_error_of_the_job(mode: str, victim: int, tmp_path: Path) -> None:
    names = ("Signals", "Reaper", "Network", "Datagram", "Child", "Memory", "Folder")
    run = attempt(tmp_path, *names, "Try", "Shared", mode=mode)
    jobs = run.jobs.set_index("backend")
    for name in names:
        job = jobs.loc[f"py:attempts:{name}"]
        assert job["outcome"] == "error", name
        refused = r"PermissionError|FileNotFoundError|CalledProcessError"
        assert any(word in job["error"] for word in refused.split("|")), job["error"]
    for name in ("Try", "Shared"):  # what it may do
        assert jobs.loc[f"py:attempts:{name}", "outcome"] == "finished", jobs["error"].to_dict()
    assert not Path("/dev/shm/concord-test-left").exists()
    for text in jobs["isolation"]:
        for held in ("store hidden", "own shared memory", "signals refused", "network refused"):
            assert held in text


@needs("network")
def test_off_keeps_nobody_from_anything(victim: int, tmp_path: Path) -> None:
    path = tiny_file(tmp_path, "3 4 -")
    words = [
        "compare",
        "--set",
        path,
        "--family",
        "py:tiny_family:Tiny",
        "-b",
        "py:attempts:Datagram",
    ]
    out = tmp_path / "off"
    CliRunner().invoke(app, [*words, "--sandbox", "off", "--out", str(out), "--quiet"])
    from harness.report.run import load

    (job,) = load(out).jobs.to_dict("records")
    assert (job["outcome"], job["isolation"]) == ("finished", "wall time, sandbox off")


def test_what_is_missing_is_said_once_or_ends_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from harness.supervise import settings

    monkeypatch.setattr(settings, "describe_missing", lambda: "signals in reach (no Landlock)")
    path = tiny_file(tmp_path, "3 4 -")
    words = ["compare", "--set", path, "--family", "py:tiny_family:Tiny", "-b", "propagation"]
    done = CliRunner().invoke(app, [*words, "--sandbox", "require", "--out", str(tmp_path / "no")])
    said = " ".join(done.stderr.split())
    assert done.exit_code == 2
    assert "sandbox: this machine leaves signals in reach (no Landlock); use --sandbox auto" in said
    assert not (tmp_path / "no").exists()
    done = CliRunner().invoke(app, [*words, "--out", str(tmp_path / "run")])
    said = " ".join(done.stderr.split())
    assert done.exit_code == 0
    assert said.count("workers are not kept from everything: signals in reach (no Landlock)") == 1
    done = CliRunner().invoke(app, [*words, "--sandbox", "some"])
    assert done.exit_code == 2
    assert "auto" in done.stderr


def test_each_measure_is_tried_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise PermissionError(1, "not here")

    refused = measures.MEASURES["network"]._replace(enter=refuse)
    monkeypatch.setitem(measures.MEASURES, "network", refused)
    monkeypatch.setattr(measures, "LINUX", hasattr(os, "fork"))
    found = measures.find_measures(["/tmp"])
    assert "network" in found.missing
    assert "network in reach ([Errno 1] not here)" in found.text


@pytest.mark.skipif(sys.platform != "linux", reason="it asks this kernel")
def test_the_trial_in_a_process_apart_says_what_that_of_a_reaper_says() -> None:
    missing = [part for part in FOUND.parts if wanted.IN_REACH in part]
    assert [
        part for part in wanted.describe_missing().split(", ") if "store" not in part and part
    ] == missing


@pytest.mark.parametrize("name", _MACHINES)
def test_a_filter_by_hand(name: str) -> None:
    """The steps, carried out as the kernel does, on calls and arguments."""
    machine = _MACHINES[name]

    def answer(number: int, first: int = 0, architecture: int = machine.architecture) -> int:
        fields = {0: number, 4: architecture, 16: first}
        steps, at, value = list(write_filter(machine)), 0, 0
        while True:
            code, so, otherwise, k = steps[at]
            at += 1
            if code == 0x20:
                value = fields[k]
            elif code == 0x06:
                return k & 0xFFFF if k >> 16 == 5 else 0
            else:
                holds = value == k if code == 0x15 else value >= k
                at += so if holds else otherwise

    for family, refused in ((socket.AF_UNIX, 0), (16, 0), (socket.AF_INET, 13), (10, 13), (17, 13)):
        assert answer(machine.socket, int(family)) == refused, family
    assert answer(425) == 38
    assert answer(0) == answer(machine.socket + 1) == 0
    assert answer(machine.others[0], architecture=1) == 13
    assert answer(machine.socket, 2, architecture=1) == (
        13 if machine.socket in machine.others else 0
    )
