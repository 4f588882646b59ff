"""What the screen says of a run that continues."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from harness_samples import experiment, tiny_file

from harness.cli.bars import run_speed
from harness.report.run import run_experiment
from harness.runs.progress import RunProgress


def test_the_tempo_is_that_of_the_jobs_of_this_session() -> None:
    assert run_speed(RunProgress(100, 90, {}, 2.0, 4.0)) == "45.0/s, 0:04 left"
    assert run_speed(RunProgress(100, 90, {}, 2.0, 4.0, before=80)) == "5.0/s, 0:04 left"
    assert run_speed(RunProgress(100, 80, {}, 0.0, None, before=80)) == "0.0/s"


def test_a_resumed_run_does_not_count_what_was_done_before(tmp_path: Path) -> None:
    chosen = experiment(tiny_file(tmp_path, "3 4 -", "3 4 4"), "brute_force")
    run_experiment(chosen, tmp_path / "run")
    seen: list[RunProgress] = []
    run_experiment(chosen, tmp_path / "run", resume=True, on_progress=seen.append)
    assert (seen[-1].done, seen[-1].before) == (2, 2)
    assert run_speed(seen[-1]) == "0.0/s"


def test_the_screen_does_not_import_what_runs_jobs() -> None:
    code = (
        "import sys, harness.cli.screen, harness.cli.bars;"
        "heavy = {'harness.runs.execution', 'harness.store.store'};"
        "print([name for name in sys.modules if name in heavy])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
