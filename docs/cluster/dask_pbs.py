"""Run an experiment on Dask workers that PBS starts.

Look through the settings; then, on the head node:

    pip install 'solver-concord[dask]' dask-jobqueue
    python dask_pbs.py mine.toml --out mine        # or whatever else `concord run` understands

Workers come as PBS gives them; the run begins with the first and ends all of them with itself.
"""

import sys

from dask_jobqueue import PBSCluster

from harness.cli.entry import main

PBS_JOBS = 4
SETTINGS = {
    "queue": "workq",
    "account": None,  # who pays
    "walltime": "04:00:00",
    "cores": 16,  # of one PBS job
    "processes": 16,  # Dask workers in it, each with one thread: as many jobs run at a time
    "memory": "32GB",  # for all of them; solvers count
    "resource_spec": "select=1:ncpus=16:mem=32GB",  # the same, as PBS wants it
    "worker_extra_args": ["--memory-limit", "0"],  # limits are Concord's affair
}

if __name__ == "__main__":
    with PBSCluster(**SETTINGS) as cluster:
        cluster.scale(jobs=PBS_JOBS)
        on = ["--on", "dask", "--scheduler", cluster.scheduler_address]
        sys.argv = ["concord", "run", *sys.argv[1:], *on]
        main()
