"""The ready files of docs/cluster: tried without a cluster as far as that goes."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from harness_samples import experiment, tiny_file

from harness.plan.reading import dump
from harness.report.run import load

pytestmark = pytest.mark.once

FILES = Path(__file__).parents[3] / "docs" / "cluster"
TEXTS = ("3 4 -", "3 4 4", "2 2 -", "3 2 -")

NEEDED = ("slurmctld", "slurmd", "sinfo", "sbatch", "munged")
MISSING = [command for command in NEEDED if shutil.which(command) is None]

STUB = """
from distributed import LocalCluster

class SLURMCluster(LocalCluster):
    '''As far as the script uses it, on this machine.'''

    def __init__(self, *, queue, account, walltime, cores, processes, memory, worker_extra_args,
                 **more):
        assert more.keys() <= {"resource_spec"}
        super().__init__(n_workers=1, threads_per_worker=1, dashboard_address=None)

    def scale(self, n=0, jobs=0):
        super().scale(n or jobs)

PBSCluster = SLURMCluster
"""


def environment(folder: Path, **more: str) -> dict[str, str]:
    """With this Python's ``concord``, and the tests' families and stubs."""
    programs = folder / "bin"
    programs.mkdir(exist_ok=True)
    program = programs / "concord"
    if not program.exists():  # a job of Slurm may be starting it at this moment
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m harness.cli.entry "$@"\n')
        program.chmod(0o755)
    kept = os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join([str(folder), str(Path(__file__).parents[1]), kept])
    found = os.pathsep.join([str(programs), os.environ["PATH"]])
    return os.environ | {"PYTHONPATH": path, "PATH": found} | more


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with mine.toml in it."""
    chosen = experiment(tiny_file(tmp_path, *TEXTS), "brute_force", count="all")
    (tmp_path / "mine.toml").write_text(dump(chosen), encoding="utf-8")
    return tmp_path


def run(words: list[str], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        words,
        cwd=folder,
        env=environment(folder, **more),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.parametrize("name", sorted(path.name for path in FILES.glob("*.sh")))
def test_scripts_are_well_formed(name: str) -> None:
    done = subprocess.run(["sh", "-n", str(FILES / name)], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_task_of_the_array_runs_its_share_and_goes_on_with_it(folder: Path) -> None:
    words = ["sh", str(FILES / "slurm-array.sh"), "mine.toml"]
    for number in ("1", "2", "2"):  # the second is requeued
        task = {
            "SLURM_ARRAY_TASK_ID": number,
            "SLURM_ARRAY_TASK_MIN": "1",
            "SLURM_ARRAY_TASK_MAX": "2",
            "SLURM_CPUS_PER_TASK": "1",
        }
        done = run(words, folder, **task)
        assert done.returncode == 0, done.stderr
    parts = [load(folder / "runs" / f"mine-{number}") for number in (1, 2)]
    assert [part.total for part in parts] == [2, 2]
    assert all(part.complete for part in parts)
    done = run(["concord", "merge", *(str(part.folder) for part in parts), "--out", "all"], folder)
    assert done.returncode == 0, done.stderr
    assert len(load(folder / "all").jobs) == 4


def test_the_array_says_how_it_is_to_be_called(folder: Path) -> None:
    script = str(FILES / "slurm-array.sh")
    assert "name an experiment" in run(["sh", script], folder).stderr
    assert "--array=1-N" in run(["sh", script, "mine.toml"], folder).stderr
    task = {"SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_MAX": "1"}
    done = run(["sh", script, "mine.toml"], folder, **task)
    assert done.returncode == 2
    assert "number the array from 1" in done.stderr


@pytest.mark.parametrize("name", ["dask_slurm.py", "dask_pbs.py"])
def test_the_scripts_for_dask_run_an_experiment(name: str, folder: Path) -> None:
    pytest.importorskip("distributed", reason="Dask distributed is not installed")
    (folder / "dask_jobqueue.py").write_text(STUB, encoding="utf-8")
    words = [sys.executable, str(FILES / name), "mine.toml", "--out", "run"]
    done = run(words, folder)
    assert done.returncode == 0, done.stderr
    assert load(folder / "run").complete
    assert "verified" in done.stdout


def test_the_kubernetes_file_starts_one_job_a_worker() -> None:
    yaml = pytest.importorskip("yaml", reason="PyYAML is not installed")
    cluster = yaml.safe_load((FILES / "dask-kubernetes.yaml").read_text(encoding="utf-8"))
    assert cluster["kind"] == "DaskCluster"
    (worker,) = cluster["spec"]["worker"]["spec"]["containers"]
    words = worker["args"]
    assert words[words.index("--nthreads") + 1] == "1"
    assert words[words.index("--memory-limit") + 1] == "0"
    assert worker["resources"]["requests"] == worker["resources"]["limits"]
    (scheduler,) = cluster["spec"]["scheduler"]["spec"]["containers"]
    ports = {port["name"]: port["containerPort"] for port in scheduler["ports"]}
    for port in cluster["spec"]["scheduler"]["service"]["ports"]:
        assert ports[port["targetPort"]] == port["port"]


# --- a real Slurm --------------------------------------------------------------------------


def two_free_ports() -> int:
    """A port that is free, as is the one after it."""
    while True:
        with socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", 0))
            port: int = one.getsockname()[1]
            try:
                other.bind(("127.0.0.1", port + 1))
            except OSError:
                continue
            return port


@pytest.fixture
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment that finds a Slurm of one node, started for the test."""
    if MISSING:
        pytest.skip(f"needs Slurm, and no program {MISSING[0]} is on the PATH")
    if os.getuid():
        pytest.skip("starting Slurm needs root")
    folder = tmp_path_factory.mktemp("slurm")
    script = str(FILES / "slurm-single-node.sh")
    done = subprocess.run(
        ["sh", script, "start", str(folder)],
        env=os.environ | {"SLURM_PORT": str(two_free_ports())},
        capture_output=True,
        text=True,
        check=False,
    )
    try:
        assert done.returncode == 0, done.stderr
        yield {"SLURM_CONF": str(folder / "slurm.conf")}
    finally:
        subprocess.run(["sh", script, "stop", str(folder)], check=True)


def wait_until_idle(folder: Path, slurm: dict[str, str]) -> None:
    for _ in range(120):
        left = run(["squeue", "--noheader"], folder, **slurm).stdout
        if not left.strip():
            return
        time.sleep(1)
    raise AssertionError(f"Slurm still has jobs:\n{left}")


def test_a_job_array_on_a_real_slurm(slurm: dict[str, str], folder: Path) -> None:
    words = ["sbatch", "--array=1-2", "--mem-per-cpu=200M"]
    done = run([*words, str(FILES / "slurm-array.sh"), "mine.toml"], folder, **slurm)
    assert done.returncode == 0, done.stderr
    wait_until_idle(folder, slurm)
    logs = "".join(path.read_text() for path in folder.glob("concord-*.log"))
    parts = [str(folder / "runs" / f"mine-{number}") for number in (1, 2)]
    merged = run(["concord", "merge", *parts, "--out", "all"], folder)
    assert merged.returncode == 0, merged.stderr + logs
    assert len(load(folder / "all").jobs) == 4


def test_dask_on_a_real_slurm(slurm: dict[str, str], folder: Path) -> None:
    if find_spec("dask_jobqueue") is None:  # importing it would change how Ctrl-C is taken
        pytest.skip("dask-jobqueue is not installed")
    script = (FILES / "dask_slurm.py").read_text(encoding="utf-8")
    for large, small in (
        ("SLURM_JOBS = 4", "SLURM_JOBS = 1"),
        ('"normal"', '"all"'),
        ('"cores": 16', '"cores": 1'),
        ('"processes": 16', '"processes": 1'),
        ('"32GB"', '"300MB"'),
    ):
        assert large in script
        script = script.replace(large, small)
    (folder / "mine.py").write_text(script, encoding="utf-8")
    done = run([sys.executable, "mine.py", "mine.toml", "--out", "run"], folder, **slurm)
    logs = "".join(path.read_text() for path in folder.glob("slurm-*.out"))
    assert done.returncode == 0, done.stderr + logs
    assert load(folder / "run").complete
    wait_until_idle(folder, slurm)
