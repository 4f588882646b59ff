"""Studies that are an experiment: a run in a folder, which is continued where it was stopped."""

from __future__ import annotations

from pathlib import Path

from harness.cli.bars import show_run
from harness.cli.screen import Screen
from harness.plan.experiment import Experiment
from harness.report.run import Run, load, run_experiment
from harness.store.files import NAME
from modelling.errors import InputError


def continue_run(experiment: Experiment, folder: Path) -> Run:
    """Carry out an experiment, or what is missing of it in a folder. Raises ``InputError``."""
    with show_run(Screen()) as show:
        if not (folder / NAME).is_file():
            return run_experiment(experiment, folder, on_progress=show, on_warning=print)
        begun = load(folder).experiment
        if begun is None or begun.digest != experiment.digest:
            raise InputError(f"{folder} has a run of another experiment: name another --run")
        return run_experiment(None, folder, resume=True, on_progress=show)
