"""Run an experiment on Dask workers that Slurm starts; on the head node:

    pip install 'solver-concord[dask]' dask-jobqueue
    python dask_slurm.py mine.toml --nodes 4 [--out DIR | --resume RUN]

Workers come as Slurm gives them, and the experiment begins with the first.
"""

import argparse

from dask_jobqueue import SLURMCluster

from harness import experiment
from harness.on_dask import engine
from harness.run import execute

SETTINGS = {
    "queue": "normal",  # the partition
    "account": None,  # who pays
    "walltime": "04:00:00",
    "cores": 16,  # of one Slurm job
    "processes": 16,  # Dask workers in it, each with one thread: so many jobs run at a time
    "memory": "32GB",  # for all of them; solvers count
    "worker_extra_args": ["--memory-limit", "0"],  # limits are Concord's affair
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("experiment", nargs="?", help="a TOML file, or one that ships")
    parser.add_argument("--nodes", type=int, default=2, help="Slurm jobs")
    parser.add_argument("--out", help="the run's folder")
    parser.add_argument("--resume", metavar="RUN", help="go on with this run")
    chosen = parser.parse_args()
    with SLURMCluster(**SETTINGS) as cluster:
        cluster.scale(jobs=chosen.nodes)
        run = execute(
            experiment.load(chosen.experiment) if chosen.experiment else None,
            chosen.resume or chosen.out,
            resume=chosen.resume is not None,
            engine=engine(cluster.scheduler_address),
            on_progress=lambda p: print(f"{p.done} of {p.total} jobs", end="\r", flush=True),
        )
    print(run.agreement, run.timing, run.folder, sep="\n\n")
