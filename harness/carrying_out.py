"""Carry out an experiment for a verb: progress while it runs, tables behind it, an exit status."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.command import FINE, INTERRUPTED, TROUBLE, records, told, write_json

if TYPE_CHECKING:
    from harness.experiment import Experiment
    from harness.run import Run


def carry_out(
    experiment: Experiment | None,
    out: Path | None,
    screen: Any,
    as_json: bool,
    resume: bool = False,
    **more: Any,
) -> int:
    """Run it with progress, then print the tables; the exit status says whether all is well.

    ``more`` goes to ``execute``: a share, an engine.
    """
    from harness.executing import Interrupted, execute

    told_of = {"on_warning": screen.complain, "resume": resume}
    try:
        with screen.progress() as show:
            done = execute(experiment, out, on_progress=show, **told_of, **more)
    except Interrupted as stopped:
        screen.complain(f"{stopped}\ngo on with: concord run --resume {stopped.folder}")
        return INTERRUPTED
    if not done.total:
        screen.note("this share has no jobs: the sets have fewer instances than there are shares")
    status = shown(done, screen, as_json)
    screen.note(f"run: {done.folder}")
    return max(status, told(screen, done.bad_lines))


def shown(run: Run, screen: Any, as_json: bool) -> int:
    """Print agreement and timing; 1 when there is a dispute or a wrong answer."""
    from harness import closing

    if as_json:
        tables = {"agreement": records(run.agreement), "timing": records(run.timing)}
        write_json({"run": str(run.folder), **tables})
    else:
        closing.show(run, screen)
    return FINE if closing.is_clean(run) else TROUBLE
